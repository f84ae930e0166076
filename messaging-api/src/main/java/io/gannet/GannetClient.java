package io.gannet;

/** The connection. */
final class GannetClient
{
    private GannetClient()
    {
    }

    static Gannet connect(final Gannet.Context context)
    {
        throw new GannetException("being built: no connection for " + context.name() + " yet");
    }
}
