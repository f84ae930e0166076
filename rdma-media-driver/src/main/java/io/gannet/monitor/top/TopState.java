package io.gannet.monitor.top;

/**
 * What keys have changed: order, filter, selection. Not thread-safe.
 */
final class TopState
{
    private static final int LONGEST_FILTER = 60;

    private Sort sort = Sort.RATE;
    private boolean reversed;
    private String filter = "";
    private boolean typing;
    private int selected;
    private boolean paused;
    private boolean help;
    private boolean ended;

    /** Takes a key in. */
    void onKey(final Key key)
    {
        if (key.what() == Key.What.END_OF_INPUT)
        {
            ended = true;
        }
        else if (help)
        {
            help = false;
        }
        else if (typing)
        {
            type(key);
        }
        else
        {
            command(key);
        }
    }

    private void type(final Key key)
    {
        switch (key.what())
        {
            case ENTER -> typing = false;
            case ESCAPE ->
            {
                typing = false;
                filter = "";
            }
            case BACKSPACE -> filter = filter.isEmpty() ? "" :
                filter.substring(0, filter.offsetByCodePoints(filter.length(), -1));
            case CHARACTER -> filter += filter.length() < LONGEST_FILTER ? Character.toString(key.codePoint()) : "";
            default -> move(key);
        }
    }

    private void command(final Key key)
    {
        switch (key.what())
        {
            case ESCAPE -> filter = "";
            case CHARACTER ->
            {
                switch (key.codePoint())
                {
                    case 'q', 'Q' -> ended = true;
                    case 's' -> sort = sort.next();
                    case 'r' -> reversed = !reversed;
                    case '/' -> typing = true;
                    case 'p', ' ' -> paused = !paused;
                    case 'h', '?' -> help = true;
                    case 'j' -> selected++;
                    case 'k' -> selected--;
                    default ->
                    {
                        // No key of ours.
                    }
                }
            }
            default -> move(key);
        }
    }

    private void move(final Key key)
    {
        switch (key.what())
        {
            case UP -> selected--;
            case DOWN -> selected++;
            case PAGE_UP -> selected -= 10;
            case PAGE_DOWN -> selected += 10;
            case HOME -> selected = 0;
            case END -> selected = Integer.MAX_VALUE;
            default ->
            {
                // No key of ours.
            }
        }
    }

    /** The selected one of so many streams, or -1; it stays inside. */
    int selected(final int streams)
    {
        selected = Math.clamp(selected, 0, Math.max(0, streams - 1));
        return streams == 0 ? -1 : selected;
    }

    java.util.Comparator<StreamRow> order()
    {
        return reversed ? sort.order().reversed() : sort.order();
    }

    String sortText()
    {
        return reversed ? sort + " reversed" : sort.toString();
    }

    String filter()
    {
        return filter;
    }

    boolean isTyping()
    {
        return typing;
    }

    boolean isPaused()
    {
        return paused;
    }

    boolean isHelpShown()
    {
        return help;
    }

    boolean isEnded()
    {
        return ended;
    }
}
