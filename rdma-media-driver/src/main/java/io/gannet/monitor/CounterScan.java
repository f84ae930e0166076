package io.gannet.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.concurrent.status.CountersReader.COUNTER_LENGTH;
import static org.agrona.concurrent.status.CountersReader.KEY_OFFSET;
import static org.agrona.concurrent.status.CountersReader.LABEL_OFFSET;
import static org.agrona.concurrent.status.CountersReader.MAX_KEY_LENGTH;
import static org.agrona.concurrent.status.CountersReader.MAX_LABEL_LENGTH;
import static org.agrona.concurrent.status.CountersReader.METADATA_LENGTH;
import static org.agrona.concurrent.status.CountersReader.RECORD_ALLOCATED;
import static org.agrona.concurrent.status.CountersReader.RECORD_UNUSED;
import static org.agrona.concurrent.status.CountersReader.TYPE_ID_OFFSET;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Reads all counters of a control file, whatever is in it: lengths are cut to what can be.
 */
public final class CounterScan
{
    private CounterScan()
    {
    }

    /** {@return the counters that are there now, by id} */
    public static List<CounterValue> of(final CountersReader counters)
    {
        final AtomicBuffer labels = counters.metaDataBuffer();
        final AtomicBuffer values = counters.valuesBuffer();
        final List<CounterValue> found = new ArrayList<>();
        final int count = Math.min(labels.capacity() / METADATA_LENGTH, values.capacity() / COUNTER_LENGTH);
        for (int id = 0; id < count; id++)
        {
            final int record = id * METADATA_LENGTH;
            final int state = labels.getIntVolatile(record);    // pairs with the release in CountersManager.allocate
            if (state == RECORD_UNUSED)
            {
                break;                                          // no counter was ever beyond it
            }
            if (state == RECORD_ALLOCATED)
            {
                final CounterValue counter = read(id, labels, record, values.getLongVolatile(id * COUNTER_LENGTH));
                // One that was freed meanwhile keeps its label for a second before another gets its place.
                if (labels.getIntVolatile(record) == RECORD_ALLOCATED)
                {
                    found.add(counter);
                }
            }
        }
        return List.copyOf(found);
    }

    private static CounterValue read(final int id, final AtomicBuffer labels, final int record, final long value)
    {
        final byte[] key = new byte[MAX_KEY_LENGTH];
        labels.getBytes(record + KEY_OFFSET, key);
        final byte[] label = new byte[Math.clamp(labels.getInt(record + LABEL_OFFSET), 0, MAX_LABEL_LENGTH)];
        labels.getBytes(record + LABEL_OFFSET + Integer.BYTES, label);
        return new CounterValue(id, labels.getInt(record + TYPE_ID_OFFSET), key, new String(label, UTF_8), value);
    }
}
