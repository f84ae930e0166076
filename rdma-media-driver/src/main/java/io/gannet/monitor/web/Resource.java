package io.gannet.monitor.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A file of the page, which has everything that it needs with it.
 */
final class Resource
{
    private final String contentType;
    private final byte[] bytes;

    private Resource(final String contentType, final byte[] bytes)
    {
        this.contentType = contentType;
        this.bytes = bytes;
    }

    static Resource load(final String name, final String contentType)
    {
        try (InputStream in = Resource.class.getResourceAsStream(name))
        {
            return new Resource(contentType, in.readAllBytes());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Media type. */
    String contentType()
    {
        return contentType;
    }

    /** Nobody changes them. */
    byte[] bytes()
    {
        return bytes;
    }
}
