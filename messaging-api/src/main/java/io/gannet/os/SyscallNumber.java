package io.gannet.os;

/** Numbers of the system calls used, for the two architectures that rings support. */
public final class SyscallNumber
{
    /** See the manual page of the same name, as for all below. */
    public static final long READ = number(0, 63);
    /** write(2). */
    public static final long WRITE = number(1, 64);
    /** close(2). */
    public static final long CLOSE = number(3, 57);
    /** lseek(2). */
    public static final long LSEEK = number(8, 62);
    /** mmap(2). */
    public static final long MMAP = number(9, 222);
    /** munmap(2). */
    public static final long MUNMAP = number(11, 215);
    /** ioctl(2). */
    public static final long IOCTL = number(16, 29);
    /** madvise(2). */
    public static final long MADVISE = number(28, 233);
    /** getpid(2). */
    public static final long GETPID = number(39, 172);
    /** socket(2). */
    public static final long SOCKET = number(41, 198);
    /** connect(2). */
    public static final long CONNECT = number(42, 203);
    /** sendto(2). */
    public static final long SENDTO = number(44, 206);
    /** sendmsg(2). */
    public static final long SENDMSG = number(46, 211);
    /** recvmsg(2). */
    public static final long RECVMSG = number(47, 212);
    /** bind(2). */
    public static final long BIND = number(49, 200);
    /** getsockname(2). */
    public static final long GETSOCKNAME = number(51, 204);
    /** setsockopt(2). */
    public static final long SETSOCKOPT = number(54, 208);
    /** getsockopt(2). */
    public static final long GETSOCKOPT = number(55, 209);
    /** kill(2). */
    public static final long KILL = number(62, 129);
    /** fcntl(2). */
    public static final long FCNTL = number(72, 25);
    /** ftruncate(2). */
    public static final long FTRUNCATE = number(77, 46);
    /** fchmod(2). */
    public static final long FCHMOD = number(91, 52);
    /** getuid(2). */
    public static final long GETUID = number(102, 174);
    /** statfs(2). */
    public static final long STATFS = number(137, 43);
    /** gettid(2). */
    public static final long GETTID = number(186, 178);
    /** futex(2). */
    public static final long FUTEX = number(202, 98);
    /** sched_setaffinity(2). */
    public static final long SCHED_SETAFFINITY = number(203, 122);
    /** sched_getaffinity(2). */
    public static final long SCHED_GETAFFINITY = number(204, 123);
    /** openat(2). */
    public static final long OPENAT = number(257, 56);
    /** mknodat(2). */
    public static final long MKNODAT = number(259, 33);
    /** ppoll(2). */
    public static final long PPOLL = number(271, 73);
    /** fallocate(2). */
    public static final long FALLOCATE = number(285, 47);
    /** dup3(2). */
    public static final long DUP3 = number(292, 24);
    /** eventfd2(2). */
    public static final long EVENTFD2 = number(290, 19);
    /** recvmmsg(2). */
    public static final long RECVMMSG = number(299, 243);
    /** sendmmsg(2). */
    public static final long SENDMMSG = number(307, 269);
    /** memfd_create(2). */
    public static final long MEMFD_CREATE = number(319, 279);
    /** membarrier(2). */
    public static final long MEMBARRIER = number(324, 283);
    /** statx(2). */
    public static final long STATX = number(332, 291);
    /** futex_waitv(2), since Linux 5.16. */
    public static final long FUTEX_WAITV = 449;

    private SyscallNumber()
    {
    }

    private static long number(final int x86, final int arm)
    {
        final String architecture = System.getProperty("os.arch");
        if (!"Linux".equals(System.getProperty("os.name")))
        {
            throw new UnsupportedOperationException(
                "shared-memory rings need Linux, and this is " + System.getProperty("os.name"));
        }
        return switch (architecture)
        {
            case "amd64", "x86_64" -> x86;
            case "aarch64" -> arm;
            default -> throw new UnsupportedOperationException(
                "shared-memory rings run on amd64 and aarch64, and this is " + architecture);
        };
    }
}
