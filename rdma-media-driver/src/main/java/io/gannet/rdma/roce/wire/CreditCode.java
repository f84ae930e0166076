package io.gannet.rdma.roce.wire;

/**
 * End-to-end credits in the syndrome of an ACK: a 5-bit code for the number of receives that the responder still
 * holds, rounded down to a power of two or one and a half times that.
 */
public final class CreditCode
{
    /** The code that means "no end-to-end flow control". */
    public static final int NONE = 0x1f;
    private static final int LARGEST = 0x1e;

    private CreditCode()
    {
    }

    /** Messages that a code, 0 to 30, allows beyond those completed. */
    public static int credits(final int code)
    {
        if (code < 4)
        {
            return code;
        }
        final int power = 1 << (code >> 1);
        return (code & 1) == 0 ? power : power + (power >> 1);
    }

    /** The largest code that stands for at most {@code credits}. */
    public static int codeFor(final int credits)
    {
        if (credits < 4)
        {
            return Math.max(0, credits);
        }
        final int log = 31 - Integer.numberOfLeadingZeros(credits);
        final int code = (log << 1) | ((credits >> (log - 1)) & 1);
        return Math.min(code, LARGEST);
    }
}
