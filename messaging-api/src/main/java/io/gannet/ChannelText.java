package io.gannet;

import io.gannet.control.PrintableText;
import io.gannet.control.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text form of a channel: parser and formatter. */
final class ChannelText
{
    private static final String PREFIX = "gannet:";
    private static final int MAX_LENGTH = 4096;
    private static final int LONGEST_QUOTE = 200;
    private static final int LONGEST_MESSAGE = 2 * MAX_LENGTH;

    private ChannelText()
    {
    }

    static Channel parse(final String text)
    {
        try
        {
            return parseParts(text);
        }
        catch (final IllegalArgumentException ex)
        {
            // What is quoted may hold line breaks and escape sequences: a message is one line, and a log a log.
            throw new IllegalArgumentException(PrintableText.of(ex.getMessage(), LONGEST_MESSAGE) +
                ", in channel \"" + PrintableText.of(String.valueOf(text), LONGEST_QUOTE) + "\"", ex);
        }
    }

    private static Channel parseParts(final String text)
    {
        if (text == null || text.isEmpty())
        {
            throw new IllegalArgumentException("a channel is needed, such as gannet:ipc");
        }
        if (text.length() > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "a channel of " + text.length() + " characters, at most " + MAX_LENGTH + " are possible");
        }
        if (!text.startsWith(PREFIX))
        {
            throw new IllegalArgumentException("a channel starts with gannet:ipc or gannet:rdma");
        }
        final int question = text.indexOf('?');
        final String media = text.substring(PREFIX.length(), question < 0 ? text.length() : question);
        final Channel.Builder builder = builder(media);
        if (question >= 0)
        {
            for (final String parameter : text.substring(question + 1).split("\\|", -1))
            {
                add(builder, parameter);
            }
        }
        return builder.build();
    }

    private static Channel.Builder builder(final String media)
    {
        return switch (media)
        {
            case "ipc" -> Channel.ipc();
            case "rdma" -> Channel.rdma();
            default -> throw new IllegalArgumentException("unknown media \"" + media + "\"" +
                Suggestion.of(media, List.of("ipc", "rdma")) + " (ipc or rdma is possible)");
        };
    }

    private static void add(final Channel.Builder builder, final String parameter)
    {
        checkSeparator(parameter);
        final int equals = parameter.indexOf('=');
        if (equals < 1 || equals == parameter.length() - 1)
        {
            throw new IllegalArgumentException("\"" + parameter + "\" is not key=value");
        }
        final ChannelKey key = key(parameter.substring(0, equals));
        builder.put(key, key.parse(parameter.substring(equals + 1)));
    }

    /** As in a web address, which is what one thinks of behind a question mark. */
    private static void checkSeparator(final String parameter)
    {
        for (final ChannelKey key : ChannelKey.values())
        {
            if (parameter.contains("&" + key.text() + "="))
            {
                throw new IllegalArgumentException("keys are separated by | and not by &: write \"" +
                    parameter.replace("&" + key.text() + "=", "|" + key.text() + "=") + "\"");
            }
        }
    }

    private static ChannelKey key(final String name)
    {
        final List<String> known = new ArrayList<>();
        for (final ChannelKey key : ChannelKey.values())
        {
            if (key.text().equals(name))
            {
                return key;
            }
            known.add(key.text());
        }
        throw new IllegalArgumentException("unknown channel key \"" + name + "\"" + Suggestion.of(name, known) +
            " (known are " + String.join(", ", known) + ")");
    }

    static String format(final Channel.Media media, final Map<ChannelKey, Object> values)
    {
        final StringBuilder text = new StringBuilder(PREFIX).append(lower(media));
        char separator = '?';
        for (final Map.Entry<ChannelKey, Object> entry : values.entrySet())
        {
            text.append(separator).append(entry.getKey().text()).append('=')
                .append(entry.getKey().format(entry.getValue()));
            separator = '|';
        }
        return text.toString();
    }

    static String lower(final Channel.Media media)
    {
        return media.name().toLowerCase(Locale.ROOT);
    }
}
