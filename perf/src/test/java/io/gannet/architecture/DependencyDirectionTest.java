package io.gannet.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.util.Arrays;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Holds the direction of dependencies: {@code samples, perf -> driver -> api -> schemas}, and inside each module the
 * rooms that {@code docs/architecture.md} describes.
 */
@AnalyzeClasses(packages = "io.gannet", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyDirectionTest
{
    private static final String[] SCHEMAS =
        {"io.gannet.protocol..", "io.gannet.marketdata..", "io.gannet.orderflow.."};
    private static final String[] API =
        {"io.gannet", "io.gannet.ring..", "io.gannet.control..", "io.gannet.os..", "io.gannet.client..",
            "io.gannet.jfr..", "io.gannet.recording.."};
    private static final String[] DRIVER =
        {"io.gannet.driver..", "io.gannet.rdma..", "io.gannet.cli..", "io.gannet.doctor..", "io.gannet.errors..",
            "io.gannet.monitor..", "io.gannet.systemd..", "io.gannet.text..", "io.gannet.counters.."};
    private static final String[] LEAVES = {"io.gannet.samples..", "io.gannet.perf.."};

    @ArchTest
    final ArchRule everyClassHasAKnownRoom = classes()
        .should().resideInAnyPackage(concat(SCHEMAS, API, DRIVER, LEAVES));

    @ArchTest
    final ArchRule schemasNeedNothingOfOurs = noClasses()
        .that().resideInAnyPackage(SCHEMAS)
        .should().dependOnClassesThat(resideInAnyPackage(concat(API, DRIVER, LEAVES)));

    @ArchTest
    final ArchRule theApiDoesNotKnowTheDriver = noClasses()
        .that().resideInAnyPackage(API)
        .should().dependOnClassesThat(resideInAnyPackage(concat(DRIVER, LEAVES)));

    @ArchTest
    final ArchRule theDriverDoesNotKnowItsUsers = noClasses()
        .that().resideInAnyPackage(DRIVER)
        .should().dependOnClassesThat(resideInAnyPackage(LEAVES));

    @ArchTest
    final ArchRule theApiNeedsAgronaAndTheJdkAlone = classes()
        .that().resideInAnyPackage(concat(API, SCHEMAS))
        .should().onlyDependOnClassesThat(resideInAnyPackage(concat(concat(API, SCHEMAS),
            new String[]{"java..", "org.agrona..", "jdk.jfr.."})));

    @ArchTest
    final ArchRule theNicDoesNotKnowTheDriver = noClasses()
        .that().resideInAPackage("io.gannet.rdma..")
        .should().dependOnClassesThat(resideInAnyPackage("io.gannet.driver..", "io.gannet.cli.."));

    @ArchTest
    final ArchRule theDriverDoesNotKnowTheCommandLine = noClasses()
        .that().resideInAPackage("io.gannet.driver..")
        .should().dependOnClassesThat(resideInAnyPackage("io.gannet.cli..", "io.gannet.monitor.."));

    /** The driver asks it what the host is like. */
    @ArchTest
    final ArchRule theDoctorKnowsTheHostAlone = noClasses()
        .that().resideInAPackage("io.gannet.doctor..")
        .should().dependOnClassesThat(resideInAnyPackage("io.gannet.driver..", "io.gannet.rdma..", "io.gannet.cli.."));

    /** What looks at a driver from outside knows what its counters are called, and nothing of how it works. */
    @ArchTest
    final ArchRule whoeverLooksOnKnowsTheFilesAlone = noClasses()
        .that().resideInAPackage("io.gannet.monitor..")
        .should().dependOnClassesThat(resideInAnyPackage(
            "io.gannet", "io.gannet.ring..", "io.gannet.cli..", "io.gannet.doctor..", "io.gannet.rdma..",
            "io.gannet.driver.."));

    @ArchTest
    final ArchRule theEngineDoesNotKnowAProvider = noClasses()
        .that().resideInAPackage("io.gannet.driver.stream..")
        .and().resideOutsideOfPackage("io.gannet.driver.stream.simulation..")
        .should().dependOnClassesThat(resideInAnyPackage(
            "io.gannet.rdma.verbs..", "io.gannet.rdma.roce..", "io.gannet.rdma.sim.."));

    @ArchTest
    final ArchRule theRingKnowsOnlyTheKernel = noClasses()
        .that().resideInAPackage("io.gannet.ring..")
        .should().dependOnClassesThat(resideInAnyPackage("io.gannet", "io.gannet.control..", "io.gannet.client.."));

    @ArchTest
    final ArchRule theKernelRoomKnowsNothing = noClasses()
        .that().resideInAPackage("io.gannet.os..")
        .should().dependOnClassesThat(DescribedPredicate.not(resideInAPackage("io.gannet.os.."))
            .and(resideInAPackage("io.gannet..")));

    @ArchTest
    final ArchRule foreignFunctionsAreCalledFromFewRooms = noClasses()
        .that().resideInAnyPackage(
            "io.gannet", "io.gannet.ring..", "io.gannet.control..", "io.gannet.driver..", "io.gannet.cli..",
            "io.gannet.doctor..", "io.gannet.monitor..")
        .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.foreign.Linker");

    @ArchTest
    final ArchRule theCommandLineLibraryStaysInTheCommandLine = noClasses()
        .that().resideInAnyPackage(
            "io.gannet.driver..", "io.gannet.rdma..", "io.gannet.doctor..", "io.gannet.monitor..")
        .should().dependOnClassesThat(resideInAPackage("picocli.."));

    @ArchTest
    final ArchRule packagesOfTheDriverHaveNoCycles = slices()
        .matching("io.gannet.(driver|rdma|cli|doctor|monitor|text|counters)..").should().beFreeOfCycles();

    private static String[] concat(final String[]... groups)
    {
        return Arrays.stream(groups).flatMap(Arrays::stream).toArray(String[]::new);
    }

    /** Guards against a rule set that checks nothing because the import came out empty. */
    @ArchTest
    static void theImportIsNotEmpty(final JavaClasses classes)
    {
        if (classes.stream().map(JavaClass::getPackageName).noneMatch("io.gannet.cli"::equals))
        {
            throw new AssertionError("no class of io.gannet.cli was imported: the rules above checked nothing");
        }
    }
}
