package io.gannet.samples.orderflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.orderflow.client.OrderLoad;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.PipeTransport;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.matching.Tradables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EstablishNewsTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final Streams STREAMS = Streams.defaults();

    private final List<String> told = new ArrayList<>();
    private final PipeTransport transport = new PipeTransport();

    @Test
    void whatIsMissingIsToldWithinASecondAndAgainWhenItIsSomethingElse()
    {
        try (OrderLoad load = new OrderLoad(transport, STREAMS, 0, 1, 5, 2_000, true, Tradables.example(2), 1))
        {
            final EstablishNews news = new EstablishNews(load, 5, STREAMS.toGateway(), told::add);
            news.look(SECOND / 2);
            assertThat(told).as("what takes half a second is no news").isEmpty();
            look(news, load);
            assertThat(told).containsExactly(
                "waiting for a gateway that reads stream 2001: is gannet orders gateway running?");
            try (Inlet gateway = transport.inlet(STREAMS.toGateway()))
            {
                assertThat(gateway.isConnected()).isTrue();
                look(news, load);
                assertThat(told).hasSize(2).last().isEqualTo("waiting for the stream of the gateway's answers");
                try (Sender answers = transport.sender(STREAMS.toClient(0)))
                {
                    assertThat(answers.isConnected()).isTrue();
                    look(news, load);
                    assertThat(told).hasSize(3).last()
                        .isEqualTo("waiting for the gateway to establish all 5 sessions");
                }
            }
            look(news, load);
            assertThat(told).as("the gateway has gone").hasSize(4);
            news.end();
            assertThat(told).as("no session is established").hasSize(4);
        }
    }

    private static void look(final EstablishNews news, final OrderLoad load)
    {
        for (int i = 1; i < 10; i++)
        {
            load.doWork();
            news.look(i * SECOND);
        }
    }
}
