package io.gannet.systemd;

import io.gannet.os.Errno;
import io.gannet.os.Processes;
import io.gannet.os.UnixDatagram;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The service manager that started this process, told by datagrams as sd_notify(3) describes; nobody, if it wasn't
 * started by one. Nothing waits for a service manager that doesn't read, but for the news that the service has started
 * or ends, and that for a few seconds at most. Thread-safe but for {@link #close()}.
 */
public final class ServiceManager implements AutoCloseable
{
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String socketName;
    private final UnixDatagram socket;
    private final long watchdogNanos;

    private ServiceManager(final String socketName, final long watchdogNanos)
    {
        this.socketName = socketName;
        this.watchdogNanos = watchdogNanos;
        socket = socketName == null ? null : UnixDatagram.open();
    }

    /** Nobody. */
    public static ServiceManager none()
    {
        return new ServiceManager(null, 0);
    }

    /**
     * The one that the environment names.
     *
     * @param environment {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code WATCHDOG_PID}.
     * @throws IllegalArgumentException naming the variable, if its value is not possible.
     */
    public static ServiceManager of(final Map<String, String> environment)
    {
        final String name = environment.get("NOTIFY_SOCKET");
        if (name == null || name.isEmpty())
        {
            return none();
        }
        if ((!name.startsWith("/") && !name.startsWith("@")) ||
            name.getBytes(StandardCharsets.UTF_8).length > UnixDatagram.MAX_NAME)
        {
            throw new IllegalArgumentException("environment variable NOTIFY_SOCKET is '" + name +
                "': a path or @name of at most " + UnixDatagram.MAX_NAME + " bytes is possible. Unset it");
        }
        return new ServiceManager(name, watchdogNanos(environment));
    }

    private static long watchdogNanos(final Map<String, String> environment)
    {
        final String micros = environment.get("WATCHDOG_USEC");
        final String pid = environment.get("WATCHDOG_PID");
        if (micros == null || (pid != null && !pid.equals(Long.toString(Processes.pid()))))
        {
            return 0;
        }
        try
        {
            final long value = Long.parseLong(micros);
            if (value > 0 && value <= TimeUnit.DAYS.toMicros(1))
            {
                return TimeUnit.MICROSECONDS.toNanos(value);
            }
        }
        catch (final NumberFormatException e)
        {
            // Said below.
        }
        throw new IllegalArgumentException("environment variable WATCHDOG_USEC is '" + micros +
            "': microseconds from 1 to " + TimeUnit.DAYS.toMicros(1) + " are possible. Set WatchdogSec= in the unit");
    }

    /** Whether there is somebody to tell. */
    public boolean isThere()
    {
        return socket != null;
    }

    /** Time within which {@link #watchdog()} has to be called again and again, in nanoseconds; 0 if it needn't be. */
    public long watchdogNanos()
    {
        return watchdogNanos;
    }

    /** The service has started. */
    public void ready(final String status)
    {
        sendPatiently("READY=1\nSTATUS=" + line(status));
    }

    /** What the service does, in one line for people; returns whether it was told. */
    public boolean status(final String status)
    {
        return send("STATUS=" + line(status)) != -Errno.EAGAIN;
    }

    /** The service lives. */
    public void watchdog()
    {
        send("WATCHDOG=1");
    }

    /**
     * The service begins to end.
     *
     * @param status    why, or what it waits for.
     * @param mostNanos time that may take, however little the manager would give it by itself.
     */
    public void stopping(final String status, final long mostNanos)
    {
        sendPatiently("STOPPING=1\nSTATUS=" + line(status) + "\nEXTEND_TIMEOUT_USEC=" +
            TimeUnit.NANOSECONDS.toMicros(mostNanos));
    }

    private static String line(final String text)
    {
        return text.replace('\n', ' ');
    }

    private void sendPatiently(final String message)
    {
        final long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (send(message) == -Errno.EAGAIN && deadline - System.nanoTime() > 0)
        {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns a negative errno if it isn't delivered, of which EAGAIN says that there are too many unread ones. */
    private int send(final String message)
    {
        return socket == null ? 0 : socket.sendTo(socketName, message.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close()
    {
        if (socket != null)
        {
            socket.close();
        }
    }
}
