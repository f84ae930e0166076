package io.gannet.driver;

/**
 * The reference page of the options, {@code docs/configuration.md}, written by
 * {@code ./gannet driver --print-reference}.
 */
public final class ConfigurationReference
{
    private ConfigurationReference()
    {
    }

    /** The page in Markdown, the same on every machine. */
    public static String markdown()
    {
        final StringBuilder page = new StringBuilder();
        page.append("# Configuration of the media driver\n\n")
            .append("<!-- Made by: ./gannet driver --print-reference > docs/configuration.md -->\n\n")
            .append("Each option has one name in four places; a later place wins:\n\n")
            .append("1. its default;\n")
            .append("2. a file, `./gannet driver --config FILE`: one `key = value` in a line; ")
            .append("lines that start with `#` are comments;\n")
            .append("3. the environment: `").append(DriverConfiguration.ENVIRONMENT_PREFIX)
            .append("` and the key in upper case, dashes as underscores;\n")
            .append("4. a flag: `--key VALUE`. An embedded driver sets options in code instead.\n\n")
            .append("`./gannet driver --print-config` prints every value and where it came from. An unknown key or ")
            .append("a value that is not allowed ends the command with exit code 2, a driver that can't start or ")
            .append("ends by itself with 1; each says why in one line.\n\n")
            .append("Sizes are bytes, or take `k`, `m`, `g` for KiB, MiB, GiB. Durations take `ns`, `us`, `ms`, `s`.")
            .append("\n\n")
            .append("| key | type | allowed | default |\n|---|---|---|---|\n");
        for (final DriverOption<?> option : DriverOptions.all())
        {
            page.append("| [`").append(option.key()).append("`](#").append(option.key()).append(") | ")
                .append(option.typeName()).append(" | ").append(option.range()).append(" | `")
                .append(option.defaultText()).append("` |\n");
        }
        for (final DriverOption<?> option : DriverOptions.all())
        {
            page.append("\n## ").append(option.key()).append("\n\n").append(option.description()).append("\n\n")
                .append("Flag `").append(option.flag()).append("`, environment `")
                .append(option.environmentVariable()).append("`.\n");
        }
        return page.toString();
    }
}
