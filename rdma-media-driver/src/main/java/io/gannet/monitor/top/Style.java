package io.gannet.monitor.top;

/** How text looks; the number is that of the escape sequence "select graphic rendition". */
enum Style
{
    PLAIN(""), BOLD("1"), QUIET("2"), INVERSE("7"), GOOD("32"), WARN("33"), BAD("1;31"), MARK("36");

    private final String code;

    Style(final String code)
    {
        this.code = code;
    }

    String on()
    {
        return code.isEmpty() ? "" : "\u001b[" + code + "m";
    }

    String off()
    {
        return code.isEmpty() ? "" : "\u001b[0m";
    }
}
