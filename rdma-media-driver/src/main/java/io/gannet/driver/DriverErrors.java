package io.gannet.driver;

import io.gannet.control.ControlException;
import io.gannet.control.PrintableText;
import io.gannet.errors.ErrorCodes;
import io.gannet.os.OsException;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.CorruptRingException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Where all errors of a driver go: the distinct-error log of the control file, a counter, and the log of the
 * process, at first and then at most once a minute with how often it came again. Any thread.
 */
final class DriverErrors implements ErrorHandler
{
    /** Characters of a line: clients have a hand in what is told of them. */
    private static final int MAX_LINE = 2_000;

    private final DistinctErrorLog errorLog;
    private final AtomicCounter errors;
    private final Consumer<String> log;
    private final DriverHealth health;
    private final RepeatedLines repeated;
    private final AtomicBoolean full = new AtomicBoolean();

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
        repeated = new RepeatedLines(log, System::nanoTime);
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
            if (!errorLog.record(failure) && full.compareAndSet(false, true))
            {
                log.accept("warning: gannet errors has no room for more different errors: new ones are in this log " +
                    "alone, until the driver is restarted");
            }
        }
        catch (final InternalError truncated)
        {
            if (isTheEnd())
            {
                return;
            }
        }
        repeated.print(PrintableText.of("error: " + ErrorCodes.of(failure).tag(describe(failure)), MAX_LINE));
    }

    /** Whether a fault of mapped memory is one of the driver's own files, with which it ends. */
    boolean isTheEnd()
    {
        return !health.check();
    }

    /** Tells what has come again, now and then. */
    void onTime(final long now)
    {
        repeated.onTime(now);
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
