package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkNewsTest
{
    /** How often a gateway asks for its link. */
    private static final long ASKS = 200_000_000L;
    private static final long HOUR = 3_600_000_000_000L;

    private final List<String> told = new ArrayList<>();
    private final LinkNews news = new LinkNews(told::add);

    @Test
    void aReasonIsToldOnceThenEverMoreSeldomWhateverNumbersItNames()
    {
        final List<Long> times = new ArrayList<>();
        for (long now = 0; now < HOUR; now += ASKS)
        {
            final int before = told.size();
            news.refused(EngineLink.Mismatch.OTHER_JOURNAL, false, "has made " + now + " reports", now);
            if (told.size() > before)
            {
                times.add(now / 1_000_000_000L);
            }
        }
        assertThat(times).startsWith(0L, 10L, 30L, 70L, 150L, 310L, 630L, 1230L, 1830L).hasSize(11);
    }

    @Test
    void twoReasonsInTurnAreToldOnceEach()
    {
        for (int i = 0; i < 20; i++)
        {
            news.refused(EngineLink.Mismatch.OTHER_JOURNAL, false, "other journal " + i, i * ASKS);
            news.refused(EngineLink.Mismatch.TAKEN, false, "taken " + i, i * ASKS);
        }
        assertThat(told).containsExactly("not linked: other journal 0", "not linked: taken 0");
    }

    @Test
    void aChangeIsToldAtOnce()
    {
        news.linked();
        assertThat(told).as("nobody asked").isEmpty();
        news.refused(EngineLink.Mismatch.OTHER_JOURNAL, true, "a second one", 1);
        news.refused(EngineLink.Mismatch.OTHER_JOURNAL, false, "the first is gone", 2);
        news.linked();
        news.linked();
        news.refused(EngineLink.Mismatch.OTHER_JOURNAL, false, "again", 3);
        assertThat(told).containsExactly("not linked to a second engine on its streams: a second one",
            "not linked: the first is gone", "linked to the engine", "not linked: again");
    }
}
