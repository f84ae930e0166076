package io.gannet.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.rdma.WorkCompletions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Offsets, sizes and values against the headers of rdma-core.
 *
 * <p>The tables were made from rdma-core 44, for x86-64 by the program of {@link AbiProbe} and for aarch64 from the
 * same program, compiled by aarch64-linux-gnu-gcc -S.
 */
class AbiTest
{
    private static final String PORT_SIZE = "IbvPortAttr.SIZE";

    @ParameterizedTest
    @ValueSource(strings = {"x86_64", "aarch64"})
    void constantsAreThoseOfTheTable(final String architecture) throws IOException
    {
        final Map<String, Long> table = new TreeMap<>();
        try (var stream = AbiTest.class.getResourceAsStream("/verbs/abi-" + architecture + ".txt"))
        {
            parse(new String(stream.readAllBytes(), StandardCharsets.US_ASCII).lines().toList(), table);
        }
        assertThat(AbiProbe.constants("aarch64".equals(architecture))).isEqualTo(table);
    }

    @Test
    @Tag("tool")
    void constantsAreThoseOfTheCompiler(@TempDir final Path directory) throws Exception
    {
        final boolean known = Files.exists(Path.of("/usr/include/rdma/rdma_cma.h")) &&
            Files.exists(Path.of("/usr/include/infiniband/verbs.h")) && Files.isExecutable(Path.of("/usr/bin/gcc"));
        assumeTrue(known, "no gcc or no headers (libibverbs-dev, librdmacm-dev): layouts checked by the table alone");
        final Path source = Files.writeString(directory.resolve("probe.c"), AbiProbe.source());
        final Path program = directory.resolve("probe");
        run(List.of("/usr/bin/gcc", "-o", program.toString(), source.toString()));
        final Map<String, Long> answers = new TreeMap<>();
        parse(run(List.of(program.toString())), answers);
        final Map<String, Long> constants = AbiProbe.constants(Abi.IS_AARCH64);
        assertThat(answers.remove(PORT_SIZE)).as("grows at its end").isGreaterThanOrEqualTo(
            constants.remove(PORT_SIZE));
        assertThat(constants).isEqualTo(answers);
    }

    @Test
    void completionsAreReadWhereTheyAreWritten()
    {
        assertThat(WorkCompletions.SIZE).isEqualTo(Abi.IbvWc.SIZE);
        final WorkCompletions completions = new WorkCompletions(2);
        completions.set(1, 0x1122_3344_5566_7788L, 5, 129, 77, 0x1234_5678, 99, WorkCompletions.FLAG_WITH_IMM);
        final long at = completions.address() + Abi.IbvWc.SIZE;
        assertThat(UnsafeApi.getLong(at + Abi.IbvWc.WR_ID)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.STATUS)).isEqualTo(5);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.OPCODE)).isEqualTo(129);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.BYTE_LEN)).isEqualTo(77);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.IMM_DATA)).isEqualTo(0x7856_3412);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.QP_NUM)).isEqualTo(99);
        assertThat(UnsafeApi.getInt(at + Abi.IbvWc.WC_FLAGS)).isEqualTo(2);
    }

    private static void parse(final List<String> lines, final Map<String, Long> to)
    {
        for (final String line : lines)
        {
            final int space = line.indexOf(' ');
            to.put(line.substring(0, space), Long.valueOf(line.substring(space + 1)));
        }
    }

    private static List<String> run(final List<String> command) throws Exception
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final List<String> output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines().toList();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join("\n", output)).isZero();
        return output;
    }
}
