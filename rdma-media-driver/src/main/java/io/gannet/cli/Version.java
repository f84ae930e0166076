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
        return "gannet " + number();
    }

    static String number()
    {
        final String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
