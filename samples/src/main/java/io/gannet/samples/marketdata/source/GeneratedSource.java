package io.gannet.samples.marketdata.source;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A made-up market of several instruments, the same for the same seed on every machine: adds, cancels, modifications
 * and trades in bursts ({@link HawkesClock}) on books that are always valid. Not thread-safe.
 */
public final class GeneratedSource implements FeedSource
{
    /** Most instruments. */
    public static final int MAX_INSTRUMENTS = 64;

    private static final String[] NAMES =
        {"GANNET", "PUFFIN", "FULMAR", "PETREL", "SKUA", "TERN", "AUK", "SHAG"};
    private static final long CENT = 10_000_000L;
    private static final long OPENING_TIME = 1_767_623_400_000_000_000L;

    private final GeneratedMarket[] markets;
    private final List<Instrument> instruments;
    private final SplittableRandom random;
    private final HawkesClock clock;
    private final long limit;
    private long events;
    private int opening;
    private int openingStep;
    private GeneratedMarket current;
    private int next;
    private long time = OPENING_TIME;

    /**
     * @param seed        decides everything.
     * @param instruments number of instruments, from 1 to {@link #MAX_INSTRUMENTS}.
     * @param rate        mean decisions per second, all instruments together; a trade is one decision and several
     *                    events.
     * @param limit       the first event that completes this many is the last; 0: no end.
     */
    public GeneratedSource(final long seed, final int instruments, final double rate, final long limit)
    {
        if (instruments < 1 || instruments > MAX_INSTRUMENTS)
        {
            throw new IllegalArgumentException("instruments is " + instruments + ", it must be from 1 to " +
                MAX_INSTRUMENTS);
        }
        if (!(rate > 0 && rate <= 1e9))
        {
            throw new IllegalArgumentException("rate is " + rate + ", it must be above 0 and at most 1e9");
        }
        random = new SplittableRandom(seed);
        clock = new HawkesClock(random.split(), rate);
        markets = new GeneratedMarket[instruments];
        final List<Instrument> list = new ArrayList<>();
        for (int i = 0; i < instruments; i++)
        {
            final String name = NAMES[i % NAMES.length] + (i < NAMES.length ? "" : i / NAMES.length + 1);
            list.add(new Instrument(i + 1, name, "XGNT", CENT));
            markets[i] = new GeneratedMarket(i, CENT, CENT * (4_000 + random.nextInt(20_000)), random.split());
        }
        this.instruments = List.copyOf(list);
        this.limit = limit <= 0 ? Long.MAX_VALUE : limit;
    }

    @Override
    public boolean next(final FeedEvent event)
    {
        if (current == null || next == current.count())
        {
            if (events >= limit)
            {
                return false;
            }
            decide();
        }
        event.copyFrom(current.event(next++));
        event.transactTime = time;
        event.paceTime = time;
        event.opening = opening < markets.length;
        event.endOfEvent = next == current.count();
        events++;
        return true;
    }

    private void decide()
    {
        next = 0;
        while (opening < markets.length)
        {
            current = markets[opening];
            if (current.open(openingStep++))
            {
                return;
            }
            opening++;
            openingStep = 0;
        }
        time = OPENING_TIME + clock.next();
        current = markets[instrument()];
        current.step();
    }

    /** The first instruments are the busiest: each has about two thirds of the one before. */
    private int instrument()
    {
        int i = 0;
        while (i < markets.length - 1 && random.nextInt(3) > 0)
        {
            i++;
        }
        return i;
    }

    @Override
    public List<Instrument> instruments()
    {
        return instruments;
    }

    @Override
    public int expectedOrders()
    {
        return 2048;
    }

    @Override
    public String summary()
    {
        return "generated market of " + markets.length + " instruments: " + events + " events";
    }

    @Override
    public void close()
    {
        // Nothing is open.
    }
}
