package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.rdma.ConnectParameters;

/**
 * What an rdma channel asks of the device and of its connections: checked, and turned into settings.
 */
final class ChannelCheck
{
    private static final int DEFAULT_PARTITION = 0xFFFF;
    /** The bit that tells full members of a partition from limited ones. */
    private static final int FULL_MEMBER = 0x8000;

    private final String deviceName;
    private final ReplicationSettings defaults;

    ChannelCheck(final String deviceName, final ReplicationSettings defaults)
    {
        this.deviceName = deviceName;
        this.defaults = defaults;
    }

    /**
     * Checks that the device has what the channel names. A driver has one device, one port and one GID of it.
     *
     * @throws RefusedException with the remedy.
     */
    void check(final Channel channel)
    {
        if (channel.device() != null && !channel.device().equals(deviceName))
        {
            refuse(channel, "this driver's device is " + deviceName + "; name that one, or none");
        }
        if (channel.port() > 1)
        {
            refuse(channel, deviceName + " has port 1 alone; leave port= out");
        }
        if (channel.gidIndex() > 0)
        {
            refuse(channel, deviceName + " has one GID, index 0, that of its address; leave gid-index= out and " +
                "choose the address by " + DriverOptions.DEVICE_ADDRESS);
        }
        if (channel.partitionKey() != 0 && (channel.partitionKey() | FULL_MEMBER) != DEFAULT_PARTITION)
        {
            refuse(channel, deviceName + " is in the default partition 0xffff alone; leave pkey= out");
        }
    }

    private static void refuse(final Channel channel, final String problem)
    {
        throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + problem);
    }

    /** How a channel's stream is replicated. */
    ReplicationSettings settings(final Channel channel)
    {
        final ConnectParameters parameters = defaults.parameters();
        return defaults
            .withTimeouts(
                channel.connectTimeoutNanos() == 0 ? defaults.connectTimeout() : channel.connectTimeoutNanos(),
                channel.imageTimeoutNanos() == 0 ? defaults.imageTimeout() : channel.imageTimeoutNanos())
            .withParameters(new ConnectParameters(
                parameters.retryCount(),
                parameters.rnrRetry(),
                parameters.ackTimeout(),
                channel.trafficClass() < 0 ? parameters.trafficClass() : channel.trafficClass()));
    }
}
