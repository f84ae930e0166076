package io.gannet.doctor;

/** How bad a result is; the worst one decides the exit code. */
public enum Severity
{
    /** As expected. */
    OK,
    /** Not looked at, and the text says why. */
    SKIPPED,
    /** Worth knowing; costs nothing or little. */
    NOTE,
    /** Costs latency or throughput, or will under load. */
    WARNING,
    /** RDMA or the driver does not work, or data is being lost. */
    ERROR
}
