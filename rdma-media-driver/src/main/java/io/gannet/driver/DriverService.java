package io.gannet.driver;

import java.util.List;
import java.util.concurrent.Executor;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Work that is plugged into the driver's threads, such as the two halves of replication. A service's agent is started,
 * stepped and closed on one thread, the one of its role; what it has for the conductor it hands to
 * {@link Context#conductor()}.
 */
public interface DriverService
{
    /** Which of the driver's agents a service is part of. */
    enum Role
    {
        /** Control: may take a while, must not block. */
        CONDUCTOR,
        /** Outbound data. */
        SENDER,
        /** Inbound data. */
        RECEIVER
    }

    /**
     * What a driver lends its services.
     *
     * @param configuration of the driver.
     * @param resources     for what takes long: mapping, registering memory, name look-ups.
     * @param conductor     runs tasks on the conductor's thread, in order.
     * @param counters      to be allocated on the conductor's thread.
     * @param errorHandler  for everything that goes wrong; any thread.
     */
    record Context(
        DriverConfiguration configuration,
        ResourceExecutor resources,
        Executor conductor,
        DriverCounters counters,
        ErrorHandler errorHandler)
    {
    }

    /** Makes the services of a driver; called once, before its threads start. */
    @FunctionalInterface
    interface Factory
    {
        /** No services at all. */
        Factory NONE = context -> List.of();

        /** Makes them, in the order in which agents of one role are stepped. */
        List<DriverService> create(Context context);
    }

    /** Whose thread steps it. */
    Role role();

    /** Which thread of the role, from 0, in threading mode {@link ThreadingMode#DEDICATED}. */
    default int lane()
    {
        return 0;
    }

    /** What is stepped. */
    Agent agent();

    /**
     * What the role's thread sleeps on in threading mode {@link ThreadingMode#DEDICATED}, if this service knows better
     * than the thread: at most one service of a role and lane. Null otherwise. The conductor's thread has its own.
     */
    default Sleeper sleeper()
    {
        return null;
    }
}
