package io.gannet.monitor.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gannet.monitor.ClientNames;
import io.gannet.monitor.DriverWatch;
import io.gannet.os.DescriptorSet;
import io.gannet.os.Terminal;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Shows a driver on the terminal of this process until somebody quits. The terminal gets back its modes and what was on
 * it, also when SIGTERM, SIGINT or SIGHUP ends the process.
 */
public final class Top
{
    /** Another screen than the one with the shell's lines; no cursor; lines that are too long are cut. */
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[2J";
    private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K";
    private static final String END_OF_SCREEN = "\u001b[J";
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_OUTPUT = 1;
    private static final int DEFAULT_SIZE = (24 << 16) | 80;
    private static final long LEAVE_MILLIS = 1_000;

    private final DriverWatch watch;
    private final long intervalNanos;
    private final Terminal input = new Terminal(STANDARD_INPUT);
    private final Terminal output = new Terminal(STANDARD_OUTPUT);
    private final FileInputStream keys = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream screen = new FileOutputStream(FileDescriptor.out);
    private volatile Terminal.Modes before;
    private boolean left;

    /**
     * @param intervalNanos between two looks.
     */
    public Top(final DriverWatch watch, final long intervalNanos)
    {
        this.watch = watch;
        this.intervalNanos = intervalNanos;
    }

    /** Whether standard input and output are a terminal. */
    public boolean isPossible()
    {
        return input.modes() != null && output.modes() != null;
    }

    /**
     * Runs until somebody quits or the terminal is gone.
     *
     * @param colours whether to show styles.
     * @param ascii   whether to show nothing but ASCII.
     */
    public void run(final boolean colours, final boolean ascii)
    {
        final TopModel model = new TopModel(new ClientNames(watch.directory()));
        final TopState state = new TopState();
        final TopScreen layout = new TopScreen(model, state, colours, ascii);
        final Thread hook = new Thread(this::leaveInTime, "gannet-terminal");
        Runtime.getRuntime().addShutdownHook(hook);
        try (DescriptorSet ready = new DescriptorSet(STANDARD_INPUT))
        {
            enter();
            loop(model, state, layout, ready);
        }
        catch (final IOException gone)
        {
            // Nobody is there to see anything.
        }
        finally
        {
            leave();
        }
    }

    private void loop(
        final TopModel model, final TopState state, final TopScreen layout, final DescriptorSet ready)
        throws IOException
    {
        long next = System.nanoTime();
        while (!state.isEnded())
        {
            final long now = System.nanoTime();
            if (now - next >= 0 || model.seen() == null)
            {
                next = now + intervalNanos;
                if (!state.isPaused() || model.seen() == null)
                {
                    model.update(watch.look());
                }
            }
            final int known = output.size();
            final int size = known >>> 16 == 0 || (known & 0xFFFF) == 0 ? DEFAULT_SIZE : known;
            draw(layout.lines(size & 0xFFFF, size >>> 16));
            if (ready.await(Math.max(0, next - System.nanoTime())))
            {
                final byte[] typed = new byte[256];
                final int length = keys.read(typed);
                final List<Key> decoded =
                    length < 0 ? List.of(Key.of(Key.What.END_OF_INPUT)) : KeyDecoder.decode(typed, length);
                decoded.forEach(state::onKey);
            }
        }
    }

    private synchronized void enter() throws IOException
    {
        if (!left)
        {
            before = input.modes();
            input.setRaw(before);
            screen.write(ENTER.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** By the hook. A terminal that takes no more, as its ssh hangs, must not keep the process from ending. */
    private void leaveInTime()
    {
        final Terminal.Modes modes = before;
        if (modes != null)
        {
            input.restore(modes);
        }
        final Thread leaving = Thread.ofPlatform().daemon(true).name("gannet-terminal-leave").start(this::leave);
        try
        {
            leaving.join(LEAVE_MILLIS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Once: also by the hook, after which nothing is drawn. */
    private synchronized void leave()
    {
        if (left)
        {
            return;
        }
        left = true;
        if (before != null)
        {
            try
            {
                screen.write(LEAVE.getBytes(StandardCharsets.US_ASCII));
            }
            catch (final IOException gone)
            {
                // Then there is no screen to give back.
            }
            input.restore(before);
        }
    }

    private synchronized void draw(final List<String> lines) throws IOException
    {
        if (left)
        {
            return;
        }
        final StringBuilder text = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++)
        {
            text.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(END_OF_LINE);
        }
        screen.write(text.append(END_OF_SCREEN).toString().getBytes(UTF_8));
    }
}
