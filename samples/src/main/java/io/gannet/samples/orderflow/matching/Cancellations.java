package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.CxlRejResponseTo;
import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.OrderCancelRequestDecoder;

/**
 * The end of one order, or of many, as their session wants it. Not thread-safe.
 */
final class Cancellations
{
    private final Market market;
    private final OrderTable table;
    private final EngineOutput output;

    Cancellations(final Market market)
    {
        this.market = market;
        table = market.table;
        output = market.output;
    }

    void cancel(final OrderCancelRequestDecoder request, final int session, final int security)
    {
        final int slot = market.find(session, security, request.orderID(), request.origClOrdID());
        CxlRejReason refusal = null;
        if (slot == OrderTable.NONE)
        {
            refusal = CxlRejReason.UnknownOrder;
        }
        else if (request.side() != market.sideOf(slot))
        {
            refusal = CxlRejReason.WrongSide;
        }
        if (refusal != null)
        {
            output.cancelReject(security, request.orderID(), request.clOrdID(), request.origClOrdID(),
                CxlRejResponseTo.Cancel, refusal);
            return;
        }
        market.endResting(slot, ExecRestatementReason.None, request.clOrdID());
    }

    void massCancel(final MassCancelRequestDecoder request, final int session, final int security)
    {
        final boolean all = request.massCancelScope() != MassCancelScope.Security;
        final boolean lost = request.massCancelCause() == MassCancelCause.Disconnect;
        int count = 0;
        int slot = table.firstOf(session);
        while (slot != OrderTable.NONE)
        {
            final int next = table.nextOf(slot);
            if (all || market.security(slot) == security)
            {
                market.endResting(slot, lost ? ExecRestatementReason.CancelOnDisconnect :
                    ExecRestatementReason.MassCancel, ExecType.Canceled, true);
                count++;
            }
            slot = next;
        }
        output.massAction(security, request.clOrdID(), count,
            lost ? MassCancelCause.Disconnect : MassCancelCause.Request);
    }
}
