package io.gannet.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

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

    @Test
    void theDriverIsProbedPinnedAndLocksItsMemory() throws IOException
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
