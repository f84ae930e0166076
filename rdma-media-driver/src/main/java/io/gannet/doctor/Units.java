package io.gannet.doctor;

import java.util.Locale;

/** Numbers for people. */
final class Units
{
    private static final long KIB = 1024;

    private Units()
    {
    }

    static String bytes(final long bytes)
    {
        final String[] names = {"bytes", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        while (value >= KIB && unit < names.length - 1)
        {
            value /= KIB;
            unit++;
        }
        return (unit == 0 || value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f ", value) :
            String.format(Locale.ROOT, "%,.1f ", value)) + names[unit];
    }

    static String count(final long count)
    {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
