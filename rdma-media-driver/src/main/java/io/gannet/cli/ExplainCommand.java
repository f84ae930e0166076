package io.gannet.cli;

import io.gannet.errors.OperatorError;
import io.gannet.text.Json;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code gannet explain}: what an error's code means.
 */
@Command(name = "explain", description = "Tells what the code at the end of an error means, what leads to it and " +
    "what to do. Without a code it lists all of them.")
public final class ExplainCommand implements Subcommand
{
    @Parameters(paramLabel = "CODE", arity = "0..1", description = "Such as E207.")
    private String code;

    @Option(names = "--json", description = "Prints a JSON object, or an array of them.")
    private boolean json;

    @Option(names = "--print-reference", hidden = true, description = "Prints the reference page of all codes; ends.")
    private boolean printReference;

    @Override
    public Integer call()
    {
        if (printReference)
        {
            System.out.print(reference());
        }
        else if (code == null)
        {
            System.out.print(json ? all() + "\n" : Arrays.stream(OperatorError.values())
                .map(error -> error.code() + "  " + error.meaning() + "\n").collect(Collectors.joining()));
        }
        else
        {
            final OperatorError error = OperatorError.ofCode(code);
            if (error == null)
            {
                throw new UsageException("there is no error " + code + ": gannet explain lists all");
            }
            System.out.print(json ? add(new Json(), error).text() + "\n" : text(error));
        }
        System.out.flush();
        return 0;
    }

    private static String text(final OperatorError error)
    {
        return error.code() + "    " + error.meaning() + "\nCause   " + error.cause() + "\nRemedy  " + error.remedy() +
            "\n";
    }

    private static StringBuilder all()
    {
        final Json array = new Json().array();
        for (final OperatorError error : OperatorError.values())
        {
            add(array, error);
        }
        return array.end().text();
    }

    private static Json add(final Json to, final OperatorError error)
    {
        return to.object()
            .name("code").value(error.code())
            .name("meaning").value(error.meaning())
            .name("cause").value(error.cause())
            .name("remedy").value(error.remedy())
            .end();
    }

    static String reference()
    {
        final StringBuilder text = new StringBuilder("""
            # Errors

            <!-- Made by: ./gannet explain --print-reference > docs/errors.md -->

            Each error that an operator sees ends with a code, in the log of the driver, in `gannet errors` and in what
            a command prints. `gannet explain CODE` prints what stands here. A code keeps its meaning over releases.

            """);
        for (final OperatorError error : OperatorError.values())
        {
            text.append("## ").append(error.code()).append("\n\n").append(error.meaning()).append(".\n\nCause: ")
                .append(error.cause()).append("\n\nRemedy: ").append(error.remedy()).append("\n\n");
        }
        return text.toString().stripTrailing() + "\n";
    }
}
