package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What a shell completes. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(60)
class CompletionTest
{
    /** As bash calls it: the words of the line, and which of them is to be completed; compopt works there alone. */
    private static final String CALL = "compopt() { :; }; source \"$0\"; COMP_WORDS=(gannet \"$@\"); " +
        "COMP_CWORD=$#; COMP_LINE=\"${COMP_WORDS[*]}\"; _complete_gannet; printf '%s\\n' \"${COMPREPLY[@]}\"";

    @TempDir
    private Path folder;

    /** Words that bash offers for the last one. */
    private List<String> complete(final String... words) throws IOException, InterruptedException
    {
        final Path script = folder.resolve("gannet");
        Files.writeString(script, Captured.run("completion").out());
        final List<String> command = new ArrayList<>(List.of("bash", "-c", CALL, script.toString()));
        command.addAll(List.of(words));
        final Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.lines().map(String::strip).toList();
    }

    @Test
    void commandsAndOptionsAreCompleted() throws IOException, InterruptedException
    {
        assertThat(complete("hea")).containsExactly("health");
        assertThat(complete("")).contains("driver", "doctor", "explain", "top").doesNotContain("warm-up");
        assertThat(complete("health", "--m")).containsExactly("--max-age");
        assertThat(complete("doctor", "--p")).containsExactlyInAnyOrder("--pid", "--peer");
        assertThat(complete("driver", "--drain")).containsExactly("--drain-timeout");
        assertThat(complete("driver", "--dir", "/x", "--acc")).containsExactly("--access");
        assertThat(complete("nonsense", "--m")).doesNotContain("--max-age");
    }
}
