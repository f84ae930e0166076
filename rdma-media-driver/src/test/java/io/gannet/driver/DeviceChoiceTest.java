package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which device a driver takes on hosts with and without RDMA NICs, usable and not, and what it says about it. The hosts
 * are made up; a NIC is played by a software NIC of its own.
 */
class DeviceChoiceTest
{
    private static final InetAddress NIC = InetAddress.ofLiteral("10.7.0.1");
    private static final InetAddress BEYOND = InetAddress.ofLiteral("10.7.0.2");
    private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("192.168.7.9");

    private final List<RdmaDevice> opened = new ArrayList<>();
    private List<String> nics = List.of("mlx5_0", "mlx5_1");
    private String refusal;
    private VerbsOptions asked;
    private RoceOptions askedRoce;

    private final DeviceProviders host = new DeviceProviders()
    {
        @Override
        public List<String> nics()
        {
            return nics;
        }

        @Override
        public InetAddress localTowards(final InetAddress remote)
        {
            return remote.equals(BEYOND) ? NIC : remote.isLoopbackAddress() ? InetAddress.ofLiteral("127.0.0.1") : null;
        }

        @Override
        public RdmaDevice verbs(final VerbsOptions options)
        {
            asked = options;
            if (refusal != null)
            {
                throw new RdmaException(Errno.ENODEV, refusal);
            }
            return device();
        }

        @Override
        public RdmaDevice roce(final RoceOptions options)
        {
            askedRoce = options;
            return device();
        }

        private RdmaDevice device()
        {
            final RdmaDevice device =
                RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
            opened.add(device);
            return device;
        }
    };

    @AfterEach
    void close()
    {
        opened.forEach(RdmaDevice::close);
    }

    private DeviceOpener opener(final String... options)
    {
        DriverConfiguration configuration = DriverConfiguration.defaults();
        for (int i = 0; i < options.length; i += 2)
        {
            final String key = options[i];
            configuration = configuration.withFlag(DriverOptions.all().stream()
                .filter(option -> option.key().equals(key)).findFirst().orElseThrow(), options[i + 1]);
        }
        return new DeviceOpener(configuration, host);
    }

    private void assertVerbs(final DeviceOpener opener, final InetAddress address, final String name)
    {
        assertThat(askedRoce).as(opener.reason()).isNull();
        assertThat(asked.address()).isEqualTo(address);
        assertThat(asked.device()).isEqualTo(name);
    }

    @Test
    void withoutANicItIsTheSoftwareNic()
    {
        nics = List.of();
        final DeviceOpener opener = opener();
        assertThat(opener.isLazy()).isTrue();
        opener.open(null, BEYOND);
        assertThat(asked).isNull();
        assertThat(opener.reason()).isEqualTo("as this host has no RDMA device");
    }

    @Test
    void aChannelThatLeadsThroughANicTakesIt()
    {
        final DeviceOpener subscriber = opener();
        subscriber.open(NIC, null);
        assertVerbs(subscriber, NIC, null);
        final DeviceOpener publisher = opener();
        publisher.open(null, BEYOND);
        assertVerbs(publisher, NIC, null);
        assertThat(publisher.reason()).isEqualTo("as the channel leads to 10.7.0.1");
    }

    @Test
    void aChannelOfLoopbackTakesTheSoftwareNic()
    {
        final InetAddress own = LoopbackAddress.random();
        final DeviceOpener subscriber = opener();
        subscriber.open(own, null);
        assertThat(asked).isNull();
        assertThat(askedRoce.address()).isEqualTo(own);
        assertThat(subscriber.reason()).contains("mlx5_0 or mlx5_1", "device-address", "channel");
        opener().open(null, InetAddress.ofLiteral("127.0.0.1"));
        assertThat(asked).isNull();
        assertThat(askedRoce.address()).isNull();
        assertThat(askedRoce.avoided()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    }

    @Test
    void aChannelThatLeadsNowhereOrSaysNothingTakesTheSoftwareNicOfLoopback()
    {
        opener().open(null, ELSEWHERE);
        assertThat(asked).isNull();
        opener().open(null, null);
        assertThat(asked).isNull();
        assertThat(askedRoce.address()).as("nothing but loopback unless it is named").isNull();
    }

    @Test
    void aNicThatIsNotUsableIsToldAndTheSoftwareNicTaken()
    {
        refusal = "no permission for /dev/infiniband/uverbs0";
        final DeviceOpener opener = opener();
        opener.open(NIC, null);
        assertThat(asked.address()).isEqualTo(NIC);
        assertThat(askedRoce.address()).as("the NIC's address is the kernel's").isNull();
        assertThat(opener.reason()).startsWith("as " + refusal);
    }

    @Test
    void whatOptionsNameComesBeforeWhatTheChannelSays()
    {
        final DeviceOpener byName = opener("device-name", "mlx5_1");
        assertThat(byName.isLazy()).isFalse();
        byName.open(NIC, null);
        assertVerbs(byName, null, "mlx5_1");
        final DeviceOpener byAddress = opener("device-address", "10.7.0.1");
        byAddress.open(null, ELSEWHERE);
        assertVerbs(byAddress, NIC, null);
        assertThat(byAddress.reason()).isEqualTo("as the options name it");
        opener("device-address", "127.9.9.9").open(NIC, null);
        assertThat(askedRoce.address()).isEqualTo(InetAddress.ofLiteral("127.9.9.9"));
    }

    @Test
    void whatIsAskedForByKindIsNotReplaced()
    {
        final DeviceOpener roce = opener("device", "roce");
        roce.open(NIC, null);
        assertThat(asked).isNull();
        assertThat(roce.reason()).isEqualTo("as device=roce says");
        refusal = "no RDMA device";
        askedRoce = null;
        assertThatThrownBy(() -> opener("device", "verbs").open(NIC, null)).hasMessageStartingWith(refusal);
        assertThat(askedRoce).isNull();
    }
}
