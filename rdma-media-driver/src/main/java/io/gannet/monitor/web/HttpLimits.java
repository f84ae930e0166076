package io.gannet.monitor.web;

import java.util.Map;

/**
 * What a client of the JDK's server may take, in the server's own system properties. They count from the first server
 * of a JVM on.
 */
final class HttpLimits
{
    /** Connections at a time, idle ones too; one above is closed at once. */
    static final int CONNECTIONS = 128;
    /** Seconds from the first byte of a request to the last. */
    static final int REQUEST_SECONDS = 5;

    private static final Map<String, Integer> LIMITS = Map.of(
        "jdk.httpserver.maxConnections", CONNECTIONS,
        "sun.net.httpserver.maxReqTime", REQUEST_SECONDS,
        "sun.net.httpserver.maxRspTime", 20,
        "sun.net.httpserver.idleInterval", 30,
        "sun.net.httpserver.maxIdleConnections", 32,
        "sun.net.httpserver.maxReqHeaders", 64,
        "sun.net.httpserver.maxReqHeaderSize", 16 * 1024);

    private HttpLimits()
    {
    }

    /** Sets those that nobody has set. */
    static void apply()
    {
        LIMITS.forEach((name, limit) ->
        {
            if (System.getProperty(name) == null)
            {
                System.setProperty(name, limit.toString());
            }
        });
    }
}
