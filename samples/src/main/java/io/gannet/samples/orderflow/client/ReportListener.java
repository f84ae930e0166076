package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.orderflow.TerminationCode;

/**
 * Takes what happens to a session, on the thread that polls the connection. Reports come each once, in order.
 */
public interface ReportListener
{
    /** An order was accepted, replaced, canceled or expired. */
    default void onReport(final OrderSession session, final ExecutionReportDecoder report)
    {
    }

    /** An order traded. */
    default void onTrade(final OrderSession session, final ExecutionReportTradeDecoder trade)
    {
    }

    /** An order was refused. */
    default void onReject(final OrderSession session, final ExecutionReportRejectDecoder reject)
    {
    }

    /** A cancel or replace had no effect. */
    default void onCancelReject(final OrderSession session, final OrderCancelRejectDecoder reject)
    {
    }

    /** A mass cancel is done. */
    default void onMassAction(final OrderSession session, final OrderMassActionReportDecoder report)
    {
    }

    /** A message was not processed. */
    default void onBusinessReject(final OrderSession session, final BusinessMessageRejectDecoder reject)
    {
    }

    /** The session can send. */
    default void onEstablished(final OrderSession session)
    {
    }

    /**
     * The gateway does not establish the session, for this reason. It is asked again and again meanwhile, as a session
     * or a stream of a client that died is free after some time; {@link OrderConnection#end} gives up.
     */
    default void onEstablishmentReject(final OrderSession session, final EstablishRejectReason reason)
    {
    }

    /** The session can't send any more; it is established again by itself, unless the client ended it. */
    default void onTerminated(final OrderSession session, final TerminationCode code)
    {
    }

    /**
     * The gateway does not know any more what it knew of the session, which has therefore ended: requests without an
     * answer may have been done or not. {@link OrderConnection#restart} begins it anew.
     */
    default void onForgotten(final OrderSession session)
    {
    }

    /** Reports from {@code from} on, so many, are lost: the state of orders must be had by other ways. */
    default void onReportsLost(final OrderSession session, final long from, final long count)
    {
    }
}
