package io.gannet.cli;

import io.gannet.driver.PeerFacts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code HOST}, {@code HOST:PORT}, {@code [IPV6]} or {@code [IPV6]:PORT} on a command line. */
final class PeerAddress
{
    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\]]+)\\](?::(\\d{1,5}))?");
    private static final Pattern PLAIN = Pattern.compile("([^:\\[\\]]+)(?::(\\d{1,5}))?");
    private static final int MOST = 65_535;

    private PeerAddress()
    {
    }

    /** Parses and looks up. */
    static InetSocketAddress parse(final String option, final String text)
    {
        Matcher parts = BRACKETS.matcher(text);
        if (!parts.matches())
        {
            parts = PLAIN.matcher(text);
        }
        final boolean matches = parts.matches();
        final int port = !matches ? 0 :
            parts.group(2) == null ? PeerFacts.DEFAULT_PORT : Integer.parseInt(parts.group(2));
        if (port < 1 || port > MOST)
        {
            throw new UsageException(option + " " + text +
                ": HOST, HOST:PORT or [IPV6]:PORT is possible, with a port from 1 to " + MOST);
        }
        return new InetSocketAddress(host(option, parts.group(1)), port);
    }

    /** Looks up. */
    static InetAddress host(final String option, final String name)
    {
        try
        {
            return InetAddress.getByName(name);
        }
        catch (final UnknownHostException unknown)
        {
            throw new UsageException(option + " " + name + ": no such host", unknown);
        }
    }
}
