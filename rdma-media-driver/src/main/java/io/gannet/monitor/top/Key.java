package io.gannet.monitor.top;

/**
 * A key.
 *
 * @param what      which.
 * @param codePoint of a character, else 0.
 */
record Key(What what, int codePoint)
{
    enum What
    {
        CHARACTER, UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END, ENTER, ESCAPE, BACKSPACE, OTHER, END_OF_INPUT
    }

    static Key of(final What what)
    {
        return new Key(what, 0);
    }
}
