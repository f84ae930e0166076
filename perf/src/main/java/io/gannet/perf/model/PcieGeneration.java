package io.gannet.perf.model;

/**
 * PCIe 3, 4 and 5 with 16 lanes. A generation doubles the bytes. Of a round trip it shortens the link's part alone:
 * the part of root complex and memory, assumed at 200 of the 350 ns of PCIe 3, stays. The field articles say 125 ns
 * for PCIe 3 and 80 for PCIe 4, the same step of the link's part by about a third.
 */
public enum PcieGeneration
{
    /** 8 GT/s. */
    PCIE_3(3, 15.75, 137, 350, 217),
    /** 16 GT/s. */
    PCIE_4(4, 31.5, 110, 297, 190),
    /** 32 GT/s. */
    PCIE_5(5, 63, 95, 267, 175);

    private final int number;
    private final double bytes;
    private final double oneWay;
    private final double read;
    private final double write;

    PcieGeneration(
        final int number, final double bytes, final double oneWay, final double read, final double write)
    {
        this.number = number;
        this.bytes = bytes;
        this.oneWay = oneWay;
        this.read = read;
        this.write = write;
    }

    /** The parameters with this generation's. */
    public Hardware applyTo(final Hardware hardware)
    {
        return hardware.with(Parameter.PCIE_BYTES, bytes).with(Parameter.MMIO_ONE_WAY, oneWay)
            .with(Parameter.DMA_READ, read).with(Parameter.DMA_WRITE, write);
    }

    /** Whether this is PCIe {@code wanted}. */
    public boolean is(final int wanted)
    {
        return number == wanted;
    }

    /** Name for people. */
    public String label()
    {
        return "PCIe " + number;
    }
}
