package io.gannet.driver;

import io.gannet.errors.OperatorError;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Takes over what the driver before left in the directory: its rings with their gates and publishers. Runs before the
 * conductor starts.
 */
final class Adoption
{
    private final RingFactory factory;
    private final RingBudget budget;
    private final Streams streams;
    private final BrokenImages broken;
    private final DriverErrors errors;
    private final AtomicCounter adopted;

    Adoption(
        final RingFactory factory,
        final RingBudget budget,
        final Streams streams,
        final BrokenImages broken,
        final DriverErrors errors,
        final AtomicCounter adopted)
    {
        this.factory = factory;
        this.budget = budget;
        this.streams = streams;
        this.broken = broken;
        this.errors = errors;
        this.adopted = adopted;
    }

    /** Takes over all rings that make sense and removes the others; returns the clients that hold something. */
    Set<Long> run() throws IOException
    {
        final Set<Long> holders = new HashSet<>();
        broken.recover(holders);
        for (final JournalEntry entry : factory.journal().recover((file, reason) ->
            errors.onError(new DriverException(
                OperatorError.JOURNAL_DAMAGED, "journal entry " + file + " is damaged and removed: " + reason)),
            file -> errors.onError(new DriverException(OperatorError.FOREIGN_FILE,
                file + " is not a file of Gannet's, and takes memory that rings could have; remove it"))))
        {
            try
            {
                adopt(entry, holders);
            }
            catch (final RuntimeException failure)
            {
                errors.onError(new DriverException(OperatorError.NOT_TAKEN_OVER,
                    "ring " + JournalEntry.hex(entry.ringId()) + " can't be taken over and is removed: " +
                    failure.getMessage(), failure));
                factory.journal().remove(entry.ringId());
            }
        }
        return holders;
    }

    private void adopt(final JournalEntry entry, final Set<Long> holders)
    {
        if (entry.kind() == RingKind.IMAGE)
        {
            streams.subscriptionChannel(entry.channel());
        }
        else
        {
            streams.publicationChannel(entry.channel());
        }
        final StreamRing ring = factory.adopt(entry);
        ring.membership().adopt();
        for (final JournalEntry.User user : entry.users())
        {
            ring.users().add(new RingUser(user.clientId(), user.registrationId(), null));
            holders.add(user.clientId());
        }
        final GatingList gates = ring.gates();
        for (int gate = 0; gate < RingLayout.MAX_ENTRIES; gate++)
        {
            if (gates.kind(gate) == GatingList.Kind.LOCAL)
            {
                ring.images().add(
                    new RingImage(ring, gate, gates.clientId(gate), gates.registrationId(gate), null));
                holders.add(gates.clientId(gate));
            }
            else if (gates.kind(gate) != GatingList.Kind.NONE && ring.place() == null)
            {
                ring.membership().leave(gate);
            }
        }
        budget.account(ring.fileLength());
        adopted.getAndAdd(1);
        streams.publications().adopt(ring);
    }
}
