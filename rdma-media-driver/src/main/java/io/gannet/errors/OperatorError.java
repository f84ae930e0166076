package io.gannet.errors;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What can go wrong that an operator sees, with a code that stays the same over releases: 1xx commands and options,
 * 2xx directory, host and driver, 3xx what clients are refused, 4xx the device, 5xx other hosts, 6xx rings,
 * 7xx recordings, 9xx faults.
 * docs/errors.md is made from it.
 */
public enum OperatorError
{
    /** A command could not do what it was asked for. */
    COMMAND_FAILED(100,
        "A command could not do what it was asked for",
        "What it needs is not there, or something else ended first; the line says what.",
        "Follow the line. With GANNET_JAVA_OPTS=-Dgannet.stack-trace=true the place in the program is " +
        "printed before it."),
    /** A command line, or a value on it, is not possible. */
    WRONG_VALUE(101,
        "A command line, or a value on it, is not possible",
        "A misspelled option, or a value outside its range.",
        "The line names the value and what is possible; --help of the command lists all options."),
    /** The driver's configuration is not possible. */
    CONFIGURATION(102,
        "The driver's configuration is not possible",
        "An unknown key, a value outside its range or a key set twice, in a file, the environment or a " +
        "flag.",
        "gannet driver --check-config --config FILE prints every mistake with its line; " +
        "docs/configuration.md lists all keys."),
    /** A file can't be read or written. */
    FILE(103,
        "A file can't be read or written",
        "It is not there, the user may not, or the disk is full.",
        "Look at the path in the line: ls -l, df -h."),
    /** A file of the driver's directory is not there. */
    NOT_THERE(201,
        "A file of the driver's directory is not there",
        "No driver was started in this directory, or the directory is another one than the driver's.",
        "Start one, or name its directory: --dir, or GANNET_DIR for driver, clients and commands alike."),
    /** A file of the driver's directory may not be opened. */
    NO_PERMISSION(202,
        "A file of the driver's directory may not be opened",
        "The user is neither the driver's nor, with access=group, in its group.",
        "adduser USER gannet, then log in again; and access = group in the driver's configuration."),
    /** A file of the driver's directory is not filled yet. */
    INCOMPLETE(203,
        "A file of the driver's directory is not filled yet",
        "The driver is just starting, or died while it did.",
        "Try again; if it stays, start the driver again: it makes its files anew."),
    /** A file was made by a release that this one does not know. */
    WRONG_VERSION(204,
        "A file was made by a release that this one does not know",
        "Driver and client or command are more than one release apart.",
        "Use the same release for both, or one apart."),
    /** A file of the driver's directory makes no sense. */
    DAMAGED(205,
        "A file of the driver's directory makes no sense",
        "Something else wrote into it, or it is not a file of Gannet.",
        "Stop the driver, remove the file that is named, and start the driver again; name another " +
        "directory if it is shared with something else."),
    /** Another driver runs in the directory. */
    IN_USE(206,
        "Another driver runs in the directory",
        "There is one driver for each directory.",
        "Stop the one that is named, or give this one another directory with --dir."),
    /** The directory's file system has no room, or is none of memory. */
    NO_ROOM(207,
        "The directory's file system has no room, or is none of memory",
        "/dev/shm is small (64 MiB in a container), rings are many or large, or dir is on a disk.",
        "df -h /dev/shm; enlarge it: mount -o remount,size=8g /dev/shm, in Kubernetes an emptyDir of " +
        "medium Memory; or lower ring-capacity or max-counters."),
    /** Rings of huge pages can't be made. */
    HUGE_PAGES(208,
        "Rings of huge pages can't be made",
        "No file system of type hugetlbfs where hugetlb-mount says, or the driver's user may not write there, or the " +
        "group that may connect can't enter it.",
        "mount -t hugetlbfs -o uid=gannet,gid=gannet,mode=0770 none /dev/hugepages; sysctl vm.nr_hugepages=N."),
    /** A file may not become as long as it has to be. */
    FILE_LENGTH(209,
        "A file may not become as long as it has to be",
        "The process has a limit of the length of its files; the file system may have plenty of room.",
        "ulimit -f unlimited; LimitFSIZE=infinity in the unit."),
    /** The kernel refused a call. */
    SYSTEM(210,
        "The kernel refused a call",
        "The error number in the line says why.",
        "man errno, and the manual page of what was tried; dmesg."),
    /** The kernel has no memory or no mappings left. */
    MEMORY(211,
        "The kernel has no memory or no mappings left",
        "Memory, a limit of the container, vm.max_map_count or locked memory is used up.",
        "free -m; ulimit -l; sysctl vm.max_map_count; LimitMEMLOCK=infinity in the unit."),
    /** A file system is full. */
    SPACE(212,
        "A file system is full",
        "Rings, or something else, take all of it.",
        "df -h; stop publishers, lower memory-limit, or enlarge the file system."),
    /** File descriptors are used up. */
    DESCRIPTORS(213,
        "File descriptors are used up",
        "More clients and rings than the limit allows.",
        "ulimit -n; LimitNOFILE=65536 in the unit."),
    /** The kernel denies a call. */
    DENIED(214,
        "The kernel denies a call",
        "Missing rights, or a sandbox that forbids it.",
        "Look at owner and mode of the path; in a unit at its Restrict... and SystemCallFilter=; in a " +
        "container at its capabilities."),
    /** An address and port are taken. */
    ADDRESS_IN_USE(215,
        "An address and port are taken",
        "Another driver or program uses them.",
        "ss -lunp; name another address with device-address, or stop the other."),
    /** An address is not one of this host. */
    ADDRESS_NOT_HERE(216,
        "An address is not one of this host",
        "It is another host's, or its interface is down.",
        "ip address; name one of them with device-address."),
    /** No thread can be started. */
    THREADS(217,
        "No thread can be started",
        "The user's processes, the unit's tasks, the container's pids or the address space are used up.",
        "ulimit -u; ulimit -v unlimited; TasksMax=infinity in the unit; pids.max of the container. A process that " +
        "can start no thread does not act on SIGTERM either: use SIGKILL, by which nothing is lost."),
    /** The driver can't start or go on. */
    DRIVER(220,
        "The driver can't start or go on",
        "What is outside of it does not fit; the line says what.",
        "Follow the line, and gannet doctor."),
    /** The driver's directory or a file in it was removed or replaced while it ran. */
    DIRECTORY_LOST(221,
        "The driver's directory or a file in it was removed or replaced while it ran",
        "Somebody, or a cleaner of temporary files, removed it. The driver ends, as nobody could find it " +
        "any more.",
        "Start it again (systemd does); exclude the directory from cleaners; RemoveIPC=no."),
    /** A thread of the driver died. */
    THREAD_DIED(222,
        "A thread of the driver died",
        "A fault of the program, or memory was used up. The driver ends and a new one starts in order.",
        "journalctl -u gannet; gannet errors --stack-traces; report it."),
    /** A client sent what makes no sense and is given up. */
    CLIENT_GIVEN_UP(230,
        "A client sent what makes no sense and is given up",
        "A fault in the client, or something else writes into its file. Nobody else is touched.",
        "The client may connect anew; look at its release and its log."),
    /** A client's file can't be used. */
    CLIENT_FILE(231,
        "A client's file can't be used",
        "It was truncated, removed or written to by something else while the client lived. The client is cut off " +
        "and told so; nobody else is touched.",
        "Leave the directory's files to Gannet; the client may connect anew."),
    /** A file in the directory is none of Gannet's. */
    FOREIGN_FILE(232,
        "A file in the directory is none of Gannet's",
        "Something else wrote it there.",
        "Remove it, or name a directory for Gannet alone."),
    /** An entry of the journal of rings is damaged. */
    JOURNAL_DAMAGED(240,
        "An entry of the journal of rings is damaged",
        "The host or the driver died while it was written, or something else wrote it.",
        "Nothing: the entry is removed; clients of that ring are told that it ended."),
    /** A ring of the driver before can't be taken over. */
    NOT_TAKEN_OVER(241,
        "A ring of the driver before can't be taken over",
        "Its file is damaged, or made for other memory or by another release. Its publishers and " +
        "subscribers are told that it ended.",
        "Keep memory= and hugetlb-mount= as they were; upgrade one release at a time."),
    /** A ring is lost. */
    RING_LOST(242,
        "A ring is lost",
        "Its file was truncated or overwritten, or its header makes no sense. Its clients are told where " +
        "it ended.",
        "Leave the directory's files to Gannet; look for programs that write there; if there are none, " +
        "memory is bad."),
    /** What is known of an image that was cut off is damaged. */
    GAP_NOT_TOLD(243,
        "What is known of an image that was cut off is damaged",
        "The host died while it was written, or something else wrote it: a subscriber may not be told its " +
        "gap.",
        "Let the application check its sequence numbers once."),
    /** A command of a client failed. */
    GENERIC(300,
        "A command of a client failed",
        "The text says why.",
        "Follow the text."),
    /** A command of a client makes no sense. */
    MALFORMED_COMMAND(301,
        "A command of a client makes no sense",
        "A fault in the client library, or something else writes into its file.",
        "Look at the client's release; report it."),
    /** A channel is not one that this driver can serve. */
    INVALID_CHANNEL(302,
        "A channel is not one that this driver can serve",
        "A misspelled key, a value outside its range, an address where no driver can be, or device=none.",
        "The text names key and values; docs/replication.md lists the keys."),
    /** A command names a publication or subscription that is not there. */
    UNKNOWN_REGISTRATION(303,
        "A command names a publication or subscription that is not there",
        "It was closed, or ended, before.",
        "Nothing, if it was closed on purpose."),
    /** There is no room for a ring. */
    STORAGE_FULL(304,
        "There is no room for a ring",
        "The file system of the directory, or memory-limit, is used up.",
        "df -h /dev/shm; gannet streams; smaller rings (ring=), fewer publications, or a higher " +
        "memory-limit."),
    /** A limit of the configuration is reached. */
    LIMIT_REACHED(305,
        "A limit of the configuration is reached",
        "max-rings, max-clients, max-counters or memory-limit; the text names it and its value.",
        "Close what is not needed, or raise the option and restart the driver."),
    /** A resource of the process or the device is used up. */
    SHORTAGE(306,
        "A resource of the process or the device is used up",
        "Locked memory, file descriptors, queue pairs or memory regions.",
        "LimitMEMLOCK=infinity and LimitNOFILE= in the unit; gannet doctor."),
    /** Client and driver speak no common version. */
    VERSION_MISMATCH(307,
        "Client and driver speak no common version",
        "They are more than one release apart.",
        "Use the same release for both, or one apart."),
    /** A restarted driver could not take over a ring. */
    NOT_ADOPTED(308,
        "A restarted driver could not take over a ring",
        "As E241; the text names the position up to which it came.",
        "Add the publication or subscription again."),
    /** The other host can't be reached, or was lost. */
    PEER_UNREACHABLE(309,
        "The other host can't be reached, or was lost",
        "Its driver does not run, a firewall, no route, or a link that is down.",
        "gannet doctor on both hosts; ping; the other driver's gannet errors."),
    /** The driver is closing. */
    DRIVER_CLOSING(310,
        "The driver is closing",
        "It was asked to end.",
        "Try again: the client finds the next driver."),
    /** An operation contradicts another one. */
    CONFLICT(311,
        "An operation contradicts another one",
        "Two publications of one stream that want different rings, or two sessions of one id.",
        "The text names both values: make them the same, or use another stream id."),
    /** A client finds no driver that serves its directory. */
    NO_DRIVER(330,
        "A client finds no driver that serves its directory",
        "None runs there, it is starting or stopped, or the directory is another one.",
        "gannet health --dir DIR; systemctl status gannet; GANNET_DIR or Context.directory."),
    /** A driver did not answer in time. */
    NO_ANSWER(331,
        "A driver did not answer in time",
        "It is stopped (SIGSTOP), swapped out or without processor time; or a handler of the application " +
        "holds up the client's own thread.",
        "gannet health; gannet stat: duty cycles over the stall threshold; gannet doctor --local."),
    /** A client is closed. */
    CLIENT_CLOSED(333,
        "A client is closed",
        "The application closed it, or its file was removed; the text says which.",
        "Connect anew."),
    /** A client can't do what it was asked for. */
    CLIENT(334,
        "A client can't do what it was asked for",
        "The text says why.",
        "Follow the text."),
    /** A call of the RDMA device failed. */
    DEVICE(400,
        "A call of the RDMA device failed",
        "The error number in the line says why.",
        "gannet doctor; dmesg."),
    /** There is no RDMA device, or no library for it. */
    NO_DEVICE(401,
        "There is no RDMA device, or no library for it",
        "The kernel module is not loaded, rdma-core is not installed, or the name is another.",
        "rdma link; modprobe -a mlx5_ib ib_uverbs rdma_ucm; apt install libibverbs1 librdmacm1 " +
        "ibverbs-providers; device-name."),
    /** The device does not have the address. */
    DEVICE_ADDRESS(402,
        "The device does not have the address",
        "The address is another interface's, or the interface is down.",
        "ip address; rdma link show; device-address of the interface that belongs to the device."),
    /** A port of the device is taken. */
    DEVICE_PORT_TAKEN(403,
        "A port of the device is taken",
        "Another driver listens there, or UDP port 4791 is the kernel's own Soft-RoCE.",
        "ss -lunp; another port in the channel, or another device-address."),
    /** The device may not be used. */
    DEVICE_DENIED(404,
        "The device may not be used",
        "The user may not open /dev/infiniband, or a sandbox or container hides it.",
        "ls -l /dev/infiniband; DeviceAllow= in the unit; the resource rdma/... in Kubernetes."),
    /** The device or locked memory is used up. */
    DEVICE_MEMORY(405,
        "The device or locked memory is used up",
        "Locked memory is limited, or the device has no more queue pairs or regions.",
        "ulimit -l; LimitMEMLOCK=infinity in the unit; --ulimit memlock=-1 of a container, as IPC_LOCK helps root " +
        "alone; rdma resource show."),
    /** The device does not take a value. */
    DEVICE_VALUE(406,
        "The device does not take a value",
        "A depth, size or address outside what the device can do; or a fault of the program.",
        "The line names value and limit; gannet doctor."),
    /** The device or its library can't do what is needed. */
    DEVICE_UNABLE(407,
        "The device or its library can't do what is needed",
        "An old rdma-core or kernel, or a device without reliable connections.",
        "Upgrade rdma-core (44 was tested) and the kernel (5.10 or later)."),
    /** The device was removed or has failed while the driver ran. */
    DEVICE_GONE(408,
        "The device was removed or has failed while the driver ran",
        "The NIC was taken out, its driver was unloaded, or it was reset. The media driver ends, as what " +
        "it has open would keep the device from going.",
        "rdma link; dmesg; once the device is back, start the driver again (systemd does); streams go on."),
    /** A stream of another host can't be received. */
    NO_IMAGE(501,
        "A stream of another host can't be received",
        "No room, no locked memory or no queue pair for its image; the line says which. The publisher " +
        "tries again.",
        "As for the shortage that is named; gannet explain E207, E405."),
    /** The driver of another host refuses a stream, or its connection was lost. */
    PEER(502,
        "The driver of another host refuses a stream, or its connection was lost",
        "Other values for the same stream, another release, or the host or the link is gone; the line " +
        "says which.",
        "gannet doctor on both hosts; gannet errors on the other one."),
    /** A stream to other hosts can't be gone on with after a restart. */
    NOT_GONE_ON(503,
        "A stream to other hosts can't be gone on with after a restart",
        "Its address is no longer there, or the device can't be opened.",
        "ip address; device-address as before the restart."),
    /** A ring holds what cannot be a frame. */
    CORRUPT_RING(601,
        "A ring holds what cannot be a frame",
        "A program wrote into the memory of a ring, or memory is bad.",
        "The stream ends; look at the publishers' programs: Unsafe, JNI, or another user of the " +
        "directory."),
    /** A recording can't be made, continued or read. */
    RECORDING(701,
        "A recording can't be made, continued or read",
        "Its disk is full or broken, another recorder is at work in its directory, or there is none.",
        "Follow the line; df -h and gannet recording DIR. What was said to be recorded is still there."),
    /** A fault of the program. */
    FAULT(900,
        "A fault of the program",
        "Nobody thought of this.",
        "Report it with gannet errors --stack-traces and the log."),
    /** A file was truncated while it was mapped. */
    TRUNCATED(901,
        "A file was truncated while it was mapped",
        "Something else wrote to the directory.",
        "Leave the directory's files to Gannet. What it belongs to is named in the next line.");

    private static final Pattern CODED = Pattern.compile("\\(E\\d{3}\\)$");

    private final int number;
    private final String meaning;
    private final String cause;
    private final String remedy;

    OperatorError(final int number, final String meaning, final String cause, final String remedy)
    {
        this.number = number;
        this.meaning = meaning;
        this.cause = cause;
        this.remedy = remedy;
    }

    /** The code, such as E203. */
    public String code()
    {
        return "E" + number;
    }

    /** What it is, without full stop. */
    public String meaning()
    {
        return meaning;
    }

    /** What leads to it. */
    public String cause()
    {
        return cause;
    }

    /** What to do. */
    public String remedy()
    {
        return remedy;
    }

    /** A message with this code at its end, unless it has one there already. */
    public String tag(final String message)
    {
        return isTagged(message) ? message : message + " (" + code() + ")";
    }

    /** Whether a message ends with a code. */
    public static boolean isTagged(final String message)
    {
        return message != null && CODED.matcher(message).find();
    }

    /**
     * The error of a code.
     *
     * @param code such as {@code E203}, {@code e203} or {@code 203}.
     * @return null if there is none.
     */
    public static OperatorError ofCode(final String code)
    {
        final String wanted = code.toUpperCase(Locale.ROOT);
        for (final OperatorError error : values())
        {
            if (wanted.equals(error.code()) || wanted.equals(Integer.toString(error.number)))
            {
                return error;
            }
        }
        return null;
    }
}
