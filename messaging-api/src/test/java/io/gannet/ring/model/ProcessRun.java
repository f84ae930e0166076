package io.gannet.ring.model;

import io.gannet.ring.model.Weakening.Access;
import java.lang.reflect.Constructor;
import java.util.Locale;

/** Runs worlds of woven classes, for {@link Weaver}, in whose classes this is. */
final class ProcessRun
{
    private ProcessRun()
    {
    }

    /**
     * The first of so many seeds that fails, and how; null if none does.
     *
     * @param world name of a subclass of {@link ProcessWorld} made from a seed and sites, or a ring's world.
     * @param sites each {@code access|place|actor}.
     */
    static String firstFailure(final String world, final int seeds, final String[] sites)
        throws ReflectiveOperationException
    {
        if (world.equals("shared producer"))
        {
            return firstFailureOfRing(world, seeds, weakening(sites));
        }
        final Constructor<?> constructor = Class.forName(world).getDeclaredConstructor(long.class, String[].class);
        constructor.setAccessible(true);
        for (int seed = 0; seed < seeds; seed++)
        {
            final String failure = ((ProcessWorld) constructor.newInstance((long) seed, sites)).failure();
            if (failure != null)
            {
                return "seed " + seed + " | " + failure;
            }
        }
        return null;
    }

    private static String firstFailureOfRing(final String world, final int seeds, final Weakening weakening)
    {
        for (int seed = 0; seed < seeds; seed++)
        {
            final ModelRun.Failure failure = ModelRun.run(ModelRun.maker(world), seed, weakening, false);
            if (failure != null)
            {
                return "seed " + seed + " | " + failure.what();
            }
        }
        return null;
    }

    static Weakening weakening(final String[] sites)
    {
        Weakening weakening = Weakening.NONE;
        for (final String site : sites)
        {
            final String[] parts = site.split("\\|", -1);
            final Object place = parts[1].isEmpty() ? null : isWord(parts[1]) ? Word.valueOf(parts[1]) : parts[1];
            weakening = weakening.and(Access.valueOf(parts[0]), place, parts[2]);
        }
        return weakening;
    }

    private static boolean isWord(final String name)
    {
        return name.equals(name.toUpperCase(Locale.ROOT));
    }
}
