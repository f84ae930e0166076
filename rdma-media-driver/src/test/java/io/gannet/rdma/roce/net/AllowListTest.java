package io.gannet.rdma.roce.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest
{
    private static boolean permits(final String list, final String sender)
    {
        return AllowList.parse(list).permits(InetAddress.ofLiteral(sender));
    }

    @Test
    void addressesAndNetworksAreLetInAndOthersAreNot()
    {
        final String list = "10.0.0.7, 10.1.0.0/16,fd00::/64,::1";
        for (final String sender : new String[] {"10.0.0.7", "10.1.0.1", "10.1.255.255", "fd00::9", "::1"})
        {
            assertThat(permits(list, sender)).as(sender).isTrue();
        }
        for (final String sender : new String[] {"10.0.0.8", "10.2.0.1", "fd00:0:0:1::9", "::2", "127.0.0.1"})
        {
            assertThat(permits(list, sender)).as(sender).isFalse();
        }
        assertThat(permits("0.0.0.0/0", "1.2.3.4")).isTrue();
        assertThat(permits("0.0.0.0/0", "fd00::9")).isFalse();
        assertThat(permits("::/0", "fd00::9")).isTrue();
        assertThat(AllowList.ANYBODY.permits(InetAddress.ofLiteral("1.2.3.4"))).isTrue();
    }

    /** Who is let in must never be a guess. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", "10.0.0.1,", ",10.0.0.1", "10.1", "1.2.3", "010.0.0.1", "10.0.0.01",
        "2130706433",
        "0x7f.0.0.1", "10.0.0.256", "10.0.0.1.", ".10.0.0.1", "10.0.0.1.2", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.0/",
        "10.0.0.0/8/8", "10.0.0.1/8", "fd00::1/64", "fd00::/129", "fd00:::1", "host", "a.b", "10.0.0.1 10.0.0.2",
        "10.0.0.0/ 8", "fd00::%lo"})
    void whatIsNoneIsRefused(final String list)
    {
        assertThatThrownBy(() -> AllowList.parse(list)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("'");
    }
}
