package io.gannet.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.rdma.Access;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.RdmaResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A device that is removed is noticed without any connection, and nothing of this process keeps it once it is closed,
 * though librdmacm does not close it.
 */
class VerbsRemovalTest
{
    private static final long PATIENCE = 30_000_000_000L;
    private static final String NOTHING = "/dev/null";

    private final FakeRdma rdma = new FakeRdma();

    @AfterEach
    void nothingLeaks()
    {
        assertThat(rdma.leaks()).isEmpty();
        rdma.close();
    }

    private void remove(final VerbsDevice device, final long guard)
    {
        rdma.raise(Abi.Value.RDMA_CM_EVENT_DEVICE_REMOVAL, guard, 0, 0);
        await(() ->
        {
            device.connectionManager().pollEvents(event -> { });
            return device.isRemoved();
        });
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.onSpinWait();
        }
    }

    /** What the library has open as the device. */
    private String behindCommands() throws IOException
    {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + rdma.commands.descriptor())).toString();
    }

    @Test
    void devicePeersNeverHeardOfIsLetGoWhenItIsRemoved() throws IOException
    {
        final VerbsDevice device = rdma.openDevice();
        assertThat(device.isRemoved()).isFalse();
        remove(device, rdma.lastId);
        assertThat(behindCommands()).as("still in use").isNotEqualTo(NOTHING);
        device.close();
        assertThat(behindCommands()).isEqualTo(NOTHING);
    }

    @Test
    void deviceThatIsThereStaysTheLibrarys() throws IOException
    {
        rdma.openDevice().close();
        assertThat(behindCommands()).isNotEqualTo(NOTHING);
    }

    @Test
    void lastUserInTheProcessLetsGo() throws IOException
    {
        final VerbsDevice first = rdma.openDevice();
        final long firstGuard = rdma.lastId;
        final VerbsDevice second = rdma.openDevice();
        final long secondGuard = rdma.lastId;
        remove(first, firstGuard);
        first.close();
        assertThat(behindCommands()).as("the other has not heard yet").isNotEqualTo(NOTHING);
        remove(second, secondGuard);
        second.close();
        assertThat(behindCommands()).isEqualTo(NOTHING);
    }

    @Test
    void fatalErrorIsAsGoodAsARemoval() throws IOException
    {
        final VerbsDevice device = rdma.openDevice();
        rdma.asyncEvents.add(new long[] {Abi.Value.EVENT_DEVICE_FATAL, 0});
        final AsyncEventType[] seen = new AsyncEventType[1];
        await(() -> device.pollAsyncEvents((type, number, queue) -> seen[0] = type) > 0);
        assertThat(seen[0]).isEqualTo(AsyncEventType.DEVICE_FATAL);
        assertThat(device.isRemoved()).isTrue();
        device.close();
        assertThat(behindCommands()).isEqualTo(NOTHING);
    }

    /** Kernel drivers that don't wait destroy everything themselves; each call then says so. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENODEV})
    void whatTheKernelHasDestroyedIsClosedAllTheSame(final int errno)
    {
        final VerbsDevice device = rdma.openDevice();
        final ProtectionDomain domain = device.allocateProtectionDomain();
        final List<RdmaResource> resources = List.of(
            domain.register(rdma.allocate(64), 64, Access.LOCAL_WRITE),
            device.createCompletionQueue(16, null),
            device.createCompletionChannel(),
            domain);
        for (final String name : List.of("dereg_mr", "destroy_cq", "destroy_comp_channel", "dealloc_pd"))
        {
            final FakeRdma.Call call = rdma.functions.get("ibv_" + name);
            rdma.functions.put("ibv_" + name, (a, b, c, d, e) ->
            {
                if (device.isRemoved())
                {
                    call.call(a, b, c, d, e);
                }
                return errno;
            });
        }
        assertThatThrownBy(resources.getFirst()::close).isInstanceOf(RdmaException.class);
        remove(device, rdma.lastId);
        resources.forEach(RdmaResource::close);
        device.close();
    }
}
