package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;

import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.sim.SimProfile;

/**
 * What a run's fabric is like, and how its drivers are set up, drawn from the seed.
 */
final class Conditions
{
    /** Longer than all faults of a run together. */
    private static final long LONG_IMAGE_TIMEOUT = 80_000_000;
    /** Bounds of the time that all rings take over a narrow link: up to half of that without a sign of life. */
    private static final long SHORTEST = 200_000;
    private static final long LONGEST = 1_200_000;

    private Conditions()
    {
    }

    static SimProfile profile(final Scenario scenario, final SplittableRandom random)
    {
        final SimProfile profile = new SimProfile();
        profile.cmRetryInterval = 1_000_000;
        profile.writeWithImm = scenario.writeWithImm();
        profile.claimsWriteWithImm = random.nextBoolean();
        if (scenario.narrow())
        {
            final double bytes = (double) scenario.capacity() * scenario.publications() * scenario.hosts();
            profile.bytesPerNano = bytes / (SHORTEST + random.nextLong(LONGEST - SHORTEST));
        }
        if (scenario.rough())
        {
            profile.jitter = random.nextInt(20_000);
            profile.completionDelay = random.nextInt(20_000);
            if (scenario.faults() > 0 && random.nextInt(2) == 0)
            {
                // Longer than a connection waits for its last completions, and than the next one takes to start.
                profile.completionHeld = 0.002;
                profile.longestHold = 1_500_000;
            }
            profile.partialPlacement = 0.5;
            profile.messageLoss = random.nextInt(4) == 0 ? 0.002 : 0;
            profile.flushDelay = random.nextInt(200_000);
            profile.flushNever = 0.1;
            profile.staleCompletions = 0.5;
            profile.staleDelay = 1_000_000;
            profile.cmLoss = 0.1;
            profile.cmDuplicate = 0.1;
            profile.portDownHangs = 0.5;
            profile.maxInline = random.nextInt(3) == 0 ? 0 : 220;
            if (scenario.faults() > 0 && random.nextInt(2) == 0)
            {
                // Longer than many restarts, after which numbers come again.
                profile.repeatsNumbers = true;
                profile.cmHeld = 0.05;
                profile.requestHeld = 0.002;
                profile.longestWire = 1_000_000;
            }
        }
        return profile;
    }

    static ReplicationSettings settings(final SplittableRandom random)
    {
        return new ReplicationSettings(
            16 << random.nextInt(3),
            16 << random.nextInt(3),
            4096 << random.nextInt(3),
            random.nextInt(4) == 0 ? 0 : 220,
            40_000,
            200_000,
            20_000,
            2_500_000,
            2_500_000,
            300_000,
            6_000_000,
            300_000,
            random.nextInt(3) == 0 ? 4_000_000 : LONG_IMAGE_TIMEOUT,
            new ConnectParameters(3, 3, 6, 0),
            true);
    }

    /** {@return whether images time out so soon that faults outlast it} */
    static boolean mayTimeOut(final ReplicationSettings settings)
    {
        return settings.imageTimeout() < LONG_IMAGE_TIMEOUT;
    }
}
