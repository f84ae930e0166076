package io.gannet.doctor;

import java.util.Set;

/** The clock behind System.nanoTime. */
final class ClockSourceCheck extends Check
{
    static final String DIRECTORY = "/sys/devices/system/clocksource/clocksource0/";
    /** Read without entering the kernel. */
    private static final Set<String> FAST =
        Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    ClockSourceCheck()
    {
        super("clock-source", false, "one that is read without entering the kernel: " + "tsc, kvm-clock, " +
            "hyperv_clocksource_tsc_page, arch_sys_counter",
            "agents look at the clock in each duty cycle: 20 ns by tsc, up to microseconds by hpet or acpi_pm");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final String current = host.tree().text(DIRECTORY + "current_clocksource");
        if (current.isEmpty())
        {
            throw new UnreadableException(DIRECTORY + "current_clocksource can't be read");
        }
        final String available = host.tree().text(DIRECTORY + "available_clocksource");
        if (FAST.contains(current))
        {
            notes.ok(current);
        }
        else
        {
            notes.warning(current + " of " + available, available.contains("tsc") ?
                "echo tsc > " + DIRECTORY + "current_clocksource" :
                "dmesg | grep -i tsc says why the kernel gave tsc up; tsc=reliable on its command line if it is wrong");
        }
    }
}
