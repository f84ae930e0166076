package io.gannet.perf.worker;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads loads, peers and their libraries anew, so that no scenario runs on code that was compiled for the profile of
 * another. What the worker and its programs talk in comes from the common loader.
 */
final class IsolatingLoader extends URLClassLoader
{
    private static final String COMMON = "io.gannet.perf.worker.";
    private static final List<String> OWN =
        List.of("io.gannet.", "io.aeron.", "org.agrona.", "com.lmax.", "org.HdrHistogram.");

    IsolatingLoader()
    {
        super("scenario", classPath(), IsolatingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        if (name.startsWith(COMMON) || OWN.stream().noneMatch(name::startsWith))
        {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            Class<?> found = findLoadedClass(name);
            if (found == null)
            {
                found = findClass(name);
            }
            if (resolve)
            {
                resolveClass(found);
            }
            return found;
        }
    }

    private static URL[] classPath()
    {
        final List<URL> urls = new ArrayList<>();
        for (final Path entry : ClassPath.entries())
        {
            try
            {
                urls.add(entry.toUri().toURL());
            }
            catch (final MalformedURLException e)
            {
                throw new IllegalStateException("class path entry " + entry, e);
            }
        }
        return urls.toArray(URL[]::new);
    }
}
