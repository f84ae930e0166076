package io.gannet.samples.simple;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what is compiled and run here. */
final class ReadmeTest
{
    @Test
    void theJavaOfTheReadmeIsTheHelloSample() throws IOException
    {
        final String shown = shown();
        final int main = shown.indexOf("void main()");
        final int body = shown.indexOf("try (");
        final String lines = shown.substring(body, shown.lastIndexOf('}'));
        assertThat(lines.strip().lines().count()).isBetween(8L, 15L);

        final String source = Files.readString(Path.of("src/main/java/io/gannet/samples/simple/Hello.java"));
        assertThat(source.lines()).containsAll(shown.substring(0, main).lines().toList());
        assertThat(unindented(source))
            .contains(unindented(lines
                .replace("Gannet.connect()", "Connections.connect(directory, null)")));
    }

    @Test
    void theJavaOfTheReadmeIsAFileThatCompilesAsItIs(@TempDir final Path directory) throws IOException
    {
        final Path source = Files.writeString(directory.resolve("Hello.java"), shown());
        final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        final int status = ToolProvider.getSystemJavaCompiler().run(null, null, errors,
            "-cp", System.getProperty("java.class.path"), "-proc:none", "-d", directory.toString(), source.toString());

        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(status).isZero();
        assertThat(directory.resolve("Hello.class")).exists();
    }

    private static String shown() throws IOException
    {
        final String readme = Files.readString(Path.of("..", "README.md"));
        final int start = readme.indexOf("```java\n") + "```java\n".length();
        return readme.substring(start, readme.indexOf("```\n", start));
    }

    private static String unindented(final String text)
    {
        return text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
    }
}
