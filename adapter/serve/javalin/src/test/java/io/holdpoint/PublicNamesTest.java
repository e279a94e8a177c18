package io.holdpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The names that a program imports from Holdpoint stand beside those of LangChain4j and Javalin. */
class PublicNamesTest {

    private static final Set<String> OURS = Set.of(
            "io.holdpoint",
            "io.holdpoint.agents",
            "io.holdpoint.follow",
            "io.holdpoint.hook",
            "io.holdpoint.oversight",
            "io.holdpoint.reach",
            "io.holdpoint.store",
            "io.holdpoint.agui");

    private static final String[] THEIRS = {
        "dev.langchain4j.service",
        "dev.langchain4j.agent.tool",
        "dev.langchain4j.data.message",
        "dev.langchain4j.memory",
        "dev.langchain4j.model.chat",
        "io.javalin",
        "io.javalin.http"
    };

    private static Set<String> topLevel(String packageName, ImportOption option) {
        String folder = packageName.replace('.', '/') + "/"; // what is below it is not read
        return new ClassFileImporter()
                        .withImportOption(option)
                        .withImportOption(
                                location -> location.asURI().toString().matches(".*" + folder + "[^/]+"))
                        .importPackages(packageName)
                        .stream()
                        .filter(type -> type.getPackageName().equals(packageName))
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @Tag("deep")
    void noNameIsLangChain4jsOrJavalins() {
        Set<String> theirs = new TreeSet<>();
        for (String each : THEIRS) {
            Set<String> names = topLevel(each, location -> true);
            assertThat(names).as(each).isNotEmpty();
            theirs.addAll(names);
        }
        Set<String> clashes = new TreeSet<>();
        for (String each : OURS) {
            for (String name : topLevel(each, new ImportOption.DoNotIncludeTests())) {
                if (theirs.contains(name)) {
                    clashes.add(each + "." + name);
                }
            }
        }

        assertThat(theirs).contains("UserMessage", "Tool", "Context", "Handler");
        assertThat(clashes).isEmpty();
    }

    @Test
    void theRootPackageIsATableOfContents() {
        assertThat(topLevel("io.holdpoint", new ImportOption.DoNotIncludeTests()))
                .contains(
                        "Holdpoint",
                        "HoldpointBuilder",
                        "RequiresApproval",
                        "ToolPolicy",
                        "PendingInterrupt",
                        "RunResult")
                .hasSizeLessThanOrEqualTo(35);
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** These numbers fall: propose and proposal are the last two that came, for what nothing else did. */
    @Test
    void theFacadeAndItsBuilderHaveFewNames() {
        assertThat(methods(Holdpoint.class)).hasSizeLessThanOrEqualTo(22);
        assertThat(methods(HoldpointBuilder.class)).hasSizeLessThanOrEqualTo(29);
        assertThat(methods(ClientSettings.class)).hasSizeLessThanOrEqualTo(7);
    }
}
