package io.gannet.recording;

import io.gannet.GannetException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * A recording can't be made or read; the message says where, why and what to do.
 */
public final class RecordingException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final String CODE = " (E701)";

    /** See {@link RuntimeException}. */
    public RecordingException(final String message)
    {
        super(coded(message));
    }

    /** See {@link RuntimeException}. */
    public RecordingException(final String message, final Throwable cause)
    {
        super(coded(message), cause);
    }

    /** Of what could not be done with a file, such as "cannot read X", and why. */
    static RecordingException of(final String what, final IOException problem)
    {
        final String reason = switch (problem)
        {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "no such file or directory";
            case FileAlreadyExistsException file -> "that is no directory";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> problem.getMessage() == null ? problem.toString() : problem.getMessage();
        };
        return new RecordingException(what + ": " + reason, problem);
    }

    private static String coded(final String message)
    {
        return message.endsWith(CODE) ? message : message + CODE;
    }
}
