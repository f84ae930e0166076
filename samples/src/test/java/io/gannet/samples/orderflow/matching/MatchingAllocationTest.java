package io.gannet.samples.orderflow.matching;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.samples.orderflow.link.MessageLog;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MatchingAllocationTest
{
    private static final int ROUNDS = 10;
    private static final int COMMANDS = 20_000;
    private static final long MIDDLE = 100_000_000_000L;
    private static final long TICK = 10_000_000L;

    private final Commands commands = new Commands();
    private final MatchingEngine engine = new MatchingEngine(Tradables.example(1), EngineLimits.defaults(),
        new EngineOutput(MessageLog.allocate(1 << 20), MessageLog.allocate(1 << 20)));
    private final Random random = new Random(3);
    private long clOrdId;

    @Test
    void anOrderAllocatesNothingOnceBookAndSessionsAreThere()
    {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long trades = engine.trades();
        long allocated = Long.MAX_VALUE;
        // What commands allocate they allocate in each round; what the virtual machine does once ends.
        for (int round = 0; round < ROUNDS; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            run();
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(engine.trades() - trades).as("the commands traded").isGreaterThan(COMMANDS / 10);
        // Less than one object in a hundred commands: what the virtual machine itself may do on this thread.
        assertThat(allocated).as("bytes for %d commands", COMMANDS).isLessThan(COMMANDS / 100 * 16);
    }

    private void run()
    {
        for (int i = 0; i < COMMANDS; i++)
        {
            final int session = 1 + random.nextInt(50);
            final boolean buy = random.nextBoolean();
            final long price = MIDDLE + TICK * (random.nextInt(9) - 4);
            final long earlier = clOrdId - random.nextInt(100);
            switch (random.nextInt(4))
            {
                case 0 -> commands.cancel(session, 1, earlier, 1001, buy);
                case 1 -> commands.replace(session, ++clOrdId, earlier, 1001, buy, price, 1 + random.nextInt(9));
                default -> commands.limit(session, ++clOrdId, 1001, buy, price, 1 + random.nextInt(9));
            }
            engine.apply(i, commands.buffer, 0);
        }
    }
}
