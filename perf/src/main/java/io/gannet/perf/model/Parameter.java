package io.gannet.perf.model;

/**
 * Every figure of the model. Times in nanoseconds, for PCIe 3 x16 and one port of 100 Gbit/s; {@link PcieGeneration}
 * replaces those that differ. {@code low} and {@code high} bound what sources and machines differ by.
 */
public enum Parameter
{
    /** Sender: look at the ring for the next committed frame. */
    SCAN("ns a message", 5, 3, 40, Basis.MEASURED, "poll of one frame in cache 3 ns; a line from another core 40"),
    /** Sender: build one work request in the provider. */
    BUILD("ns a request", 30, 20, 60, Basis.READ,
        "UCX's transport over mlx5 spends 40 ns a message in all, over plain verbs 75"),
    /** Sender: the call through FFM. */
    CALL("ns a post", 9, 8, 14, Basis.MEASURED, "post of a prefilled request 8.7 to 14.2 ns, 7.6 in C"),
    /** Sender: copy inline bytes into the queue. */
    INLINE_LINE("ns per 64 B", 5, 1, 8, Basis.READ, "UCX's send overhead counts 5 ns for a buffered copy; streaming " +
        "reads of lines cost 1 to 5 ns here"),
    /** Sender: one 8-byte store to the doorbell register. */
    DOORBELL("ns a post", 100, 40, 120, Basis.READ, "field articles say about 100; UCX's model counts 40"),
    /** Sender: copy one basic block into write-combining memory (BlueFlame), its flush included. */
    BLUE_FLAME_BLOCK("ns per 64 B", 45, 20, 94, Basis.REMEMBERED,
        "Breaking Band (ICPP 2019): PIO copy of 64 B 94 ns on ThunderX2; x86 is quicker"),
    /** Sender, receiver: take one completion. */
    POLL_CQE("ns a completion", 20, 10, 50, Basis.READ, "UCX's send overhead counts 20 ns (50 on one Arm machine)"),
    /** Sender, receiver: a poll that finds nothing. */
    POLL_EMPTY("ns a poll", 4, 3, 8, Basis.MEASURED, "empty poll through FFM 3.0 to 4.3 ns"),
    /** Receiver: repost one receive, in chains. */
    POST_RECEIVE("ns a receive", 12, 8, 40, Basis.ASSUMED, "a 16-byte segment and its share of a doorbell record"),
    /** A posted write from processor to NIC, one way. */
    MMIO_ONE_WAY("ns", 137, 60, 200, Basis.REMEMBERED, "Breaking Band: PCIe 137 ns; half of the field's round trip 62"),
    /** The NIC reads host memory: request, memory, completion; the bytes come on top. */
    DMA_READ("ns", 350, 125, 450, Basis.READ, "UCX's model counts 350 for a fetched work request; Storm and " +
        "pcie-bench say 300 to 400 unloaded; field articles say 125"),
    /** The NIC's write reaches memory that a processor polls. */
    DMA_WRITE("ns", 217, 150, 380, Basis.REMEMBERED, "Breaking Band: PCIe 137 and 241 to memory on ThunderX2; a " +
        "processor that takes it into its cache is assumed at 80"),
    /** DMA reads of one queue pair in flight. */
    DMA_READS_IN_FLIGHT("reads", 16, 8, 32, Basis.ASSUMED, "enough to hide one read behind others"),
    /** Work requests that one DMA read fetches at most. */
    WQES_PER_FETCH("requests", 8, 4, 16, Basis.ASSUMED, "a read of 512 B of basic blocks of 64 B"),
    /** Bytes a nanosecond over PCIe, each way. */
    PCIE_BYTES("B/ns", 15.75, 7.88, 15.75, Basis.LAYOUT, "8 GT/s, 16 lanes, 128b/130b; the low value is 8 lanes"),
    /** The NIC's work on a request before the next one of the same queue pair can start. */
    NIC_ISSUE("ns a request", 60, 25, 100, Basis.ASSUMED, "one queue pair sends 10 to 40 M requests/s"),
    /** From a complete work request to the first bit on the wire. */
    NIC_SEND("ns", 120, 80, 160, Basis.REMEMBERED, "Breaking Band: 275 ns between the NICs' PCIe sides without a " +
        "switch; the split is assumed"),
    /** Receives that the receiving NIC has fetched ahead; 0: each is fetched when it is needed. */
    RECEIVES_AHEAD("receives", 32, 0, 64, Basis.ASSUMED, "a read of 512 B of segments of 16 B"),
    /** From the last bit to the DMA write. */
    NIC_RECEIVE("ns", 120, 80, 160, Basis.REMEMBERED, "as before"),
    /** Cables. */
    CABLE("ns", 35, 10, 150, Basis.REMEMBERED, "the rest of 275: 7 m at 5 ns a metre"),
    /** One switch. */
    SWITCH("ns", 108, 100, 280, Basis.READ, "about 100 by data sheet, 280 a hop measured in a fat tree, 250 for an " +
        "older one; Breaking Band 108"),
    /** Switches between the hosts. */
    SWITCHES("switches", 1, 0, 3, Basis.ASSUMED, "one rack"),
    /** Bytes a nanosecond of the port. */
    WIRE_BYTES("B/ns", 12.5, 3.125, 50, Basis.LAYOUT, "100 Gbit/s; 25 and 400"),
    /** Payload of one packet. */
    MTU("B", 4096, 1024, 4096, Basis.LAYOUT, "path MTU of the queue pair"),
    /** Largest message that BlueFlame takes. */
    BLUE_FLAME_BYTES("B", 256, 256, 256, Basis.REMEMBERED,
        "mlx5 uses it for one request alone that fits its buffer, half of a register of 2^log_bf_reg_size B (read in " +
        "provider and kernel driver); that the register has 512 B is from memory");

    private final String unit;
    private final double value;
    private final double low;
    private final double high;
    private final Basis basis;
    private final String source;

    Parameter(
        final String unit,
        final double value,
        final double low,
        final double high,
        final Basis basis,
        final String source)
    {
        this.unit = unit;
        this.value = value;
        this.low = low;
        this.high = high;
        this.basis = basis;
        this.source = source;
    }

    /** Unit of the value. */
    public String unit()
    {
        return unit;
    }

    /** What the model uses. */
    public double value()
    {
        return value;
    }

    /** Smallest value that a source gives. */
    public double low()
    {
        return low;
    }

    /** Largest one. */
    public double high()
    {
        return high;
    }

    /** How good its ground is. */
    public Basis basis()
    {
        return basis;
    }

    /** Where it comes from. */
    public String source()
    {
        return source;
    }

    /** Name on the command line and in tables. */
    public String label()
    {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
