package io.gannet.perf.model;

import java.util.EnumMap;
import java.util.Map;

/**
 * A value for every parameter. Immutable.
 */
public final class Hardware
{
    /** Bytes of one basic block of a work request. */
    public static final int BLOCK = 64;

    /** Control, address and inline-length segments of an mlx5 write. */
    private static final int WQE_HEADER = 36;
    /** Control, address and one data segment. */
    private static final int WQE_POINTER = 48;
    /** PCIe: header, sequence, CRC and framing of one packet, and its payload at most. */
    private static final int TLP_OVERHEAD = 24;
    private static final int TLP_PAYLOAD = 256;
    /** RoCE v2: Ethernet with preamble and gap 38 + 4, IPv4 20, UDP 8, BTH 12, ICRC 4. */
    private static final int PACKET_OVERHEAD = 82;
    /** Address and immediate value, on the first and the last packet. */
    private static final int WRITE_HEADERS = 16 + 4;
    /** Acknowledgement: the overhead and an AETH. */
    private static final int ACK_BYTES = PACKET_OVERHEAD + 4;
    /** A completion queue entry. */
    private static final int CQE_BYTES = 64;

    private final Map<Parameter, Double> values;

    private Hardware(final Map<Parameter, Double> values)
    {
        this.values = values;
    }

    /** The defaults: PCIe 3, 100 Gbit/s, one switch. */
    public static Hardware defaults()
    {
        final Map<Parameter, Double> values = new EnumMap<>(Parameter.class);
        for (final Parameter parameter : Parameter.values())
        {
            values.put(parameter, parameter.value());
        }
        return new Hardware(values);
    }

    /** A copy with another value. */
    public Hardware with(final Parameter parameter, final double value)
    {
        final Map<Parameter, Double> copy = new EnumMap<>(values);
        copy.put(parameter, value);
        return new Hardware(copy);
    }

    /** A parameter's value. */
    public double get(final Parameter parameter)
    {
        return values.get(parameter);
    }

    /** Basic blocks of a write's work request. */
    public int blocks(final int bytes, final boolean inline)
    {
        return (inline ? WQE_HEADER + bytes + BLOCK - 1 : WQE_POINTER + BLOCK - 1) / BLOCK;
    }

    /** Whether the processor can hand the request itself to the NIC: alone in its post, inline, small enough. */
    public boolean blueFlame(final int bytes, final boolean inline, final int chain)
    {
        return inline && chain == 1 && blocks(bytes, true) * BLOCK <= get(Parameter.BLUE_FLAME_BYTES);
    }

    /** Nanoseconds of bytes on PCIe, one way, with the headers of its packets. */
    public double pcie(final int bytes)
    {
        final int packets = (bytes + TLP_PAYLOAD - 1) / TLP_PAYLOAD;
        return (bytes + TLP_OVERHEAD * packets) / get(Parameter.PCIE_BYTES);
    }

    /** Nanoseconds of a completion on PCIe. */
    public double cqe()
    {
        return pcie(CQE_BYTES);
    }

    /** Packets of a write; one without payload is one. */
    public int packets(final int bytes)
    {
        final int mtu = (int) get(Parameter.MTU);
        return Math.max(1, (bytes + mtu - 1) / mtu);
    }

    /** Payload of a packet. */
    public int packetBytes(final int bytes, final int index)
    {
        final int mtu = (int) get(Parameter.MTU);
        return Math.min(mtu, bytes - index * mtu);
    }

    /** Nanoseconds of a packet on the wire. */
    public double wire(final int bytes, final int index)
    {
        final boolean edge = index == 0 || index == packets(bytes) - 1;
        return (packetBytes(bytes, index) + PACKET_OVERHEAD + (edge ? WRITE_HEADERS : 0)) / get(Parameter.WIRE_BYTES);
    }

    /** Nanoseconds of an acknowledgement on the wire. */
    public double ack()
    {
        return ACK_BYTES / get(Parameter.WIRE_BYTES);
    }

    /** From the sending NIC to the receiving one, without the time of the bits. */
    public double flight()
    {
        return get(Parameter.CABLE) + get(Parameter.SWITCH) * get(Parameter.SWITCHES);
    }
}
