package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.samples.orderflow.link.MessageLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Reports as lines of text, as the reference venue says them. */
final class Said
{
    private final MessageLog log;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final ExecutionReportTradeDecoder trade = new ExecutionReportTradeDecoder();
    private final ExecutionReportRejectDecoder reject = new ExecutionReportRejectDecoder();
    private final OrderCancelRejectDecoder cancelReject = new OrderCancelRejectDecoder();
    private final OrderMassActionReportDecoder massAction = new OrderMassActionReportDecoder();
    private final Map<Long, String> aggressor = new HashMap<>();
    private final Map<Long, Long> leaves = new HashMap<>();
    private long position;
    long sequence;
    long execId;

    Said(final MessageLog log)
    {
        this.log = log;
        position = log.end();
    }

    List<String> next()
    {
        final List<String> lines = new ArrayList<>();
        while (position < log.end())
        {
            position = log.messageAt(position);
            if (position < log.end())
            {
                final String line = line(log.buffer(), log.offset(position));
                if (line != null)
                {
                    lines.add(line);
                }
                position = log.next(position);
            }
        }
        return lines;
    }

    private void number(final long applSeqNum, final long exec)
    {
        if (applSeqNum != ++sequence || exec != ++execId)
        {
            throw new AssertionError("report " + applSeqNum + " with ExecID " + exec + " after " + (sequence - 1));
        }
    }

    private String line(final UnsafeBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        return switch (header.templateId())
        {
            case ExecutionReportDecoder.TEMPLATE_ID ->
            {
                report.wrapAndApplyHeader(buffer, offset, header);
                number(report.header().applSeqNum(), report.execID());
                yield report();
            }
            case ExecutionReportTradeDecoder.TEMPLATE_ID ->
            {
                trade.wrapAndApplyHeader(buffer, offset, header);
                number(trade.header().applSeqNum(), trade.execID());
                yield trade();
            }
            case ExecutionReportRejectDecoder.TEMPLATE_ID ->
            {
                reject.wrapAndApplyHeader(buffer, offset, header);
                number(reject.header().applSeqNum(), reject.execID());
                yield "reject " + reject.header().sessionID() + " " + reject.clOrdID() + " " + reject.ordRejReason();
            }
            case OrderCancelRejectDecoder.TEMPLATE_ID ->
            {
                cancelReject.wrapAndApplyHeader(buffer, offset, header);
                number(cancelReject.header().applSeqNum(), cancelReject.execID());
                yield "cancelReject " + cancelReject.header().sessionID() + " " + cancelReject.origClOrdID() + " " +
                    cancelReject.cxlRejReason();
            }
            default ->
            {
                massAction.wrapAndApplyHeader(buffer, offset, header);
                number(massAction.header().applSeqNum(), massAction.execID());
                yield "massAction " + massAction.header().sessionID() + " " + massAction.totalAffectedOrders();
            }
        };
    }

    private String report()
    {
        final String who = report.header().sessionID() + " " + report.clOrdID();
        if (report.leavesQty() + report.cumQty() != report.orderQty() && report.leavesQty() != 0)
        {
            throw new AssertionError("quantities of " + report);
        }
        final ExecType type = report.execType();
        check(type);
        final String what = " " + report.leavesQty() + " " + report.side() + " at " + report.price().mantissa();
        return switch (type)
        {
            case New -> "new " + who + what;
            case Replaced -> "replaced " + who + what;
            case Expired -> "expired " + who + " cum " + report.cumQty();
            default -> "canceled " + report.header().sessionID() + " " +
                (report.origClOrdID() == ExecutionReportDecoder.origClOrdIDNullValue() ? report.clOrdID() :
                report.origClOrdID()) + " cum " + report.cumQty();
        };
    }

    /** What the reference does not say. */
    private void check(final ExecType type)
    {
        final OrdStatus status = switch (type)
        {
            case New -> OrdStatus.New;
            case Replaced -> report.cumQty() == 0 ? OrdStatus.New : OrdStatus.PartiallyFilled;
            case Expired -> OrdStatus.Expired;
            default -> OrdStatus.Canceled;
        };
        final boolean ends = type == ExecType.Expired || type == ExecType.Canceled;
        if (report.ordStatus() != status || ends != (report.leavesQty() == 0) ||
            ((type == ExecType.New || type == ExecType.Replaced) !=
            (report.execRestatementReason() == ExecRestatementReason.None) &&
            report.origClOrdID() == ExecutionReportDecoder.origClOrdIDNullValue()))
        {
            throw new AssertionError("status, leaves or reason of " + report);
        }
    }

    /** The two reports of a trade make one line. */
    private String trade()
    {
        final String who = trade.header().sessionID() + " " + trade.clOrdID() + " " + trade.side();
        if (trade.ordStatus() != (trade.leavesQty() == 0 ? OrdStatus.Filled : OrdStatus.PartiallyFilled))
        {
            throw new AssertionError("status of " + trade);
        }
        if (trade.aggressorIndicator() == 1)
        {
            aggressor.put(trade.tradeID(), who);
            leaves.put(trade.tradeID(), trade.leavesQty());
            return null;
        }
        return "trade " + aggressor.remove(trade.tradeID()) + " with " + who + " " + trade.lastQty() + " at " +
            trade.lastPx().mantissa() + " left " + leaves.remove(trade.tradeID()) + " " + trade.leavesQty();
    }
}
