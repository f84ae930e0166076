package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.SecurityDefinitionDecoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The instruments that were defined so far.
 */
final class Instruments
{
    /** More definitions are refused: they would be damage, not instruments. */
    static final int MAX = 16_384;

    private final Int2ObjectHashMap<InstrumentView> byId = new Int2ObjectHashMap<>();
    private final List<InstrumentView> inOrder = new ArrayList<>();
    private final byte[] symbol = new byte[SecurityDefinitionDecoder.symbolLength()];

    InstrumentView get(final long securityId)
    {
        return byId.get((int) securityId);
    }

    List<InstrumentView> all()
    {
        return inOrder;
    }

    /** Takes a definition; false if there are too many. */
    boolean define(final SecurityDefinitionDecoder definition)
    {
        final int id = (int) definition.securityID();
        InstrumentView instrument = byId.get(id);
        if (instrument == null)
        {
            if (inOrder.size() == MAX)
            {
                return false;
            }
            definition.getSymbol(symbol, 0);
            final long tick = definition.minPriceIncrement().mantissa();
            instrument = new InstrumentView(id, text(symbol), tick > 0 ? tick : 0);
            byId.put(id, instrument);
            inOrder.add(instrument);
        }
        instrument.status = definition.securityTradingStatus();
        return true;
    }

    void reset()
    {
        for (int i = 0; i < inOrder.size(); i++)
        {
            inOrder.get(i).reset();
        }
    }

    /** Printable characters up to the first NUL: a terminal may show it. */
    private static String text(final byte[] bytes)
    {
        final StringBuilder text = new StringBuilder(bytes.length);
        for (final byte character : bytes)
        {
            if (character == 0)
            {
                break;
            }
            text.append(character >= ' ' && character < 127 ? (char) character : '?');
        }
        return text.toString();
    }
}
