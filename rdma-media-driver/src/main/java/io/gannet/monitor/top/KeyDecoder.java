package io.gannet.monitor.top;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes keys of what a terminal sends: UTF-8, and the escape sequences of xterm and its likes for keys without a
 * character. Not thread-safe.
 */
final class KeyDecoder
{
    private static final char ESCAPE = 0x1B;
    private static final int LONGEST_SEQUENCE = 16;

    private KeyDecoder()
    {
    }

    /** Decodes what came at once; a sequence that is cut off there is no key. */
    static List<Key> decode(final byte[] bytes, final int length)
    {
        final String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        final List<Key> keys = new ArrayList<>();
        for (int i = 0; i < text.length();)
        {
            final int codePoint = text.codePointAt(i);
            if (codePoint == ESCAPE)
            {
                i = sequence(text, i, keys);
            }
            else
            {
                keys.add(key(codePoint));
                i += Character.charCount(codePoint);
            }
        }
        return keys;
    }

    private static Key key(final int codePoint)
    {
        return switch (codePoint)
        {
            case '\r', '\n' -> Key.of(Key.What.ENTER);
            case 0x7F, '\b' -> Key.of(Key.What.BACKSPACE);
            // Ctrl-C, where it is no interrupt, and Ctrl-D.
            case 3, 4 -> Key.of(Key.What.END_OF_INPUT);
            default -> Character.isISOControl(codePoint) || codePoint == 0xFFFD ?
                Key.of(Key.What.OTHER) : new Key(Key.What.CHARACTER, codePoint);
        };
    }

    /** Takes the sequence that starts there; returns where it ends. */
    private static int sequence(final String text, final int start, final List<Key> keys)
    {
        final char kind = start + 1 < text.length() ? text.charAt(start + 1) : 0;
        if (kind != '[' && kind != 'O')
        {
            keys.add(Key.of(Key.What.ESCAPE));
            return start + 1;
        }
        int end = start + 2;
        while (end < text.length() && end - start < LONGEST_SEQUENCE &&
            (text.charAt(end) < '@' || text.charAt(end) > '~'))
        {
            end++;
        }
        if (end == text.length())
        {
            return end;
        }
        keys.add(Key.of(what(text.substring(start + 2, end), text.charAt(end))));
        return end + 1;
    }

    private static Key.What what(final String parameter, final char last)
    {
        return switch (last)
        {
            case 'A' -> Key.What.UP;
            case 'B' -> Key.What.DOWN;
            case 'H' -> Key.What.HOME;
            case 'F' -> Key.What.END;
            case '~' -> switch (parameter)
            {
                case "1", "7" -> Key.What.HOME;
                case "4", "8" -> Key.What.END;
                case "5" -> Key.What.PAGE_UP;
                case "6" -> Key.What.PAGE_DOWN;
                default -> Key.What.OTHER;
            };
            default -> Key.What.OTHER;
        };
    }
}
