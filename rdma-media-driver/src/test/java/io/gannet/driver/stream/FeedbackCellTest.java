package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.gannet.ring.NativeMemory;

class FeedbackCellTest
{
    private static final NativeMemory MEMORY = NativeMemory.INSTANCE;

    private final Arena arena = Arena.ofConfined();
    private final long address = arena.allocate(FeedbackCell.LENGTH, 64).address();
    private final FeedbackCell cell = new FeedbackCell(MEMORY, address, 640, 16, 100);

    FeedbackCellTest()
    {
        MEMORY.putLong(address + FeedbackCell.POSITION, 640);
    }

    @AfterEach
    void free()
    {
        arena.close();
    }

    private void write(final long position, final long credits, final long heartbeat)
    {
        MEMORY.putLong(address + FeedbackCell.POSITION, position);
        MEMORY.putLong(address + FeedbackCell.CREDITS, credits);
        MEMORY.putLong(address + FeedbackCell.HEARTBEAT, heartbeat);
    }

    @Test
    void startsWithTheReceivesOfTheReplyAndTheJoinPosition()
    {
        cell.read(640, 0, 200);
        assertThat(cell.consumed()).isEqualTo(640);
        assertThat(cell.credits()).isEqualTo(16);
        assertThat(cell.heardAt()).isEqualTo(100);
        assertThat(cell.ignored()).isZero();
    }

    @Test
    void takesWhatGoesForwardAndNotAheadOfWhatWasSent()
    {
        write(1024, 20, 1);
        cell.read(2048, 8, 300);
        assertThat(cell.consumed()).isEqualTo(1024);
        assertThat(cell.credits()).isEqualTo(20);
        assertThat(cell.heardAt()).isEqualTo(300);
    }

    @Test
    void ignoresPositionsThatGoBackOrAheadAndCountsEachOnce()
    {
        write(608, 16, 1);
        cell.read(2048, 0, 300);
        cell.read(2048, 0, 400);
        assertThat(cell.ignored()).isEqualTo(1);
        write(2080, 16, 2);
        cell.read(2048, 0, 500);
        assertThat(cell.consumed()).isEqualTo(640);
        assertThat(cell.ignored()).isEqualTo(2);
    }

    @Test
    void ignoresCreditsThatGoBackOrBeyondTheReceiveQueue()
    {
        write(640, 15, 1);
        cell.read(640, 4, 300);
        assertThat(cell.credits()).isEqualTo(16);
        write(640, 21, 2);
        cell.read(640, 4, 300);
        assertThat(cell.credits()).isEqualTo(16);
        write(640, 20, 3);
        cell.read(640, 4, 300);
        assertThat(cell.credits()).isEqualTo(20);
        assertThat(cell.ignored()).isEqualTo(2);
    }

    @Test
    void silenceIsTimedFromTheLastHeartbeat()
    {
        write(640, 16, 1);
        cell.read(640, 0, 300);
        cell.read(640, 0, 900);
        assertThat(cell.heardAt()).isEqualTo(300);
    }

    @Test
    void onlyWhatThePeerHasTakenIsProgress()
    {
        write(672, 16, 1);
        cell.read(2048, 0, 300);
        assertThat(cell.movedAt()).isEqualTo(300);
        write(672, 17, 2);
        cell.read(2048, 4, 400);
        assertThat(cell.movedAt()).isEqualTo(400);
        write(640, 16, 3);
        cell.read(2048, 4, 500);
        assertThat(cell.heardAt()).isEqualTo(500);
        assertThat(cell.movedAt()).isEqualTo(400);
    }
}
