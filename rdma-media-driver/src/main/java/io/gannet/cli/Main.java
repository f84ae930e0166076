package io.gannet.cli;

/**
 * Entry point of the {@code gannet} command.
 */
public final class Main
{
    private Main()
    {
    }

    static void main(final String[] args)
    {
        System.out.println("gannet " + Main.class.getPackage().getImplementationVersion());
    }
}
