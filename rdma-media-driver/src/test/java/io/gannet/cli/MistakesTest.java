package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.ConfigurationException;
import io.gannet.driver.DriverException;
import io.gannet.errors.OperatorError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class MistakesTest
{
    @Test
    void aFailureOfAFileNamesTheFileAndWhatIsWrongWithItAndNoClass()
    {
        assertThat(told(new NoSuchFileException("/a"))).isEqualTo("gannet: /a: no such file or directory (E103)");
        assertThat(told(new AccessDeniedException("/a"))).isEqualTo("gannet: /a: permission denied (E103)");
        assertThat(told(new FileSystemException("/a", null, "Is a directory")))
            .isEqualTo("gannet: /a: Is a directory (E103)");
        assertThat(told(new IOException("byte 7 of x: bad"))).isEqualTo("gannet: byte 7 of x: bad (E103)");
        assertThat(told(new UncheckedIOException(new AccessDeniedException("/a"))))
            .isEqualTo("gannet: /a: permission denied (E103)");
        assertThat(told(new UsageException("--a 1: 2 is possible"))).isEqualTo("gannet: --a 1: 2 is possible (E101)");
        assertThat(told(new OperatorException("no room (E207)"))).isEqualTo("gannet: no room (E207)");
        assertThat(told(new OperatorException("two\n  lines"))).isEqualTo("gannet: two lines (E100)");
    }

    @Test
    void aValueThatSomebodyGaveHasTheExitCodeOfAWrongCommandLineAndAFailureAnother()
    {
        assertThat(Mistakes.exitCode(new UsageException("--rate 0: must be above 0"))).isEqualTo(2);
        assertThat(Mistakes.exitCode(new ConfigurationException("ring-capacity=3m"))).isEqualTo(2);
        assertThat(Mistakes.exitCode(new IllegalArgumentException("channel x"))).isEqualTo(2);
        assertThat(Mistakes.exitCode(new OperatorException("no driver"))).isEqualTo(1);
        assertThat(Mistakes.exitCode(new DriverException(OperatorError.IN_USE, "another driver runs"))).isEqualTo(1);
        assertThat(Mistakes.exitCode(new IOException("disk"))).isEqualTo(1);
    }

    @Test
    void aProgramsFaultIsNotTold()
    {
        final StringWriter err = new StringWriter();
        assertThat(Mistakes.tell(new PrintWriter(err), new IllegalStateException("bug"))).isFalse();
        assertThat(err.toString()).isEmpty();
    }

    private static String told(final Exception failure)
    {
        final StringWriter err = new StringWriter();
        assertThat(Mistakes.tell(new PrintWriter(err), failure)).isTrue();
        return err.toString().stripTrailing();
    }
}
