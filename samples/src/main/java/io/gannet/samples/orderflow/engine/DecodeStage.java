package io.gannet.samples.orderflow.engine;

import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.LinkEstablishDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.samples.orderflow.matching.CommandCheck;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import java.util.function.LongPredicate;

/**
 * Decode and risk: lets through what is whole, and each gateway's commands once and in order. What a book is needed for
 * is left to the matching.
 */
final class DecodeStage
{
    private final EngineCounters counters;
    private final LinkNumbers links;
    private final LongPredicate isThere;
    /** Whether a gateway has asked since the engine started: until then nothing of it is taken. */
    private final boolean[] linked = new boolean[LinkNumbers.MAX_GATEWAYS];
    /**
     * Who has a gateway's link. Commands tell of no epoch: those that another sender has in its log under the same
     * numbers would be done again.
     */
    private final long[] sources = new long[LinkNumbers.MAX_GATEWAYS];
    private final boolean[] inGap = new boolean[LinkNumbers.MAX_GATEWAYS];
    /** Number of the last command that came too early, by gateway. */
    private final long[] outOfOrder = new long[LinkNumbers.MAX_GATEWAYS];
    private final CommandCheck check = new CommandCheck();
    private final InboundHeaderDecoder inbound = new InboundHeaderDecoder();
    private final LinkEstablishDecoder establish = new LinkEstablishDecoder();

    /**
     * @param links   what was taken until now; this stage's own.
     * @param isThere whether a sender still is; asked seldom, on this stage's thread.
     */
    DecodeStage(final LinkNumbers links, final LongPredicate isThere, final EngineCounters counters)
    {
        this.links = links;
        this.isThere = isThere;
        this.counters = counters;
    }

    void onEvent(final CommandEvent event)
    {
        final int template = check.template(event.bytes, 0, event.length);
        if (template == -1)
        {
            counters.malformed.increment();
        }
        else if (template == LinkEstablishDecoder.TEMPLATE_ID)
        {
            onLink(event);
        }
        else
        {
            inbound.wrap(event.bytes, MessageHeaderDecoder.ENCODED_LENGTH);
            onCommand(event, LinkNumbers.gatewayOf((int) inbound.sessionID()), inbound.applSeqNum());
        }
    }

    private void onCommand(final CommandEvent event, final int gateway, final long number)
    {
        if (gateway >= LinkNumbers.MAX_GATEWAYS)
        {
            counters.malformed.increment();
            return;
        }
        if (!linked[gateway] || event.source != sources[gateway])
        {
            // Not answered: the one that has the link would hear it, too. Who sends this asks for its link again.
            counters.unlinked.increment();
            return;
        }
        final long expected = links.last(gateway) + 1;
        if (number == expected)
        {
            links.took(gateway, number);
            inGap[gateway] = false;
            event.accepted = true;
        }
        else if (number < expected)
        {
            counters.duplicates.increment();
        }
        else
        {
            // Where numbers go back they are sent again, and the first of them is lost again.
            if (!inGap[gateway] || number <= outOfOrder[gateway])
            {
                inGap[gateway] = true;
                counters.gaps.increment();
                answer(event, gateway, 0, 0);
            }
            outOfOrder[gateway] = number;
        }
    }

    private void onLink(final CommandEvent event)
    {
        establish.wrap(event.bytes, MessageHeaderDecoder.ENCODED_LENGTH, LinkEstablishDecoder.BLOCK_LENGTH,
            LinkEstablishDecoder.SCHEMA_VERSION);
        final long epoch = establish.epoch();
        if (establish.gatewayID() >= LinkNumbers.MAX_GATEWAYS || epoch <= 0)
        {
            counters.malformed.increment();
            return;
        }
        final int gateway = (int) establish.gatewayID();
        if (links.isOver(gateway, epoch) || isAnothers(gateway, event.source))
        {
            // To begin again with its numbers would be to do its commands twice.
            answer(event, gateway, establish.nonce(), 0);
            event.answerNext = CommandEvent.REFUSED;
            return;
        }
        inGap[gateway] = false;
        linked[gateway] = true;
        sources[gateway] = event.source;
        // Only a new epoch changes the state of the engine.
        event.accepted = links.begin(gateway, epoch);
        answer(event, gateway, establish.nonce(), establish.fromSeqNo());
    }

    /**
     * Whether another process has the number, and is there: it is not shut out by one started beside it. An equal
     * store does not tell a gateway that comes back from one that runs on a copy of the store.
     */
    private boolean isAnothers(final int gateway, final long source)
    {
        return linked[gateway] && source != sources[gateway] && isThere.test(sources[gateway]);
    }

    private void answer(final CommandEvent event, final int gateway, final long nonce, final long from)
    {
        event.answerGateway = gateway;
        event.answerNext = links.last(gateway) + 1;
        event.answerNonce = nonce;
        event.answerFrom = from;
    }
}
