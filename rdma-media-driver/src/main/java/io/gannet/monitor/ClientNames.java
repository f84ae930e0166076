package io.gannet.monitor;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names and processes of clients, each asked for once, as an id is one client's for ever. Thread-safe.
 */
public final class ClientNames
{
    private static final int MOST = 4096;

    private final GannetDirectory directory;
    private final Map<Long, String> names = new LinkedHashMap<>(16, 0.75f, true)
    {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Long, String> eldest)
        {
            return size() > MOST;
        }
    };

    /** Of a directory's clients. */
    public ClientNames(final GannetDirectory directory)
    {
        this.directory = directory;
    }

    /** {@return name and process; of one that has gone, or can't be asked, its id} */
    public synchronized String of(final long clientId)
    {
        return names.computeIfAbsent(clientId, this::ask);
    }

    private String ask(final long clientId)
    {
        try (ClientFile file = ClientFile.look(directory, clientId))
        {
            return file.name() + " (pid " + file.pid() + ")";
        }
        catch (final ControlException | InternalError goneOrTruncated)
        {
            return "client " + String.format("%016x", clientId);
        }
    }
}
