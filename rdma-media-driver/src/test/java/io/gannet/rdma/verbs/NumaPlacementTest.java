package io.gannet.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NIC and process on the same node, or not. */
class NumaPlacementTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "0; 0-3; 0-7; true",
        "1; 4-7; 0-3; false",
        "1; 4-7,12-15; 0-3,15; true",
        "1; 4,6; 5; false",
        "-1; 0-7; 0; true"})
    void isNearIfOneProcessorIsShared(final int node, final String near, final String allowed, final boolean expected)
        throws IOException
    {
        Files.writeString(directory.resolve("numa_node"), node + "\n");
        Files.writeString(directory.resolve("local_cpulist"), near + "\n");
        final Path status = directory.resolve("status");
        Files.writeString(status, "Name:\tjava\nCpus_allowed_list:\t" + allowed + "\n");
        final NumaPlacement placement = NumaPlacement.of(directory, status);
        assertThat(placement.isNear()).isEqualTo(expected);
        assertThat(placement.explain("mlx5_0")).contains("mlx5_0", "node " + node, near, allowed, "numactl");
    }

    @Test
    void softwareDeviceHasNoPlace()
    {
        assertThat(NumaPlacement.of(directory, directory.resolve("status")).isNear()).isTrue();
    }
}
