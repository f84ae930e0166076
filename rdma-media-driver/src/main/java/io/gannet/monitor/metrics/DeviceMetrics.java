package io.gannet.monitor.metrics;

import static io.gannet.monitor.metrics.MetricType.COUNTER;
import static io.gannet.monitor.metrics.MetricType.GAUGE;

import io.gannet.counters.CounterTypes;
import io.gannet.monitor.CounterValue;
import java.util.List;

/**
 * Metrics of the NIC, by what its provider calls them: those that every provider may have get names of their own, the
 * rest is {@code gannet_device_events}.
 */
final class DeviceMetrics
{
    private static final String DROPPED = "packets dropped: ";
    private static final String NAKS_SENT = "NAKs sent: ";
    private static final String NAKS_RECEIVED = "NAKs received: ";
    private static final String SMALLEST_WINDOW = "smallest window of the queue pairs, packets";

    private DeviceMetrics()
    {
    }

    static void write(final Exposition to, final List<CounterValue> counters)
    {
        for (final CounterValue counter : counters)
        {
            if (counter.typeId() == CounterTypes.DEVICE)
            {
                write(to, counter, Labels.of("device", counter.owner()));
            }
        }
    }

    private static void write(final Exposition to, final CounterValue counter, final Labels device)
    {
        final String what = counter.what();
        final long value = counter.value();
        switch (what)
        {
            case "packets received" -> to.family("gannet_device_received_packets", COUNTER, "packets",
                "Packets received, whatever became of them.").add(device, value);
            case "packets sent" -> to.family("gannet_device_sent_packets", COUNTER, "packets",
                "Packets sent.").add(device, value);
            case "bytes of packets received" -> to.family("gannet_device_received_bytes", COUNTER, "bytes",
                "Bytes of packets received.").add(device, value);
            case "bytes of packets sent" -> to.family("gannet_device_sent_bytes", COUNTER, "bytes",
                "Bytes of packets sent.").add(device, value);
            case "packets sent again" -> to.family("gannet_device_resent_packets", COUNTER, "packets",
                "Packets sent again.").add(device, value);
            case SMALLEST_WINDOW -> to.family("gannet_device_smallest_window_packets", GAUGE, "packets",
                "Smallest congestion window of the queue pairs; 0 without queue pairs.").add(device, value);
            default -> writeOther(to, what, device, value);
        }
    }

    private static void writeOther(final Exposition to, final String what, final Labels device, final long value)
    {
        if (what.startsWith(DROPPED))
        {
            to.family("gannet_device_dropped_packets", COUNTER, "packets", "Packets dropped, by reason.")
                .add(device.and("reason", what.substring(DROPPED.length())), value);
        }
        else if (what.startsWith(NAKS_SENT))
        {
            to.family("gannet_device_sent_naks", COUNTER, "", "Negative acknowledges sent, by reason.")
                .add(device.and("reason", what.substring(NAKS_SENT.length())), value);
        }
        else if (what.startsWith(NAKS_RECEIVED))
        {
            to.family("gannet_device_received_naks", COUNTER, "", "Negative acknowledges received, by reason.")
                .add(device.and("reason", what.substring(NAKS_RECEIVED.length())), value);
        }
        else
        {
            to.family("gannet_device_events", COUNTER, "", "What else the device counts.")
                .add(device.and("event", what), value);
        }
    }
}
