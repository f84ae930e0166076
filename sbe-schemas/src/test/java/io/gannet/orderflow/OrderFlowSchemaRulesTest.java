package io.gannet.orderflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The rules at the head of the schema, and those of a change against the version before. */
final class OrderFlowSchemaRulesTest
{
    private static final Map<String, Integer> SIZES = Map.ofEntries(
        Map.entry("inboundHeader", 40), Map.entry("outboundHeader", 72), Map.entry("PRICE9", 8),
        Map.entry("PRICENULL9", 8), Map.entry("uint64", 8), Map.entry("uint64Null", 8), Map.entry("uint32", 4),
        Map.entry("int32", 4), Map.entry("uint32Null", 4), Map.entry("uint16", 2), Map.entry("OrdRejReason", 2));

    private record Field(int id, String type, int offset, int since)
    {
    }

    private record Message(int id, int block, Map<String, Field> fields, boolean hasText)
    {
    }

    @Test
    void fieldsAreAlignedWithoutOverlapAndTextsStandOnlyInRejects() throws Exception
    {
        final Map<String, Message> messages = messages("/gannet-order-flow.xml");
        assertThat(messages).hasSize(21);
        messages.forEach((name, message) ->
        {
            assertThat(message.block() % 8).as(name).isZero();
            assertThat(message.hasText()).as(name).isEqualTo(name.endsWith("Reject") &&
                !name.equals("EstablishmentReject"));
            int end = 0;
            for (final Map.Entry<String, Field> entry : message.fields().entrySet())
            {
                final int size = SIZES.getOrDefault(entry.getValue().type(), 1);
                assertThat(entry.getValue().offset() % Math.min(size, 8)).as("%s.%s", name, entry.getKey()).isZero();
                assertThat(entry.getValue().offset()).as("%s.%s", name, entry.getKey()).isGreaterThanOrEqualTo(end);
                end = entry.getValue().offset() + size;
            }
            assertThat(end).as(name).isLessThanOrEqualTo(message.block());
        });
    }

    @Test
    void aNewVersionOnlyAppends() throws Exception
    {
        final Map<String, Message> current = messages("/gannet-order-flow.xml");
        final List<String> grown = new ArrayList<>();
        messages("/gannet-order-flow-previous.xml").forEach((name, old) ->
        {
            final Message message = current.get(name);
            assertThat(message).as(name).isNotNull();
            assertThat(message.id()).as(name).isEqualTo(old.id());
            assertThat(message.block()).as(name).isGreaterThanOrEqualTo(old.block());
            assertThat(message.fields()).as(name).containsAllEntriesOf(old.fields());
            message.fields().forEach((field, what) ->
            {
                if (!old.fields().containsKey(field))
                {
                    assertThat(what.offset()).as("%s.%s", name, field).isGreaterThanOrEqualTo(old.block());
                    assertThat(what.since()).as("%s.%s", name, field).isEqualTo(MessageHeaderDecoder.SCHEMA_VERSION);
                    grown.add(name);
                }
            });
        });
        assertThat(grown).as("the previous schema is that of the version before").isNotEmpty();
    }

    @Test
    void valuesOfEnumsAndSetsAndFieldsOfCompositesAreOnlyAppended() throws Exception
    {
        final Map<String, List<String>> current = types("/gannet-order-flow.xml");
        types("/gannet-order-flow-previous.xml").forEach((name, old) ->
            assertThat(current.get(name)).as(name).isNotNull().startsWith(old.toArray(String[]::new)));
        current.forEach((name, parts) ->
        {
            if (!name.startsWith("composite "))
            {
                assertThat(parts.stream().map(part -> part.substring(part.indexOf('='))).toList()).as(name)
                    .doesNotHaveDuplicates();
            }
        });
    }

    /** What each composite, enum and set is made of, in its order: "name=value", or "name=type". */
    private static Map<String, List<String>> types(final String resource) throws Exception
    {
        final Map<String, List<String>> types = new LinkedHashMap<>();
        try (InputStream in = OrderFlowSchemaRulesTest.class.getResourceAsStream(resource))
        {
            final NodeList all = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in)
                .getDocumentElement().getElementsByTagName("types").item(0).getChildNodes();
            for (int i = 0; i < all.getLength(); i++)
            {
                if (all.item(i) instanceof final Element type && !type.getNodeName().equals("type"))
                {
                    types.put(type.getNodeName() + " " + type.getAttribute("name"), parts(type));
                }
            }
        }
        assertThat(types).hasSizeGreaterThan(15);
        return types;
    }

    private static List<String> parts(final Element type)
    {
        final List<String> parts = new ArrayList<>();
        for (Node node = type.getFirstChild(); node != null; node = node.getNextSibling())
        {
            if (node instanceof final Element part)
            {
                parts.add(part.getAttribute("name") + "=" + (part.getNodeName().equals("type") ?
                    part.getAttribute("primitiveType") : part.getTextContent().strip()));
            }
        }
        return parts;
    }

    private static Map<String, Message> messages(final String resource) throws Exception
    {
        final Map<String, Message> messages = new LinkedHashMap<>();
        try (InputStream in = OrderFlowSchemaRulesTest.class.getResourceAsStream(resource))
        {
            final Element schema = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in)
                .getDocumentElement();
            assertThat(schema.getAttribute("byteOrder")).isEqualTo("littleEndian");
            assertThat(schema.getElementsByTagName("group").getLength()).as("groups").isZero();
            for (Node node = schema.getFirstChild(); node != null; node = node.getNextSibling())
            {
                if (node instanceof final Element message && message.getNodeName().endsWith("message"))
                {
                    messages.put(message.getAttribute("name"), message(message));
                }
            }
        }
        return messages;
    }

    private static Message message(final Element message)
    {
        final Map<String, Field> fields = new LinkedHashMap<>();
        boolean text = false;
        for (Node node = message.getFirstChild(); node != null; node = node.getNextSibling())
        {
            if (node instanceof final Element element)
            {
                assertThat(text).as("%s: something follows the text", message.getAttribute("name")).isFalse();
                text = element.getNodeName().equals("data");
                if (!text)
                {
                    final String since = element.getAttribute("sinceVersion");
                    fields.put(element.getAttribute("name"), new Field(Integer.parseInt(element.getAttribute("id")),
                        element.getAttribute("type"), Integer.parseInt(element.getAttribute("offset")),
                        since.isEmpty() ? 0 : Integer.parseInt(since)));
                }
            }
        }
        return new Message(Integer.parseInt(message.getAttribute("id")),
            Integer.parseInt(message.getAttribute("blockLength")), fields, text);
    }
}
