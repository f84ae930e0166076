package io.gannet.ring.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The ring with one piece of its source replaced, compiled in memory and loaded, with the model, beside the shipped
 * one: a planted bug is thus a change of the code that ships and nothing that ships knows of it.
 */
final class PatchedRing extends ClassLoader
{
    private static final String PACKAGE = "io.gannet.ring.";
    private static final Path SOURCES =
        Path.of(System.getProperty("basedir", "."), "src", "main", "java", "io", "gannet", "ring");

    private final Map<String, byte[]> patched;

    private PatchedRing(final Map<String, byte[]> patched)
    {
        super(PatchedRing.class.getClassLoader());
        this.patched = patched;
    }

    /**
     * Replaces {@code original} by {@code replacement} in the source of {@code className}.
     *
     * @throws AssertionError if the original isn't there exactly once: then the source has changed, and the planted bug
     *                        has to follow it.
     */
    static PatchedRing of(final String className, final String original, final String replacement)
        throws IOException
    {
        final String source = Files.readString(SOURCES.resolve(className + ".java"));
        final int at = source.indexOf(original);
        if (at < 0 || source.indexOf(original, at + 1) >= 0)
        {
            throw new AssertionError("not exactly once in " + className + ".java: " + original);
        }
        return new PatchedRing(compile(className, source.replace(original, replacement)));
    }

    /** Runs a world on the patched ring: what is wrong in this run, or null. */
    String failure(final String world, final long seed)
    {
        try
        {
            final Method run = loadClass(PACKAGE + "model.ModelRun")
                .getDeclaredMethod("failure", String.class, long.class);
            run.setAccessible(true);
            return (String) run.invoke(null, world, seed);
        }
        catch (final InvocationTargetException ex)
        {
            throw new AssertionError(ex.getCause());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new LinkageError(ex.getMessage(), ex);
        }
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        if (!name.startsWith(PACKAGE))
        {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        byte[] bytes = patched.get(name);
        if (bytes == null)
        {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
            {
                if (in == null)
                {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            }
            catch (final IOException ex)
            {
                throw new ClassNotFoundException(name, ex);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static Map<String, byte[]> compile(final String className, final String source) throws IOException
    {
        final Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null))
        {
            final JavaFileManager memory = new ForwardingJavaFileManager<>(files)
            {
                @Override
                public JavaFileObject getJavaFileForOutput(final Location location, final String name,
                    final JavaFileObject.Kind kind, final FileObject sibling)
                {
                    return new MemoryFile(name, classes.computeIfAbsent(name, n -> new ByteArrayOutputStream()));
                }
            };
            final boolean done = compiler.getTask(messages, memory, null,
                List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path")), null,
                List.of(new SourceText(className, source))).call();
            if (!done)
            {
                throw new AssertionError("the planted bug doesn't compile: " + messages);
            }
        }
        final Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((name, out) -> bytes.put(name, out.toByteArray()));
        return bytes;
    }

    /** Source in memory. */
    private static final class SourceText extends SimpleJavaFileObject
    {
        private final String text;

        SourceText(final String className, final String text)
        {
            super(URI.create("string:///io/gannet/ring/" + className + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(final boolean ignoreEncodingErrors)
        {
            return text;
        }
    }

    /** Class file in memory. */
    private static final class MemoryFile extends SimpleJavaFileObject
    {
        private final ByteArrayOutputStream out;

        MemoryFile(final String name, final ByteArrayOutputStream out)
        {
            super(URI.create("memory:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
            this.out = out;
        }

        @Override
        public OutputStream openOutputStream()
        {
            return out;
        }
    }
}
