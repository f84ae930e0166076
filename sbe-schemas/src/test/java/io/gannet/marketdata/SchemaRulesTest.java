package io.gannet.marketdata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The rules at the head of the schema, and those of a change against the version before. */
final class SchemaRulesTest
{
    private static final Map<String, Integer> SIZES = Map.ofEntries(
        Map.entry("uint64", 8), Map.entry("uint64Null", 8), Map.entry("uint32", 4), Map.entry("uint32Null", 4),
        Map.entry("PRICE9", 8), Map.entry("PRICENULL9", 8), Map.entry("Symbol", 16), Map.entry("SecurityExchange", 8),
        Map.entry("MatchEventIndicator", 1), Map.entry("MDUpdateAction", 1), Map.entry("MDEntryType", 1),
        Map.entry("Side", 1), Map.entry("SecurityTradingStatus", 1), Map.entry("HaltReason", 1),
        Map.entry("MDBookType", 1), Map.entry("ResetReason", 1));

    /** A message's root block or one of its groups. */
    private record Block(int length, Map<String, Field> fields)
    {
    }

    private record Field(int id, String type, int offset, int since)
    {
    }

    @Test
    void blocksAreMultiplesOfEightAndFieldsAreAlignedWithoutOverlap() throws Exception
    {
        final Map<String, Block> blocks = blocks("/gannet-market-data.xml");
        assertThat(blocks).hasSize(9 + 6);
        blocks.forEach((name, block) ->
        {
            assertThat(block.length() % 8).as(name).isZero();
            int end = 0;
            final Set<Integer> ids = new HashSet<>();
            for (final Map.Entry<String, Field> entry : block.fields().entrySet())
            {
                final Field field = entry.getValue();
                final int size = SIZES.get(field.type());
                assertThat(field.offset() % Math.min(size, 8)).as("%s.%s", name, entry.getKey()).isZero();
                assertThat(field.offset()).as("%s.%s", name, entry.getKey()).isGreaterThanOrEqualTo(end);
                assertThat(ids.add(field.id())).as("%s.%s: tag used twice", name, entry.getKey()).isTrue();
                end = field.offset() + size;
            }
            assertThat(end).as(name).isLessThanOrEqualTo(block.length());
        });
    }

    @Test
    void aNewVersionOnlyAppends() throws Exception
    {
        final Map<String, Block> current = blocks("/gannet-market-data.xml");
        final Map<String, Block> previous = blocks("/gannet-market-data-previous.xml");
        final List<String> grown = new ArrayList<>();
        previous.forEach((name, old) ->
        {
            final Block block = current.get(name);
            assertThat(block).as(name).isNotNull();
            assertThat(block.length()).as(name).isGreaterThanOrEqualTo(old.length());
            assertThat(block.fields()).as(name).containsAllEntriesOf(old.fields());
            block.fields().forEach((field, what) ->
            {
                if (!old.fields().containsKey(field))
                {
                    assertThat(what.offset()).as("%s.%s", name, field).isGreaterThanOrEqualTo(old.length());
                    assertThat(what.since()).as("%s.%s", name, field).isEqualTo(MessageHeaderDecoder.SCHEMA_VERSION);
                    grown.add(name);
                }
            });
        });
        assertThat(grown).as("the previous schema is that of the version before").isNotEmpty();
    }

    private static Map<String, Block> blocks(final String resource) throws Exception
    {
        final Map<String, Block> blocks = new LinkedHashMap<>();
        try (InputStream in = SchemaRulesTest.class.getResourceAsStream(resource))
        {
            final Element schema = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in)
                .getDocumentElement();
            assertThat(schema.getAttribute("byteOrder")).isEqualTo("littleEndian");
            assertThat(schema.getElementsByTagName("data").getLength()).as("variable-length data").isZero();
            for (Node node = schema.getFirstChild(); node != null; node = node.getNextSibling())
            {
                if (node instanceof final Element message && message.getNodeName().endsWith("message"))
                {
                    collect(message, message.getAttribute("name"), blocks);
                }
            }
        }
        return blocks;
    }

    private static void collect(final Element block, final String path, final Map<String, Block> blocks)
    {
        final Map<String, Field> fields = new LinkedHashMap<>();
        blocks.put(path, new Block(Integer.parseInt(block.getAttribute("blockLength")), fields));
        for (Node node = block.getFirstChild(); node != null; node = node.getNextSibling())
        {
            if (node instanceof final Element element)
            {
                if (element.getNodeName().equals("group"))
                {
                    collect(element, path + "." + element.getAttribute("name"), blocks);
                }
                else
                {
                    final String since = element.getAttribute("sinceVersion");
                    fields.put(element.getAttribute("name"), new Field(Integer.parseInt(element.getAttribute("id")),
                        element.getAttribute("type"), Integer.parseInt(element.getAttribute("offset")),
                        since.isEmpty() ? 0 : Integer.parseInt(since)));
                }
            }
        }
    }
}
