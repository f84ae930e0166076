package io.gannet.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.agrona.UnsafeApi;

/**
 * Completions as a poll filled them in: an array of {@code ibv_wc} in native memory.
 * <pre>
 *  0        8        12       16           20         24       28       32       36         40     48
 *  +--------+--------+--------+------------+----------+--------+--------+--------+----------+------+
 *  | wr_id  | status | opcode | vendor_err | byte_len | imm BE | qp_num | src_qp | wc_flags | ...  |
 *  +--------+--------+--------+------------+----------+--------+--------+--------+----------+------+
 * </pre>
 * With a status other than success only {@code wr_id}, {@code status}, {@code qp_num} and {@code vendor_err} mean
 * anything. Not thread-safe: owned by the polling thread.
 */
public final class WorkCompletions
{
    /** Bytes of one completion. */
    public static final int SIZE = 48;
    /** Flag: the completion carries an immediate; at the sender too, where the immediate itself is 0. */
    public static final int FLAG_WITH_IMM = 2;

    private static final int WR_ID = 0;
    private static final int STATUS = 8;
    private static final int OPCODE = 12;
    private static final int VENDOR_ERR = 16;
    private static final int BYTE_LEN = 20;
    private static final int IMM = 24;
    private static final int QP_NUM = 28;
    private static final int SRC_QP = 32;
    private static final int WC_FLAGS = 36;
    private static final int REST = 40;

    /** Keeps the memory. */
    private final MemorySegment memory;
    private final long address;
    private final int capacity;

    /**
     * @param capacity completions that one poll can bring, at least 1.
     */
    public WorkCompletions(final int capacity)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("capacity must be at least 1, is " + capacity);
        }
        this.capacity = capacity;
        this.memory = Arena.ofAuto().allocate((long) capacity * SIZE, 64);
        this.address = memory.address();
    }

    public int capacity()
    {
        return capacity;
    }

    /** {@return where the array starts, for a device that fills it in itself} */
    public long address()
    {
        return address;
    }

    public long wrId(final int index)
    {
        return UnsafeApi.getLong(at(index) + WR_ID);
    }

    /** {@return a value of {@link WcStatus}} */
    public int status(final int index)
    {
        return UnsafeApi.getInt(at(index) + STATUS);
    }

    /** {@return a value of {@link WcOpcode}; meaningless unless the status is success} */
    public int opcode(final int index)
    {
        return UnsafeApi.getInt(at(index) + OPCODE);
    }

    public int vendorError(final int index)
    {
        return UnsafeApi.getInt(at(index) + VENDOR_ERR);
    }

    /**
     * {@return bytes that a receive brought: written ones with a write with immediate, those in the buffer with a
     * send}
     */
    public int byteLength(final int index)
    {
        return UnsafeApi.getInt(at(index) + BYTE_LEN);
    }

    /** {@return the immediate as the peer gave it; valid for a successful receive {@linkplain #hasImm with one}} */
    public int imm(final int index)
    {
        return Integer.reverseBytes(UnsafeApi.getInt(at(index) + IMM));
    }

    public boolean hasImm(final int index)
    {
        return (UnsafeApi.getInt(at(index) + WC_FLAGS) & FLAG_WITH_IMM) != 0;
    }

    /** {@return number of this host's queue pair} */
    public int qpNum(final int index)
    {
        return UnsafeApi.getInt(at(index) + QP_NUM);
    }

    /**
     * Fills in one completion, for a device without hardware.
     *
     * @param imm   as the application sees it.
     * @param flags 0 or {@link #FLAG_WITH_IMM}.
     */
    public void set(
        final int index,
        final long wrId,
        final int status,
        final int opcode,
        final int byteLength,
        final int imm,
        final int qpNum,
        final int flags)
    {
        final long at = at(index);
        UnsafeApi.putLong(at + WR_ID, wrId);
        UnsafeApi.putInt(at + STATUS, status);
        UnsafeApi.putInt(at + OPCODE, opcode);
        UnsafeApi.putInt(at + VENDOR_ERR, 0);
        UnsafeApi.putInt(at + BYTE_LEN, byteLength);
        UnsafeApi.putInt(at + IMM, Integer.reverseBytes(imm));
        UnsafeApi.putInt(at + QP_NUM, qpNum);
        UnsafeApi.putInt(at + SRC_QP, 0);
        UnsafeApi.putInt(at + WC_FLAGS, flags);
        UnsafeApi.putLong(at + REST, 0L);
    }

    private long at(final int index)
    {
        return address + (long) Objects.checkIndex(index, capacity) * SIZE;
    }

    @Override
    public String toString()
    {
        return "completions in " + memory;
    }
}
