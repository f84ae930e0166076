package io.gannet.perf.model;

/**
 * How good the ground of a parameter is.
 */
public enum Basis
{
    /** Arithmetic from a specification or a structure's size. */
    LAYOUT("computed"),
    /** Measured by this project, on a machine without an RDMA device. */
    MEASURED("measured here"),
    /** In a public text or source that was read. */
    READ("read"),
    /** In a publication whose abstract alone was read; the figure is from memory. */
    REMEMBERED("remembered"),
    /** Nobody's figure: a guess, with a range. */
    ASSUMED("assumed");

    private final String label;

    Basis(final String label)
    {
        this.label = label;
    }

    /** Word for tables. */
    public String label()
    {
        return label;
    }
}
