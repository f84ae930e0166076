package io.gannet.cli.dump;

import java.util.Locale;

/**
 * Frames as text: a line about each, then what is in it.
 */
final class FramePrinter
{
    private static final int ROW = 16;
    private static final int HALF = 8;
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int LAST_PRINTABLE = 0x7E;

    private final SchemaDecoder schema;
    private final int limit;
    private final StringBuilder text = new StringBuilder();

    /** {@code schema} is null for hex; at most {@code limit} bytes of a message are shown as such. */
    FramePrinter(final SchemaDecoder schema, final int limit)
    {
        this.schema = schema;
        this.limit = limit;
    }

    void padding(final long position, final int length)
    {
        System.out.printf(Locale.ROOT, "position %d  padding of %d bytes%n", position, length);
    }

    void message(
        final long position, final int session, final long reservedValue, final String more, final byte[] payload)
    {
        text.setLength(0);
        text.append(String.format(Locale.ROOT, "position %d  session %d  %d bytes  reserved %d%s%n", position, session,
            payload.length, reservedValue, more));
        final StringBuilder reason = new StringBuilder();
        final String decoded = schema == null ? null : schema.decode(payload, reason);
        if (decoded != null)
        {
            text.append("    ").append(decoded).append('\n');
        }
        else
        {
            if (!reason.isEmpty())
            {
                text.append("    ").append(reason).append('\n');
            }
            hex(payload);
        }
        System.out.print(text);
    }

    private void hex(final byte[] payload)
    {
        final int end = Math.min(limit, payload.length);
        for (int row = 0; row < end; row += ROW)
        {
            text.append(String.format(Locale.ROOT, "    %06x ", row));
            for (int i = row; i < row + ROW; i++)
            {
                text.append(i % HALF == 0 ? " " : "");
                text.append(i < end ? String.format(Locale.ROOT, "%02x ", payload[i]) : "   ");
            }
            text.append(" |");
            for (int i = row; i < Math.min(row + ROW, end); i++)
            {
                text.append(payload[i] >= FIRST_PRINTABLE && payload[i] <= LAST_PRINTABLE ? (char) payload[i] : '.');
            }
            text.append("|\n");
        }
        if (end < payload.length)
        {
            text.append(String.format(Locale.ROOT, "    ... %d more bytes, see --bytes%n", payload.length - end));
        }
    }
}
