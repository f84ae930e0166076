package io.gannet.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.doctor.HostFacts.Fact;
import io.gannet.harness.TestDirectory;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a host says of itself to another one's doctor. */
class FactReaderTest
{
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("10.0.0.5");

    private final Path root = TestDirectory.create("facts");

    @AfterEach
    void remove()
    {
        TestDirectory.remove(root);
    }

    private HostFacts read()
    {
        return FactReader.read(root, "verbs:mlx5_0", ADDRESS);
    }

    @Test
    void aRoceHost()
    {
        MadeUpHost.perfectRoce(root).gid(4, "0000:0000:0000:0000:0000:ffff:0a00:0006", "RoCE v2")
            .file("/sys/module/mlx5_core/version", "24.10-1");
        MadeUpHost.link(root, "/sys/class/infiniband/mlx5_0/device/driver", "../../../bus/pci/drivers/mlx5_core");
        assertThat(read().values()).containsOnly(
            Map.entry(Fact.LINK_LAYER, "Ethernet"),
            Map.entry(Fact.RATE, "100 Gb/sec (4X EDR)"),
            Map.entry(Fact.ACTIVE_MTU, "4096"),
            Map.entry(Fact.NETDEV_MTU, "4200"),
            Map.entry(Fact.GID_INDEX, "3"),
            Map.entry(Fact.GID_TYPE, "RoCE v2"),
            Map.entry(Fact.PFC, "on priorities {3}"),
            Map.entry(Fact.TRUST, "dscp"),
            Map.entry(Fact.ECN, "on for priority 3"),
            Map.entry(Fact.NIC_DRIVER, "mlx5_core 24.10-1"),
            Map.entry(Fact.CLOCK_SOURCE, "tsc"));
        assertThat(FactReader.read(root, "verbs:mlx5_0", InetAddress.ofLiteral("10.0.0.6")).get(Fact.GID_INDEX))
            .isEqualTo("4");
    }

    @Test
    void anInfiniBandHost()
    {
        MadeUpHost.perfectInfiniBand(root);
        assertThat(read().values()).containsEntry(Fact.LINK_LAYER, "InfiniBand")
            .containsEntry(Fact.RATE, "200 Gb/sec (4X HDR)").containsEntry(Fact.GID_TYPE, "InfiniBand")
            .containsEntry(Fact.ACTIVE_MTU, "4096").doesNotContainKeys(Fact.PFC, Fact.ECN, Fact.NETDEV_MTU);
    }

    @Test
    void aHostThatSaysNothing()
    {
        assertThat(read().values()).containsOnly(Map.entry(Fact.LINK_LAYER, "Ethernet"),
            Map.entry(Fact.GID_TYPE, "RoCE v2"));
    }

    @Test
    void ecnThatIsHalfOff()
    {
        final MadeUpHost host = MadeUpHost.perfectRoce(root);
        host.file("/sys/class/net/eth1/ecn/roce_rp/enable/3", "0");
        assertThat(read().get(Fact.ECN)).isEqualTo("half on for priority 3");
        host.file("/sys/class/net/eth1/ecn/roce_np/enable/3", "0");
        assertThat(read().get(Fact.ECN)).isEqualTo("off for priority 3");
    }

    @Test
    void thisHostCanBeRead()
    {
        assertThat(FactReader.read(Path.of("/"), "roce:127.0.0.1", InetAddress.getLoopbackAddress()).values())
            .containsEntry(Fact.LINK_LAYER, "Ethernet").containsKeys(Fact.NETDEV_MTU, Fact.CLOCK_SOURCE);
    }

    @Test
    void whatIsEncodedIsRead()
    {
        MadeUpHost.perfectRoce(root);
        assertThat(HostFacts.decode(read().encode())).isEqualTo(read());
        assertThat(new HostFacts(Map.of(Fact.RATE, "a\u001b[2J" + "x".repeat(100))).get(Fact.RATE))
            .isEqualTo("a[2J" + "x".repeat(60));
        // A fact of a later version.
        assertThat(HostFacts.decode(new byte[]{(byte) 200, 1, 'x', 5, 1, '7'}).values())
            .containsOnly(Map.entry(Fact.RATE, "7"));
    }
}
