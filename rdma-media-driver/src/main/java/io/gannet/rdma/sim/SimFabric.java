package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

import io.gannet.ring.RingMemory;

/**
 * Devices and the wires between them. Everything happens on the thread that runs the scheduler.
 */
public final class SimFabric
{
    private final SimScheduler scheduler = new SimScheduler();
    private final SplittableRandom random;
    private final SimProfile profile;
    private final SimTrace trace;
    private final RingMemory memory;
    private final Map<InetAddress, SimDevice> devices = new HashMap<>();
    private final Set<Set<InetAddress>> partitions = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private long receiverNotReady;

    /**
     * @param seed    of every delay and fault.
     * @param profile read at each event, so that it can change during a run.
     * @param memory  through which bytes are placed.
     * @param trace   takes the events.
     */
    public SimFabric(final long seed, final SimProfile profile, final RingMemory memory, final SimTrace trace)
    {
        this.random = new SplittableRandom(seed);
        this.profile = profile;
        this.memory = memory;
        this.trace = trace;
    }

    public SimScheduler scheduler()
    {
        return scheduler;
    }

    public SimProfile profile()
    {
        return profile;
    }

    public SimTrace trace()
    {
        return trace;
    }

    /**
     * Plugs a device in, in the place of one with that address that has {@linkplain SimDevice#crash crashed}.
     *
     * @throws IllegalStateException if the address is taken.
     */
    public SimDevice addDevice(final InetAddress address)
    {
        final SimDevice other = devices.get(address);
        if (other != null && other.isAlive())
        {
            throw new IllegalStateException(address + " is taken by " + other.name());
        }
        final SimDevice device = new SimDevice(this, address, other);
        devices.put(address, device);
        return device;
    }

    void plug(final SimDevice device)
    {
        if (devices.putIfAbsent(device.address(), device) != null)
        {
            throw new IllegalStateException(device.address() + " is taken");
        }
    }

    /**
     * Cuts, or mends, the wire between two addresses, in both directions.
     */
    public void partition(final InetAddress a, final InetAddress b, final boolean cut)
    {
        final Set<InetAddress> pair = Set.of(a, b);
        if (cut ? partitions.add(pair) : partitions.remove(pair))
        {
            note(a.getHostAddress(), cut ? "partition" : "partition ends", b.hashCode(), 0);
        }
    }

    /**
     * What providers and users of the fabric must never cause: overflow of a queue, a post that was refused.
     *
     * @return descriptions in the order of time.
     */
    public List<String> violations()
    {
        return violations;
    }

    /** {@return how often a request found no receive posted; where credits are kept, never} */
    public long receiverNotReady()
    {
        return receiverNotReady;
    }

    void onReceiverNotReady()
    {
        receiverNotReady++;
    }

    SimDevice device(final InetAddress address)
    {
        return devices.get(address);
    }

    void unplug(final SimDevice device)
    {
        devices.remove(device.address(), device);
    }

    RingMemory memory()
    {
        return memory;
    }

    long now()
    {
        return scheduler.now();
    }

    void after(final long delay, final Runnable action)
    {
        scheduler.after(delay, action);
    }

    boolean chance(final double probability)
    {
        return probability > 0 && random.nextDouble() < probability;
    }

    /**
     * @return a number in [0, bound], 0 if the bound is 0.
     */
    long upTo(final long bound)
    {
        return bound <= 0 ? 0 : random.nextLong(bound + 1);
    }

    int randomInt()
    {
        return random.nextInt();
    }

    long wireTime()
    {
        return profile.latency + upTo(profile.jitter);
    }

    /**
     * @return whether a packet gets from one device to another now.
     */
    boolean reaches(final SimDevice from, final InetAddress to)
    {
        final SimDevice other = devices.get(to);
        return from.isAlive() && from.isPortUp() && other != null && other.isAlive() && other.isPortUp() &&
            (from.address().equals(to) || !partitions.contains(Set.of(from.address(), to)));
    }

    void violation(final String who, final String text)
    {
        violations.add(who + ": " + text + " at " + now());
        note(who, "VIOLATION " + text, 0, 0);
    }

    void note(final String who, final String what, final long a, final long b)
    {
        trace.add(now(), who, what, a, b);
    }
}
