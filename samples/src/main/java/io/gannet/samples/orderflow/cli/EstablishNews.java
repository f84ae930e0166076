package io.gannet.samples.orderflow.cli;

import io.gannet.samples.orderflow.client.OrderLoad;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells for what clients wait before all sessions are established: after a second, and again when it is for something
 * else. For the thread that polls them.
 */
final class EstablishNews
{
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private final OrderLoad load;
    private final int sessions;
    private final int stream;
    private final Consumer<String> out;
    private String told = "";

    /**
     * @param sessions that are to be established.
     * @param stream   of requests.
     */
    EstablishNews(final OrderLoad load, final int sessions, final int stream, final Consumer<String> out)
    {
        this.load = load;
        this.sessions = sessions;
        this.stream = stream;
        this.out = out;
    }

    /** Looks what is missing, so many nanoseconds after the first look. */
    void look(final long waited)
    {
        if (waited < QUIET_NANOS)
        {
            return;
        }
        final String missing = !load.connection().isRead() ?
            "for a gateway that reads stream " + stream + ": is gannet orders gateway running?" :
            !load.refusal().isEmpty() ? "as " + load.refusal() :
            !load.connection().isAnswered() ? "for the stream of the gateway's answers" :
            "for the gateway to establish all " + String.format(Locale.ROOT, "%,d", sessions) + " sessions";
        if (!missing.equals(told))
        {
            told = missing;
            out.accept("waiting " + missing);
        }
    }

    /** Sessions are established; told if waiting was. */
    void end()
    {
        if (!told.isEmpty() && load.isEstablished())
        {
            out.accept(String.format(Locale.ROOT, "all %,d sessions are established", sessions));
        }
    }
}
