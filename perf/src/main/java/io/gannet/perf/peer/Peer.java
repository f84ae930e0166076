package io.gannet.perf.peer;

import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.WorkerSettings;

/**
 * A messaging system as the loads see it.
 */
public abstract class Peer implements AutoCloseable
{
    /** Connects to the system that a scenario names. */
    public static Peer connect(final Scenario scenario, final WorkerSettings settings)
    {
        return switch (scenario.peer())
        {
            case "gannet" -> settings.network() == null ? new GannetPeer(scenario, settings.gannetDirectory()) :
                new GannetNetPeer(scenario, settings.gannetDirectory(), settings.network());
            case "ring" -> new RingPeer(scenario, settings.board());
            case "aeron" -> new AeronPeer(scenario, settings.aeronDirectory());
            case "disruptor" -> new DisruptorPeer(scenario);
            case "agrona" -> new AgronaPeer(scenario, settings.board());
            case "aeron-1408" -> new AeronUdpPeer(scenario, settings.aeronDirectory(), settings.network(), 1408);
            case "aeron-8192" -> new AeronUdpPeer(scenario, settings.aeronDirectory(), settings.network(), 8192);
            default -> throw new IllegalArgumentException("no peer " + scenario.peer());
        };
    }

    /** Adds a publication; called once for each producer thread. */
    public abstract Sender sender(int stream, int ringBytes);

    /** Adds a subscription. */
    public abstract Receiver receiver(int stream, int ringBytes, MessageHandler handler);

    /** Adds a publication of the warm-up, whose subscription is in the same process. */
    public abstract Sender warmUpSender(int stream, int ringBytes);

    /** Adds the subscription of the warm-up. */
    public abstract Receiver warmUpReceiver(int stream, int ringBytes, MessageHandler handler);

    /** Duties of the client between phases. */
    public void service()
    {
    }

    @Override
    public abstract void close();
}
