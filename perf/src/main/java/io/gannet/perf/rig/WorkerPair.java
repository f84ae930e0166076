package io.gannet.perf.rig;

import com.google.gson.Gson;
import io.gannet.perf.worker.Board;
import io.gannet.perf.worker.Network;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.Program;
import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.Scenario.Layout;
import io.gannet.perf.worker.ThreadResult;
import io.gannet.perf.worker.WorkerMain;
import io.gannet.perf.worker.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The processes that run a group's scenarios: one for publishers and one for subscribers, or one for both.
 */
final class WorkerPair implements AutoCloseable
{
    private static final long OPEN_MS = 120_000;
    private static final long WARM_UP_MS = 300_000;
    private static final long PHASE_MS = 90_000;

    private final Gson gson = new Gson();
    private final Children children;
    private final List<ChildProcess> workers = new ArrayList<>();

    WorkerPair(
        final Children children,
        final Layout layout,
        final List<Scenario> scenarios,
        final Path gannetDirectory,
        final Path aeronDirectory,
        final List<String> flags) throws IOException
    {
        this(children, layout, scenarios, side -> new Place(gannetDirectory, aeronDirectory, null), flags);
    }

    /** Where a worker finds its drivers, and the other side if that is across a network. */
    record Place(Path gannetDirectory, Path aeronDirectory, Network network)
    {
    }

    WorkerPair(
        final Children children,
        final Layout layout,
        final List<Scenario> scenarios,
        final Function<Program.Side, Place> places,
        final List<String> flags) throws IOException
    {
        this.children = children;
        final Path home = Files.createTempDirectory(children.directory(), "workers-");
        final Path board = Files.write(home.resolve("board"), new byte[Board.BYTES]);
        final Program.Side[] sides = layout == Layout.ONE_PROCESS ? new Program.Side[] {Program.Side.BOTH} :
            new Program.Side[] {Program.Side.PUBLISHERS, Program.Side.SUBSCRIBERS};
        for (final Program.Side side : sides)
        {
            final ChildProcess worker = children.start("worker-" + side, WorkerMain.class, flags);
            workers.add(worker);
            final Place place = places.apply(side);
            worker.send(gson.toJson(new WorkerSettings(side, place.gannetDirectory().toString(),
                place.aeronDirectory().toString(), board.toString(), Runtime.getRuntime().availableProcessors(),
                scenarios, place.network())));
        }
    }

    /** Connects all streams and compiles all code. */
    void prepare() throws IOException, InterruptedException
    {
        awaitAll(OPEN_MS);
        sendAll(WorkerMain.CONNECT);
        awaitAll(OPEN_MS);
        sendAll(WorkerMain.WARM_UP);
        awaitAll(WARM_UP_MS);
    }

    List<ChildProcess> processes()
    {
        return List.copyOf(workers);
    }

    List<ThreadResult> run(final Phase phase) throws IOException, InterruptedException
    {
        sendAll(WorkerMain.PHASE + gson.toJson(phase));
        final List<ThreadResult> results = new ArrayList<>();
        for (final String answer : awaitAll(PHASE_MS))
        {
            results.addAll(List.of(gson.fromJson(answer, ThreadResult[].class)));
        }
        return results;
    }

    @Override
    public void close()
    {
        workers.forEach(children::stop);
    }

    private void sendAll(final String line) throws IOException
    {
        for (final ChildProcess worker : workers)
        {
            worker.send(line);
        }
    }

    private List<String> awaitAll(final long limitMs) throws InterruptedException
    {
        final List<String> answers = new ArrayList<>();
        for (final ChildProcess worker : workers)
        {
            answers.add(worker.answer(limitMs));
        }
        return answers;
    }
}
