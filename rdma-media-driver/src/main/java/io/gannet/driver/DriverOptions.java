package io.gannet.driver;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The options of the driver, each stated once.
 */
public final class DriverOptions
{
    static final String DEFAULT_DIRECTORY_TEXT = "/dev/shm/gannet-<user>";

    /** Senders at most, and receivers. */
    static final int MOST_AGENTS = 32;

    private static final List<DriverOption<?>> LIST = new ArrayList<>();
    private static final long MIB = 1024 * 1024;

    /** Where the control file, the clients' files and the rings live. */
    public static final DriverOption<Path> DIRECTORY = add("dir", OptionType.path(), DEFAULT_DIRECTORY_TEXT,
        "Directory of the control file, the clients' files and the rings; on tmpfs. Made when it is not there, never " +
        "deleted. Clients use the same one; the environment variable GANNET_DIR sets it for both.");

    /** How agents are spread over threads. */
    public static final DriverOption<ThreadingMode> THREADING =
        add("threading", OptionType.choice(ThreadingMode.class), "dedicated",
            "Threads of the driver: dedicated gives the conductor, the sender and the receiver one each, shared runs " +
            "them in one, invoker in the caller's (embedded drivers only).");

    /** How many senders and receivers. */
    public static final DriverOption<Integer> AGENTS = add("agents", OptionType.count(0, MOST_AGENTS), "0",
        "Senders, and as many receivers, with threading=dedicated: each has a thread, completion queues and a share " +
        "of the rings. 0 is by processors: half of them are senders and receivers, 2 and 2 of 8, 4 and 4 of 16, 8 " +
        "and 8 of 32; one and one below 8. The software NIC is moved by the first receiver, whatever their number.");

    /** What an agent does without work. */
    public static final DriverOption<IdleMode> IDLE = add("idle", OptionType.choice(IdleMode.class), "auto",
        "What an agent does without work: spin and yield poll on, for a whole core per agent; sleep yields for a " +
        "while and then sleeps until its bell rings; auto spins only where the process has at least two processors " +
        "more than busy threads.");

    /** Yields before an agent sleeps. */
    public static final DriverOption<Integer> IDLE_YIELDS = add("idle-yields", OptionType.count(0, 1_000_000), "100",
        "How often an agent without work yields before it sleeps. More keeps it awake between close messages, fewer " +
        "saves processor time.");

    /** Longest sleep of an agent. */
    public static final DriverOption<Long> IDLE_SLEEP =
        add("idle-sleep", OptionType.duration(100_000, 1_000_000_000), "20ms",
            "Longest sleep of an agent whose bell does not ring; timers are as late as this.");

    /** Data bytes of a ring whose channel does not say. */
    public static final DriverOption<Long> RING_CAPACITY =
        add("ring-capacity", OptionType.sizeOrAuto(64 * 1024, 512 * MIB, true), "auto",
            "Data bytes of a ring whose channel has no ring= key. auto is 16m on one host, and 4m between hosts " +
            "(gannet:rdma) or where the directory's file system is smaller than 1g.");

    /** Memory of rings. */
    public static final DriverOption<RingStorage.Memory> MEMORY =
        add("memory", OptionType.choice(RingStorage.Memory.class), "tmpfs",
            "Memory of rings: tmpfs is the directory's, in pages of 4 KiB; hugetlb is huge pages, of which a NIC has " +
            "to know 512 times fewer, and which it pins in a tenth of the time. A ring is then at least a huge page, " +
            "with another one for its header. A driver that takes over what another has left needs the same memory.");

    /** Where huge pages are. */
    public static final DriverOption<Path> HUGETLB_MOUNT =
        add("hugetlb-mount", OptionType.path(), "/dev/hugepages",
            "A file system of type hugetlbfs, with memory=hugetlb. Rings live there in a directory that is named " +
            "after the driver's. Whoever may connect has to be able to enter it.");

    /** Budget of all rings. */
    public static final DriverOption<Long> MEMORY_LIMIT =
        add("memory-limit", OptionType.sizeOrAuto(64 * 1024, 1L << 50, false), "auto",
            "Most bytes that all rings together may take. auto is what the directory's file system has.");

    /** Most rings at a time. */
    public static final DriverOption<Integer> MAX_RINGS = add("max-rings", OptionType.count(1, 65_536), "4096",
        "Most rings (publications that do not share one) at a time.");

    /** Most clients at a time. */
    public static final DriverOption<Integer> MAX_CLIENTS = add("max-clients", OptionType.count(1, 65_536), "1024",
        "Most clients connected at a time.");

    /** Most counters at a time. */
    public static final DriverOption<Integer> MAX_COUNTERS =
        add("max-counters", OptionType.count(64, 1 << 20), "8192",
            "Most counters at a time, of the driver, its streams and applications; 640 bytes each.");

    /** How often liveness is looked at. */
    public static final DriverOption<Long> LIVENESS_INTERVAL =
        add("liveness-interval", OptionType.duration(1_000_000, 10_000_000_000L), "100ms",
            "How often the driver looks for new clients and for clients that died, by the locks on their files.");

    /** Silence after which a live client is reported as paused. */
    public static final DriverOption<Long> PAUSE_THRESHOLD =
        add("pause-threshold", OptionType.duration(100_000_000, 3_600_000_000_000L), "3s",
            "Silence of a live client after which the driver reports it as paused (stopped, in a debugger, in a long " +
            "collection). Nothing is taken from a paused client.");

    /** Duty cycle that counts as a stall. */
    public static final DriverOption<Long> STALL_THRESHOLD =
        add("stall-threshold", OptionType.duration(10_000, 60_000_000_000L), "100ms",
            "Duty cycle of an agent from which on it is counted as a stall.");

    /** How long a driver that is asked to end goes on sending. */
    public static final DriverOption<Long> DRAIN_TIMEOUT =
        add("drain-timeout", OptionType.duration(0, 3_600_000_000_000L), "2s",
            "Most time that gannet driver, asked to end by SIGTERM, goes on until subscribers of other hosts have " +
            "consumed what was published before. What is left stays in the rings for the next driver.");

    /** Who may use the directory. */
    public static final DriverOption<FileAccess> ACCESS = add("access", OptionType.choice(FileAccess.class), "owner",
        "Who may connect: the driver's user alone (directories 0700, files 0600), or the directory's group as well " +
        "(0770, 0660). A directory that was there decides by its mode: it is the group's too if the group may enter " +
        "and write, or may enter and others may not.");

    /** What carries rdma channels. */
    public static final DriverOption<DeviceKind> DEVICE = add("device", OptionType.choice(DeviceKind.class), "auto",
        "Device for gannet:rdma channels. verbs is a NIC through libibverbs, for InfiniBand, RoCE and iWARP; roce is " +
        "a software NIC in the driver that speaks RoCE v2 on UDP port 4791; none refuses such channels. auto takes " +
        "the NIC that device-name or device-address names, if it is usable, else the software NIC. Without either " +
        "it opens one only when the first such channel comes, as a driver for local channels takes no port: the NIC " +
        "on the way to the channel's address, if that is given as a number, or else the software NIC. The driver " +
        "says which device it opens and why.");

    /** Name of the device. */
    public static final DriverOption<String> DEVICE_NAME = add("device-name", OptionType.deviceName(), "auto",
        "Which NIC, with device=verbs or auto. auto is the one with device-address, or else the first that has an " +
        "address.");

    /** Address of the device. */
    public static final DriverOption<String> DEVICE_ADDRESS =
        add("device-address", OptionType.address(), "auto",
            "Address of the device, which endpoint= of subscriptions names and which other hosts connect to. auto is " +
            "a free loopback address, 127.0.0.1 to 127.0.0.254, for drivers of one host: with device=auto the one " +
            "that the first subscription names, if it is free. Nothing but loopback is used unless it is named here.");

    /** Who may send to the device. */
    public static final DriverOption<String> ALLOW =
        add("allow", OptionType.networks(), "any",
            "Who may send to the device: addresses and networks such as 10.0.0.7,10.1.0.0/16,fd00::/64. Packets of " +
            "others are dropped and counted. There is no authentication beyond that, so an address that strangers " +
            "can reach or take needs a firewall.");

    /** Where doctors are answered. */
    public static final DriverOption<Integer> DOCTOR_PORT = add("doctor-port", OptionType.count(0, 65_535), "0",
        "Port of the device at which gannet doctor --peer of other hosts is told what this host is like: versions, " +
        "MTU, link, flow control, clock source, as doctor prints them, to those whom allow lets in. The ports of " +
        "channels tell it too. 14791 is the one that doctor asks unless told another. 0 opens none; another number " +
        "opens the device when the driver starts.");

    /** What goes inline. */
    public static final DriverOption<Long> INLINE_THRESHOLD =
        add("inline-threshold", OptionType.size(0, 4096), "220",
            "Bytes up to which a write carries its data in the work request, so that the NIC need not read them from " +
            "memory; never more than the device grants. 220 fill four blocks of an mlx5 request. 0 turns it off.");

    /** How often completions are asked for. */
    public static final DriverOption<Integer> SIGNAL_INTERVAL =
        add("signal-interval", OptionType.count(0, 64), "0",
            "Work requests by completion. 0 adapts it to the load of the send queue: 32 below 0.3, 16 to 0.7, 8 " +
            "above. 1 asks for each. Never more than a quarter of the queue.");

    private DriverOptions()
    {
    }

    /** All options in the order in which they are documented. */
    public static List<DriverOption<?>> all()
    {
        return Collections.unmodifiableList(LIST);
    }

    static String defaultDirectory()
    {
        return DEFAULT_DIRECTORY_TEXT.replace("<user>", System.getProperty("user.name"));
    }

    private static <T> DriverOption<T> add(
        final String key, final OptionType<T> type, final String defaultText, final String description)
    {
        final DriverOption<T> option = new DriverOption<>(key, type, defaultText, description);
        LIST.add(option);
        return option;
    }
}
