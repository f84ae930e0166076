package io.gannet.samples.orderflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.cli.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A value that is not possible is named, with its option and what is possible, before anything runs. */
final class OrdersOptionsTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "engine,--segment-size,0", "engine,--segment-size,1025", "engine,--durability,disk", "engine,--layout,three",
        "engine,--waiting,nap", "engine,--instruments,0", "engine,--instruments,1001", "engine,--stream,0",
        "engine,--stream,2147483647", "engine,--seconds,-1", "engine,--seconds,NaN", "engine,--in,gannet:carrier",
        "engine,--out,gannet:ipc?ring=5",
        "gateway,--id,-1", "gateway,--id,256", "gateway,--sessions,0", "gateway,--sessions,65536",
        "gateway,--log-size,0", "gateway,--log-size,3", "gateway,--log-size,1024", "gateway,--rate,0",
        "gateway,--burst,0", "gateway,--grace,-1", "gateway,--operator,-1", "gateway,--operator,4097",
        "gateway,--engine-in,gannet:x", "gateway,--engine-out,gannet:rdma", "gateway,--waiting,nap",
        "gateway,--stream,-5", "gateway,--instruments,-1", "gateway,--seconds,-0.5",
        "clients,--sessions,0", "clients,--sessions,-1", "clients,--sessions,65536", "clients,--first-session,0",
        "clients,--first-session,-7", "clients,--first-session,65500", "clients,--connection,-1",
        "clients,--connection,1000001", "clients,--rate,0", "clients,--rate,-3", "clients,--rate,NaN",
        "clients,--rate,1e12", "clients,--burst,-1", "clients,--burst,1001", "clients,--keep-alive,9",
        "clients,--keep-alive,600001", "clients,--stream,0", "clients,--instruments,0", "clients,--seconds,-1",
        "snapshot,--instruments,0", "snapshot,--instruments,1001"})
    void aValueThatIsNotPossibleIsNamed(final String command, final String option, final String value)
    {
        final List<String> line = new ArrayList<>(List.of(command, option, value, "--dir",
            directory.resolve("nobody").toString()));
        switch (command)
        {
            case "engine" -> line.addAll(List.of("--journal", directory.resolve("journal").toString()));
            case "gateway" -> line.addAll(List.of("--store", directory.resolve("store").toString()));
            case "snapshot" ->
            {
                line.subList(3, 5).clear();
                line.addAll(List.of("--journal", directory.toString()));
            }
            default -> assertThat(command).isEqualTo("clients");
        }
        final Exception[] found = new Exception[1];
        new CommandLine(new OrdersCommand()).setExecutionExceptionHandler((failure, at, parsed) ->
        {
            found[0] = failure;
            return 2;
        }).execute(line.toArray(String[]::new));
        assertThat(found[0]).as("%s", line).isInstanceOf(UsageException.class);
        assertThat(found[0].getMessage()).containsIgnoringCase(shown(value));
        assertThat(Arrays.asList(directory.toFile().list())).as("nothing was begun").isEmpty();
    }

    /** Numbers are shown as numbers. */
    private static String shown(final String value)
    {
        return value.equals("1e12") ? "1.0E12" : value;
    }
}
