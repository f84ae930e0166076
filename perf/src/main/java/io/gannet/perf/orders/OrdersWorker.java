package io.gannet.perf.orders;

import com.google.gson.Gson;
import com.sun.management.ThreadMXBean;
import io.aeron.Aeron;
import io.gannet.Gannet;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.WorkerMain;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.EngineSettings;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.gateway.Gateway;
import io.gannet.samples.orderflow.gateway.GatewaySettings;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.GannetTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * One process of the pipeline: engine, gateway or load, over one peer. Reads commands as lines, answers with lines that
 * start with {@value WorkerMain#ANSWER}, ends with its input.
 */
public final class OrdersWorker
{
    /** Asks engine or gateway for bytes allocated by its threads. */
    static final String ALLOCATED = "allocated";
    private static final Set<String> AGENTS =
        Set.of("gateway", "poll", "decode", "journal", "match", "publish", "feed",
            "[decode,journal,match,publish,feed]");
    private static final int INSTRUMENTS = 4;
    private static final int LOG_SIZE = 1 << 22;
    private static final int PATIENCE_SECONDS = 300;
    private static final int BIND_SECONDS = 10;

    private OrdersWorker()
    {
    }

    static void main() throws Exception
    {
        Posix.dieWithParent();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final OrdersOptions options = new Gson().fromJson(in.readLine(), OrdersOptions.class);
        final String directory = System.getProperty("rig.directory");
        final Waiting waiting = Waiting.of(options.waiting());
        final ErrorHandler onError = failure ->
        {
            failure.printStackTrace();
            answer("failed " + failure);
            Runtime.getRuntime().halt(1);
        };
        final Path files = Path.of(System.getProperty("rig.files"));
        final Tradables tradables = Tradables.example(INSTRUMENTS);
        final Transport transport = transport(System.getProperty("rig.peer"), directory, options.ring());
        switch (System.getProperty("rig.role"))
        {
            case "engine" ->
            {
                final Layout layout = options.alone() >= 0 ? Layout.ONE : Layout.forThisMachine();
                final Engine engine = new Engine(new EngineSettings(files.resolve("journal"), options.journal(),
                    Journal.Durability.PROCESS, tradables, EngineLimits.defaults(), Streams.defaults(),
                    layout, waiting, false, false, EngineSettings.REPORT_LOG), transport, onError);
                if (options.alone() >= 0)
                {
                    bindEngine(options.alone());
                }
                serve(in);
                engine.close();
            }
            case "gateway" ->
            {
                final Gateway gateway = new Gateway(new GatewaySettings(0, Math.max(options.sessions(), 1),
                    files.resolve("store"), LOG_SIZE, tradables, Streams.defaults(), 1_000_000_000, 1_000_000,
                    TimeUnit.HOURS.toNanos(1), 0, waiting), transport, transport, onError);
                serve(in);
                gateway.close();
            }
            default -> new LoadWorker(transport, tradables, options, waiting.strategy()).serve(in);
        }
        System.exit(0);
    }

    private static Transport transport(final String peer, final String directory, final int ring)
    {
        return peer.equals("aeron") ?
            new AeronTransport(Aeron.connect(new Aeron.Context().aeronDirectoryName(directory)
                .driverTimeoutMs(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)).preTouchMappedMemory(true)), ring) :
            new GannetTransport(Gannet.connect(new Gannet.Context().directory(Path.of(directory))
                .driverTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)), "gannet:ipc", "gannet:ipc?ring=" + ring);
    }

    /** The thread that all stages are on; it has its name for the kernel soon after it has begun. */
    private static void bindEngine(final int processor) throws IOException
    {
        final long start = System.nanoTime();
        while (Posix.pinThreads("[poll", processor) == 0)
        {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(BIND_SECONDS))
            {
                throw new IllegalStateException("the engine's thread can't be bound to processor " + processor);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    static void answer(final String text)
    {
        System.out.println(WorkerMain.ANSWER + text.replace('\n', ' '));
        System.out.flush();
    }

    private static void serve(final BufferedReader in) throws Exception
    {
        answer("ready");
        for (String line = in.readLine(); line != null; line = in.readLine())
        {
            answer(line.equals(ALLOCATED) ? Long.toString(allocated()) : "unknown " + line);
        }
    }

    /** Bytes allocated by the threads that orders pass: agents carry the names of their roles. */
    private static long allocated()
    {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (final long id : threads.getAllThreadIds())
        {
            final var info = threads.getThreadInfo(id);
            if (info != null && (info.getThreadName().startsWith("[poll,") || AGENTS.contains(info.getThreadName())))
            {
                sum += threads.getThreadAllocatedBytes(id);
            }
        }
        return sum;
    }
}
