package io.gannet.monitor.top;

import java.util.List;

/**
 * A stream as it is shown.
 *
 * @param key        names it from one look to the next.
 * @param channel    of it.
 * @param streamId   of it.
 * @param sessionId  of it.
 * @param image      whether it comes from another host.
 * @param rate       bytes per second; not a number before the second look.
 * @param lag        bytes that the slowest reader is behind.
 * @param heldMillis for which publishers have been waiting now.
 * @param readers    the slowest first.
 */
record StreamRow(
    String key,
    String channel,
    int streamId,
    int sessionId,
    boolean image,
    double rate,
    long lag,
    long heldMillis,
    List<Reader> readers)
{
    /**
     * Who reads it, on this host or another; or the host that it comes from.
     *
     * @param name  for people.
     * @param lag   bytes that it is behind.
     * @param holds whether publishers wait for it.
     * @param note  what else there is to say.
     */
    record Reader(String name, long lag, boolean holds, String note)
    {
    }

    /** Whether a filter's text, in lower case, is in what names the stream or its readers. */
    boolean matches(final String text)
    {
        final StringBuilder all = new StringBuilder(channel).append(' ').append(streamId).append(' ').append(sessionId);
        readers.forEach(reader -> all.append(' ').append(reader.name));
        return all.toString().toLowerCase(java.util.Locale.ROOT).contains(text);
    }
}
