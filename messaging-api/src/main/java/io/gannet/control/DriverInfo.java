package io.gannet.control;

import static io.gannet.control.DriverLayout.EPOCH;
import static io.gannet.control.DriverLayout.LAYOUT_VERSION;
import static io.gannet.control.DriverLayout.MAX_VERSION_TEXT_LENGTH;
import static io.gannet.control.DriverLayout.PID;
import static io.gannet.control.DriverLayout.PROTOCOL_VERSION;
import static io.gannet.control.DriverLayout.START_TIME;
import static io.gannet.control.DriverLayout.VERSION_TEXT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Who a driver is, for messages.
 *
 * @param pid             in its own pid namespace.
 * @param startTimeMillis since 1970.
 * @param version         of the program.
 * @param layoutVersion   of its files.
 * @param protocolVersion of its commands and events.
 * @param epoch           grows with each start in the directory.
 */
public record DriverInfo(
    long pid, long startTimeMillis, String version, int layoutVersion, int protocolVersion, long epoch)
{
    static DriverInfo read(final UnsafeBuffer buffer)
    {
        final int length = Math.clamp(buffer.getInt(VERSION_TEXT), 0, MAX_VERSION_TEXT_LENGTH);
        final byte[] version = new byte[length];
        buffer.getBytes(VERSION_TEXT + Integer.BYTES, version);
        return new DriverInfo(
            buffer.getLong(PID),
            buffer.getLong(START_TIME),
            PrintableText.of(new String(version, UTF_8), MAX_VERSION_TEXT_LENGTH),
            buffer.getInt(LAYOUT_VERSION),
            buffer.getInt(PROTOCOL_VERSION),
            buffer.getLongVolatile(EPOCH));     // pairs with the release in DriverFile.start()
    }

    /** Writes all but the epoch, which the caller releases. */
    void write(final UnsafeBuffer buffer)
    {
        buffer.putInt(LAYOUT_VERSION, layoutVersion);
        buffer.putInt(PROTOCOL_VERSION, protocolVersion);
        buffer.putLong(PID, pid);
        buffer.putLong(START_TIME, startTimeMillis);
        final byte[] text = MessageWriter.encodeText(version, MAX_VERSION_TEXT_LENGTH);
        buffer.putInt(VERSION_TEXT, text.length);
        buffer.putBytes(VERSION_TEXT + Integer.BYTES, text);
    }

    @Override
    public String toString()
    {
        return "driver " + version + " (pid " + pid + ", started " +
            Instant.ofEpochMilli(startTimeMillis).truncatedTo(ChronoUnit.SECONDS) + ")";
    }
}
