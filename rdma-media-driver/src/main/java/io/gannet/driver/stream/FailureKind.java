package io.gannet.driver.stream;

/**
 * Why a connection of a stream ended.
 */
public enum FailureKind
{
    /** A completion with an error; the detail is its status. */
    COMPLETION_ERROR("a request failed"),
    /** Requests stayed without any completion for too long. */
    STALLED("its requests were not confirmed in time"),
    /** The peer gave no sign of life for too long. */
    SILENT_PEER("its host gave no sign of life"),
    /** The device refused a post; the detail is the error number. */
    POST_REFUSED("the device refused a request"),
    /** A message came that was meant for a connection before: what the peer has said since may be lost. */
    STALE_MESSAGE("a message of a connection before came"),
    /** The peer broke the protocol. */
    PROTOCOL("its host broke the protocol"),
    /** The publication ring holds what cannot be a frame. */
    CORRUPT_RING("the ring holds what cannot be a frame"),
    /** The publication ring could not be registered with the device. */
    NOT_REGISTERED("the ring could not be registered with the device"),
    /** The subscriber was too slow for a publication that does not wait. */
    TOO_SLOW("its subscribers were too slow for slow=drop"),
    /** The peer, or the connection manager, ended the connection. */
    DISCONNECTED("its host ended the connection"),
    /** The peer had no connection for so long that its image has ended. */
    BROKEN_OFF("its host had no connection for the image timeout"),
    /** This side wanted it. */
    CLOSED("nobody needs it any more"),
    /** The stream has ended, and the peer knows. */
    END_OF_STREAM("the stream has ended");

    private final String text;

    FailureKind(final String text)
    {
        this.text = text;
    }

    /** {@return a clause for people} */
    String text()
    {
        return text;
    }
}
