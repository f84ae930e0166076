package io.gannet;

/** The connection. */
final class GannetClient
{
    private GannetClient()
    {
    }

    static Gannet connect(final Gannet.Context context)
    {
        if (context.clone().directory() != null)
        {
            throw new GannetException("being built: no connection for " + context.name() + " yet");
        }
        return null;
    }
}
