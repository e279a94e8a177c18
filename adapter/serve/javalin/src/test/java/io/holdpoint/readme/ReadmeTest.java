package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * README.md, the documents and the tutorials show the code of this package and of the tutorials, all of it and nothing else, the names and numbers that the build
 * has, and links that lead somewhere.
 */
class ReadmeTest {

    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Path README = ROOT.resolve("README.md");
    private static final Path DOCS = ROOT.resolve("adapter").resolve("docs");
    private static final Path TUTORIALS = ROOT.resolve("adapter").resolve("tutorials");
    private static final Path SAMPLES = Path.of("src", "test", "java", "io", "holdpoint", "readme");
    private static final Path SPRING_SAMPLES = ROOT.resolve(Path.of(
            "adapter", "serve", "spring-boot-starter", "src", "test", "java", "io", "holdpoint", "spring", "support"));
    private static final Pattern SNIPPET = Pattern.compile("(?m)^ *// readme\\n(?s:(.*?))^ *// end\\n");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(#[^)]*)?\\)");

    @Test
    void everyJavaBlockIsCompiledAndEverySampleIsShown() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path document : documents()) {
            List<String> blocks = blocks("java", document);
            assertThat(samples()).as(document.toString()).containsAll(blocks);
            shown.addAll(blocks);
        }
        assertThat(shown).containsAll(samples());
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        for (Path document : documents()) {
            String text = FENCED.matcher(Files.readString(document)).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                Path target = link.group(1).isEmpty()
                        ? document
                        : document.resolveSibling(link.group(1)).normalize();
                assertThat(target).as("%s links to %s", document, link.group()).exists();
                if (link.group(2) != null) {
                    assertThat(anchors(target))
                            .as("%s links to %s", document, link.group())
                            .contains(link.group(2).substring(1));
                }
            }
        }
    }

    @Test
    void theFirstPageIsShort() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void everyDocumentIsLinkedFromTheReadmeOrAnIndexThatItLinks() throws IOException {
        String links = Files.readString(README)
                + Files.readString(DOCS.resolve("README.md")).replace("](", "](adapter/docs/")
                + Files.readString(TUTORIALS.resolve("README.md")).replace("](", "](adapter/tutorials/");

        assertThat(Files.readString(README)).contains("](adapter/docs/README.md)", "](adapter/tutorials/README.md)");
        assertThat(documents())
                .filteredOn(document -> !document.endsWith("README.md"))
                .allSatisfy(document -> assertThat(links)
                        .contains("](" + ROOT.relativize(document).toString().replace('\\', '/') + ")"));
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        List<String> tests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java") || name.endsWith("IT.java"))
                    .map(name -> name.replace(".java", ""))
                    .forEach(tests::add);
        }
        Pattern name = Pattern.compile("`([A-Z][A-Za-z]+(?:Test|IT))`");
        for (Path document : documents()) {
            assertThat(tests).as(document.toString()).containsAll(all(name, Files.readString(document)));
        }
    }

    @Test
    void theDependencyIsThisModule() throws IOException {
        String pom = Files.readString(Path.of("..", "..", "core", "pom.xml"));
        String version = first("<version>(.*?)</version>", pom);

        assertThat(blocks("xml", README).get(0))
                .contains("<groupId>io.holdpoint</groupId>")
                .contains("<artifactId>" + first("</parent>\\s*<artifactId>(.*?)</artifactId>", pom) + "</artifactId>")
                .contains("<version>" + version + "</version>");
    }

    @Test
    void everyErrorCodeIsExplained() throws IOException {
        String errors = Files.readString(DOCS.resolve("reference").resolve("errors.md"));

        assertThat(ErrorCode.values()).allSatisfy(code -> assertThat(errors).contains("| `" + code + "`"));
    }

    @Test
    void theVersionsAreTheOnesOfTheBuild() throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        String oldest = first("<langchain4j-oldest.version>(\\d+\\.\\d+)\\.", parent);
        String newest = first("<langchain4j-newest.version>(\\d+\\.\\d+)\\.", parent);
        String javalin = first("<javalin.version>(\\d+\\.\\d+)\\.", parent);
        String micrometer = first("<micrometer.version>(\\d+\\.\\d+)\\.", parent);

        assertThat(Files.readString(README))
                .contains("LangChain4j " + oldest + " and " + newest, "Javalin " + javalin, "Micrometer " + micrometer);
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(README, ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Stream.concat(Files.walk(DOCS), Files.list(TUTORIALS))) {
            docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        return documents;
    }

    /** The anchors that a forge makes of a document's headings. */
    private static List<String> anchors(Path document) throws IOException {
        String text = FENCED.matcher(Files.readString(document)).replaceAll("");
        return Pattern.compile("(?m)^#+ (.*)$")
                .matcher(text)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static List<String> blocks(String language, Path document) throws IOException {
        return all(Pattern.compile("(?m)^```" + language + "\\n(?s:(.*?))^```$"), Files.readString(document));
    }

    private static List<String> samples() throws IOException {
        List<String> samples = new ArrayList<>();
        for (Path folder : List.of(SAMPLES, SPRING_SAMPLES, TUTORIALS.resolve("src"))) {
            try (Stream<Path> sources = Files.walk(folder)) {
                for (Path source : sources.filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("ReadmeTest.java"))
                        .toList()) {
                    samples.addAll(all(SNIPPET, Files.readString(source)));
                }
            }
        }
        return samples;
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1).stripTrailing().stripIndent())
                .toList();
    }

    private static String first(String regex, String text) {
        Matcher matcher = Pattern.compile(regex).matcher(text);
        assertThat(matcher.find()).as(regex).isTrue();
        return matcher.group(1);
    }
}
