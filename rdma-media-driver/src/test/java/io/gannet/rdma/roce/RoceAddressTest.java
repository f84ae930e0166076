package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which address a NIC takes, and what it says if there is none.
 */
class RoceAddressTest
{
    private final List<LocalPort> ports = new ArrayList<>();
    private final List<RoceDevice> devices = new ArrayList<>();

    RoceAddressTest()
    {
        for (int i = 0; i < 3; i++)
        {
            ports.add(LocalPort.of(LoopbackAddress.random()));
        }
    }

    @AfterEach
    void close()
    {
        devices.forEach(RoceDevice::close);
    }

    private RoceDevice open(final RoceOptions options)
    {
        final RoceDevice device = RoceOpener.openFirst(options, ports, new RandomIdentifiers());
        devices.add(device);
        return device;
    }

    private static String name(final LocalPort port)
    {
        return "roce:" + port.address().getHostAddress();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFirstFreeAddressIsTakenAndNoneLeftIsOneClearMessage(final boolean systemCalls)
    {
        final RoceOptions options = RoceOptions.LOOPBACK.withSystemCalls(systemCalls);
        for (final LocalPort port : ports)
        {
            assertThat(open(options).name()).isEqualTo(name(port));
        }
        assertThatThrownBy(() -> open(options)).isInstanceOfSatisfying(RdmaException.class, taken ->
        {
            assertThat(taken.errno()).isEqualTo(Errno.EADDRINUSE);
            assertThat(taken).hasMessageContainingAll(
                "UDP port 4791", "3 addresses", ports.getFirst().address().getHostAddress(),
                ports.getLast().address().getHostAddress(), "taken", "rdma_rxe");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAddressThatIsLeftToSomebodyElseIsNotTaken(final boolean systemCalls)
    {
        final RoceOptions options = RoceOptions.LOOPBACK.withSystemCalls(systemCalls);
        assertThat(open(options.withAvoided(ports.getFirst().address())).name()).isEqualTo(name(ports.get(1)));
    }
}
