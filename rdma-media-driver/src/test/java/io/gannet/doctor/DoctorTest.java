package io.gannet.doctor;

import static io.gannet.doctor.Severity.ERROR;
import static io.gannet.doctor.Severity.NOTE;
import static io.gannet.doctor.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.gannet.counters.RemoteStatistic;
import io.gannet.driver.DriverConfiguration;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Made-up hosts: each gives exactly its own findings.
 */
class DoctorTest
{
    private static final Function<Path, MadeUpHost> ROCE = MadeUpHost::perfectRoce;
    private static final Function<Path, MadeUpHost> INFINIBAND = MadeUpHost::perfectInfiniBand;

    private static final String NO_PRIORITY = """
        Priority trust state: dscp
        \tenabled     0   0   0   0   0   0   0   0
        """;
    private static final String PRIORITY_3 = """
        pfc-cap 8 macsec-bypass off delay 0
        prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
        """;

    private static final Pattern SETTING = Pattern.compile("\\b[a-z][a-z-]* = [a-z0-9/]+");
    /** modprobe takes what follows on the first name for its parameters. */
    private static final String MODULES_WITHOUT_ALL = "modprobe [a-z0-9_]+ [a-z0-9_]+";

    private final Path root = TestDirectory.create("doctor");

    @AfterEach
    void remove()
    {
        TestDirectory.remove(root);
    }

    /** What one host has wrong, and the words of what must be found: its device or limit, and its value. */
    record Case(
        String name, Function<Path, MadeUpHost> host, Consumer<MadeUpHost> change, List<Expected> findings)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    record Expected(String check, Severity severity, List<String> words)
    {
    }

    private static Case host(
        final String name,
        final Function<Path, MadeUpHost> host,
        final Consumer<MadeUpHost> change,
        final Expected... findings)
    {
        return new Case(name, host, change, List.of(findings));
    }

    private static Expected finding(final String check, final Severity severity, final String... words)
    {
        return new Expected(check, severity, List.of(words));
    }

    static Stream<Case> hosts()
    {
        return Stream.concat(network(), machine());
    }

    private static Stream<Case> network()
    {
        final String ecn = "/sys/class/net/eth1/ecn/";
        return Stream.of(
            host("perfect RoCE", ROCE, host -> {}),
            host("perfect InfiniBand", INFINIBAND, host -> {}),
            host("no device", MadeUpHost::withoutDevice, host -> {}, finding("device", ERROR, "infiniband", "empty")),
            host("no RDMA in the kernel", MadeUpHost::withoutDevice, host -> host.remove("/sys/class/infiniband"),
                finding("device", ERROR, "no RDMA in this kernel")),
            host("module missing", ROCE, host -> host.file("/proc/modules", "ib_uverbs 1 0 - Live 0x0"),
                finding("kernel-modules", ERROR, "rdma_ucm")),
            host("container without device", ROCE, host -> host.remove("/dev/infiniband").file("/.dockerenv", ""),
                finding("device-nodes", ERROR, "/dev/infiniband/uverbs0", "rdma_cm", "container")),
            host("old rdma-core", ROCE, host -> host.remove("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0")
                .file("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.5.22.4", ""),
                finding("rdma-core", ERROR, "rdma-core 22")),
            host("no connection manager", ROCE, host -> host.remove("/usr/lib/x86_64-linux-gnu/librdmacm.so.1"),
                finding("rdma-core", ERROR, "not installed", "librdmacm.so.1")),
            host("firmware of two kinds", ROCE, host -> host.file("/sys/class/infiniband/mlx5_1/fw_ver", "28.36.1010")
                .file("/sys/class/infiniband/mlx5_1/board_id", "MT_0000000838"),
                finding("firmware", WARNING, "MT_0000000838", "28.36.1010", "28.39.1002")),
            host("two boards of a firmware each", ROCE,
                host -> host.file("/sys/class/infiniband/mlx5_1/fw_ver", "28.36.1010")
                .file("/sys/class/infiniband/mlx5_1/board_id", "MT_0000000011")),
            host("port down", ROCE, host -> host.port("state", "1: DOWN").port("phys_state", "3: Disabled"),
                finding("port-state", ERROR, "mlx5_0 port 1", "eth1", "DOWN", "Disabled")),
            host("no subnet manager", INFINIBAND, host -> host.port("state", "2: INIT"),
                finding("port-state", ERROR, "INIT", "LinkUp")),
            host("one lane", INFINIBAND, host -> host.port("rate", "50 Gb/sec (1X HDR)"),
                finding("link", WARNING, "1X")),
            host("one gigabit", ROCE, host -> host.port("rate", "1 Gb/sec (1X SDR)"),
                finding("link", WARNING, "Ethernet", "1 Gb/sec")),
            host("interface MTU 1500", ROCE,
                host -> host.file("/sys/class/net/eth1/mtu", "1500").devinfo(1024),
                finding("mtu", WARNING, "interface 1500", "active 1024")),
            host("MTU mismatch", ROCE, host -> host.devinfo(1024),
                finding("mtu", WARNING, "interface 4200", "active 1024", "4096 would fit")),
            host("4096 is too little for 4096", ROCE,
                host -> host.file("/sys/class/net/eth1/mtu", "4096").remove("/commands/ibv_devinfo_-d_mlx5_0"),
                finding("mtu", WARNING, "interface 4096", "2048 (computed)")),
            host("InfiniBand MTU", INFINIBAND, host -> host.devinfo(2048), finding("mtu", WARNING, "2048")),
            host("link-local GID only", ROCE, host -> host.noGids()
                .gid(1, "fe80:0000:0000:0000:0a00:27ff:fe4e:66a1", "RoCE v2"),
                finding("gid", ERROR, "only", "fe80:", "RoCE v2")),
            host("version 1 GID only", ROCE, host -> host.noGids()
                .gid(2, "0000:0000:0000:0000:0000:ffff:0a00:0005", "IB/RoCE v1"),
                finding("gid", ERROR, "RoCE v1")),
            host("drops", ROCE, host -> host.ethtool(123_456, 0, 0),
                finding("drops", WARNING, "rx_discards_phy 123,456", "4,000,000,000")),
            host("few old drops", ROCE, host -> host.ethtool(7, 0, 0)),
            host("retries", ROCE, host -> host.port("hw_counters/rnr_nak_retry_err", "50000"),
                finding("retries", WARNING, "rnr_nak_retry_err 50,000")),
            host("pause storm", ROCE, host -> host.ethtool(0, 900_000_000, 40_000_000_000L),
                finding("pause", ERROR, "900,000,000", "since boot")),
            host("storm seen by the NIC", ROCE, host -> host.file("/commands/ethtool_-S_eth1", "NIC statistics:\n" +
                "     rx_packets_phy: 4000000000\n     rx_prio3_pause: 1\n     tx_pause_storm_error_events: 2"),
                finding("pause", ERROR, "2 storms")),
            host("some pauses", ROCE, host -> host.ethtool(0, 100_000, 200_000_000),
                finding("pause", WARNING, "100,000")),
            host("PFC off", ROCE, host -> host.file("/commands/mlnx_qos_-i_eth1", NO_PRIORITY),
                finding("pfc", WARNING, "no priority")),
            host("trust of the VLAN tag", ROCE, host -> host.remove("/commands/mlnx_qos_-i_eth1")
                .file("/commands/dcb_pfc_show_dev_eth1", PRIORITY_3),
                finding("pfc", WARNING, "{3}", "pcp")),
            host("ECN off", ROCE, host -> host.file(ecn + "roce_rp/enable/3", "0").file(ecn + "roce_np/enable/3", "0"),
                finding("ecn", WARNING, "roce_np/enable/3", "roce_rp/enable/3")),
            host("notifications ignored", ROCE, host -> host.port("hw_counters/rp_cnp_ignored", "42"),
                finding("cnp", WARNING, "42 ignored")));
    }

    private static Stream<Case> machine()
    {
        return Stream.of(
            host("PCIe degraded", ROCE, host -> host.device("device/current_link_width", "8"),
                finding("pcie", WARNING, "x8 of x16")),
            host("PCIe slow", ROCE, host -> host.device("device/current_link_speed", "8.0 GT/s PCIe"),
                finding("pcie", WARNING, "8.0 GT/s", "16.0 GT/s")),
            host("NIC on the other node", ROCE, host -> host.device("device/numa_node", "1")
                .device("device/local_cpulist", "8-15"), finding("numa", WARNING, "node 1", "{8,", "{0,")),
            host("processors of both nodes", ROCE, host -> host.file("/proc/self/status",
                "CapEff:\t0\nCpus_allowed_list:\t0-15"), finding("numa", NOTE, "node 0")),
            host("memlock 64 KiB", ROCE, host -> host.file("/proc/self/limits",
                "Max locked memory         65536                65536                bytes"),
                finding("memlock", ERROR, "64 KiB")),
            host("memlock 8 GiB", INFINIBAND, host -> host.file("/proc/self/limits",
                "Max locked memory         8589934592           8589934592           bytes"),
                finding("memlock", WARNING, "8 GiB")),
            host("no huge pages", ROCE, host -> host.file("/proc/meminfo",
                "MemTotal: 131072000 kB\nHugePages_Total: 0\nHugepagesize: 2048 kB"),
                finding("huge-pages", WARNING, "none")),
            host("too many huge pages", ROCE, host -> host.file("/proc/meminfo",
                "MemTotal: 131072000 kB\nHugePages_Total: 20000\nHugepagesize: 2048 kB"),
                finding("huge-pages", WARNING, "20000", "31 %")),
            host("huge pages at the other node", ROCE, host -> host.file(
                "/sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages", "0"),
                finding("huge-pages", WARNING, "node 0", "mlx5_0")),
            host("tiny shm", ROCE, host -> host.file("/proc/self/mounts",
                "/dev/sda1 / ext4 rw 0 0\nshm /dev/shm tmpfs rw,nosuid,size=65536k 0 0"),
                finding("shm", WARNING, "64 MiB")),
            host("shm on a disk", ROCE, host -> host.file("/proc/self/mounts", "/dev/sda1 / ext4 rw 0 0"),
                finding("shm", ERROR, "ext4")),
            host("directory on huge pages", ROCE, host -> host.file("/proc/self/mounts",
                "/dev/sda1 / ext4 rw 0 0\nnone /dev/shm hugetlbfs rw 0 0"), finding("shm", ERROR, "hugetlbfs")),
            host("transparent huge pages", ROCE,
                host -> host.file("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never"),
                finding("transparent-huge-pages", WARNING, "always")),
            host("powersave governor", INFINIBAND,
                host -> host.file("/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "powersave"),
                finding("governor", WARNING, "powersave", "1 of 16")),
            host("no isolated processors", ROCE, host -> host.file("/sys/devices/system/cpu/isolated", ""),
                finding("isolated-cpus", NOTE, "none of 16")),
            host("deep idle states", ROCE,
                host -> host.file("/sys/devices/system/cpu/cpu3/cpuidle/state1/disable", "0"),
                finding("c-states", WARNING, "C6", "133 us")),
            host("slow clock", ROCE,
                host -> host.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"),
                finding("clock-source", WARNING, "hpet")),
            host("old kernel", ROCE, host -> host.file("/proc/sys/kernel/osrelease", "5.4.0-150-generic"),
                finding("kernel", ERROR, "5.4.0")),
            host("old Java", ROCE, host -> host.file("/opt/jdk/release", "JAVA_VERSION=\"17.0.9\""),
                finding("java", ERROR, "17.0.9")),
            host("debugger", ROCE, host -> host.file("/proc/self/cmdline",
                "/opt/jdk/bin/java\0-agentlib:jdwp=transport=dt_socket\0-jar\0x.jar"),
                finding("java", WARNING, "jdwp")),
            host("another version's directory", ROCE, host -> host.file(MadeUpHost.DIRECTORY + "/driver",
                "x".repeat(8192)), finding("directory", ERROR, "not a driver's file")),
            host("driver that died", ROCE, host -> host.driver(true),
                finding("directory", WARNING, MadeUpHost.DIRECTORY, "died")),
            host("driver that was stopped", ROCE, host -> host.driver(false)),
            host("stream held back by the device", ROCE, host -> host.counted(RemoteStatistic.HOLD, 3),
                finding("queue-depth", WARNING, "to 10.0.0.9:4100", "3 device", "= 3")),
            host("stream held back by credits", INFINIBAND, host -> host.counted(RemoteStatistic.HOLD, 2),
                finding("queue-depth", WARNING, "to 10.0.0.9:4100", "= 2")),
            host("stream held back by its subscriber", ROCE, host -> host.counted(RemoteStatistic.HOLD, 1)),
            host("receiver that was not ready", ROCE, host -> host.counted(RemoteStatistic.RNR, 7),
                finding("queue-depth", WARNING, "receiver not ready = 7")),
            host("two at once", ROCE, host -> host.device("device/current_link_width", "4")
                .port("state", "1: DOWN"), finding("port-state", ERROR, "DOWN"), finding("pcie", WARNING, "x4")));
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void aHostHasItsOwnFindingsAndNoneElse(final Case host)
    {
        final MadeUpHost tree = host.host().apply(root);
        host.change().accept(tree);
        final List<Result> results = tree.examine();
        final List<Result> findings = results.stream().filter(Result::isFinding).toList();

        assertThat(findings).extracting(Result::check, Result::severity).as("%s", findings).containsExactlyElementsOf(
            host.findings().stream().map(finding ->
                tuple(finding.check(), finding.severity())).toList());
        for (int i = 0; i < findings.size(); i++)
        {
            final Result result = findings.get(i);
            assertThat(result.found()).contains(host.findings().get(i).words());
            assertThat(List.of(result.expected(), result.why(), result.mend()))
                .as(result.check()).noneMatch(String::isBlank);
        }
        assertThat(Doctor.worst(results)).isEqualTo(host.findings().stream().map(Expected::severity)
            .max(Severity::compareTo).orElse(results.stream().map(Result::severity).max(Severity::compareTo).get()));
    }

    @Test
    void aPerfectHostPassesEachCheckThatCanBeMadeThere()
    {
        assertThat(MadeUpHost.perfectRoce(root).examine()).filteredOn(result -> result.severity() != Severity.OK)
            .extracting(Result::check).containsExactly("queue-depth");
    }

    @Test
    void theChecksComeInTheOrderThatFindsMost()
    {
        final List<String> names = Checks.all().stream().map(Check::name).toList();
        final List<List<String>> order = List.of(List.of("device", "kernel-modules", "device-nodes", "rdma-core"),
            List.of("drops", "retries"), List.of("port-state", "link", "mtu", "gid", "firmware", "pcie"),
            List.of("pause", "pfc", "ecn", "cnp"), List.of("queue-depth", "numa"),
            List.of("memlock", "huge-pages", "shm", "transparent-huge-pages"),
            List.of("governor", "isolated-cpus", "c-states", "clock-source", "kernel", "java", "directory"));
        assertThat(names).containsExactlyElementsOf(order.stream().flatMap(List::stream).toList());
    }

    /** What a finding says is to be written into the driver's configuration can be. */
    @ParameterizedTest
    @MethodSource("hosts")
    void optionsThatAreToBeSetAreSome(final Case host) throws IOException
    {
        final MadeUpHost tree = host.host().apply(root);
        host.change().accept(tree);
        for (final Result finding : tree.examine())
        {
            final Matcher setting = SETTING.matcher(finding.mend());
            while (setting.find())
            {
                final Path file = Files.writeString(root.resolve("driver.conf"), setting.group() + "\n");
                assertThat(DriverConfiguration.mistakes(file)).as(finding.mend()).isEmpty();
            }
            assertThat(finding.mend()).doesNotContainPattern(MODULES_WITHOUT_ALL);
        }
    }

    @Test
    void aLimitOfLockedMemoryIsRaisedWhereItIsSet()
    {
        final MadeUpHost host = MadeUpHost.perfectRoce(root).file("/proc/self/limits",
            "Max locked memory         65536                65536                bytes");
        assertThat(mend(host, "memlock")).contains("LimitMEMLOCK=infinity in the unit");
        host.file("/.dockerenv", "");
        assertThat(mend(host, "memlock")).contains("--ulimit memlock=-1", "container runtime");
    }

    private static String mend(final MadeUpHost host, final String check)
    {
        return host.examine().stream().filter(result -> result.check().equals(check)).findFirst().orElseThrow().mend();
    }

    @Test
    void whatGrowsWhileItIsWatchedIsAnErrorHoweverLittle()
    {
        final MadeUpHost host = MadeUpHost.perfectRoce(root).ethtool(7, 100, 1_000);
        final List<Result> findings = host.examine(() ->
        {
            host.ethtool(8, 100, 1_000);
            host.port("hw_counters/local_ack_timeout_err", "3");
        }).stream().filter(Result::isFinding).toList();
        assertThat(findings).extracting(Result::check, Result::severity).containsExactly(
            tuple("drops", ERROR), tuple("retries", ERROR));
        assertThat(findings.getFirst().found()).contains("rx_discards_phy +1");
        assertThat(findings.getLast().found()).contains("local_ack_timeout_err +3");
    }

    @Test
    void oldPausesDoNotCountWhileItIsWatched()
    {
        final MadeUpHost host = MadeUpHost.perfectRoce(root).ethtool(0, 900_000_000, 40_000_000_000L);
        assertThat(host.examine(() -> {})).filteredOn(Result::isFinding).isEmpty();
    }

    @Test
    void aTreeOfNothingSkipsAndNeverFails()
    {
        final List<Result> results = Doctor.examine(root, 0, Path.of("/dev/shm/x"), false, 0);
        assertThat(results).extracting(Result::check).containsAll(Checks.all().stream().map(Check::name).toList());
        assertThat(results).filteredOn(result -> result.severity() == ERROR).extracting(Result::check)
            .containsExactly("device");
    }

    @Test
    void garbageInAnyFileSkipsOrFindsAndNeverFails()
    {
        final List<String> garbage = List.of("", "\0\0", "-1", "99999999999999999999", "x: y", "[", "4: ", "0-,",
            "1:on prio-pfc", "size=99999999999999999999k", "\uFFFD\u0007");
        final MadeUpHost host = MadeUpHost.perfectRoce(root);
        final List<String> files = new ArrayList<>(files());
        files.sort(null);
        final Random random = new Random(7);
        for (int round = 0; round < 40; round++)
        {
            for (int change = 0; change < 5; change++)
            {
                host.file(files.get(random.nextInt(files.size())), garbage.get(random.nextInt(garbage.size())));
            }
            host.file("/proc/self/mounts", "tmpfs /dev/shm tmpfs " + garbage.get(random.nextInt(garbage.size())));
            assertThat(host.examine()).as("round %d", round).isNotEmpty();
        }
    }

    private List<String> files()
    {
        try (Stream<Path> tree = Files.walk(root))
        {
            return tree.filter(path -> Files.isRegularFile(path))
                .map(path -> "/" + root.relativize(path)).toList();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
