package io.gannet.samples.orderflow.gateway;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What an operator is told of the link to the engine: why it is refused, each kind of reason once, then again after
 * 10 s and twice as long each time, up to 10 minutes; and that it is made, if it was refused before. The gateway asks
 * several times a second. For the gateway's thread.
 */
final class LinkNews
{
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Consumer<String> out;
    private final Map<EngineLink.Mismatch, Told> told = new EnumMap<>(EngineLink.Mismatch.class);
    private boolean down;

    /** When a kind was told, and how long it is not told again. */
    private record Told(long at, long pause)
    {
    }

    LinkNews(final Consumer<String> out)
    {
        this.out = out;
    }

    /**
     * @param linked whether there is another engine that does take the gateway.
     * @param now    nanoseconds that never jump.
     */
    void refused(final EngineLink.Mismatch kind, final boolean linked, final String reason, final long now)
    {
        final Told last = told.get(kind);
        final boolean isChange = !linked && !down;
        if (last == null || isChange || now - last.at >= last.pause)
        {
            told.put(kind, new Told(now, last == null ? FIRST_NANOS : Math.min(2 * last.pause, LONGEST_NANOS)));
            down |= !linked;
            out.accept((linked ? "not linked to a second engine on its streams: " : "not linked: ") + reason);
        }
    }

    /** A refusal after this is news again. */
    void linked()
    {
        if (down)
        {
            down = false;
            told.clear();
            out.accept("linked to the engine");
        }
    }
}
