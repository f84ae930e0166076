package io.gannet.doctor;

import java.util.List;

/**
 * One thing that is looked at. Stateless; reads the host and nothing else.
 */
abstract class Check
{
    private final String name;
    private final boolean ofNic;
    private final String expected;
    private final String why;

    /**
     * @param name     lower case with dashes.
     * @param ofNic    whether it only matters to a host with an RDMA device.
     * @param expected what should be found.
     * @param why      what it costs if it isn't.
     */
    Check(final String name, final boolean ofNic, final String expected, final String why)
    {
        this.name = name;
        this.ofNic = ofNic;
        this.expected = expected;
        this.why = why;
    }

    final String name()
    {
        return name;
    }

    final boolean isOfNic()
    {
        return ofNic;
    }

    /** Looks; may throw {@link UnreadableException} where what it needs can't be read. */
    abstract void examine(Host host, Notes notes);

    /** Where a check puts its results. */
    final class Notes
    {
        private final List<Result> results;

        Notes(final List<Result> results)
        {
            this.results = results;
        }

        void ok(final String found)
        {
            results.add(new Result(name, Severity.OK, found, "", "", ""));
        }

        void skip(final String reason)
        {
            results.add(new Result(name, Severity.SKIPPED, reason, "", "", ""));
        }

        void note(final String found, final String mend)
        {
            add(Severity.NOTE, found, expected, mend);
        }

        void warning(final String found, final String mend)
        {
            add(Severity.WARNING, found, expected, mend);
        }

        void warning(final String found, final String thisExpected, final String mend)
        {
            add(Severity.WARNING, found, thisExpected, mend);
        }

        void error(final String found, final String mend)
        {
            add(Severity.ERROR, found, expected, mend);
        }

        void error(final String found, final String thisExpected, final String mend)
        {
            add(Severity.ERROR, found, thisExpected, mend);
        }

        void add(final Severity severity, final String found, final String thisExpected, final String mend)
        {
            results.add(new Result(name, severity, found, thisExpected, why, mend));
        }
    }
}
