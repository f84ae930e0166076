package io.gannet.ring.model;

import io.gannet.ring.Bell;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingReader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One ring with its producers, readers and conductor, all drawn from a seed and run on {@link ModelMemory}. Readers
 * join late, leave early and die; producers die between any two accesses; the conductor serves requests, buries the
 * dead and ends the stream. {@link #run()} throws if anybody sees what {@link Ledger} forbids, at a data race, at an
 * access outside of the ring, or if the survivors don't come to an end.
 */
abstract class World
{
    static final int CAPACITY = RingLayout.MIN_CAPACITY;
    static final int MAX_ACTORS = 8;
    private static final long MAX_STEPS = 600_000;
    private static final ThreadLocal<Map<RingDescription, Ring>> PLACES = ThreadLocal.withInitial(HashMap::new);

    final Scheduler scheduler;
    final SplittableRandom random;
    final ModelMemory memory;
    final Ring ring;
    final Ledger ledger = new Ledger();
    final Payloads payloads;
    final Membership membership;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final List<Client> clients = new ArrayList<>();
    /** Whether slow readers are cut off. */
    private final boolean drops;
    /** Whether this machine has no membarrier, so that producers and readers fence for themselves. */
    final boolean hotFence;
    private long finalPosition = -1;

    World(final RingKind kind, final long seed, final Weakening weakening, final boolean traced)
    {
        scheduler = new Scheduler(seed, MAX_STEPS, traced);
        random = scheduler.random();
        drops = random.nextInt(3) == 0;
        hotFence = random.nextInt(4) == 0;
        final RingDescription description = new RingDescription(kind, CAPACITY, 0, 0, 0, 0, hotFence);
        final Ring place = PLACES.get().computeIfAbsent(description, RingFile::createAnonymous);
        memory = new ModelMemory(
            scheduler, MAX_ACTORS, place.headerAddress(), place.dataAddress(), CAPACITY, weakening);
        for (int offset = 0; offset < memory.headerLength(); offset += 8)
        {
            final long value = NativeMemory.INSTANCE.getLong(place.headerAddress() + offset);
            if (value != 0)
            {
                memory.initialise(offset, value);
            }
        }
        ring = place.accessedBy(memory);
        payloads = new Payloads(seed, ring.maxMessageLength(), new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY)));
        membership = new Membership(ring);
    }

    /** Runs to the end and checks everything. */
    final void run()
    {
        scheduler.add("conductor", this::conduct);
        scheduler.run();
        ledger.check(finalPosition);
    }

    /** Adds a client of one actor; its id in the ring is its number plus 1. */
    final Client client(final String name, final Runnable body, final boolean producer)
    {
        final Client client = new Client(clients.size() + 1, producer);
        client.actor = scheduler.add(name, () ->
        {
            body.run();
            client.farewell = bidsFarewell(name) ? memory.cells().handOver() : null;
        });
        clients.add(client);
        return client;
    }

    final boolean isBuried(final long clientId)
    {
        return clients.get((int) clientId - 1).buried;
    }

    /** Whether a reader is there or may still come. */
    final boolean isAnyReaderLeft()
    {
        return clients.stream().anyMatch(client -> !client.producer && !client.actor.isOver());
    }

    final void addReader(final int number)
    {
        final String name = "reader" + number;
        final int sessions = 1 + random.nextInt(4);
        final Client[] self = new Client[1];
        self[0] = client(name, () ->
        {
            for (int i = 1; i <= sessions && finalPosition < 0; i++)
            {
                for (int wait = number == 0 && i == 1 ? 0 : random.nextInt(2_000 / i); wait > 0; wait--)
                {
                    scheduler.idle();
                }
                read(self[0], name + "." + i, i == sessions ? Integer.MAX_VALUE : random.nextInt(40));
            }
        }, false);
        if (random.nextInt(6) == 0)
        {
            self[0].actor.dieAt(random.nextInt(20_000));
        }
    }

    private void read(final Client self, final String name, final int messages)
    {
        final Request join = new Request(self, true);
        ask(join);
        final RingReader reader = new RingReader(ring, join.entry, false);
        final UnsafeBuffer received = new UnsafeBuffer(ByteBuffer.allocateDirect(ring.maxMessageLength() + 8));
        final int fragmentLimit = 1 + random.nextInt(10);
        final boolean sleeps = random.nextInt(3) == 0;
        final Bell bell = new Bell(ring, this::wake);
        ledger.joined(name, reader.position());
        scheduler.note("reads from " + reader.position());
        int taken = 0;
        while (taken < messages && !reader.isEndOfStream() && !reader.isDropped())
        {
            final int fragments = reader.poll(
                (buffer, offset, length, position) ->
                    onMessage(name, received, buffer.addressOffset() + offset, length, position),
                fragmentLimit);
            taken += fragments;
            if (fragments == 0 && sleeps)
            {
                sleep(self, bell, reader);
            }
            else if (fragments == 0)
            {
                scheduler.idle();
            }
        }
        if (reader.isEndOfStream())
        {
            ledger.sawTheEnd(name, reader.position());
        }
        reader.close();
        ask(new Request(self, false));
    }

    private void sleep(final Client self, final Bell bell, final RingReader reader)
    {
        final int value = bell.announce(Bell.WAITER_FUTEX);
        Bell.fence(memory, hotFence);
        // A hint: outside of a poll, so that it may race with a producer if the reader was dropped.
        memory.cells().speculate(true);
        final boolean ready = reader.isReady();
        memory.cells().speculate(false);
        if (ready || memory.newestInt(bell.address()) != value)
        {
            return;
        }
        scheduler.note("sleeps");
        self.asleepAt = reader.position();
        while (self.asleepAt >= 0 && finalPosition < 0 && self.drop == Drop.NONE)
        {
            scheduler.idle();
        }
        self.asleepAt = -1;
    }

    /** Wakes whoever sleeps on the bell: the kernel's part, and what a sleeper's time-out comes to. */
    final void wake(final long bellAddress, final long waiters)
    {
        for (final Client client : clients)
        {
            client.asleepAt = -1;
        }
    }

    /** After all below {@code position} was committed and the bell was rung if anybody waited. */
    final void checkNobodySleepsBelow(final long position)
    {
        for (final Client client : clients)
        {
            if (client.asleepAt >= 0 && client.asleepAt < position && !client.actor.isDead())
            {
                throw new AssertionError(
                    client.actor.name + " sleeps at " + client.asleepAt + " though the stream is at " + position);
            }
        }
    }

    private void onMessage(
        final String name, final UnsafeBuffer received, final long address, final int length, final long position)
    {
        if (length > received.capacity())
        {
            throw new AssertionError(name + " is given " + length + " bytes before position " + position);
        }
        memory.copy(address, received.addressOffset(), length);
        final String problem = payloads.check(received, length);
        final long start = position - FrameHeader.step(length);
        if (problem != null)
        {
            throw new AssertionError(name + " read a wrong message at " + start + ": " + problem);
        }
        ledger.read(name, received.getInt(0), start, position);
    }

    private void ask(final Request request)
    {
        request.question = memory.cells().handOver();
        requests.add(request);
        while (request.answer == null)
        {
            scheduler.idle();
        }
        memory.cells().takeOver(request.answer);
    }

    private void conduct()
    {
        while (true)
        {
            final Request request = requests.poll();
            if (request != null && !request.client.actor.isDead())
            {
                serve(request);
            }
            for (final Client client : clients)
            {
                if (client.actor.isDead() && !client.buried)
                {
                    bury(client);
                }
            }
            if (drops)
            {
                dropReaders();
            }
            attend();
            if (finalPosition < 0 && clients.stream().allMatch(c -> !c.producer || isSettled(c)))
            {
                endOfStream();
            }
            if (finalPosition >= 0 && clients.stream().allMatch(c -> isSettled(c)))
            {
                return;
            }
            scheduler.idle();
        }
    }

    private void dropReaders()
    {
        for (final Client client : clients)
        {
            if (client.entry < 0 || client.drop == Drop.DONE)
            {
                continue;
            }
            if (client.drop == Drop.ASKED)
            {
                client.drop = membership.tryDrop(client.entry) ? Drop.DONE : Drop.ASKED;
            }
            else if (random.nextInt(200) == 0)
            {
                scheduler.note("drops " + client.actor.name);
                membership.requestDrop(client.entry);
                client.drop = Drop.ASKED;
            }
        }
    }

    private static boolean isSettled(final Client client)
    {
        return client.actor.isOver() && (!client.actor.isDead() || client.buried);
    }

    private void endOfStream()
    {
        for (final Client client : clients)
        {
            if (client.farewell != null)
            {
                memory.cells().takeOver(client.farewell);
            }
        }
        finalPosition = finalPosition();
        ring.endStreamAt(finalPosition);
        scheduler.note("stream ends at " + finalPosition);
    }

    private void serve(final Request request)
    {
        memory.cells().takeOver(request.question);
        if (request.join)
        {
            request.entry = membership.join(GatingList.Kind.LOCAL, request.client.id, request.client.id);
            request.client.entry = request.entry;
            request.client.drop = Drop.NONE;
        }
        else
        {
            membership.leave(request.client.entry);
            request.client.entry = -1;
        }
        request.answer = memory.cells().handOver();
    }

    private void bury(final Client client)
    {
        memory.cells().takeOverFromDead(client.actor.id);
        scheduler.note("buries " + client.actor.name);
        requests.removeIf(request -> request.client == client);
        if (client.entry >= 0)
        {
            membership.leave(client.entry);
            client.entry = -1;
        }
        client.buried = true;
        wake(0, 0);
        onBuried(client);
    }

    /** Whether the conductor hears from an actor that ends, and so of all that it did. */
    boolean bidsFarewell(final String actor)
    {
        return true;
    }

    /** What the conductor does in each turn beside membership. */
    void attend()
    {
    }

    /** What the conductor does when a client is known to be dead, beside removing its entry. */
    void onBuried(final Client client)
    {
    }

    /** Where the stream ends, asked when every producer has ended or is dead and buried. */
    long finalPosition()
    {
        return membership.finalPosition();
    }

    /** How far a reader is cut off. */
    private enum Drop
    {
        NONE, ASKED, DONE
    }

    /** A process of one thread. */
    static final class Client
    {
        final int id;
        final boolean producer;
        Scheduler.Actor actor;
        int entry = -1;
        boolean buried;
        private Drop drop = Drop.NONE;
        private long asleepAt = -1;
        private int[] farewell;

        private Client(final int id, final boolean producer)
        {
            this.id = id;
            this.producer = producer;
        }
    }

    /** What a client asks of the conductor. */
    private static final class Request
    {
        final Client client;
        final boolean join;
        int entry;
        int[] question;
        int[] answer;

        Request(final Client client, final boolean join)
        {
            this.client = client;
            this.join = join;
        }
    }
}
