package io.gannet.rdma.verbs;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The constants of {@link Abi} as questions to a C compiler. Names follow the headers', so that a constant cannot be
 * added without being asked for.
 */
final class AbiProbe
{
    private static final String SIZEOF = "SIZEOF_";
    private static final String X86_64 = "_X86_64";
    private static final String AARCH64 = "_AARCH64";
    /** Fields of structs within structs. */
    private static final List<String> NESTED =
        List.of("ops", "cap", "wr.rdma", "ah_attr.grh", "route.addr", "param.conn");

    private AbiProbe()
    {
    }

    /** {@return constants of an architecture, by class and name} */
    static Map<String, Long> constants(final boolean aarch64)
    {
        final Map<String, Long> constants = new TreeMap<>();
        for (final Class<?> type : Abi.class.getDeclaredClasses())
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (Modifier.isStatic(field.getModifiers()) && isOf(type, field.getName(), aarch64))
                {
                    constants.put(type.getSimpleName() + '.' + plain(field.getName()), value(field));
                }
            }
        }
        return constants;
    }

    /** A constant that depends on the architecture stands there once for each, and once as the one in force. */
    private static boolean isOf(final Class<?> type, final String name, final boolean aarch64)
    {
        if (name.endsWith(X86_64) || name.endsWith(AARCH64))
        {
            return name.endsWith(aarch64 ? AARCH64 : X86_64);
        }
        for (final Field field : type.getDeclaredFields())
        {
            if (field.getName().equals(name + X86_64))
            {
                return false;
            }
        }
        return true;
    }

    private static String plain(final String name)
    {
        return name.replace(X86_64, "").replace(AARCH64, "");
    }

    private static long value(final Field field)
    {
        try
        {
            field.setAccessible(true);
            return field.getInt(null);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /**
     * {@return a C program that prints each constant; its array {@code answers} holds them in the same order, for a
     * compiler whose programs cannot run here}
     */
    static String source()
    {
        final List<String> names = new ArrayList<>(constants(false).keySet());
        final StringBuilder text = new StringBuilder("""
            #include <infiniband/verbs.h>
            #include <rdma/rdma_cma.h>
            #include <stddef.h>
            #include <stdio.h>
            const long answers[] = {
            """);
        names.forEach(name -> text.append("  ").append(expression(name)).append(",\n"));
        text.append("};\nstatic const char *names[] = {\n");
        names.forEach(name -> text.append("  \"").append(name).append("\",\n"));
        return text.append("""
            };
            int main(void)
            {
              for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++)
                printf("%s %ld\\n", names[i], answers[i]);
              return 0;
            }
            """).toString();
    }

    private static String expression(final String name)
    {
        final String type = name.substring(0, name.indexOf('.'));
        final String constant = name.substring(name.indexOf('.') + 1);
        if ("Value".equals(type))
        {
            return constant.startsWith("RDMA_") ? constant : "IBV_" + constant;
        }
        final String struct =
            "struct " + type.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        if ("SIZE".equals(constant))
        {
            return "sizeof(" + struct + ')';
        }
        if (constant.startsWith(SIZEOF))
        {
            return "sizeof(((" + struct + " *)0)->" + field(constant.substring(SIZEOF.length())) + ')';
        }
        final String offset = "offsetof(" + struct + ", " + field(constant) + ')';
        return "VerbsContext".equals(type) ?
            "(long)" + offset + " - (long)offsetof(struct verbs_context, context)" : offset;
    }

    private static String field(final String constant)
    {
        final String plain = constant.toLowerCase(Locale.ROOT);
        for (final String nested : NESTED)
        {
            final String prefix = nested.replace('.', '_') + '_';
            if (plain.startsWith(prefix))
            {
                return nested + '.' + plain.substring(prefix.length());
            }
        }
        return plain;
    }

    /** Prints the program, to make a table for another architecture. */
    public static void main(final String[] arguments)
    {
        System.out.print(source());
    }
}
