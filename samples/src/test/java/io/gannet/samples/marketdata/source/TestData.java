package io.gannet.samples.marketdata.source;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real files for private tests, outside of the project: the directory is named by the environment variable
 * {@code GANNET_TEST_DATA}. Where it is absent, the tests that need it are skipped with one line.
 */
public final class TestData
{
    private TestData()
    {
    }

    /** The file, or the test is skipped. */
    public static Path file(final String name)
    {
        final String directory = System.getenv("GANNET_TEST_DATA");
        if (directory == null || !Files.exists(Path.of(directory, name)))
        {
            final String reason = "not tested with real input: " + name + " is not below GANNET_TEST_DATA (" +
                (directory == null ? "not set" : directory) + ")";
            System.out.println("[skipped] " + reason);
            assumeTrue(false, reason);
        }
        return Path.of(directory, name);
    }
}
