package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * A process that may lock 256 KiB, without the capability that lifts the limit.
 */
class VerbsLimitsLab
{
    private static final int LIMIT = 256 * 1024;

    @Test
    void registrationBeyondTheLimitTellsNeededAllowedAndRemedy()
    {
        final VerbsDevice device = VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(1)));
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(4 * LIMIT, 4096);
            final ProtectionDomain domain = device.allocateProtectionDomain();
            final MemoryRegion first = domain.register(memory.address(), LIMIT / 2, Access.LOCAL_WRITE);
            assertThatThrownBy(() -> domain.register(memory.address(), LIMIT, Access.LOCAL_WRITE))
                .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining(Integer.toString(LIMIT)).hasMessageContaining(Integer.toString(LIMIT / 2))
                .hasMessageContaining("LimitMEMLOCK");
            assertThat(device.preflight(LIMIT / 2)).as("what still fits").isEmpty();
            assertThat(device.preflight(LIMIT)).singleElement().asString()
                .contains(Integer.toString(LIMIT), "ulimit -l unlimited");
            first.close();
            // what was given back can be used again
            domain.register(memory.address(), LIMIT / 2, Access.LOCAL_WRITE).close();
            domain.close();
        }
        device.close();
        assertThat(device.resources().open()).isZero();
    }
}
