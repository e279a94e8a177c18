package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.AsksUser;
import io.holdpoint.ClientSettings;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference has all that the code has, and quotes what the code says. */
class ReferenceTest {

    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Path DOCS = ROOT.resolve("adapter").resolve("docs");
    private static final List<String> MODULES = List.of(
            "agui",
            "core",
            "guests/people",
            "guests/agents",
            "guests/follow",
            "guests/oversight",
            "guests/reach",
            "jdbc",
            "serve/javalin",
            "tools/test",
            "serve/spring-boot-starter");

    @Test
    void everyMethodOfTheBuilderIsExplained() throws IOException {
        String page = read("reference", "builder.md");

        assertThat(names(HoldpointBuilder.class))
                .hasSizeLessThanOrEqualTo(29) // settings, and build
                .allSatisfy(name -> assertThat(page).contains("`" + name + "("));
        assertThat(names(ClientSettings.class))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "("));
        String[] parts = page.split("## Where it lives")[0].split("## Clients");
        assertThat(names(HoldpointBuilder.class)).containsAll(inFirstCells(parts[0], "`(\\w+)\\("));
        assertThat(names(ClientSettings.class)).containsAll(inFirstCells(parts[1], "`(\\w+)\\("));
    }

    @Test
    void everyTypeIsInThePackageThatIsNamed() throws IOException {
        String rows = read("reference", "builder.md").split("## Where it lives")[1];

        Pattern.compile("(?m)^\\| `(io\\.holdpoint[a-z.]*)`.*?\\| (.*) \\|$")
                .matcher(rows)
                .results()
                .forEach(row -> Pattern.compile("`(\\w+)`")
                        .matcher(row.group(2))
                        .results()
                        .map(type -> row.group(1).replace('.', '/') + "/" + type.group(1) + ".java")
                        .forEach(file -> assertThat(MODULES)
                                .as(file)
                                .anyMatch(module -> Files.exists(
                                        ROOT.resolve(Path.of("adapter", module, "src", "main", "java", file))))));
    }

    @Test
    void everyTypeOfRulesIsNamed() throws IOException {
        String page = read("reference", "builder.md");
        for (String folder :
                List.of("core/src/main/java/io/holdpoint/rule", "guests/people/src/main/java/io/holdpoint/people")) {
            String row = page.split(
                            "(?m)^\\| `io\\.holdpoint\\." + Path.of(folder).getFileName() + "`")[1]
                    .split("\n")[0];
            for (String source : sources(ROOT.resolve("adapter").resolve(folder))) {
                Pattern.compile("(?m)^public (?:\\w+ )*?(?:class|interface|record|enum) (\\w+)")
                        .matcher(source)
                        .results()
                        .forEach(type -> assertThat(row).contains("`" + type.group(1) + "`"));
            }
        }
    }

    @Test
    void everyAttributeOfAnAnnotationAndOfAPolicyIsExplained() throws IOException {
        String page = read("reference", "annotations.md");

        for (Class<?> type : List.of(RequiresApproval.class, AsksUser.class, ToolPolicy.class)) {
            String section =
                    page.split("(?m)^## @?" + type.getSimpleName() + "$")[1].split("(?m)^## ")[0];
            assertThat(inFirstCells(section, "`(\\w+)`"))
                    .as(type.getSimpleName())
                    .containsExactlyInAnyOrderElementsOf(names(type));
        }
    }

    @Test
    void everyFieldOfTheMetadataIsExplained() throws IOException {
        String page = read("reference", "events.md");
        Pattern field = Pattern.compile("langchain4j(?:\\.|\\s+)(?:put|set|putObject)\\(\"(\\w+)\"");
        Set<String> fields = new TreeSet<>();
        for (String source : sources(ROOT.resolve(Path.of("adapter", "core", "src", "main")))) {
            field.matcher(source).results().forEach(found -> fields.add(found.group(1)));
        }

        assertThat(fields).hasSizeGreaterThan(5).allSatisfy(name -> assertThat(page)
                .contains("`" + name + "`"));
    }

    @Test
    void everyVariableOfTheDemoIsExplained() throws IOException {
        String page = read("reference", "demo.md");
        Pattern variable = Pattern.compile("(?:value\\(environment, |environment\\.get\\()\"([A-Z_]+)\"");
        List<String> variables = new ArrayList<>();
        for (String source : sources(ROOT.resolve(Path.of("demo-server", "src", "main")))) {
            variable.matcher(source).results().forEach(found -> variables.add(found.group(1)));
        }

        assertThat(variables).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(page)
                .contains("| `" + name + "` |"));
    }

    @Test
    void everyPropertyOfTheStarterIsExplained() throws IOException {
        String page = read("serve", "spring.md");
        String source = Files.readString(ROOT.resolve(Path.of(
                "adapter",
                "serve",
                "spring-boot-starter",
                "src",
                "main",
                "java",
                "io",
                "holdpoint",
                "spring",
                "HoldpointProperties.java")));
        List<String> properties = Pattern.compile("@DefaultValue(?:\\(.*?\\))? \\S+ (\\w+)[,)]")
                .matcher(source)
                .results()
                .map(found -> found.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT))
                .toList();

        assertThat(properties).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(page)
                .contains("`holdpoint." + name + "`"));
    }

    /** A heading quotes a message; {@code …} stands for what differs each time. */
    @Test
    void everyMessageThatIsExplainedIsOneOfTheCode() throws IOException {
        List<String> sources = new ArrayList<>();
        for (String module : List.of(
                "adapter/core",
                "adapter/jdbc",
                "adapter/serve/servlet",
                "adapter/agui",
                "adapter/serve/javalin",
                "adapter/serve/spring-boot-starter",
                "demo-server")) {
            for (String source : sources(ROOT.resolve(module).resolve(Path.of("src", "main", "java")))) {
                sources.add(source.replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"", "\""));
            }
        }
        List<String> headings = Pattern.compile("(?m)^### `(.*)`$")
                .matcher(read("troubleshooting.md"))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(headings).hasSizeGreaterThanOrEqualTo(20).allSatisfy(heading -> {
            List<String> parts = Arrays.stream(heading.split("…"))
                    .map(String::strip)
                    .filter(part -> part.length() > 3)
                    .toList();
            assertThat(parts).isNotEmpty();
            assertThat(sources).anySatisfy(source -> assertThat(source).contains(parts));
        });
    }

    @Test
    void theIndexForMachinesNamesEveryDocument() throws IOException {
        String index = read("llms.txt");
        try (Stream<Path> files = Files.walk(DOCS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".md")).toList())
                    .allSatisfy(file -> assertThat(index)
                            .contains("](" + DOCS.relativize(file).toString().replace('\\', '/') + ")"));
        }
    }

    /** What stands so in the first cells of tables. */
    private static Set<String> inFirstCells(String page, String what) {
        Set<String> found = new TreeSet<>();
        Pattern.compile("(?m)^\\| (.*?) \\|").matcher(page).results().forEach(row -> Pattern.compile(what)
                .matcher(row.group(1))
                .results()
                .forEach(each -> found.add(each.group(1))));
        return found;
    }

    private static Set<String> names(Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isSynthetic()
                    && !method.getName().equals("toString")) {
                names.add(method.getName());
            }
        }
        return names;
    }

    private static List<String> sources(Path folder) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    private static String read(String first, String... more) throws IOException {
        return Files.readString(DOCS.resolve(Path.of(first, more)));
    }
}
