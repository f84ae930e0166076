package io.gannet.ring.model;

import io.gannet.ring.model.WeakMemory.RaceError;

/** One run of a world: from a seed to a verdict. */
final class ModelRun
{
    private ModelRun()
    {
    }

    /** Makes a world from a seed. */
    @FunctionalInterface
    interface WorldMaker
    {
        World make(long seed, Weakening weakening, boolean traced);
    }

    /** As {@link #run}, by the name of a kind of ring: for use across class loaders. */
    static String failure(final String world, final long seed)
    {
        final Failure failure = run(maker(world), seed, Weakening.NONE, false);
        return failure == null ? null : failure.what;
    }

    static WorldMaker maker(final String world)
    {
        return switch (world)
        {
            case "exclusive" -> ExclusiveWorld::new;
            case "concurrent" -> ConcurrentWorld::new;
            case "image" -> ImageWorld::new;
            case "shared producer" -> SharedProducerWorld::new;
            default -> throw new IllegalArgumentException(world);
        };
    }

    /** What is wrong with the ring in this run, or null. */
    static Failure run(final WorldMaker maker, final long seed, final Weakening weakening, final boolean traced)
    {
        return run(maker.make(seed, weakening, traced), seed);
    }

    static Failure run(final World world, final long seed)
    {
        try
        {
            world.run();
            return null;
        }
        catch (final RaceError ex)
        {
            return new Failure(seed, ex.getMessage() + " on " + world.memory.place(ex.cell), ex, world);
        }
        catch (final RuntimeException | AssertionError ex)
        {
            return new Failure(seed, ex.toString(), ex, world);
        }
    }

    /** A run that went wrong. */
    record Failure(long seed, String what, Throwable cause, World world)
    {
        /** The last steps before it, if they were recorded. */
        String lastSteps(final int count)
        {
            final String[] lines = world.scheduler.trace().split("\n", -1);
            final StringBuilder last = new StringBuilder();
            for (int i = Math.max(0, lines.length - count); i < lines.length; i++)
            {
                last.append(lines[i]).append('\n');
            }
            return last.toString();
        }
    }
}
