package io.gannet.doctor;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import io.gannet.counters.RemoteStatistic;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.status.CountersManager;

/**
 * A host that exists as a tree of files only, in order in every respect until a test changes something.
 */
final class MadeUpHost
{
    static final String DIRECTORY = "/dev/shm/gannet-made-up";

    private static final int CPUS = 16;
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    private static final String MEMORY = """
        MemTotal: 131072000 kB
        HugePages_Total: 1024
        HugePages_Free: 1000
        Hugepagesize: 2048 kB
        """;
    private static final String FLOW_CONTROL = """
        DCBX mode: OS controlled
        Priority trust state: dscp
        PFC configuration:
        \tpriority    0   1   2   3   4   5   6   7
        \tenabled     0   0   0   1   0   0   0   0
        \tbuffer      0   0   0   1   0   0   0   0
        """;

    private final Path root;

    private MadeUpHost(final Path root)
    {
        this.root = root;
    }

    /** Two nodes, sixteen processors, no RDMA. */
    static MadeUpHost withoutDevice(final Path root)
    {
        final MadeUpHost host = new MadeUpHost(root);
        host.file("/proc/meminfo", MEMORY);
        host.file("/proc/uptime", "864000.12 1000000.00");
        host.file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64");
        host.file("/proc/modules", "ib_uverbs 180224 1 rdma_ucm, Live 0x0\nrdma_ucm 32768 0 - Live 0x0");
        host.file("/proc/self/limits", "Limit  Soft Limit  Hard Limit  Units" + '\n' +
            "Max locked memory         unlimited            unlimited            bytes");
        host.file("/proc/self/status", "Name:\tjava\nCapEff:\t0000000000000000\nCpus_allowed_list:\t0-7");
        host.file("/proc/self/cmdline", "/opt/jdk/bin/java\0-XX:+UseSerialGC\0-jar\0gannet-dist.jar\0driver\0");
        host.link("/proc/self/exe", "/opt/jdk/bin/java");
        host.file("/opt/jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.3\"");
        host.file("/proc/self/mounts", "/dev/sda1 / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,size=8388608k 0 0");
        host.file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
        host.file("/sys/devices/system/cpu/online", "0-" + (CPUS - 1));
        host.file("/sys/devices/system/cpu/isolated", "2-7");
        for (int cpu = 0; cpu < CPUS; cpu++)
        {
            final String directory = "/sys/devices/system/cpu/cpu" + cpu;
            host.file(directory + "/cpufreq/scaling_governor", "performance");
            host.file(directory + "/cpuidle/state0/name", "POLL").file(directory + "/cpuidle/state0/latency", "0")
                .file(directory + "/cpuidle/state0/disable", "0");
            host.file(directory + "/cpuidle/state1/name", "C6").file(directory + "/cpuidle/state1/latency", "133")
                .file(directory + "/cpuidle/state1/disable", "1");
        }
        host.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
        host.file("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm");
        for (int node = 0; node < 2; node++)
        {
            host.file("/sys/devices/system/node/node" + node + "/hugepages/hugepages-2048kB/nr_hugepages", "512");
        }
        host.directory("/usr/lib/x86_64-linux-gnu");
        host.directory("/sys/class/infiniband");
        return host;
    }

    private static MadeUpHost withDevice(final Path root)
    {
        final MadeUpHost host = withoutDevice(root);
        host.file("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0", "").
            file("/usr/lib/x86_64-linux-gnu/librdmacm.so.1", "");
        host.file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0");
        host.file("/dev/infiniband/uverbs0", "").file("/dev/infiniband/rdma_cm", "");
        host.device("fw_ver", "28.39.1002").device("board_id", "MT_0000000838");
        host.device("device/numa_node", "0").device("device/local_cpulist", "0-7");
        host.device("device/current_link_width", "16").device("device/max_link_width", "16");
        host.device("device/current_link_speed", "16.0 GT/s PCIe").device("device/max_link_speed", "16.0 GT/s PCIe");
        host.port("state", "4: ACTIVE").port("phys_state", "5: LinkUp");
        host.port("counters/port_rcv_packets", "4000000000").port("counters/port_xmit_packets", "4000000000");
        for (final String name : List.of("port_rcv_errors", "port_xmit_discards", "symbol_error"))
        {
            host.port("counters/" + name, "0");
        }
        for (final String name : List.of("rnr_nak_retry_err", "local_ack_timeout_err", "packet_seq_err",
            "out_of_sequence", "rp_cnp_ignored", "np_cnp_sent", "rp_cnp_handled", "np_ecn_marked_roce_packets"))
        {
            host.port("hw_counters/" + name, "0");
        }
        return host;
    }

    /** A ConnectX on Ethernet with PFC and ECN. */
    static MadeUpHost perfectRoce(final Path root)
    {
        final MadeUpHost host = withDevice(root);
        host.port("link_layer", "Ethernet").port("rate", "100 Gb/sec (4X EDR)");
        host.gid(0, "fe80:0000:0000:0000:0a00:27ff:fe4e:66a1", "IB/RoCE v1")
            .gid(1, "fe80:0000:0000:0000:0a00:27ff:fe4e:66a1", "RoCE v2")
            .gid(2, "0000:0000:0000:0000:0000:ffff:0a00:0005", "IB/RoCE v1")
            .gid(3, "0000:0000:0000:0000:0000:ffff:0a00:0005", "RoCE v2").gid(4, NO_GID, "");
        host.file("/sys/class/net/eth1/mtu", "4200");
        host.devinfo(4096);
        host.file("/sys/class/net/eth1/ecn/roce_np/enable/3", "1").file("/sys/class/net/eth1/ecn/roce_rp/enable/3", "1")
            .file("/sys/class/net/eth1/ecn/roce_rp/rpg_gd", "11");
        host.file("/commands/mlnx_qos_-i_eth1", FLOW_CONTROL);
        host.ethtool(0, 0, 0);
        return host;
    }

    /** A ConnectX on InfiniBand. */
    static MadeUpHost perfectInfiniBand(final Path root)
    {
        final MadeUpHost host = withDevice(root);
        host.port("link_layer", "InfiniBand").port("rate", "200 Gb/sec (4X HDR)");
        host.port("gids/0", "fe80:0000:0000:0000:0002:c903:0000:1491").port("gids/1", NO_GID);
        host.devinfo(4096);
        return host;
    }

    MadeUpHost devinfo(final int activeMtu)
    {
        return file("/commands/ibv_devinfo_-d_mlx5_0", String.join("\n", "hca_id:\tmlx5_0", "\t\tport:\t1",
            "\t\t\tstate:\t\tPORT_ACTIVE (4)", "\t\t\tmax_mtu:\t\t4096 (5)", "\t\t\tactive_mtu:\t\t" + activeMtu));
    }

    /** What the NIC's driver counts by itself. */
    MadeUpHost ethtool(final long discards, final long pauses, final long pausedMicros)
    {
        return file("/commands/ethtool_-S_eth1", "NIC statistics:\n     rx_packets_phy: 4000000000\n" +
            "     rx_discards_phy: " + discards + "\n     rx_crc_errors_phy: 0\n     rx_prio3_pause: " + pauses +
            "\n     rx_prio3_pause_duration: " + pausedMicros + "\n     tx_prio3_pause: 0\n" +
            "     tx_pause_storm_error_events: 0");
    }

    MadeUpHost noGids()
    {
        for (int i = 0; i < 5; i++)
        {
            gid(i, NO_GID, "");
        }
        return this;
    }

    MadeUpHost gid(final int index, final String gid, final String type)
    {
        return port("gids/" + index, gid).port("gid_attrs/types/" + index, type)
            .port("gid_attrs/ndevs/" + index, "eth1");
    }

    MadeUpHost port(final String name, final String content)
    {
        return device("ports/1/" + name, content);
    }

    MadeUpHost device(final String name, final String content)
    {
        return file("/sys/class/infiniband/mlx5_0/" + name, content);
    }

    MadeUpHost file(final String path, final String content)
    {
        try
        {
            Files.createDirectories(path(path).getParent());
            Files.writeString(path(path), content + "\n");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /**
     * A driver has been there.
     *
     * @param died whether it was killed; else it was stopped.
     */
    MadeUpHost driver(final boolean died)
    {
        final Path file = path(DIRECTORY).resolve("driver");
        directory("/dev/shm");
        try
        {
            final byte[] alive;
            try (MediaDriver driver = MediaDriver.launch(
                DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, path(DIRECTORY)), line -> { }))
            {
                alive = Files.readAllBytes(driver.directory().resolve("driver"));
            }
            if (died)
            {
                Files.write(file, alive);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** What a driver that is stopped had last counted of another host. */
    MadeUpHost counted(final RemoteStatistic statistic, final long value)
    {
        directory("/dev/shm");
        final GannetDirectory directory = new GannetDirectory(path(DIRECTORY));
        directory.prepare(false);
        try (DriverFile driver = DriverFile.acquire(directory, "made-up");
            ControlFile control = ControlFile.create(directory, driver.info(), 64, 16 * 1024))
        {
            final CountersManager counters = control.countersManager();
            counters.setCounterValue(
                counters.allocate("to 10.0.0.9:4100: " + statistic.label(), statistic.typeId()), value);
        }
        return this;
    }

    MadeUpHost remove(final String path)
    {
        io.gannet.harness.TestDirectory.remove(path(path));
        return this;
    }

    private void directory(final String path)
    {
        try
        {
            Files.createDirectories(path(path));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Another symbolic link in a host's tree. */
    static void link(final Path root, final String path, final String target)
    {
        new MadeUpHost(root).link(path, target);
    }

    private void link(final String path, final String target)
    {
        try
        {
            Files.createSymbolicLink(path(path), Path.of(target));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private Path path(final String path)
    {
        return root.resolve(path.substring(1));
    }

    List<Result> examine()
    {
        return Doctor.examine(root, 0, Path.of(DIRECTORY), false, 0);
    }

    /** Looks while {@code meanwhile} happens. */
    List<Result> examine(final Runnable meanwhile)
    {
        return Doctor.examine(root, 0, Path.of(DIRECTORY), false, 1, meanwhile);
    }
}
