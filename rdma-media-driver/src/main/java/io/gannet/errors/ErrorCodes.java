package io.gannet.errors;

import io.gannet.ClientClosedException;
import io.gannet.DriverTimeoutException;
import io.gannet.DriverUnavailableException;
import io.gannet.GannetException;
import io.gannet.RegistrationException;
import io.gannet.VersionMismatchException;
import io.gannet.control.ControlException;
import io.gannet.control.ErrorCode;
import io.gannet.os.OsException;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.recording.RecordingException;
import io.gannet.ring.CorruptRingException;
import java.io.IOException;

/** The codes of exceptions. */
public final class ErrorCodes
{
    /** What the class library says of EMFILE. */
    private static final String TOO_MANY = "Too many open files";
    private static final int EPERM = 1;
    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int EFBIG = 27;
    private static final int ENOSPC = 28;
    private static final int EDQUOT = 122;

    private ErrorCodes()
    {
    }

    /** The error of an exception; {@link OperatorError#FAULT} for one that nobody thought of. */
    public static OperatorError of(final Throwable failure)
    {
        return switch (failure)
        {
            case Coded coded -> coded.error();
            case ControlException control when control.getCause() instanceof OsException os && isLimit(os.errno()) ->
                ofKernel(os.errno());
            case ControlException control -> of(control.reason());
            case OsException os -> ofKernel(os.errno());
            case RdmaException rdma -> ofDevice(rdma.errno());
            case RegistrationException refused -> of(refused.errorCode());
            case DriverUnavailableException none -> OperatorError.NO_DRIVER;
            case DriverTimeoutException late -> OperatorError.NO_ANSWER;
            case VersionMismatchException versions -> OperatorError.VERSION_MISMATCH;
            case ClientClosedException closed -> OperatorError.CLIENT_CLOSED;
            case RecordingException recording -> OperatorError.RECORDING;
            case GannetException client -> OperatorError.CLIENT;
            case CorruptRingException ring -> OperatorError.CORRUPT_RING;
            case IllegalArgumentException value -> OperatorError.WRONG_VALUE;
            case IOException file when String.valueOf(file.getMessage()).contains(TOO_MANY) ->
                OperatorError.DESCRIPTORS;
            case IOException file -> OperatorError.FILE;
            case InternalError truncated -> OperatorError.TRUNCATED;
            default -> OperatorError.FAULT;
        };
    }

    /** The error of what a client is refused. */
    public static OperatorError of(final ErrorCode code)
    {
        return switch (code)
        {
            case GENERIC -> OperatorError.GENERIC;
            case MALFORMED_COMMAND -> OperatorError.MALFORMED_COMMAND;
            case INVALID_CHANNEL -> OperatorError.INVALID_CHANNEL;
            case UNKNOWN_REGISTRATION -> OperatorError.UNKNOWN_REGISTRATION;
            case STORAGE_FULL -> OperatorError.STORAGE_FULL;
            case LIMIT_REACHED -> OperatorError.LIMIT_REACHED;
            case SHORTAGE -> OperatorError.SHORTAGE;
            case VERSION_MISMATCH -> OperatorError.VERSION_MISMATCH;
            case NOT_ADOPTED -> OperatorError.NOT_ADOPTED;
            case PEER_UNREACHABLE -> OperatorError.PEER_UNREACHABLE;
            case DRIVER_CLOSING -> OperatorError.DRIVER_CLOSING;
            case CONFLICT -> OperatorError.CONFLICT;
        };
    }

    private static OperatorError of(final ControlException.Reason reason)
    {
        return switch (reason)
        {
            case MISSING -> OperatorError.NOT_THERE;
            case NO_PERMISSION -> OperatorError.NO_PERMISSION;
            case INCOMPLETE -> OperatorError.INCOMPLETE;
            case WRONG_VERSION -> OperatorError.WRONG_VERSION;
            case CORRUPT -> OperatorError.DAMAGED;
            case IN_USE -> OperatorError.IN_USE;
            case STORAGE -> OperatorError.NO_ROOM;
        };
    }

    /** Whether the kernel has refused because of a limit of the process. */
    private static boolean isLimit(final int errno)
    {
        return errno == EMFILE || errno == ENFILE || errno == EFBIG;
    }

    private static OperatorError ofKernel(final int errno)
    {
        return switch (errno)
        {
            case Errno.ENOMEM -> OperatorError.MEMORY;
            case ENOSPC, EDQUOT -> OperatorError.SPACE;
            case EMFILE, ENFILE -> OperatorError.DESCRIPTORS;
            case EFBIG -> OperatorError.FILE_LENGTH;
            case Errno.EAGAIN -> OperatorError.THREADS;
            case Errno.EACCES, EPERM -> OperatorError.DENIED;
            case Errno.EADDRINUSE -> OperatorError.ADDRESS_IN_USE;
            case Errno.EADDRNOTAVAIL -> OperatorError.ADDRESS_NOT_HERE;
            default -> OperatorError.SYSTEM;
        };
    }

    private static OperatorError ofDevice(final int errno)
    {
        return switch (errno)
        {
            case Errno.ENODEV, Errno.ENOENT -> OperatorError.NO_DEVICE;
            case Errno.EADDRNOTAVAIL -> OperatorError.DEVICE_ADDRESS;
            case Errno.EADDRINUSE -> OperatorError.DEVICE_PORT_TAKEN;
            case Errno.EACCES, EPERM -> OperatorError.DEVICE_DENIED;
            case Errno.ENOMEM -> OperatorError.DEVICE_MEMORY;
            case Errno.EINVAL -> OperatorError.DEVICE_VALUE;
            case Errno.EOPNOTSUPP -> OperatorError.DEVICE_UNABLE;
            default -> OperatorError.DEVICE;
        };
    }

    /**
     * The error of a line of the distinct-error log without a code, which starts with the name of the exception's
     * class.
     */
    public static OperatorError ofLogged(final String line)
    {
        final String name = line.substring(0, line.indexOf(':') < 0 ? line.length() : line.indexOf(':'));
        return switch (name.substring(name.lastIndexOf('.') + 1))
        {
            case "OsException" -> OperatorError.SYSTEM;
            case "RdmaException" -> OperatorError.DEVICE;
            case "CorruptRingException" -> OperatorError.CORRUPT_RING;
            case "ControlException" -> OperatorError.DAMAGED;
            case "InternalError" -> OperatorError.TRUNCATED;
            case "IllegalArgumentException" -> OperatorError.WRONG_VALUE;
            case "IOException", "UncheckedIOException", "FileSystemException", "NoSuchFileException",
                "AccessDeniedException", "FileAlreadyExistsException", "DirectoryNotEmptyException" ->
                line.contains(TOO_MANY) ? OperatorError.DESCRIPTORS : OperatorError.FILE;
            default -> OperatorError.FAULT;
        };
    }
}
