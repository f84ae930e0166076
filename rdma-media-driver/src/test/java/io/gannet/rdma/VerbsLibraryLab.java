package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A host without either of the libraries: they are moved away, which only a guest can take.
 */
class VerbsLibraryLab
{
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");

    @Test
    void missingLibraryIsNamedWithTheRemedyAndAnInstalledOneIsFoundThen() throws IOException
    {
        // libibverbs is looked for first, and once loaded stays so
        assertMissing("libibverbs.so.1", "libibverbs1");
        assertMissing("librdmacm.so.1", "librdmacm1");
        final VerbsDevice device = VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(1)));
        assertThat(device.name()).isEqualTo("verbs:rxe0");
        device.close();
    }

    private static void assertMissing(final String library, final String debianPackage) throws IOException
    {
        final Path file = LIBRARIES.resolve(library);
        final Path away = LIBRARIES.resolve("away-" + library);
        Files.move(file, away);
        try
        {
            assertThatThrownBy(() -> VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(1))))
                .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageStartingWith("cannot load " + library + ". Install ").hasMessageContaining(debianPackage);
        }
        finally
        {
            Files.move(away, file);
        }
    }
}
