package io.gannet.driver;

import io.gannet.control.ClientFile;
import java.util.function.Function;

/**
 * Makes the session of a client that arrived.
 *
 * @param configuration says how many clients there may be.
 * @param driverEpoch   of this driver.
 * @param streams       of the directory.
 * @param counters      of this driver.
 * @param errors        of this driver.
 */
record SessionFactory(
    DriverConfiguration configuration,
    long driverEpoch,
    Streams streams,
    DriverCounters counters,
    DriverErrors errors) implements Function<ClientFile, ClientSession>
{
    @Override
    public ClientSession apply(final ClientFile file)
    {
        final int limit = configuration.get(DriverOptions.MAX_CLIENTS);
        final long connected = counters.system(SystemCounter.CLIENTS).get();
        final RefusedException refusal = connected < limit ? null : RefusedException.limit("there are " + connected +
            " clients, the limit is " + limit + ": close some or raise " + DriverOptions.MAX_CLIENTS);
        return new ClientSession(file, refusal, driverEpoch, streams, counters, errors);
    }
}
