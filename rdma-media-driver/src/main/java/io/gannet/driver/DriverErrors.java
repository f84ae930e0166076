package io.gannet.driver;

import io.gannet.control.ControlException;
import io.gannet.control.PrintableText;
import io.gannet.os.OsException;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.CorruptRingException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Where all errors of a driver go: the distinct-error log of the control file, a counter, and once per message the log
 * of the process. Any thread.
 */
final class DriverErrors implements ErrorHandler
{
    /** Distinct lines printed; what comes after is in the distinct-error log only. */
    private static final int MAX_PRINTED = 1_000;

    /** Characters of a line: clients have a hand in what is told of them. */
    private static final int MAX_LINE = 2_000;

    private final DistinctErrorLog errorLog;
    private final AtomicCounter errors;
    private final Consumer<String> log;
    private final DriverHealth health;
    private final Set<String> printed = ConcurrentHashMap.newKeySet();

    DriverErrors(
        final DistinctErrorLog errorLog,
        final AtomicCounter errors,
        final Consumer<String> log,
        final DriverHealth health)
    {
        this.errorLog = errorLog;
        this.errors = errors;
        this.log = log;
        this.health = health;
    }

    @Override
    public void onError(final Throwable failure)
    {
        if (failure instanceof InternalError && isTheEnd())
        {
            return;
        }
        try
        {
            errors.getAndAdd(1);
            errorLog.record(failure);
        }
        catch (final InternalError truncated)
        {
            if (isTheEnd())
            {
                return;
            }
        }
        printOnce("error: " + describe(failure));
    }

    /** Whether a fault of mapped memory is one of the driver's own files, with which it ends. */
    boolean isTheEnd()
    {
        return !health.check();
    }

    private void printOnce(final String line)
    {
        if (printed.size() < MAX_PRINTED && printed.add(line))
        {
            log.accept(PrintableText.of(line, MAX_LINE));
        }
    }

    /** Something an operator should know that is no error. */
    void tell(final String line)
    {
        log.accept(PrintableText.of(line, MAX_LINE));
    }

    private static String describe(final Throwable failure)
    {
        if (failure instanceof InternalError)
        {
            return "a file was truncated while it was mapped; what it belongs to is named when that is found (" +
                failure.getMessage() + ")";
        }
        return isForPeople(failure) ? failure.getMessage() : failure.toString();
    }

    private static boolean isForPeople(final Throwable failure)
    {
        return failure instanceof DriverException || failure instanceof ControlException ||
            failure instanceof RdmaException || failure instanceof RefusedException ||
            failure instanceof OsException || failure instanceof CorruptRingException;
    }
}
