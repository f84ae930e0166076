package io.gannet.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of a command, made from what its help is made from. In troff's man macros, see man(7).
 */
final class ManPage
{
    private final CommandSpec spec;
    private final CommandLine line;
    private final StringBuilder text = new StringBuilder();

    ManPage(final CommandLine line)
    {
        this.line = line;
        spec = line.getCommandSpec();
    }

    /** The page's name: gannet, gannet-driver ... */
    String name()
    {
        return spec.qualifiedName("-");
    }

    String text()
    {
        text.append(".TH ").append(quote(name().toUpperCase(java.util.Locale.ROOT))).append(" 1 \"\" ")
            .append(quote("Gannet " + Version.text().replaceFirst("^gannet ", ""))).append(" \"Gannet\"\n");
        final String[] description = spec.usageMessage().description();
        section("NAME");
        paragraph(name() + " \\- " + escape(firstSentence(description.length == 0 ? "" : description[0])));
        section("SYNOPSIS");
        text.append(".nf\n").append(escape(synopsis())).append("\n.fi\n");
        section("DESCRIPTION");
        for (final String each : description)
        {
            text.append(".PP\n");
            paragraph(escape(plain(each)));
        }
        parameters();
        options();
        commands();
        exitCodes();
        environment();
        return text.toString();
    }

    private String synopsis()
    {
        return line.getHelp().synopsis(0).strip().replaceAll("\\s+", " ");
    }

    private void parameters()
    {
        boolean first = true;
        for (final PositionalParamSpec parameter : spec.positionalParameters())
        {
            if (!parameter.hidden())
            {
                if (first)
                {
                    section("ARGUMENTS");
                    first = false;
                }
                item("\\fI" + escape(parameter.paramLabel()) + "\\fR", parameter.description());
            }
        }
    }

    private void options()
    {
        section("OPTIONS");
        for (final OptionSpec option : spec.options())
        {
            if (!option.hidden())
            {
                final String initial = option.defaultValue() == null ? "" : option.defaultValue();
                final String[] description = option.description().clone();
                for (int i = 0; i < description.length; i++)
                {
                    description[i] = description[i].replace("${DEFAULT-VALUE}", initial);
                }
                item("\\fB" + escape(String.join(", ", option.names())) + "\\fR" + (option.arity().max() == 0 ? "" :
                    " \\fI" + escape(option.paramLabel()) + "\\fR"), description);
            }
        }
    }

    private void commands()
    {
        final List<Map.Entry<String, CommandLine>> shown = line.getSubcommands().entrySet().stream()
            .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden()).toList();
        if (!shown.isEmpty())
        {
            section("COMMANDS");
            for (final Map.Entry<String, CommandLine> child : shown)
            {
                item("\\fB" + escape(child.getKey()) + "\\fR",
                    child.getValue().getCommandSpec().usageMessage().description());
            }
        }
    }

    private void exitCodes()
    {
        CommandSpec from = spec;
        while (from.usageMessage().exitCodeList().isEmpty() && from.parent() != null)
        {
            from = from.parent();
        }
        section("EXIT STATUS");
        from.usageMessage().exitCodeList().forEach((code, meaning) ->
            item("\\fB" + escape(code.strip()) + "\\fR", escape(meaning)));
    }

    private void environment()
    {
        section("ENVIRONMENT");
        item("\\fBGANNET_DIR\\fR", "Directory of the driver, for the driver, clients and commands.");
        item("\\fBGANNET_JAVA_OPTS\\fR", "Options of the Java virtual machine.");
    }

    private void section(final String title)
    {
        text.append(".SH ").append(title).append('\n');
    }

    private void item(final String term, final String... description)
    {
        text.append(".TP\n").append(term).append('\n');
        for (final String each : description)
        {
            paragraph(escape(plain(each)));
        }
    }

    /** A line of text; one that starts with a control character would be a request. */
    private void paragraph(final String line)
    {
        text.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "").append(line).append('\n');
    }

    private String plain(final String markup)
    {
        return Ansi.OFF.string(markup.replace("%%", "%").replace("%n", " "));
    }

    private static String firstSentence(final String description)
    {
        final int end = description.indexOf(". ");
        return (end < 0 ? description.replaceFirst("\\.$", "") : description.substring(0, end)).replace("%%", "%");
    }

    private static String escape(final String raw)
    {
        return raw.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ");
    }

    private static String quote(final String raw)
    {
        return '"' + escape(raw) + '"';
    }
}
