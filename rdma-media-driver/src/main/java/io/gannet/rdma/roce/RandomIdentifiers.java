package io.gannet.rdma.roce;

import io.gannet.rdma.roce.cm.CmIdentifiers;
import io.gannet.rdma.roce.wire.Psn;
import java.security.SecureRandom;
import java.util.Random;

/**
 * Numbers that nobody can guess and that an earlier life of this host did not use.
 */
final class RandomIdentifiers implements CmIdentifiers
{
    private final Random random;
    private final long caGuid;

    RandomIdentifiers()
    {
        this(new SecureRandom());
    }

    /** For tests that are to be repeated. */
    RandomIdentifiers(final Random random)
    {
        this.random = random;
        caGuid = random.nextLong();
    }

    Random random()
    {
        return random;
    }

    @Override
    public long caGuid()
    {
        return caGuid;
    }

    @Override
    public int commId()
    {
        return random.nextInt();
    }

    @Override
    public long transactionId()
    {
        return random.nextLong();
    }

    int qpn()
    {
        return random.nextInt() & Psn.MASK;
    }

    int psn()
    {
        return random.nextInt() & Psn.MASK;
    }

    /** A port of the dynamic range. */
    int port()
    {
        return 49_152 + random.nextInt(65_536 - 49_152);
    }
}
