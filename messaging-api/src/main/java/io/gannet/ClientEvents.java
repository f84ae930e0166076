package io.gannet;

import io.gannet.control.ErrorCode;
import io.gannet.control.EventHandler;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.PublicationKind;
import java.util.function.Supplier;

/**
 * What the driver says, handed to whom it concerns. An event for a registration that is gone meanwhile is ignored; one
 * that makes no sense is reported. Called by the conductor.
 */
final class ClientEvents implements EventHandler
{
    private final ClientConductor conductor;
    private Operation connecting;
    private long connectId;
    private long resumeDoneId;
    private boolean again;

    ClientEvents(final ClientConductor conductor)
    {
        this.conductor = conductor;
    }

    /** The application waits for the first answer. */
    void connecting(final Operation operation)
    {
        connecting = operation;
    }

    /** A conversation begins with these correlation ids. */
    void expect(final long newConnectId, final long newResumeDoneId, final boolean newAgain)
    {
        connectId = newConnectId;
        resumeDoneId = newResumeDoneId;
        again = newAgain;
    }

    @Override
    public void onConnected(final long correlationId, final long driverEpoch, final int protocolVersion)
    {
        if (correlationId == connectId && driverEpoch == conductor.link().epoch())
        {
            conductor.link().onConnected();
            if (connecting != null)
            {
                connecting.complete(true);
                connecting = null;
            }
        }
    }

    @Override
    public void onPublicationReady(
        final long correlationId,
        final long registrationId,
        final PublicationKind kind,
        final int streamId,
        final int sessionId,
        final long ringId,
        final String ringFile)
    {
        if (conductor.registrations().get(registrationId) instanceof PublicationRegistration publication)
        {
            ready(publication, () -> publication.onReady(kind, sessionId, ringId, ringFile));
        }
    }

    @Override
    public void onSubscriptionReady(final long correlationId, final long registrationId)
    {
        if (conductor.registrations().get(registrationId) instanceof SubscriptionRegistration subscription)
        {
            ready(subscription, subscription::subscription);
        }
    }

    @Override
    public void onCounterReady(final long correlationId, final long registrationId, final int counterId)
    {
        if (conductor.registrations().get(registrationId) instanceof CounterRegistration counter)
        {
            ready(counter, () -> counter.onReady(conductor.control(), counterId));
        }
    }

    /** Completes an add. After a driver restart nobody waits for it, but it is done all the same. */
    private void ready(final Registration registration, final Supplier<?> maker)
    {
        final Operation operation = conductor.registrations().takeOperation(registration.id());
        final Object result;
        try
        {
            result = maker.get();
        }
        catch (final RuntimeException ex)
        {
            if (operation != null)
            {
                registration.close();
                operation.fail(new GannetException("cannot use " + registration + ": " + ex.getMessage(), ex));
            }
            else
            {
                registration.end(ErrorCode.GENERIC, ex.getMessage());
            }
            return;
        }
        if (operation != null)
        {
            operation.complete(result);
        }
    }

    @Override
    public void onImageAvailable(
        final long subscriptionId,
        final ImageKind kind,
        final int streamId,
        final int sessionId,
        final long ringId,
        final int gate,
        final long joinPosition,
        final String ringFile,
        final String source)
    {
        if (conductor.registrations().get(subscriptionId) instanceof SubscriptionRegistration subscription)
        {
            subscription.onImageAvailable(kind, sessionId, ringId, gate, ringFile, source);
        }
    }

    @Override
    public void onImageUnavailable(
        final long subscriptionId, final long ringId, final long position, final ImageEnd reason)
    {
        if (conductor.registrations().get(subscriptionId) instanceof SubscriptionRegistration subscription)
        {
            subscription.onImageUnavailable(ringId, position, reason);
        }
    }

    @Override
    public void onGap(
        final long subscriptionId, final long ringId, final int sessionId, final long from, final long to)
    {
        if (conductor.registrations().get(subscriptionId) instanceof SubscriptionRegistration subscription)
        {
            subscription.onGap(sessionId, from, to);
        }
    }

    @Override
    public void onOperationSucceeded(final long correlationId)
    {
        conductor.registrations().succeeded(correlationId);
        if (correlationId == resumeDoneId)
        {
            conductor.registrations().resumed();
        }
        if (correlationId == resumeDoneId && again)
        {
            again = false;
            final long epoch = conductor.link().epoch();
            conductor.call(() -> conductor.context().driverListener().onDriverBack(epoch));
        }
    }

    @Override
    public void onOperationFailed(final long correlationId, final int code, final String text)
    {
        final ErrorCode errorCode = ErrorCode.of(code);
        if (correlationId == connectId && connectId != 0)
        {
            onConnectFailed(errorCode, text);
            return;
        }
        final Operation operation = conductor.registrations().takeOperation(correlationId);
        final Registration registration = conductor.registrations().get(correlationId);
        if (operation != null)
        {
            registration.close();
            operation.fail(new RegistrationException(errorCode, "cannot add " + registration + ": " + text));
        }
        else if (registration != null)
        {
            registration.end(errorCode, text);
        }
        else
        {
            conductor.report(new RegistrationException(errorCode, text));
            if (correlationId == 0 && errorCode == ErrorCode.MALFORMED_COMMAND)
            {
                conductor.connectAnew();
            }
        }
    }

    private void onConnectFailed(final ErrorCode code, final String text)
    {
        final GannetException problem = code == ErrorCode.VERSION_MISMATCH ?
            new VersionMismatchException(text) :
            new RegistrationException(code, "the driver refused to be connected to: " + text);
        if (connecting != null)
        {
            connecting.fail(problem);
            connecting = null;
        }
        else
        {
            conductor.report(problem);
        }
    }

    @Override
    public void onPublicationEnded(
        final long registrationId, final long position, final int code, final String text)
    {
        if (conductor.registrations().get(registrationId) instanceof PublicationRegistration publication)
        {
            final long reached = publication.abandon(position);
            // Threads may have gone on after the driver's last look, and subscribers been told of an end there.
            final String behind = position == 0 ? "" : reached == position ?
                "; what was accepted behind that may be lost" :
                "; what was accepted behind that, up to " + reached + ", may be lost";
            publication.end(ErrorCode.of(code), text + " (the stream has all up to position " +
                (position == 0 ? reached : position) + behind + ")");
        }
    }

    @Override
    public void onMalformedEvent(final String reason)
    {
        conductor.report(new GannetException("the driver sent something that is no event: " + reason));
    }
}
