package io.gannet.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.gannet.cli.SpecExtension;
import io.gannet.cli.Subcommand;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOption;
import io.gannet.driver.DriverOptions;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;

/**
 * The Kubernetes manifests fit the published schema: classes made from it take them, with no field that they do not
 * know and none missing.
 */
class ManifestsTest
{
    private static final Path MANIFESTS = Path.of("src/main/kubernetes");

    static List<Path> manifests() throws IOException
    {
        try (Stream<Path> files = Files.list(MANIFESTS))
        {
            return files.sorted().toList();
        }
    }

    private static JsonObject read(final Path file) throws IOException
    {
        final Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        return new Gson().toJsonTree(yaml.load(Files.readString(file))).getAsJsonObject();
    }

    private static void validate(final JsonObject manifest) throws IOException
    {
        final JsonElement json = manifest;
        switch (manifest.get("kind").getAsString())
        {
            case "DaemonSet" -> V1DaemonSet.validateJsonElement(json);
            case "Pod" -> V1Pod.validateJsonElement(json);
            case "ConfigMap" -> V1ConfigMap.validateJsonElement(json);
            case "Namespace" -> V1Namespace.validateJsonElement(json);
            default -> throw new AssertionError("no schema for " + manifest.get("kind"));
        }
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void aManifestFitsTheSchema(final Path file) throws IOException
    {
        validate(read(file));
    }

    @Test
    void theSchemaWouldFindAMistake() throws IOException
    {
        final JsonObject daemon = read(MANIFESTS.resolve("driver.yaml"));
        final JsonObject pod = daemon.getAsJsonObject("spec").getAsJsonObject("template").getAsJsonObject("spec");
        final JsonObject container = pod.getAsJsonArray("containers").get(0).getAsJsonObject();
        container.addProperty("livenesProbe", "x");
        assertThatThrownBy(() -> validate(daemon)).hasMessageContaining("livenesProbe");
        container.remove("livenesProbe");
        container.remove("name");
        assertThatThrownBy(() -> validate(daemon)).hasMessageContaining("name");
    }

    /** Containers of a manifest that runs something. */
    private static List<JsonObject> containers(final JsonObject manifest)
    {
        final JsonObject spec = manifest.getAsJsonObject("spec");
        if (spec == null)
        {
            return List.of();
        }
        final JsonObject pod = spec.has("template") ? spec.getAsJsonObject("template").getAsJsonObject("spec") : spec;
        return pod.getAsJsonArray("containers").asList().stream().map(JsonElement::getAsJsonObject).toList();
    }

    private static List<String> texts(final JsonElement array)
    {
        return array.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
    }

    /** As the command would; nothing is run. */
    private static void parse(final List<String> words)
    {
        final Subcommand command = ServiceLoader.load(Subcommand.class).stream()
            .filter(each -> each.type().getAnnotation(CommandLine.Command.class).name().equals(words.getFirst()))
            .findFirst().orElseThrow(() -> new AssertionError("no command " + words)).get();
        final CommandLine line = new CommandLine(command);
        if (command instanceof final SpecExtension extension)
        {
            extension.extend(line.getCommandSpec());
        }
        final CommandLine.ParseResult parsed = line.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        if ("driver".equals(words.getFirst()))
        {
            DriverConfiguration configuration = DriverConfiguration.defaults();
            for (final DriverOption<?> option : DriverOptions.all())
            {
                if (parsed.hasMatchedOption(option.flag()))
                {
                    configuration = configuration.withFlag(option, parsed.matchedOptionValue(option.flag(), ""));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void whatContainersAndProbesRunIsPossible(final Path file) throws IOException
    {
        for (final JsonObject container : containers(read(file)))
        {
            parse(texts(container.get("args")));
            for (final String probe : List.of("startupProbe", "readinessProbe", "livenessProbe"))
            {
                if (container.has(probe))
                {
                    final List<String> command =
                        texts(container.getAsJsonObject(probe).getAsJsonObject("exec").get("command"));
                    assertThat(command).first().isEqualTo("gannet");
                    parse(command.subList(1, command.size()));
                }
            }
        }
    }

    @Test
    void theDriversOptionsArePossibleAndFitItsPod(@TempDir final Path scratch) throws IOException
    {
        final Path file = Files.writeString(scratch.resolve("driver.conf"), read(MANIFESTS.resolve("config.yaml"))
            .getAsJsonObject("data").get("driver.conf").getAsString());
        assertThat(DriverConfiguration.mistakes(file)).isEmpty();
        final DriverConfiguration options = DriverConfiguration.defaults().withFile(file);
        final JsonObject pod = read(MANIFESTS.resolve("driver.yaml")).getAsJsonObject("spec")
            .getAsJsonObject("template").getAsJsonObject("spec");
        assertThat(pod.get("terminationGracePeriodSeconds").getAsLong()).isGreaterThan(
            TimeUnit.NANOSECONDS.toSeconds(options.get(DriverOptions.DRAIN_TIMEOUT)) + 10);
        final String driver = pod.getAsJsonArray("containers").get(0).toString();
        assertThat(driver).contains("\"--dir\",\"" + options.get(DriverOptions.DIRECTORY) + "\"",
            "\"mountPath\":\"" + options.get(DriverOptions.HUGETLB_MOUNT) + "\"");
        assertThat(driver.split("\"--dir\"", -1)).as("its probes").hasSize(4);
    }

    /** Which Kubernetes gives to root alone: a manifest that adds some to another user promises what it does not do. */
    @ParameterizedTest
    @MethodSource("manifests")
    void nobodyButRootIsGivenCapabilities(final Path file) throws IOException
    {
        for (final JsonObject container : containers(read(file)))
        {
            assertThat(container.getAsJsonObject("securityContext").getAsJsonObject("capabilities").keySet())
                .containsExactly("drop");
        }
    }

    @Test
    void theDriverIsProbedAndPinned() throws IOException
    {
        final JsonObject pod = read(MANIFESTS.resolve("driver.yaml")).getAsJsonObject("spec")
            .getAsJsonObject("template").getAsJsonObject("spec");
        final JsonObject driver = pod.getAsJsonArray("containers").get(0).getAsJsonObject();
        final JsonObject resources = driver.getAsJsonObject("resources");
        assertThat(resources.get("requests")).as("guaranteed").isEqualTo(resources.get("limits"));
        assertThat(resources.getAsJsonObject("limits").keySet()).contains("rdma/gannet", "hugepages-2Mi");
        for (final String probe : List.of("startupProbe", "readinessProbe", "livenessProbe"))
        {
            assertThat(driver.getAsJsonObject(probe).getAsJsonObject("exec").getAsJsonArray("command").toString())
                .startsWith("[\"gannet\",\"health\"");
        }
        assertThat(read(MANIFESTS.resolve("sidecar.yaml")).toString()).contains("\"medium\":\"Memory\"");
    }
}
