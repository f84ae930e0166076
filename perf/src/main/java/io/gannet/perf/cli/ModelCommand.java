package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.perf.model.Hardware;
import io.gannet.perf.model.ModelDocument;
import io.gannet.perf.model.ModelPlots;
import io.gannet.perf.model.ModelTables;
import io.gannet.perf.model.Parameter;
import io.gannet.perf.model.PcieGeneration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet model}: what a WRITE costs on hardware, computed.
 */
@Command(name = "model", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Computes what a WRITE costs on RDMA hardware: a model from named parameters, not a measurement.",
    "Without options: all tables. The engine's own InlinePolicy, SignalPolicy and SendLedger run inside it."})
public final class ModelCommand implements Subcommand
{
    @Option(names = "--pcie", paramLabel = "3|4|5", defaultValue = "3", description = "Generation. Default: 3.")
    private int pcie;

    @Option(names = "--set", paramLabel = "PARAMETER=VALUE", description =
        "Another value of a parameter, as dma-read=300; repeatable. The table 'parameters' names them.")
    private Map<String, Double> changes = new LinkedHashMap<>();

    @Option(names = "--table", split = ",", paramLabel = "NAME", description =
        "Only these: stages, sizes, bottlenecks, intervals, depths, chains, load, published, sensitivity, parameters.")
    private String[] names = {};

    @Option(names = "--plots", paramLabel = "DIRECTORY", description = "Writes the plots there, as SVG.")
    private Path plots;

    @Option(names = "--document", paramLabel = "FILE", description =
        "Refreshes the tables in a Markdown file and the plots beside it, by the default parameters.")
    private Path document;

    @Override
    public Integer call() throws IOException
    {
        if (document != null)
        {
            try
            {
                ModelDocument.write(document);
            }
            catch (final IllegalArgumentException e)
            {
                throw new OperatorException(document + ": " + e.getMessage(), e);
            }
            return 0;
        }
        final Hardware hardware = hardware();
        if (plots != null)
        {
            Files.createDirectories(plots);
            for (final Map.Entry<String, String> plot : ModelPlots.all(hardware).entrySet())
            {
                Files.writeString(plots.resolve(plot.getKey()), plot.getValue());
            }
            return 0;
        }
        final Map<String, String> tables = ModelTables.all(hardware);
        for (final String name : names)
        {
            if (!tables.containsKey(name))
            {
                throw new UsageException("--table " + name + ": must be one of " + tables.keySet());
            }
        }
        System.out.println("A model, not a measurement: PCIe " + pcie + ", 100 Gbit/s, one switch, unless set.");
        for (final String name : names.length == 0 ? tables.keySet().toArray(String[]::new) : names)
        {
            System.out.printf("%n%s%n%n%s", name, tables.get(name));
        }
        return 0;
    }

    private Hardware hardware()
    {
        Hardware hardware = Arrays.stream(PcieGeneration.values()).filter(generation -> generation.is(pcie)).findAny()
            .orElseThrow(() -> new UsageException("--pcie " + pcie + ": must be 3, 4 or 5"))
            .applyTo(Hardware.defaults());
        for (final Map.Entry<String, Double> change : changes.entrySet())
        {
            final Parameter parameter = Arrays.stream(Parameter.values())
                .filter(known -> known.label().equals(change.getKey())).findAny()
                .orElseThrow(() -> new UsageException("--set " + change.getKey() + ": no such parameter; one of " +
                    Arrays.stream(Parameter.values()).map(Parameter::label).toList()));
            // Far from the range some of it means nothing: a bus of no bytes, no read in flight.
            final double least = parameter.low() / 4;
            final double most = parameter.high() * 4;
            if (!(change.getValue() >= least && change.getValue() <= most))
            {
                throw new UsageException("--set " + change.getKey() + "=" + change.getValue() +
                    ": must be from " + least + " to " + most);
            }
            hardware = hardware.with(parameter, change.getValue());
        }
        return hardware;
    }
}
