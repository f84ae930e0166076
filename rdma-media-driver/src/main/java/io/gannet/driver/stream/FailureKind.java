package io.gannet.driver.stream;

/**
 * Why a connection of a stream ended.
 */
public enum FailureKind
{
    /** A completion with an error; the detail is its status. */
    COMPLETION_ERROR,
    /** Requests stayed without any completion for too long. */
    STALLED,
    /** The peer gave no sign of life for too long. */
    SILENT_PEER,
    /** The device refused a post; the detail is the error number. */
    POST_REFUSED,
    /** The peer broke the protocol. */
    PROTOCOL,
    /** The publication ring holds what cannot be a frame. */
    CORRUPT_RING,
    /** The subscriber was too slow for a publication that does not wait. */
    TOO_SLOW,
    /** The peer, or the connection manager, ended the connection. */
    DISCONNECTED,
    /** This side wanted it. */
    CLOSED,
    /** The stream has ended, and the peer knows. */
    END_OF_STREAM
}
