package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.marketdata.demo.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The venue as processes: the demo from end to end. */
final class OrdersIT
{
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-it-");
    }

    @AfterEach
    void end() throws IOException
    {
        Directories.delete(directory);
    }

    @Test
    void theDemoAnswersEveryRequestAndItsBooksAgree() throws IOException
    {
        final Path json = directory.resolve("result.json");
        try (Child demo = Child.start("demo", JavaCommand.of("io.gannet.cli.Main", List.of("demo", "orders",
            "--seconds", "2", "--clients", "20", "--rate", "300", "--channel", "gannet:ipc?ring=1m",
            "--json", json.toString()))))
        {
            assertThat(demo.await(300, TimeUnit.SECONDS)).as("the demo ends by itself").isTrue();
            assertThat(demo.ending()).contains("exit code 0");
            assertThat(Files.readString(json)).contains("\"booksEqual\": true").contains("\"sent\": 600,")
                .contains("\"answered\": 600,");
        }
    }
}
