package io.gannet;

/** Defaults of {@link Gannet.Context} that need more than a constant. */
final class ClientNames
{
    private ClientNames()
    {
    }

    /** The main class or jar that this JVM runs, without package and arguments. */
    static String ofProcess()
    {
        final String command = System.getProperty("sun.java.command", "");
        final int end = command.indexOf(' ');
        final String main = end < 0 ? command : command.substring(0, end);
        final int start = Math.max(main.lastIndexOf('/'), main.endsWith(".jar") ? -1 : main.lastIndexOf('.'));
        final String simple = main.substring(start + 1);
        return simple.isBlank() ? "java" : simple;
    }

    static Thread daemonThread(final Runnable body)
    {
        final Thread thread = new Thread(body, "gannet-client-conductor");
        thread.setDaemon(true);
        return thread;
    }

    /** One line, and the trace for what isn't a plain report of ours. */
    static void printError(final Throwable error)
    {
        if (error instanceof GannetException)
        {
            System.err.println("gannet client: " + error.getMessage());
        }
        else
        {
            System.err.println("gannet client: " + error);
            error.printStackTrace();
        }
    }
}
