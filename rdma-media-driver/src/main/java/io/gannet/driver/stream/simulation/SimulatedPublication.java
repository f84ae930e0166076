package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.ring.Bell;
import io.gannet.ring.GatingList;
import io.gannet.ring.HoleRepair;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;

/**
 * A publication: its ring, the clients that publish into it, and what its driver does for it.
 */
final class SimulatedPublication
{
    /** Stream id of all publications. */
    static final int STREAM = 1001;

    private static final int SESSION = 7;

    private final Ring mapped;
    private final Ring ring;
    private Membership membership;
    private final Messages messages;
    private final SplittableRandom random;
    private final int total;
    private final Bell.Waker waker;
    private final List<SimulatedClient> clients = new ArrayList<>();
    /** Of which the driver has not heard yet. */
    private final List<Long> died = new ArrayList<>();
    private final Set<Long> dead = new HashSet<>();
    private final long id;
    /** Where the gates of hosts were entered. */
    private final Map<Integer, Long> starts = new HashMap<>();
    /** Behind what was published when the last subscriber left; at first the beginning. */
    private long restsAt;
    private HoleRepair repair;
    private boolean repairing;
    private Replication replication;
    private OutboundStream stream;

    /**
     * @param messagesToPublish before it ends.
     * @param id                names it for ever, not 0.
     * @param waker             of the driver that sleeps.
     */
    SimulatedPublication(
        final Scenario scenario,
        final int messagesToPublish,
        final long id,
        final RingMemory memory,
        final SplittableRandom random,
        final Bell.Waker waker)
    {
        this.id = id;
        this.random = random;
        this.waker = waker;
        final RingDescription description = new RingDescription(
            scenario.kind(), scenario.capacity(), SESSION, STREAM, id, 0, true);
        mapped = RingFile.createAnonymous(description);
        ring = mapped.accessedBy(memory);
        membership = new Membership(ring);
        messages = new Messages(scenario.maxLength());
        total = messagesToPublish;
        for (int i = 0; i < scenario.producers(); i++)
        {
            addClient();
        }
        newRepair();
    }

    /** One more client publishes. */
    SimulatedClient addClient()
    {
        final SimulatedClient client =
            new SimulatedClient(this, ring, 1 + clients.size(), random.split(), waker);
        clients.add(client);
        return client;
    }

    /** {@return all clients that it has ever had} */
    List<SimulatedClient> clients()
    {
        return clients;
    }

    private void newRepair()
    {
        repair = ring.kind() == RingKind.CONCURRENT ? new HoleRepair(ring, waker) : null;
    }

    void stream(final Replication driver, final OutboundStream replicated)
    {
        replication = driver;
        stream = replicated;
    }

    /** {@return replication in the driver that has it} */
    Replication replication()
    {
        return replication;
    }

    OutboundStream stream()
    {
        return stream;
    }

    long id()
    {
        return id;
    }

    Ring ring()
    {
        return ring;
    }

    /** Another driver changes the gating list from now on. */
    void newMembership()
    {
        membership = new Membership(ring);
        membership.adopt();
        newRepair();
    }

    Membership membership()
    {
        return membership;
    }

    Messages messages()
    {
        return messages;
    }

    /** {@return messages that are still to be published} */
    int left()
    {
        return Math.max(0, total - messages.count());
    }

    /** {@return whether nothing is left to be published} */
    boolean hasAll()
    {
        return messages.count() >= total;
    }

    /** {@return whether everything is published, and no claim is open} */
    boolean isDone()
    {
        return hasAll() && !repairing && died.isEmpty() && clients.stream().allMatch(SimulatedClient::isIdle);
    }

    /** {@return whether nobody, living or dead, has taken a bell that is to be rung} */
    boolean hasRung()
    {
        return !repairing && died.isEmpty() && clients.stream().noneMatch(client -> client.isWorking() ||
            (client.isDead() && !dead.contains(client.id())));
    }

    /** {@return behind the last frame, once it is done} */
    long end()
    {
        return ring.kind() == RingKind.EXCLUSIVE ? messages.end() :
            NativeMemory.INSTANCE.getLongVolatile(ring.headerAddress() + RingLayout.TAIL_OFFSET);
    }

    /** The kernel tells the driver that a client's process has ended. */
    void onDeath(final SimulatedClient client)
    {
        died.add(client.id());
    }

    /**
     * What its driver does for the ring: fills the holes of clients that have died. Answers about the dead change
     * between two repairs only.
     */
    void attend()
    {
        if (!died.isEmpty())
        {
            dead.addAll(died);
            died.clear();
            repairing = true;
        }
        if (repairing)
        {
            repairing = !repair.repair(dead::contains);
        }
    }

    /** Writes into the words that other hosts' NICs may write. */
    void writeIntoRemoteGates(final long position)
    {
        final GatingList list = membership.list();
        for (int i = 0; i < list.size(); i++)
        {
            // Where it joined is the one lie that can't be told from the truth.
            if (list.kind(i) == GatingList.Kind.REMOTE && list.position(i) != RingLayout.FREE &&
                list.joinPosition(i) != position)
            {
                ring.memory().putLongRelease(list.positionAddress(i), position);
            }
        }
    }

    /**
     * A host gates. If it is the first, nobody has published anything since the last one left that it may leave out.
     */
    void onGateEntered(final int host, final long position)
    {
        if (membership.list().subscribers() == 1 && position > restsAt)
        {
            throw new SimulationFailure("the first subscriber starts at " + position + ", and the ring rested at " +
                restsAt);
        }
        restsAt = Long.MAX_VALUE;
        starts.put(host, position);
    }

    /**
     * A host no longer gates. The ring rests if it was the last, and no producer is on the way to see that.
     *
     * @param host -1 if the driver knows no address of it, as it was restarted meanwhile.
     */
    void onGateLeft(final int host)
    {
        if (host < 0)
        {
            starts.clear();
        }
        starts.remove(host);
        final boolean rests = membership.list().subscribers() == 0 && hasRung() &&
            clients.stream().allMatch(SimulatedClient::isIdle);
        restsAt = rests ? end() : Long.MAX_VALUE;
    }

    /** A host's image starts: where its gate has been all the time. */
    void onImageStarted(final int host, final long position)
    {
        final Long gate = starts.get(host);
        if (gate != null && gate != position)
        {
            throw new SimulationFailure("an image starts at " + position + ", and its gate was entered at " + gate);
        }
    }

    /** An entry that nobody uses gates nothing, or the next that uses it would take another's position for its own. */
    void checkGates()
    {
        final GatingList list = membership.list();
        for (int i = 0; i < list.size(); i++)
        {
            if (list.kind(i) == GatingList.Kind.NONE && list.position(i) != RingLayout.FREE)
            {
                throw new SimulationFailure("unused gating entry " + i + " is at " + list.position(i));
            }
        }
    }

    void free()
    {
        mapped.close();
        mapped.free();
    }
}
