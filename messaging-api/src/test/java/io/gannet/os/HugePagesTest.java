package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pools as the kernel shows them.
 */
class HugePagesTest
{
    private static final long SIZE = 2 << 20;

    @TempDir
    private Path pools;

    @Test
    void reservedPagesAreNotFree() throws IOException
    {
        pool(16, 12, 5);
        assertThat(HugePages.of(pools, SIZE)).isEqualTo(new HugePages(SIZE, 16, 7));
    }

    @Test
    void whatDoesNotFitIsToldWithTheNumbersAndTheRemedy() throws IOException
    {
        pool(16, 3, 0);
        assertThat(HugePages.of(pools, SIZE).explain(18L << 20))
            .contains("18874368 bytes take 9 huge pages of 2097152 bytes, 3 of 16 are free")
            .contains("sysctl vm.nr_hugepages=22");
    }

    @Test
    void aKernelWithoutSuchPagesHasAnEmptyPool()
    {
        assertThat(HugePages.of(pools, 1 << 30)).isEqualTo(new HugePages(1 << 30, 0, 0));
    }

    @Test
    void aPartOfAPageTakesAWholeOne()
    {
        assertThat(new HugePages(SIZE, 0, 0).pages(1)).isEqualTo(1);
        assertThat(new HugePages(SIZE, 0, 0).pages(SIZE)).isEqualTo(1);
        assertThat(new HugePages(SIZE, 0, 0).pages(SIZE + 1)).isEqualTo(2);
    }

    private void pool(final long total, final long free, final long reserved) throws IOException
    {
        final Path pool = Files.createDirectory(pools.resolve("hugepages-2048kB"));
        Files.writeString(pool.resolve("nr_hugepages"), total + "\n");
        Files.writeString(pool.resolve("free_hugepages"), free + "\n");
        Files.writeString(pool.resolve("resv_hugepages"), reserved + "\n");
    }
}
