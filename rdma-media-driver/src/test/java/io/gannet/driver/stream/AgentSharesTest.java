package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.NativeMemory;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents whose device runs out of something while it is divided among them. */
class AgentSharesTest
{
    private final SimDevice device =
        new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0))
            .addDevice(InetAddress.ofLiteral("10.1.0.1"));

    /** Or the device could not be closed, and its address not be taken by the next attempt. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aShortageLeavesNothingOpen(final int channels)
    {
        assertThatThrownBy(() -> new ReplicationContext(new Scarce(channels), ReplicationSettings.defaults(),
            List.of(new Sender(), new Sender()), List.of(new Receiver(), new Receiver()), null, null, null, 5, 1))
            .isInstanceOf(RdmaException.class).hasMessageContaining("no channel left");
        assertThat(device.resources().open()).isZero();
    }

    /** Has so many channels. */
    private final class Scarce extends RdmaDevice
    {
        private int channels;

        Scarce(final int channels)
        {
            this.channels = channels;
        }

        @Override
        public CompletionChannel createCompletionChannel()
        {
            if (channels-- == 0)
            {
                throw new RdmaException(Errno.ENOMEM, "no channel left");
            }
            return device.createCompletionChannel();
        }

        @Override
        public String name()
        {
            return device.name();
        }

        @Override
        public DeviceLimits limits()
        {
            return device.limits();
        }

        @Override
        public PortAttributes port(final int number)
        {
            return device.port(number);
        }

        @Override
        public ProtectionDomain allocateProtectionDomain()
        {
            return device.allocateProtectionDomain();
        }

        @Override
        public CompletionQueue createCompletionQueue(final int depth, final CompletionChannel channel)
        {
            return device.createCompletionQueue(depth, channel);
        }

        @Override
        public ConnectionManager connectionManager()
        {
            return device.connectionManager();
        }

        @Override
        public int pollAsyncEvents(final AsyncEventHandler handler)
        {
            return device.pollAsyncEvents(handler);
        }

        @Override
        public int doWork()
        {
            return device.doWork();
        }

        @Override
        protected void closeDevice()
        {
            device.close();
        }
    }
}
