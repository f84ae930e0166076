package io.gannet.cli.dump;

import io.gannet.cli.OperatorException;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring's file as it was when it was read, whoever goes on to write it, and however damaged it is.
 */
final class RingCopy
{
    private static final int CHUNK = 1 << 20;

    private final Path file;
    private final ByteBuffer header = ByteBuffer.allocate(RingLayout.HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer data = new UnsafeBuffer(0, 0);
    private RingKind kind;
    private int capacity;
    private long before;
    private long missing;

    private RingCopy(final Path file)
    {
        this.file = file;
    }

    /**
     * Reads the header of a ring.
     *
     * @return null if the file is none.
     */
    static RingCopy header(final Path file)
    {
        final RingCopy copy = new RingCopy(file);
        try (FileChannel channel = open(file))
        {
            return copy.readHeader(channel) ? copy : null;
        }
        catch (final IOException e)
        {
            return null;
        }
    }

    /**
     * Reads a ring.
     *
     * @throws OperatorException if the file can't be read, or is no ring.
     */
    static RingCopy read(final Path file)
    {
        final RingCopy copy = new RingCopy(file);
        try (FileChannel channel = open(file))
        {
            if (!copy.readHeader(channel))
            {
                throw new OperatorException(file + " is not a ring of this version, or its making was cut short");
            }
            copy.before = copy.produced();
            copy.readData(channel);
            // Again, to know what may have been overwritten meanwhile.
            if (!copy.readHeader(channel))
            {
                throw new OperatorException(file + " was removed or overwritten while it was read");
            }
            return copy;
        }
        catch (final IOException e)
        {
            throw new OperatorException("cannot read " + file + ": " + e, e);
        }
    }

    private static FileChannel open(final Path file) throws IOException
    {
        return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean readHeader(final FileChannel channel) throws IOException
    {
        header.clear();
        while (header.hasRemaining())
        {
            if (channel.read(header, header.position()) < 0)
            {
                return false;
            }
        }
        final long bytes = header.getLong(RingLayout.CAPACITY_OFFSET);
        if (header.getLong(RingLayout.MAGIC_OFFSET) != RingLayout.MAGIC ||
            header.getInt(RingLayout.LAYOUT_VERSION_OFFSET) != RingLayout.VERSION ||
            bytes < RingLayout.MIN_CAPACITY || bytes > RingLayout.MAX_CAPACITY || !BitUtil.isPowerOfTwo(bytes))
        {
            return false;
        }
        try
        {
            kind = RingKind.of(header.getInt(RingLayout.KIND_OFFSET));
        }
        catch (final IllegalArgumentException unknown)
        {
            return false;
        }
        if (capacity != 0 && capacity != bytes)
        {
            return false;
        }
        capacity = (int) bytes;
        return kind != RingKind.NONE;
    }

    private void readData(final FileChannel channel) throws IOException
    {
        final long start = header.getLong(RingLayout.DATA_OFFSET_OFFSET);
        if (start < RingLayout.HEADER_LENGTH || start > RingLayout.MAX_CAPACITY)
        {
            throw new OperatorException(file + " is damaged: its data should start at " + start);
        }
        final ByteBuffer bytes;
        try
        {
            bytes = ByteBuffer.allocateDirect(capacity);
        }
        catch (final OutOfMemoryError small)
        {
            throw new OperatorException("no memory for a copy of " + file + ", " + capacity +
                " bytes: GANNET_JAVA_OPTS=-XX:MaxDirectMemorySize=1g", small);
        }
        int length = 0;
        while (length < capacity)
        {
            bytes.limit(Math.min(capacity, length + CHUNK)).position(length);
            final int read = channel.read(bytes, start + length);
            if (read < 0)
            {
                break;
            }
            length += read;
        }
        missing = (long) capacity - length;
        data.wrap(bytes.clear());
    }

    Path file()
    {
        return file;
    }

    RingKind kind()
    {
        return kind;
    }

    int capacity()
    {
        return capacity;
    }

    int streamId()
    {
        return header.getInt(RingLayout.STREAM_ID_OFFSET);
    }

    int sessionId()
    {
        return header.getInt(RingLayout.SESSION_ID_OFFSET);
    }

    /** Bytes that the file is too short. */
    long missing()
    {
        return missing;
    }

    UnsafeBuffer data()
    {
        return data;
    }

    int offset(final long position)
    {
        return (int) (position & (capacity - 1));
    }

    /** Where the producer says it is, or up to where an image was received; -1 if that can't be. */
    long produced()
    {
        final long position =
            header.getLong(kind == RingKind.CONCURRENT ? RingLayout.TAIL_OFFSET : RingLayout.COARSE_OFFSET);
        return isPosition(position) ? position : -1;
    }

    /** As {@link #produced()}, before the data were read. */
    long producedBefore()
    {
        return before;
    }

    long initial()
    {
        final long position = header.getLong(RingLayout.INITIAL_POSITION_OFFSET);
        return isPosition(position) ? position : 0;
    }

    /** Positions that are surely between two frames, as far as the header is right. */
    NavigableSet<Long> boundaries()
    {
        final NavigableSet<Long> all = new TreeSet<>();
        addIfPosition(all, produced());
        addIfPosition(all, header.getLong(RingLayout.INITIAL_POSITION_OFFSET));
        addIfPosition(all, header.getLong(RingLayout.FLOOR_OFFSET));
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            addIfPosition(all, gate(i));
        }
        return all;
    }

    private long gate(final int index)
    {
        return header.getLong(RingLayout.entryOffset(index) + RingLayout.ENTRY_POSITION);
    }

    /** How far the slowest subscriber is; -1 if there is none. */
    long slowest()
    {
        long slowest = Long.MAX_VALUE;
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            slowest = isPosition(gate(i)) ? Math.min(slowest, gate(i)) : slowest;
        }
        return slowest == Long.MAX_VALUE ? -1 : slowest;
    }

    private static void addIfPosition(final Set<Long> all, final long position)
    {
        if (isPosition(position))
        {
            all.add(position);
        }
    }

    private static boolean isPosition(final long value)
    {
        return value >= 0 && value <= RingLayout.MAX_POSITION && (value & (FrameHeader.ALIGNMENT - 1)) == 0;
    }
}
