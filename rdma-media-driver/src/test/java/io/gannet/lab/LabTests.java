package io.gannet.lab;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests where there is no Maven: in a guest. Arguments are names of classes, or {@code class#method}. Ends with 0
 * only if tests ran and none failed or skipped itself. What is about the software NIC is left out.
 */
public final class LabTests implements TestExecutionListener
{
    private final List<String> failures = new ArrayList<>();
    private TestPlan plan;
    private int passed;
    private long started;

    private LabTests()
    {
    }

    /** Runs the tests named. */
    public static void main(final String[] arguments)
    {
        final List<DiscoverySelector> selectors = new ArrayList<>();
        for (final String argument : arguments)
        {
            selectors.add(argument.contains("#") ? selectMethod(argument) : selectClass(argument));
        }
        final LabTests tests = new LabTests();
        LauncherFactory.create().execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectors).filters(excludeTags("software-nic")).build(),
            tests);
        System.out.println(tests.passed + " passed, " + tests.failures.size() + " failed");
        tests.failures.forEach(System.out::println);
        System.exit(tests.passed > 0 && tests.failures.isEmpty() ? 0 : 1);
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan testPlan)
    {
        plan = testPlan;
    }

    @Override
    public void executionStarted(final TestIdentifier identifier)
    {
        started = System.nanoTime();
    }

    @Override
    public void executionSkipped(final TestIdentifier identifier, final String reason)
    {
        failures.add("  skipped " + name(identifier) + ": " + reason);
    }

    @Override
    public void executionFinished(final TestIdentifier identifier, final TestExecutionResult result)
    {
        final boolean successful = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (identifier.isTest())
        {
            System.out.printf("%-7s %6d ms  %s%n", successful ? "ok" : "FAILED",
                (System.nanoTime() - started) / 1_000_000, name(identifier));
        }
        if (successful)
        {
            passed += identifier.isTest() ? 1 : 0;
            return;
        }
        result.getThrowable().ifPresent(problem -> problem.printStackTrace(System.out));
        failures.add("  failed " + name(identifier));
    }

    private String name(final TestIdentifier identifier)
    {
        return plan.getParent(identifier).map(TestIdentifier::getDisplayName).orElse("") + " " +
            identifier.getDisplayName();
    }
}
