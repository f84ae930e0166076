package io.gannet.control;

/**
 * Layout of the file {@code driver}, little-endian. Magic, layout version and epoch stay where they are in every
 * version.
 * <pre>
 *     0 +---------------------------------------------------------------+ driver, at start
 *       | magic | layout version, protocol version | epoch | pid        |
 *       | start time, ms since 1970 | state | identity                  |
 *    64 | length and text of the driver's version                       |
 *   128 +---------------------------------------------------------------+ driver
 *       | heartbeat, ns of the monotonic clock                          |
 *   256 +---------------------------------------------------------------+ clients, atomically
 *       | arrivals                                                      |
 *   384 +---------------------------------------------------------------+ see {@link Bell}
 *       | bell                                                          |
 *  4096 +---------------------------------------------------------------+
 * </pre>
 * The control file starts with the same description and goes on with
 * <pre>
 *   128 | counters | error log length |                                 | driver, before the rename
 *  4096 +---------------------------------------------------------------+
 *       | labels of the counters, 512 bytes each (Agrona CountersReader)|
 *       | values of the counters, 128 bytes each                        |
 *       | distinct errors (Agrona DistinctErrorLog)                     |
 *       +---------------------------------------------------------------+
 * </pre>
 * Epoch and state are stored with release semantics after what they announce.
 */
final class DriverLayout
{
    /** "GANNDRVR", little-endian. */
    static final long DRIVER_MAGIC = 0x5256_5244_4E4E_4147L;
    /** "GANNCTRL", little-endian. */
    static final long CONTROL_MAGIC = 0x4C52_5443_4E4E_4147L;
    /** Raised when an offset or a meaning in these files or in {@link ClientLayout} changes. */
    static final int VERSION = 1;

    static final int MAGIC = 0;
    static final int LAYOUT_VERSION = 8;
    static final int PROTOCOL_VERSION = 12;
    static final int EPOCH = 16;
    static final int PID = 24;
    static final int START_TIME = 32;
    static final int STATE = 40;
    static final int IDENTITY = 48;
    static final int VERSION_TEXT = 64;
    static final int MAX_VERSION_TEXT_LENGTH = 60;

    static final int HEARTBEAT = 128;
    static final int ARRIVALS = 256;
    static final int BELL = 384;

    static final int COUNTERS = 128;
    static final int ERROR_LOG_LENGTH = 132;

    static final int HEADER_LENGTH = 4096;

    static final int STATE_STARTING = 1;
    static final int STATE_RUNNING = 2;
    static final int STATE_CLOSED = 3;

    private DriverLayout()
    {
    }
}
