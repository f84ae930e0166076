package io.gannet.cli;

import io.gannet.GannetException;
import io.gannet.control.ControlException;
import io.gannet.driver.ConfigurationException;
import io.gannet.driver.DriverException;
import io.gannet.os.OsException;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * What an operator can put right, told in one line; the system property {@code gannet.stack-trace=true} puts the stack
 * trace before it.
 */
final class Mistakes
{
    private static final String STACK_TRACE = "gannet.stack-trace";

    private Mistakes()
    {
    }

    /** Tells of a failure, if it is of that kind. */
    static boolean tell(final PrintWriter err, final Exception failure)
    {
        if (failure instanceof IOException)
        {
            oneLine(err, failure.toString());
            return true;
        }
        if (failure instanceof ConfigurationException || failure instanceof DriverException ||
            failure instanceof OperatorException || failure instanceof GannetException ||
            failure instanceof ControlException || failure instanceof OsException ||
            failure instanceof IllegalArgumentException)
        {
            if (Boolean.getBoolean(STACK_TRACE))
            {
                failure.printStackTrace(err);
            }
            oneLine(err, failure.getMessage() == null ? failure.toString() : failure.getMessage());
            return true;
        }
        return false;
    }

    static void oneLine(final PrintWriter err, final String message)
    {
        err.println("gannet: " + message.strip().replaceAll("\\R\\s*", " "));
        err.flush();
    }
}
