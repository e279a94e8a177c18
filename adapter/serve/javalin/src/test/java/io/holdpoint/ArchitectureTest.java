package io.holdpoint;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameContaining;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.Hooks;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package may use which. */
class ArchitectureTest {

    private static final String ROOT = "io.holdpoint";
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/io/holdpoint/test/")) // for tests of applications
            .importPackages(ROOT);

    private static ArchRule usesOfOurs(String who, String... allowed) {
        return noClasses()
                .that()
                .resideInAPackage(who)
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed))))
                .allowEmptyShould(true);
    }

    @Test
    void theProtocolUsesNothingOfOurs() {
        usesOfOurs(ROOT + ".agui..", ROOT + ".agui..").check(MAIN);
    }

    @Test
    void theStoreUsesTheProtocolOnly() {
        usesOfOurs(ROOT + ".store", ROOT + ".store", ROOT + ".agui").check(MAIN);
    }

    @Test
    void theJdbcStoreUsesTheStoreAndTheProtocolOnly() {
        usesOfOurs(ROOT + ".store.jdbc..", ROOT + ".store.jdbc..", ROOT + ".store", ROOT + ".agui")
                .check(MAIN);
    }

    @Test
    void onlyTheChatMemoriesOfTheStoresUseLangChain4j() {
        noClasses()
                .that(resideInAPackage(ROOT + ".store..")
                        .and(not(simpleName(JdbcChatMemoryStore.class.getSimpleName())))
                        .and(not(simpleName("StoredMemory")))
                        .and(not(simpleName("RunSession"))))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.langchain4j.."))
                .check(MAIN);
    }

    @Test
    void noStoreNeedsADriverOrAPoolToCompile() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.sqlite..", "org.postgresql..", "com.zaxxer.."))
                .check(MAIN);
    }

    @Test
    void nothingNeedsTheAnnotationsOfJakartaValidationToBeThere() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("jakarta.validation.."))
                .check(MAIN);
    }

    /** The library runs without them, and finds them as services. */
    @Test
    void onlyTheModuleForKotlinUsesKotlinAndNothingUsesTheModulesForKotlinAndValidation() {
        String[] found = packages(".internal.kotlin", ".internal.validation");
        noClasses()
                .that(not(resideInAnyPackage(found)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(found))
                .check(MAIN);
        noClasses()
                .that(not(resideInAPackage(ROOT + ".internal.kotlin")))
                .should()
                .dependOnClassesThat(resideInAPackage("kotlin.."))
                .check(MAIN);
        usesOfOurs(
                        ROOT + ".internal.validation",
                        ROOT + ".internal.validation",
                        ROOT + ".internal.schema",
                        ROOT + ".agui")
                .check(MAIN);
    }

    /** Bottom-up: a room may use those before it. */
    private static final List<String> ROOMS = List.of(
            "lease",
            "schema",
            "langchain4j",
            "gate",
            "memory",
            "agent",
            "question",
            "input",
            "events",
            "journal",
            "turn",
            "aiservice",
            "run");

    @Test
    void aRoomUsesOnlyTheRoomsBelowIt() {
        LayeredArchitecture rooms = Architectures.layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String room : ROOMS) {
            rooms = rooms.layer(room).definedBy(ROOT + ".internal." + room + "..");
        }
        for (int i = 0; i < ROOMS.size(); i++) {
            rooms = i == 0
                    ? rooms.whereLayer(ROOMS.get(i)).mayNotAccessAnyLayer()
                    : rooms.whereLayer(ROOMS.get(i))
                            .mayOnlyAccessLayers(ROOMS.subList(0, i).toArray(String[]::new));
        }
        rooms.check(MAIN);
    }

    /** Whoever opens a private member of LangChain4j elsewhere puts it into the list at the head of that class. */
    @Test
    void privateMembersOfLangChain4jAreReadInOnePlace() {
        noClasses()
                .that(resideInAPackage(ROOT + ".internal.."))
                .and(not(resideInAnyPackage(
                        ROOT + ".internal.langchain4j", ROOT + ".internal.kotlin", ROOT + ".internal.validation")))
                .and(not(belongToAnyOf(PolicyReader.class))) // constructors of conditions
                .should()
                .callMethodWhere(target(name("setAccessible")))
                .check(MAIN);
    }

    /** What an agent was built with does not change under the rooms that read it. */
    @Test
    void onlyTheBuilderWritesOptions() {
        noClasses()
                .that(not(belongToAnyOf(
                        HoldpointBuilder.class,
                        ClientSettings.class,
                        AgentConfig.class,
                        Hooks.class,
                        ToolPolicy.class,
                        PolicySettings.class)))
                .should()
                .setFieldWhere(target(owner(belongToAnyOf(AgentConfig.class, Hooks.class, PolicySettings.class))))
                .check(MAIN);
    }

    /** The modules beside core, and what is in each. */
    private static final Map<String, String[]> GUESTS = Map.of(
            "agents", packages(".agents.."),
            "follow", packages(".follow..", ".internal.follow.."),
            "kotlin", packages(".internal.kotlin.."),
            "oversight", packages(".oversight..", ".micrometer.."),
            "people", packages(".people..", ".internal.people.."),
            "reach", packages(".reach..", ".internal.reach.."),
            "validation", packages(".internal.validation.."));

    private static String[] packages(String... names) {
        return Stream.of(names).map(ROOT::concat).toArray(String[]::new);
    }

    @Test
    void theGuestsAreTheModulesInTheirFolderAndEachHasItsPackages() throws IOException {
        assertThat(GUESTS).containsOnlyKeys(modulesOf("guests"));
        for (Map.Entry<String, String[]> guest : GUESTS.entrySet()) {
            assertThat(packagesOf(Path.of("..", "..", "guests", guest.getKey())))
                    .as(guest.getKey())
                    .isNotEmpty()
                    .allMatch(resideInAnyPackageOf(guest.getValue()));
        }
    }

    private static Set<String> packagesOf(Path module) throws IOException {
        Path sources = module.resolve("src").resolve("main").resolve("java");
        Path folder = Files.exists(sources) ? sources : sources.resolveSibling("kotlin");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .collect(Collectors.toSet());
        }
    }

    private static Predicate<String> resideInAnyPackageOf(String[] patterns) {
        return name -> Stream.of(patterns)
                .anyMatch(pattern -> PackageMatcher.of(pattern).matches(name));
    }

    private static Set<String> modulesOf(String folder) throws IOException {
        try (Stream<Path> modules = Files.list(Path.of("..", "..", folder))) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .map(module -> module.getFileName().toString())
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void noGuestUsesAnotherOne() {
        GUESTS.forEach((guest, own) -> noClasses()
                .that(resideInAnyPackage(own))
                .should()
                .dependOnClassesThat(resideInAnyPackage(ALL_GUESTS).and(not(resideInAnyPackage(own))))
                .because(guest + " is a guest")
                .check(MAIN));
    }

    @Test
    void onlyWhatIsSharedByTransportsAndTheSpringStarterUseGuests() {
        noClasses()
                .that(not(resideInAnyPackage(ALL_GUESTS))
                        .and(not(resideInAnyPackage(ROOT + ".internal.servlet", ROOT + ".spring.."))))
                .should()
                .dependOnClassesThat(resideInAnyPackage(ALL_GUESTS))
                .check(MAIN);
    }

    @Test
    void noPomOfCoreOrAGuestNamesAGuest() throws IOException {
        String[] artifacts = modulesOf("guests").stream()
                .map(guest -> "<artifactId>holdpoint-" + guest + "<")
                .toArray(String[]::new);
        assertThat(Path.of("..", "..", "core", "pom.xml")).content().doesNotContain(artifacts);
        assertThat(Path.of("..", "..", "guests", "pom.xml")).content().doesNotContain(artifacts);
        for (String guest : modulesOf("guests")) {
            assertThat(Path.of("..", "..", "guests", guest, "pom.xml"))
                    .content()
                    .satisfies(pom -> assertThat(Stream.of(artifacts).filter(pom::contains))
                            .containsExactly("<artifactId>holdpoint-" + guest + "<"));
        }
    }

    private static final String[] ALL_GUESTS =
            GUESTS.values().stream().flatMap(Stream::of).toArray(String[]::new);

    @Test
    void onlyTheRootAndGuestsUseRuns() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".internal.run..")
                .should()
                .onlyHaveDependentClassesThat(
                        resideInAnyPackage(ROOT, ROOT + ".internal.run..").or(resideInAnyPackage(ALL_GUESTS)))
                .check(MAIN);
    }

    @Test
    void whatReachesPeopleIsBehindItsFacade() {
        noClasses()
                .that(not(resideInAnyPackage(ROOT + ".reach", ROOT + ".internal.reach")))
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + ".internal.reach"))
                .check(MAIN);
    }

    @Test
    void theTransportUsesTheRootAndTheProtocolOnly() {
        usesOfOurs(ROOT + ".javalin..", ROOT + ".javalin..", ROOT, ROOT + ".agui", ROOT + ".internal.servlet")
                .check(MAIN);
    }

    @Test
    void theServletApiIsUsedByTransportsOnlyAndTheirSharedPartByNothingElse() {
        usesOfOurs(
                        ROOT + ".internal.servlet",
                        ROOT + ".internal.servlet",
                        ROOT,
                        ROOT + ".follow",
                        ROOT + ".oversight",
                        ROOT + ".people",
                        ROOT + ".reach",
                        ROOT + ".agui",
                        ROOT + ".store")
                .check(MAIN);
        noClasses()
                .that(not(resideInAnyPackage(ROOT + ".internal.servlet", ROOT + ".javalin..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("jakarta.servlet..", ROOT + ".internal.servlet"))
                .check(MAIN);
    }

    /** The gateway is a module that none of these needs. */
    @Test
    void nothingUsesTheModelContextProtocol() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.modelcontextprotocol..", ROOT + ".mcp.."))
                .check(MAIN);
        for (String module : List.of("javalin", "servlet", "spring-boot-starter")) {
            assertThat(Path.of("..", module, "pom.xml")).content().doesNotContain("holdpoint-mcp");
        }
    }

    @Test
    void onlyTheTransportUsesJavalin() {
        noClasses()
                .that(not(resideInAPackage(ROOT + ".javalin..")))
                .should()
                .dependOnClassesThat(resideInAPackage("io.javalin.."))
                .check(MAIN);
    }

    /** It is a program of its own, with Jackson beside it; the name begins those of the sealer's nested types too. */
    @Test
    void theVerifierOfASealedTrailNeedsNeitherTheSealerNorAStore() {
        String[] verifier = packages(".oversight.seal");
        noClasses()
                .that(resideInAnyPackage(verifier).and(not(nameContaining("TrailSeal"))))
                .should()
                .dependOnClassesThat(
                        not(resideInAnyPackage("java..", "com.fasterxml.jackson..", "org.jspecify..", verifier[0]))
                                .or(nameContaining("TrailSeal")))
                .check(MAIN);
    }

    @Test
    void metersUseThePublicPackagesOnly() {
        usesOfOurs(ROOT + ".micrometer..", ROOT + ".micrometer..", ROOT, ROOT + ".hook", ROOT + ".oversight")
                .check(MAIN);
    }

    @Test
    void onlyMetersUseMicrometer() {
        noClasses()
                .that(not(resideInAPackage(ROOT + ".micrometer..")))
                .should()
                .dependOnClassesThat(resideInAPackage("io.micrometer.."))
                .check(MAIN);
    }

    @Test
    void nothingNeedsMeters() {
        noClasses()
                .that(not(resideInAPackage(ROOT + ".micrometer..")))
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + ".micrometer.."))
                .check(MAIN);
    }

    @Test
    void theFieldsOfAnApprovalStandInItsFormOnly() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String module : List.of("core", "guests", "jdbc", "serve")) {
            try (Stream<Path> all = Files.walk(Path.of("..", "..", module))) {
                all.filter(path -> path.toString().contains("/src/main/java/"))
                        .filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("Figures.java")) // a count has that name
                        .filter(path -> !path.endsWith("DecisionExport.java")) // and so has a verdict
                        .filter(path ->
                                !path.endsWith("ConfigReader.java")) // and so has a setting of the gateway's file
                        .forEach(files::add);
            }
        }
        for (String field : List.of("approved", "editedArgs", "response", "remember", "rememberMinutes")) {
            List<String> owners = new ArrayList<>();
            for (Path file : files) {
                String code = Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", "");
                if (code.contains('"' + field + '"')) {
                    owners.add(file.getFileName().toString());
                }
            }
            assertThat(owners).as(field).containsExactly("ApprovalForm.java");
        }
    }

    @Test
    void noFileIsLongerThan600Lines() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("..", ".."))) {
            files = all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.toString().contains("target")) // generated code
                    .toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(600);
        }
    }
}
