package io.gannet.perf.model;

import io.gannet.rdma.InlinePolicy;
import io.gannet.rdma.SendFlags;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sums and bounds that need no simulation: the way of one WRITE_WITH_IMM that is alone, the processor's time for each
 * message, and the rate that the slowest part allows.
 */
public final class ClosedForm
{
    private static final int DOORBELL_BYTES = 8;

    private final Hardware hardware;

    /** Over given hardware. */
    public ClosedForm(final Hardware hardware)
    {
        this.hardware = hardware;
    }

    /** Whether the engine's policy inlines the workload's WRITEs. */
    public static boolean inlines(final Workload workload)
    {
        return new InlinePolicy(workload.granted(), workload.inlineThreshold()).flags(workload.bytes()) ==
            SendFlags.INLINE;
    }

    /**
     * Nanoseconds of each stage of one WRITE alone, from a message that is in the ring to the receiver that has taken
     * its completion. Stages of packets overlap; what is given is what each adds to the end.
     */
    public Map<String, Double> oneWay(final int bytes, final boolean inline)
    {
        final Map<String, Double> stages = new LinkedHashMap<>();
        final boolean blueFlame = hardware.blueFlame(bytes, inline, 1);
        final int blocks = hardware.blocks(bytes, inline);
        stages.put("post", post(bytes, inline, 1));
        stages.put("mmio", hardware.get(Parameter.MMIO_ONE_WAY) +
            hardware.pcie(blueFlame ? blocks * Hardware.BLOCK : DOORBELL_BYTES));
        stages.put("fetch request", blueFlame ? 0 :
            hardware.get(Parameter.DMA_READ) + hardware.pcie(blocks * Hardware.BLOCK));
        final int packets = hardware.packets(bytes);
        final double[] read = new double[packets];
        final double[] sent = new double[packets];
        final double[] placed = new double[packets];
        final int inFlight = (int) hardware.get(Parameter.DMA_READS_IN_FLIGHT);
        for (int i = 0; i < packets; i++)
        {
            final int size = hardware.packetBytes(bytes, i);
            final double asked = i < inFlight ? 0 : read[i - inFlight];
            read[i] = inline || bytes == 0 ? 0 : Math.max(asked + hardware.get(Parameter.DMA_READ),
                i == 0 ? 0 : read[i - 1]) + hardware.pcie(size);
            sent[i] = Math.max(read[i], i == 0 ? 0 : sent[i - 1]) + hardware.wire(bytes, i);
            placed[i] = Math.max(sent[i], i == 0 ? 0 : placed[i - 1]) + (size == 0 ? 0 : hardware.pcie(size));
        }
        final int last = packets - 1;
        stages.put("fetch payload", read[0]);
        stages.put("NIC", hardware.get(Parameter.NIC_SEND) + hardware.get(Parameter.NIC_RECEIVE));
        stages.put("wire", sent[last] - read[0]);
        stages.put("cable and switch", hardware.flight());
        stages.put("receive request", hardware.get(Parameter.RECEIVES_AHEAD) >= 1 ? 0 : receiveFetch());
        stages.put("place payload", placed[last] - sent[last]);
        stages.put("completion", hardware.cqe() + hardware.get(Parameter.DMA_WRITE));
        stages.put("poll", hardware.get(Parameter.POLL_CQE));
        return stages;
    }

    /** Sum of {@link #oneWay}. */
    public double oneWayNanos(final int bytes, final boolean inline)
    {
        return oneWay(bytes, inline).values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** From a message in the ring to the sender that has taken its own completion: what perftest's send tests see. */
    public double sendCompletionNanos(final int bytes, final boolean inline)
    {
        final Map<String, Double> stages = oneWay(bytes, inline);
        double sum = 0;
        for (final String stage : new String[] {"post", "mmio", "fetch request", "fetch payload", "NIC", "wire",
            "cable and switch"})
        {
            sum += stages.get(stage);
        }
        return sum + hardware.ack() + hardware.flight() + hardware.get(Parameter.NIC_RECEIVE) + hardware.cqe() +
            hardware.get(Parameter.DMA_WRITE) + hardware.get(Parameter.POLL_CQE);
    }

    /** The sender's time until a post of so many equal requests has left the processor. */
    double post(final int bytes, final boolean inline, final int requests)
    {
        final int lines = inline ? (bytes + Hardware.BLOCK - 1) / Hardware.BLOCK : 0;
        return requests * (hardware.get(Parameter.SCAN) + hardware.get(Parameter.BUILD) +
            lines * hardware.get(Parameter.INLINE_LINE)) + ring(bytes, inline, requests);
    }

    /** The call and the doorbell, or the copy to BlueFlame. */
    double ring(final int bytes, final boolean inline, final int requests)
    {
        return hardware.get(Parameter.CALL) + (hardware.blueFlame(bytes, inline, requests) ?
            hardware.blocks(bytes, true) * hardware.get(Parameter.BLUE_FLAME_BLOCK) :
            hardware.get(Parameter.DOORBELL));
    }

    /** The sender's processor time for a message, chains full and every {@code interval}-th request signaled. */
    public double senderNanos(final int bytes, final boolean inline, final int chain, final double interval)
    {
        return post(bytes, inline, chain) / chain + hardware.get(Parameter.POLL_CQE) / interval +
            hardware.get(Parameter.POLL_EMPTY) / chain;
    }

    /** The receiver's processor time for a WRITE. */
    public double receiverNanos()
    {
        return hardware.get(Parameter.POLL_CQE) + hardware.get(Parameter.POST_RECEIVE);
    }

    double receiveFetch()
    {
        return hardware.get(Parameter.DMA_READ) + hardware.pcie(16);
    }

    /**
     * Nanoseconds that each part needs for a WRITE when it is the only limit: the largest is the bottleneck. Holds
     * while the send queue is deep enough never to be full.
     */
    public Map<String, Double> bounds(final int bytes, final boolean inline, final int chain, final double interval)
    {
        final Map<String, Double> bounds = new LinkedHashMap<>();
        final boolean blueFlame = hardware.blueFlame(bytes, inline, chain);
        final int blocks = hardware.blocks(bytes, inline);
        final int packets = hardware.packets(bytes);
        double wire = 0;
        double payload = 0;
        double read = 0;
        for (int i = 0; i < packets; i++)
        {
            final int size = hardware.packetBytes(bytes, i);
            wire += hardware.wire(bytes, i);
            payload += hardware.pcie(size);
            read += (hardware.get(Parameter.DMA_READ) + hardware.pcie(size)) /
                hardware.get(Parameter.DMA_READS_IN_FLIGHT);
        }
        bounds.put("sender", senderNanos(bytes, inline, chain, interval));
        bounds.put("NIC, one queue pair", hardware.get(Parameter.NIC_ISSUE));
        bounds.put("wire", wire);
        bounds.put("PCIe to the NIC", (blueFlame ? hardware.pcie(blocks * Hardware.BLOCK) :
            hardware.pcie(DOORBELL_BYTES) / chain + hardware.pcie(blocks * Hardware.BLOCK)) + (inline ? 0 : payload));
        bounds.put("payload reads in flight", inline ? 0 : read);
        bounds.put("PCIe to the receiver", payload + hardware.cqe());
        bounds.put("receiver", receiverNanos());
        return bounds;
    }

    /** WRITEs a second that the slowest part allows. */
    public double mostPerSecond(final int bytes, final boolean inline, final int chain, final double interval)
    {
        return 1e9 / bounds(bytes, inline, chain, interval).values().stream().mapToDouble(Double::doubleValue).max()
            .orElseThrow();
    }
}
