package io.gannet.cli;

import io.gannet.driver.stream.SetupRequest;
import io.gannet.protocol.ConnectDecoder;
import io.gannet.text.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet version}.
 */
@Command(name = "version", description = "Prints the version of Gannet and of the Java runtime.")
public final class VersionCommand implements Subcommand
{
    @Option(names = "--json", description = "Prints one JSON object, with the versions of the protocols between " +
        "clients and drivers and between drivers too.")
    private boolean json;

    @Override
    public Integer call()
    {
        if (json)
        {
            System.out.println(new Json().object()
                .name("version").value(Version.number())
                .name("clientProtocol").value(ConnectDecoder.SCHEMA_VERSION)
                .name("driverProtocol").value(SetupRequest.VERSION)
                .name("java").value(Runtime.version().toString())
                .end().text());
        }
        else
        {
            System.out.println(Version.text() + ", Java " + Runtime.version());
        }
        return 0;
    }
}
