package io.gannet.control;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;

import io.gannet.os.Mapping;
import org.agrona.BitUtil;

/**
 * Layout of a client's file, little-endian.
 * <pre>
 *     0 +---------------------------------------------------------------+ client, before the rename
 *       | magic | layout version, protocol version | client id | pid    |
 *       | start time, ms since 1970                                     |
 *    64 | length and text of the process's name                         |
 *   256 +---------------------------------------------------------------+ client; driver: {@link #GIVEN_UP}
 *       | driver epoch for which the rings were cleared                 |
 *   384 +---------------------------------------------------------------+ client
 *       | heartbeat, ns of the monotonic clock                          |
 *   512 +---------------------------------------------------------------+ see {@link Bell}
 *       | bell                                                          |
 *  4096 +---------------------------------------------------------------+ client writes, driver reads
 *       | command ring: 64 KiB and a trailer (Agrona OneToOneRingBuffer)|
 *       +---------------------------------------------------------------+ driver writes, client reads
 *       | event ring: the same                                          |
 *       +---------------------------------------------------------------+
 * </pre>
 */
final class ClientLayout
{
    /** "GANNCLNT", little-endian. */
    static final long CLIENT_MAGIC = 0x544E_4C43_4E4E_4147L;

    static final int MAGIC = 0;
    static final int LAYOUT_VERSION = 8;
    static final int PROTOCOL_VERSION = 12;
    static final int CLIENT_ID = 16;
    static final int PID = 24;
    static final int START_TIME = 32;
    static final int NAME = 64;
    static final int MAX_NAME_LENGTH = 188;

    static final int CONNECTED_EPOCH = 256;
    /** As epoch: the driver can't use the file any more. It says so by its last touch of it. */
    static final long GIVEN_UP = -1;
    static final int HEARTBEAT = 384;
    static final int BELL = 512;

    static final int COMMAND_RING = 4096;
    /** A ring takes messages up to an eighth of its capacity, and the longest has 6 KiB and a block. */
    static final int RING_LENGTH = 64 * 1024 + TRAILER_LENGTH;
    static final int EVENT_RING = COMMAND_RING + RING_LENGTH;
    static final int LENGTH = BitUtil.align(EVENT_RING + RING_LENGTH, Mapping.PAGE_SIZE);

    private ClientLayout()
    {
    }
}
