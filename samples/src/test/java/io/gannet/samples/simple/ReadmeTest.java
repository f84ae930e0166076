package io.gannet.samples.simple;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the README shows is what is compiled and run here. */
final class ReadmeTest
{
    @Test
    void theJavaOfTheReadmeIsTheHelloSample() throws IOException
    {
        final String readme = Files.readString(Path.of("..", "README.md"));
        final int start = readme.indexOf("```java\n") + "```java\n".length();
        final String shown = readme.substring(start, readme.indexOf("```\n", start));
        final int body = shown.indexOf("try (");
        assertThat(shown.substring(body).lines().count()).isBetween(8L, 15L);

        final String source = Files.readString(Path.of("src/main/java/io/gannet/samples/simple/Hello.java"));
        assertThat(source.lines()).containsAll(shown.substring(0, body).lines().toList());
        assertThat(unindented(source))
            .contains(unindented(shown.substring(body)
                .replace("Gannet.connect()", "Connections.connect(directory, null)")));
    }

    private static String unindented(final String text)
    {
        return text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
    }
}
