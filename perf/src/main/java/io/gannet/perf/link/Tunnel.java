package io.gannet.perf.link;

import io.gannet.perf.os.Descriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A network device whose other end is this process: IP packets in and out.
 */
public final class Tunnel implements AutoCloseable
{
    private static final long TUNSETIFF = 0x4004_54caL;
    private static final short TUN_WITHOUT_HEADER = 0x1001;
    private static final int REQUEST_BYTES = 40;
    private static final int FLAGS = 16;

    private final int descriptor;

    Tunnel(final String name)
    {
        descriptor = Descriptors.open("/dev/net/tun", Descriptors.READ_WRITE_NONBLOCK);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
            request.setString(0, name);
            request.set(ValueLayout.JAVA_SHORT, FLAGS, TUN_WITHOUT_HEADER);
            Descriptors.control(descriptor, TUNSETIFF, request);
        }
        catch (final RuntimeException e)
        {
            Descriptors.close(descriptor);
            throw e;
        }
    }

    int descriptor()
    {
        return descriptor;
    }

    @Override
    public void close()
    {
        Descriptors.close(descriptor);
    }
}
