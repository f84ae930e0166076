package io.gannet.cli.dump;

import io.gannet.cli.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.json.JsonTokenListener;
import uk.co.real_logic.sbe.otf.OtfHeaderDecoder;
import uk.co.real_logic.sbe.otf.OtfMessageDecoder;
import uk.co.real_logic.sbe.otf.TokenListener;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * Decodes messages by an SBE schema that is read at run time. Messages may be anything.
 */
final class SchemaDecoder
{
    /** A group of nothing can say that it has four thousand million entries. */
    private static final int MAX_TOKENS = 100_000;

    private final Ir ir;
    private final OtfHeaderDecoder header;

    private SchemaDecoder(final Ir ir)
    {
        this.ir = ir;
        header = new OtfHeaderDecoder(ir.headerStructure());
    }

    /** A message has more in it than anybody wants to read. */
    private static final class TooMuch extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        TooMuch()
        {
            super("more than " + MAX_TOKENS + " fields", null, false, false);
        }
    }

    /**
     * Reads a schema.
     *
     * @throws UsageException if it isn't one.
     */
    static SchemaDecoder of(final Path schema)
    {
        final ByteArrayOutputStream problems = new ByteArrayOutputStream();
        try
        {
            final byte[] xml = Files.readAllBytes(schema);
            final ParserOptions options = ParserOptions.builder().stopOnError(true)
                .errorPrintStream(new PrintStream(problems, true, StandardCharsets.UTF_8)).build();
            return new SchemaDecoder(
                new IrGenerator().generate(XmlSchemaParser.parse(new ByteArrayInputStream(xml), options)));
        }
        catch (final IOException unreadable)
        {
            throw new UsageException("--schema " + schema + " can't be read: " + unreadable, unreadable);
        }
        catch (final Exception wrong)
        {
            throw new UsageException("--schema " + schema + " is no SBE schema: " +
                problems.toString(StandardCharsets.UTF_8).strip() + " " + wrong.getMessage(), wrong);
        }
    }

    /** A message as JSON; or null, with the reason appended, if it isn't of the schema. */
    String decode(final byte[] payload, final StringBuilder reason)
    {
        if (!DirectBuffer.SHOULD_BOUNDS_CHECK)
        {
            reason.append("agrona.disable.bounds.checks is set: messages are not decoded without those checks");
            return null;
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(payload);
        final StringBuilder json = new StringBuilder();
        try
        {
            final int schemaId = header.getSchemaId(buffer, 0);
            final int templateId = header.getTemplateId(buffer, 0);
            final List<Token> tokens = ir.getMessage(templateId);
            if (schemaId != ir.id())
            {
                reason.append("schema ").append(schemaId).append(", not ").append(ir.id());
                return null;
            }
            if (tokens == null)
            {
                reason.append("no message ").append(templateId).append(" in schema ").append(schemaId);
                return null;
            }
            OtfMessageDecoder.decode(buffer, header.encodedLength(), header.getSchemaVersion(buffer, 0),
                header.getBlockLength(buffer, 0), tokens, limited(new JsonTokenListener(json)));
            return json.toString().replaceAll("\\s*\\R\\s*", " ");
        }
        catch (final RuntimeException malformed)
        {
            reason.append("malformed: ").append(malformed.getMessage());
            return null;
        }
    }

    private static TokenListener limited(final TokenListener listener)
    {
        final int[] count = {0};
        final InvocationHandler handler = (proxy, method, arguments) ->
        {
            if (++count[0] > MAX_TOKENS)
            {
                throw new TooMuch();
            }
            if ("onVarData".equals(method.getName()))
            {
                checkVarData((Token) arguments[0], (DirectBuffer) arguments[1], (int) arguments[2], (int) arguments[3]);
            }
            try
            {
                return method.invoke(listener, arguments);
            }
            catch (final InvocationTargetException e)
            {
                throw e.getCause();
            }
        };
        return (TokenListener) Proxy.newProxyInstance(
            TokenListener.class.getClassLoader(), new Class<?>[]{TokenListener.class}, handler);
    }

    /** Before memory is taken for as much as the message says that it has. */
    private static void checkVarData(
        final Token field, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > buffer.capacity() - offset)
        {
            throw new IndexOutOfBoundsException(field.name() + " of " + Integer.toUnsignedString(length) +
                " bytes at " + offset + ", and the message has " + buffer.capacity());
        }
    }
}
