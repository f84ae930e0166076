package io.gannet.samples.orderflow.matching;

/**
 * What an engine has room for. A replay needs the limits of the run.
 *
 * @param maxOrders           live orders of all instruments, at most 2^20.
 * @param maxOrdersPerSession live orders of a session, which bounds a mass cancel.
 */
public record EngineLimits(int maxOrders, int maxOrdersPerSession)
{
    /** 131,072 orders, 10,000 of a session. */
    public static EngineLimits defaults()
    {
        return new EngineLimits(1 << 17, 10_000);
    }

    /** Bytes of report that one command can cause: every order of a book traded, with two reports each. */
    public long largestAnswer()
    {
        return (2L * maxOrders + 2) * 160;
    }
}
