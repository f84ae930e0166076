package io.gannet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A JVM without the flags that Gannet needs.
 */
class JvmFlagsTest
{
    /** Connects, in a JVM of its own. */
    static final class Main
    {
        private Main()
        {
        }

        public static void main(final String[] args)
        {
            try
            {
                Gannet.connect();
            }
            catch (final IllegalStateException ex)
            {
                System.out.println(ex.getMessage());
            }
        }
    }

    @Test
    void isToldTheExactFlagsInOneMessage() throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), Main.class.getName()).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.strip()).doesNotContain("\n").contains(
            "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED");
    }
}
