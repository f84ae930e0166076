package io.gannet.perf.worker;

import com.google.gson.Gson;
import io.gannet.perf.os.Posix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A worker process: reads commands as lines from standard input, answers each with one line that starts with
 * {@value #ANSWER}, and ends with its input.
 */
public final class WorkerMain
{
    /** Start of an answer line; anything else on standard output is chatter. */
    public static final String ANSWER = "@";
    /** Opens every scenario's streams. */
    public static final String CONNECT = "connect";
    /** Compiles every scenario's code. */
    public static final String WARM_UP = "warm-up";
    /** Runs a phase; its description follows. */
    public static final String PHASE = "phase ";
    /** Closes every client and ends. */
    public static final String CLOSE = "close";

    /** Whether each side has one half of the processors. */
    private static final boolean APART = Boolean.getBoolean("rig.apart");
    private static final long CONNECT_NANOS = 60_000_000_000L;
    private static final long PHASE_SLACK_MS = 60_000;
    private static final long SERVICE_MS = 50;
    private static final int PROBE_WARM_UPS = 30;
    private static final long PROBE_WARM_UP_NANOS = 20_000_000;

    private final Gson gson = new Gson();
    private final WorkerSettings settings;
    private final Board board;
    private final List<Program> programs = new ArrayList<>();
    private final List<AutoCloseable> drivers = new ArrayList<>();
    private final List<WorkerThread> threads = new ArrayList<>();
    private final LinkedBlockingQueue<String> commands = new LinkedBlockingQueue<>();

    private WorkerMain(final WorkerSettings settings)
    {
        this.settings = settings;
        board = new Board(Path.of(settings.board()));
    }

    static void main() throws Exception
    {
        Posix.dieWithParent();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final String first = in.readLine();
        if (first == null)
        {
            return;
        }
        final WorkerSettings settings = new Gson().fromJson(first, WorkerSettings.class);
        if (APART)
        {
            Posix.pinToHalf(settings.side() == Program.Side.SUBSCRIBERS);
        }
        final WorkerMain worker = new WorkerMain(settings);
        try
        {
            worker.open();
            answer("opened");
            worker.serve(in);
        }
        catch (final Throwable e)
        {
            e.printStackTrace();
            answer("failed " + e);
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
        System.exit(0);
    }

    private static void answer(final String text)
    {
        System.out.println(ANSWER + text.replace('\n', ' '));
        System.out.flush();
    }

    private void serve(final BufferedReader in) throws Exception
    {
        final Thread reader = new Thread(() -> readCommands(in), "commands");
        reader.setDaemon(true);
        reader.start();
        while (true)
        {
            final String line = nextCommand();
            if (line.equals(CLOSE))
            {
                close();
                answer("closed");
                return;
            }
            switch (line)
            {
                case CONNECT -> connect();
                case WARM_UP -> warmUp();
                default -> phase(gson.fromJson(line.substring(PHASE.length()), Phase.class));
            }
        }
    }

    /** The next command, or {@link #CLOSE} when the coordinator is gone; the clients' duties are done meanwhile. */
    private String nextCommand() throws InterruptedException
    {
        while (true)
        {
            final String command = commands.poll(SERVICE_MS, TimeUnit.MILLISECONDS);
            if (command != null)
            {
                return command;
            }
            programs.forEach(Program::service);
        }
    }

    private void readCommands(final BufferedReader in)
    {
        try
        {
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                commands.add(line);
            }
        }
        catch (final IOException e)
        {
            System.err.println("coordinator lost: " + e);
        }
        commands.add(CLOSE);
    }

    private void open() throws ReflectiveOperationException, IOException
    {
        if (Boolean.getBoolean("rig.embedded"))
        {
            drivers.add(DriverLaunch.gannet(settings.gannetDirectory(), settings.network().gannetHere(),
                System.getProperty("rig.idle")));
            if (settings.scenarios().stream().anyMatch(scenario -> scenario.peer().startsWith("aeron")))
            {
                drivers.add(DriverLaunch.aeron(settings.aeronDirectory(), true));
            }
        }
        for (final Scenario scenario : settings.scenarios())
        {
            final String name = scenario.load() == Scenario.LoadKind.PING_PONG ? "PingPongLoad" : "StreamingLoad";
            final Program program = (Program) new IsolatingLoader()
                .loadClass("io.gannet.perf.load." + name)
                .getDeclaredConstructor().newInstance();
            programs.add(program);
            program.open(scenario, settings.side(), settings, board);
        }
    }

    private void connect() throws InterruptedException
    {
        final long deadline = System.nanoTime() + CONNECT_NANOS;
        for (int i = 0; i < programs.size(); i++)
        {
            while (!programs.get(i).connected())
            {
                programs.forEach(Program::service);
                Thread.sleep(1);
                if (System.nanoTime() - deadline > 0)
                {
                    throw new IllegalStateException("no connection within 60 s: " + settings.scenarios().get(i));
                }
            }
        }
        answer("connected");
    }

    private void warmUp() throws InterruptedException
    {
        if (settings.scenarios().stream().anyMatch(scenario -> !scenario.isCrowded(settings.processors())))
        {
            warmUpProbe();
        }
        for (final Program program : programs)
        {
            program.warmUp();
            programs.forEach(Program::service);
        }
        answer("warm");
    }

    private static void warmUpProbe() throws InterruptedException
    {
        final Board local = new Board();
        for (int i = 1; i <= PROBE_WARM_UPS; i++)
        {
            final long id = i * 1000L;
            final long deadline = System.nanoTime() + PROBE_WARM_UP_NANOS;
            final Thread other = new Thread(() -> local.pong(id, deadline));
            other.start();
            local.ping(id, deadline);
            other.join();
        }
    }

    private void phase(final Phase phase) throws InterruptedException, ExecutionException
    {
        programs.forEach(Program::service);
        final Scenario scenario = settings.scenarios().get(phase.scenario());
        final Program program = programs.get(phase.scenario());
        final int pollers = scenario.pollingThreads(settings.processors());
        final int producers = scenario.producers();
        final int publishing = settings.side().publishes() ? producers : 0;
        final int count = publishing + (settings.side().subscribes() ? pollers : 0);
        final List<CompletableFuture<ThreadResult>> results = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final boolean publisher = i < publishing;
            final int place = publisher ? i : producers + i - publishing;
            final CompletableFuture<ThreadResult> result = new CompletableFuture<>();
            results.add(result);
            thread(i).submit(new WorkerThread.Job(program, i, phase, probe(scenario, place),
                processor(scenario, place), result));
        }
        final List<ThreadResult> done = new ArrayList<>();
        final long limit = PHASE_SLACK_MS + (phase.endNanos() - System.nanoTime()) / 1_000_000;
        for (final CompletableFuture<ThreadResult> result : results)
        {
            done.add(await(result, limit, scenario));
        }
        answer(gson.toJson(done));
    }

    /**
     * The first producer and the first poller probe, on different processors. In a crowded scenario nobody does: its
     * threads move, and one that waits for a processor answers late.
     *
     * @param place index among the threads of both sides, producers first.
     */
    private WorkerThread.Probe probe(final Scenario scenario, final int place)
    {
        if (scenario.isCrowded(settings.processors()))
        {
            return WorkerThread.Probe.NONE;
        }
        return place == 0 ? WorkerThread.Probe.PING :
            place == scenario.producers() ? WorkerThread.Probe.PONG : WorkerThread.Probe.NONE;
    }

    /** Processor of a thread, or -n for any of the first n. */
    private int processor(final Scenario scenario, final int place)
    {
        final int processors = settings.processors();
        if (!scenario.isCrowded(processors))
        {
            return place;
        }
        return !APART ? -processors : place == scenario.producers() ? processors - 1 : place % processors;
    }

    private static ThreadResult await(
        final CompletableFuture<ThreadResult> result, final long millis, final Scenario scenario)
        throws InterruptedException, ExecutionException
    {
        try
        {
            return result.get(millis, TimeUnit.MILLISECONDS);
        }
        catch (final TimeoutException late)
        {
            throw new IllegalStateException("a phase has not ended after " + millis + " ms: " + scenario, late);
        }
    }

    private WorkerThread thread(final int index)
    {
        while (threads.size() <= index)
        {
            final WorkerThread made = new WorkerThread("worker-" + threads.size(), board);
            made.start();
            threads.add(made);
        }
        return threads.get(index);
    }

    private void close() throws Exception
    {
        programs.forEach(Program::close);
        for (final AutoCloseable driver : drivers)
        {
            driver.close();
        }
    }
}
