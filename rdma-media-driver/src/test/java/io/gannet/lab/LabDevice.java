package io.gannet.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The software device of a guest that is alone, and commands about it.
 */
public final class LabDevice
{
    /** Its link. */
    public static final String LINK = "lab0";
    private static final String DEVICE = "rxe0";

    private LabDevice()
    {
    }

    /** Runs a command that must succeed. */
    public static void run(final String... command) throws IOException, InterruptedException
    {
        awaitEnd(new ProcessBuilder(command).inheritIO().start());
    }

    /** Starts to remove the device, which ends only once nobody has it open. */
    public static Process remove() throws IOException
    {
        return new ProcessBuilder("rdma", "link", "delete", DEVICE).inheritIO().start();
    }

    /** Waits until a command has succeeded. */
    public static void awaitEnd(final Process process) throws InterruptedException
    {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("end of %s", process.info()).isTrue();
        assertThat(process.exitValue()).as("status of %s", process.info()).isZero();
    }

    /** Makes the device again. */
    public static void add() throws IOException, InterruptedException
    {
        run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", LINK);
    }
}
