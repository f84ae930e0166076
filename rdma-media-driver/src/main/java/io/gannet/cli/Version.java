package io.gannet.cli;

/**
 * The version of this build.
 */
final class Version
{
    private Version()
    {
    }

    static String text()
    {
        final String version = Version.class.getPackage().getImplementationVersion();
        return "gannet " + (version == null ? "(not packaged)" : version);
    }
}
