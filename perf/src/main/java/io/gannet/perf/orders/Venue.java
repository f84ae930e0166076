package io.gannet.perf.orders;

import com.google.gson.Gson;
import io.gannet.perf.os.ThreadTimes;
import io.gannet.perf.rig.ChildProcess;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Driver, engine, gateway and load over one peer. Stopped while the other peer is measured.
 */
final class Venue implements AutoCloseable
{
    private static final long START_MS = 180_000;
    private static final long SLACK_MS = 120_000;
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xms256m", "-Xmx512m",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
        "-Dagrona.disable.bounds.checks=true", "-Daeron.disable.bounds.checks=true",
        "-Dsbe.enable.precedence.checks=false");

    private final String peer;
    private final OrdersOptions options;
    private final List<ChildProcess> processes = new ArrayList<>();
    private ChildProcess driver;
    private ChildProcess engine;
    private ChildProcess gateway;
    private ChildProcess load;

    Venue(final String peer, final Class<?> driverMain, final Path base, final OrdersOptions options)
        throws IOException, InterruptedException
    {
        this.peer = peer;
        this.options = options;
        final Path directory = base.resolve(peer);
        final Path files = Files.createDirectories(base.resolve(peer + "-files"));
        try
        {
            driver = start("driver", driverMain, directory, files);
            driver.answer(START_MS);
            engine = worker("engine", directory, files);
            engine.answer(START_MS);
            gateway = worker("gateway", directory, files);
            gateway.answer(START_MS);
            load = worker("load", directory, files);
            load.answer(START_MS);
        }
        catch (final IOException | InterruptedException | RuntimeException failure)
        {
            close();
            throw failure;
        }
    }

    private ChildProcess start(final String role, final Class<?> main, final Path directory, final Path files)
        throws IOException
    {
        final List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(List.of("-Drig.directory=" + directory, "-Drig.files=" + files, "-Drig.peer=" + peer,
            "-Drig.role=" + role));
        final ChildProcess process = new ChildProcess(peer + "-" + role, main, flags);
        processes.add(process);
        return process;
    }

    private ChildProcess worker(final String role, final Path directory, final Path files) throws IOException
    {
        final ChildProcess process = start(role, OrdersWorker.class, directory, files);
        process.send(new Gson().toJson(options));
        return process;
    }

    String peer()
    {
        return peer;
    }

    PhaseResult phase(final String kind) throws IOException, InterruptedException
    {
        load.send(kind);
        final String answer = load.answer(options.millis() + SLACK_MS);
        final PhaseResult result = new Gson().fromJson(answer, PhaseResult.class);
        if (result.answered() != result.sent())
        {
            throw new RigException(peer + ": " + (result.sent() - result.answered()) + " of " + result.sent() +
                " requests have no answer");
        }
        return result;
    }

    /** Bytes that the threads of gateway and engine have allocated. */
    long allocated() throws IOException, InterruptedException
    {
        long sum = 0;
        for (final ChildProcess process : List.of(engine, gateway))
        {
            process.send(OrdersWorker.ALLOCATED);
            sum += Long.parseLong(process.answer(SLACK_MS));
        }
        return sum;
    }

    /** What the scheduler counted for the threads of each process, by its role. */
    Map<String, ThreadTimes> times() throws IOException
    {
        final Map<String, ThreadTimes> times = new LinkedHashMap<>();
        times.put("Engine", ThreadTimes.of(engine.pid()));
        times.put("Gateway", ThreadTimes.of(gateway.pid()));
        times.put("Load", ThreadTimes.of(load.pid()));
        times.put("Driver", ThreadTimes.of(driver.pid()));
        return times;
    }

    void pause()
    {
        processes.reversed().forEach(ChildProcess::pause);
    }

    void resume()
    {
        processes.forEach(ChildProcess::resume);
    }

    @Override
    public void close()
    {
        resume();
        processes.reversed().forEach(ChildProcess::close);
    }
}
