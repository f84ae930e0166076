package io.gannet.perf.model;

import io.gannet.perf.model.WriteSimulation.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Two NICs, the wire between them and the PCIe links of both: takes requests from a doorbell to the receiver's poll and
 * the acknowledgement back. One queue pair; everything stays in order.
 */
final class Nic
{
    private static final int DOORBELL_BYTES = 8;
    private static final int RECEIVE_BYTES = 16;

    private final Hardware hardware;
    private final Events events;
    private final LongConsumer onCompletion;
    private final Consumer<Write> onDelivered;
    private final Server toNic = new Server();
    private final Server fromNic = new Server();
    private final Server issue = new Server();
    private final Server wire = new Server();
    private final Server toReceiver = new Server();
    private final Server receiver = new Server();
    private final ArrayDeque<Packet> transmit = new ArrayDeque<>();
    private final ArrayDeque<Packet> reads = new ArrayDeque<>();
    private int readsInFlight;
    private int receivesAhead;
    private boolean receiveFetch;
    private final ArrayDeque<Write> receiveWaits = new ArrayDeque<>();

    private static final class Packet
    {
        private final Write write;
        private final int index;
        private final boolean last;
        private boolean ready;

        Packet(final Write write, final int index, final boolean last)
        {
            this.write = write;
            this.index = index;
            this.last = last;
        }
    }

    Nic(final Hardware hardware, final Events events, final LongConsumer onCompletion,
        final Consumer<Write> onDelivered)
    {
        this.hardware = hardware;
        this.events = events;
        this.onCompletion = onCompletion;
        this.onDelivered = onDelivered;
        receivesAhead = (int) hardware.get(Parameter.RECEIVES_AHEAD);
    }

    double receiverBusy()
    {
        return receiver.busy();
    }

    /** The sender's store has left the processor. */
    void doorbell(final ArrayDeque<Write> chain, final boolean blueFlame)
    {
        final Write head = chain.peek();
        final int bytes = blueFlame ? hardware.blocks(head.bytes(), true) * Hardware.BLOCK : DOORBELL_BYTES;
        final double there = toNic.occupy(events.now(), hardware.pcie(bytes)) + hardware.get(Parameter.MMIO_ONE_WAY);
        events.at(there, () ->
        {
            if (blueFlame)
            {
                accept(head);
            }
            else
            {
                fetch(new ArrayList<>(chain));
            }
        });
    }

    private void fetch(final List<Write> chain)
    {
        final int most = (int) hardware.get(Parameter.WQES_PER_FETCH);
        for (int from = 0; from < chain.size(); from += most)
        {
            final List<Write> group = chain.subList(from, Math.min(from + most, chain.size()));
            int blocks = 0;
            for (final Write write : group)
            {
                blocks += hardware.blocks(write.bytes(), write.isInline());
            }
            final int bytes = blocks * Hardware.BLOCK;
            events.at(events.now() + hardware.get(Parameter.DMA_READ), () ->
                events.at(toNic.occupy(events.now(), hardware.pcie(bytes)), () -> group.forEach(this::accept)));
        }
    }

    /** The NIC has a whole request. */
    private void accept(final Write write)
    {
        final double began = issue.occupy(events.now(), hardware.get(Parameter.NIC_ISSUE)) -
            hardware.get(Parameter.NIC_ISSUE);
        events.at(began, () -> begin(write));
    }

    private void begin(final Write write)
    {
        final int packets = hardware.packets(write.bytes());
        final boolean reading = !write.isInline() && write.bytes() > 0;
        for (int i = 0; i < packets; i++)
        {
            final Packet packet = new Packet(write, i, i == packets - 1);
            packet.ready = !reading;
            transmit.add(packet);
            if (reading)
            {
                reads.add(packet);
            }
        }
        read();
        send();
    }

    private void read()
    {
        while (!reads.isEmpty() && readsInFlight < (int) hardware.get(Parameter.DMA_READS_IN_FLIGHT))
        {
            final Packet packet = reads.poll();
            readsInFlight++;
            final int bytes = hardware.packetBytes(packet.write.bytes(), packet.index);
            events.at(events.now() + hardware.get(Parameter.DMA_READ), () ->
                events.at(toNic.occupy(events.now(), hardware.pcie(bytes)), () ->
                {
                    readsInFlight--;
                    packet.ready = true;
                    read();
                    send();
                }));
        }
    }

    private void send()
    {
        while (!transmit.isEmpty() && transmit.peek().ready)
        {
            final Packet packet = transmit.poll();
            events.at(events.now() + hardware.get(Parameter.NIC_SEND), () ->
                events.at(wire.occupy(events.now(), hardware.wire(packet.write.bytes(), packet.index)) +
                    hardware.flight() + hardware.get(Parameter.NIC_RECEIVE), () -> land(packet)));
        }
    }

    private void land(final Packet packet)
    {
        final int bytes = hardware.packetBytes(packet.write.bytes(), packet.index);
        final double placed = bytes == 0 ? events.now() : toReceiver.occupy(events.now(), hardware.pcie(bytes));
        if (!packet.last)
        {
            return;
        }
        if (packet.write.isSignaled())
        {
            events.at(events.now() + hardware.ack() + hardware.flight() + hardware.get(Parameter.NIC_RECEIVE), () ->
                events.at(fromNic.occupy(events.now(), hardware.cqe()) + hardware.get(Parameter.DMA_WRITE), () ->
                    onCompletion.accept(packet.write.sequence())));
        }
        if (packet.write.carriesMessages())
        {
            events.at(placed, () -> takeReceive(packet.write));
        }
    }

    /** Each WRITE with an immediate value uses up one receive of the peer, which the NIC must have read. */
    private void takeReceive(final Write write)
    {
        final int most = (int) hardware.get(Parameter.RECEIVES_AHEAD);
        if (most < 1)
        {
            events.at(events.now() + hardware.get(Parameter.DMA_READ) + hardware.pcie(RECEIVE_BYTES), () ->
                complete(write));
            return;
        }
        receiveWaits.add(write);
        serveReceives(most);
    }

    private void serveReceives(final int most)
    {
        while (receivesAhead > 0 && !receiveWaits.isEmpty())
        {
            receivesAhead--;
            complete(receiveWaits.poll());
        }
        if (receivesAhead <= most / 2 && !receiveFetch)
        {
            receiveFetch = true;
            final int wanted = most - receivesAhead;
            events.at(events.now() + hardware.get(Parameter.DMA_READ) + hardware.pcie(wanted * RECEIVE_BYTES), () ->
            {
                receiveFetch = false;
                receivesAhead += wanted;
                serveReceives(most);
            });
        }
    }

    private void complete(final Write write)
    {
        final double visible = toReceiver.occupy(events.now(), hardware.cqe()) + hardware.get(Parameter.DMA_WRITE);
        events.at(visible, () ->
        {
            final double polled = receiver.occupy(events.now(), hardware.get(Parameter.POLL_CQE));
            receiver.occupy(events.now(), hardware.get(Parameter.POST_RECEIVE));
            events.at(polled, () -> onDelivered.accept(write));
        });
    }
}
