package io.gannet.driver.stream;

import java.util.List;
import java.util.Map;

/**
 * A patch to shipped code that breaks it.
 *
 * @param what        it breaks.
 * @param module      where the file is.
 * @param file        below the module's sources.
 * @param original    text that occurs once in it.
 * @param replacement what it becomes.
 * @param yields      whether it shows only, or much sooner, where threads lose their processors between two accesses to
 *                    ring memory.
 */
record PlantedBug(String what, String module, String file, String original, String replacement, boolean yields)
{
    private static final String STREAM = "io/gannet/driver/stream/";

    /**
     * The first seeds that have caught those that few catch. They are looked at first, which saves a minute; when the
     * simulation changes and they catch nothing, all are.
     */
    private static final Map<String, Long> LATE = Map.ofEntries(
        Map.entry("sleeps after a refused post that it is to try again", 1_713L),
        Map.entry("enters a gate of which producers may know something else", 208L),
        Map.entry("joins where it found the ring before it gated", 2_007L),
        Map.entry("gives the gate up of a fan-out image that has not started", 889L),
        Map.entry("gives the gate up of an image that has not started", 661L),
        Map.entry("forgets after a restart where the last image ended", 525L),
        Map.entry("numbers its connections as the driver before it did", 334L),
        Map.entry("drops what had arrived when the connection failed", 4_229L),
        Map.entry("takes completions that the driver before has left", 343L),
        Map.entry("resumes a fan-out image that its driver has lost", 262L),
        Map.entry("goes on with an image from where its subscribers are", 210L),
        Map.entry("fills the claims of the living", 193L),
        Map.entry("turns hosts away that come back for the rest of a stream", 145L),
        Map.entry("applies stale completions to the connection that receives now", 114L),
        Map.entry("forgets the tail", 102L));

    static final List<PlantedBug> ALL = List.of(
        driver("accepts a reconnect without the cut-off of the old connection", "ImageListener.java",
            "if (!session.isIdle())", "if (session.isEnded())"),
        driver("sends without the peer's credits", "OutboundReplica.java",
            "if (last && credits() <= ReplicationSettings.RESERVED_CREDITS)", "if (last && credits() < -64)"),
        driver("posts without room in the send queue", "ReplicaRequests.java",
            "ledger.free() > RESERVED_SLOTS + (immediate ? 0 : 1)", "ledger.free() >= -64"),
        driver("does not remember that a part is not the last", "OutboundReplica.java",
            "final boolean last = progress.written() + length == progress.runEnd();", "final boolean last = true;"),
        driver("resumes where it had sent to, not where the peer had received", "OutboundConnection.java",
            "final long start = resumed && !anew ? received : consumed;",
            "final long start = resumed && !anew ? sent : consumed;"),
        driver("says that what was received is consumed", "FeedbackWriter.java",
            "consumed = Math.max(consumed, gate(received));", "consumed = received;"),
        driver("takes all for consumed when a resumed image starts", "FeedbackWriter.java",
            "consumed = consumed < 0 ? position : Math.max(consumed, gate(position));", "consumed = position;"),
        driver("opens an image before its subscribers are there", "InboundImage.java",
            "open = received != SetupReply.NEW_IMAGE;", "open = true;"),
        driver("answers a reconnect with the received position of the connection before", "ImageSession.java",
            "received = image.received();", "received = Math.max(received, startPosition);"),
        driver("turns hosts away that come back for the rest of a stream", "FanOutListener.java",
            "!stream.isOpenTo(request.driverId())", "!stream.isJoinable()"),
        driver("drops what had arrived when the connection failed", "InboundImage.java",
            "else if (!broken)", "else if (!broken && (failure == null || draining))"),
        driver("posts no receive again", "InboundImage.java",
            "final int errno = receives.repost(queuePair, workBase);", "final int errno = 0;"),
        driver("gives no sign of life", "OutboundReplica.java",
            "now - requests.lastReceiveUsedAt() >= settings.signInterval()", "now < 0"),
        driver("counts receives twice", "ReceiveQueue.java",
            "posted += accepted;", "posted += 2 * accepted;"),
        driver("leaves the sender's gate where it joined", "OutboundReplica.java",
            "if (memory.getLong(senderGate) < progress.sent())", "if (progress.sent() < 0)"),
        driver("forgets to close a memory region", "OutboundConnection.java",
            "cellRegion.close();", ""),
        driver("starts at a position that nothing gates", "OutboundConnection.java",
            "final long start = resumed && !anew ? received : consumed;",
            "final long start = resumed && !anew ? received : OutboundStream.producedPosition(stream.ring());"),
        driver("frees the gate of a slow subscriber whose queue pair still writes it", "OutboundConnection.java",
            "        retry(0);\n        if (failure.kind() == FailureKind.END_OF_STREAM",
            "        if (failure.kind() == FailureKind.TOO_SLOW) { leave(); state = State.WAITING; return; }\n" +
            "        retry(0);\n        if (failure.kind() == FailureKind.END_OF_STREAM"),
        driver("applies stale completions to the connection that sends now", "Sender.java",
            "return replica != null && WorkId.isOf(wrId, replica.workBase()) ? replica : null;", "return replica;"),
        driver("applies stale completions to the connection that receives now", "Receiver.java",
            "return image != null && WorkId.isOf(wrId, image.workBase()) ? image : null;", "return image;"),
        driver("forgets the tail", "../../rdma/SendLedger.java",
            "return signaled != posted && now - lastPostTime >= tailDelay && free() > 0;", "return false;"),
        driver("takes a completion for the newest request", "../../rdma/SendLedger.java",
            "reclaimed = posted - behind;", "reclaimed = posted;"),
        driver("waits without looking again after it has armed", "HybridWait.java",
            "state = State.ARMED;\n            wakes.arm();",
            "state = State.WAITED;\n            wakes.arm();\n            wakes.await();"),
        driver("arms its completion queues once for several waits", "CompletionPoller.java",
            "armed &= queue.arm() == Errno.OK;", "armed &= polls > 200 || queue.arm() == Errno.OK;"),
        driver("does not say at the ring that it is about to sleep", "Sender.java",
            "replica.announce();", ""),
        driver("sleeps after a refused post that it is to try again", "ReplicaRequests.java",
            "refusals++;", "refusals = 0;"),
        driver("says by SEND what it has not written", "ReplicaRequests.java",
            "if (length > 0)", "if (length > 0 && (immediate || progress.sent() % 4096 != 0))"),
        driver("sends a position in front of its write", "ReplicaRequests.java",
            "addPosition(progress.runEnd(), now);",
            "addPosition(progress.runEnd() + (inlinePolicy.limit() == 0 ? 0 : 4096), now);"),
        driver("reuses the memory of a position that is still to be sent", "ReplicaRequests.java",
            "final int slot = Math.floorMod(ledger.sequence(), depth);", "final int slot = 0;"),
        driver("lets a fan-out subscriber join while its old connection can still write", "OutboundAcceptor.java",
            "if (state == State.ENDING)", "if (state == State.CLOSED)"),
        driver("resumes a fan-out image that its driver has lost", "OutboundAcceptor.java",
            "if (join.receivedPosition() == SetupReply.NEW_IMAGE)", "if (!isJoined())"),
        new PlantedBug("gives the gate up of an image that has not started", "rdma-media-driver",
            STREAM + "OutboundConnector.java", "startAnew();", "leave();", true),
        driver("gives the gate up of a fan-out image that has not started", "OutboundAcceptor.java",
            "startAnew();", "leave();"),
        driver("forgets after a restart where the last image ended", "FanOutSubscription.java",
            "connector == null ? context.listener.lastPosition(request)", "connector == null ? ImageSession.NO_GAP"),
        driver("takes the newest byte for consumed when a driver goes on with a gate", "OutboundConnection.java",
            "consumed = position >= start && position <= sent ? position : Math.min(start, sent);",
            "consumed = sent;"),
        driver("goes on with an image from where its subscribers are", "ImageSession.java",
            "received = left.memory().getLongAcquire(left.headerAddress() + RingLayout.RECEIVED_OFFSET);",
            "received = new GatingMinimum(left).refresh(Long.MAX_VALUE / 2);"),
        driver("lets a restarted publisher's driver start images anew", "OutboundConnection.java",
            "entry = gate;", "entry = NONE;"),
        driver("connects again to the address that a name had at first", "OutboundConnector.java",
            "context.lookUp(destination, (address", "context.lookUp(address(), (address"),
        driver("asks again at the address that a control name had at first", "FanOutSubscription.java",
            "context.lookUp(control, (found", "context.lookUp(address == null ? control : address, (found"),
        driver("numbers its connections as the driver before it did", "Generation.java",
            "return life << LIFE_SHIFT |", "return"),
        driver("takes completions that the driver before has left", "IndexPool.java",
            "generation = life;", "generation = 0;"),
        ring("lets a dead client's claim go without filling it", "HoleRepair.java",
            "                pad(position, position + step);\n", ""),
        ring("fills the claims of the living", "HoleRepair.java", "if (dead.test(client))\n            {\n" +
            "                pad(", "if (client != 0)\n            {\n                pad("),
        ring("trusts a length word above the received position", "RingReader.java",
            "return position < gate ? gate : nothing();", "return Long.MAX_VALUE;"),
        between("publishes a frame before it has cleared the length behind it", "ExclusiveProducer.java",
            "memory.putInt(frame + step, 0);\n        // Pairs with the acquire in RingReader: a reader that sees " +
            "the length sees the frame, and 0 behind it.\n        memory.putIntRelease(frame, length + " +
            "FrameHeader.HEADER_LENGTH);",
            "memory.putIntRelease(frame, length + FrameHeader.HEADER_LENGTH); memory.putInt(frame + step, 0);"),
        between("publishes a frame before its bytes", "ExclusiveProducer.java",
            "return data + (position & mask);",
            "memory.putInt(data + (position & mask) + FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);" +
            "memory.putIntRelease(data + (position & mask), length + FrameHeader.HEADER_LENGTH);" +
            "return data + (position & mask);"),
        between("looks for sleepers before it has published", "ConcurrentProducer.java",
            """
                    memory.putIntRelease(frame, length + FrameHeader.HEADER_LENGTH);
                    slots.release(slot);
                    bell.ringIfAwaited();
            """,
            """
                    bell.ringIfAwaited();
                    memory.putIntRelease(frame, length + FrameHeader.HEADER_LENGTH);
                    slots.release(slot);
            """),
        between("enters a gate before it has described it", "Membership.java",
            """
                    describe(index, kind, clientId, registrationId, start);
                    // Before it enters, or a look of the version before would take it for what it was last.
                    changed();
                    // Enters. Pairs with the acquire in GatingList.position.
                    memory.putLongRelease(list.positionAddress(index), start);
            """,
            """
                    memory.putLongRelease(list.positionAddress(index), start);
                    describe(index, kind, clientId, registrationId, start);
                    changed();
            """),
        between("enters a gate of which producers may know something else", "Membership.java",
            "for what it was last.\n        changed();", "for what it was last."),
        between("joins where it found the ring before it gated", "Membership.java",
            "walk(knownPosition(index))", "walk(start)"),
        between("takes the sender for a subscriber when the first one joins", "Membership.java",
            "list.position(i) != RingLayout.FREE && list.kind(i) != GatingList.Kind.SENDER",
            "list.position(i) != RingLayout.FREE"));

    private static PlantedBug driver(
        final String what, final String file, final String original, final String replacement)
    {
        return new PlantedBug(what, "rdma-media-driver", STREAM + file, original, replacement, false);
    }

    /** Shows only between two accesses to ring memory. */
    private static PlantedBug between(
        final String what, final String file, final String original, final String replacement)
    {
        return new PlantedBug(
            what, "messaging-api", "io/gannet/ring/" + file, original, replacement, true);
    }

    private static PlantedBug ring(
        final String what, final String file, final String original, final String replacement)
    {
        return new PlantedBug(what, "messaging-api", "io/gannet/ring/" + file, original, replacement, false);
    }

    /** A seed that is known to catch it, if most don't, else 0. */
    long late()
    {
        return LATE.getOrDefault(what, 0L);
    }

    @Override
    public String toString()
    {
        return what;
    }
}
