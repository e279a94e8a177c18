package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** README.md shows the code of this package, all of it and nothing else, and the names and numbers that the build has. */
class ReadmeTest {

    private static final Path README = Path.of("..", "..", "README.md");
    private static final Path SAMPLES = Path.of("src", "test", "java", "io", "holdpoint", "readme");
    private static final Pattern SNIPPET = Pattern.compile("(?m)^ *// readme\\n(?s:(.*?))^ *// end\\n");

    @Test
    void everyJavaBlockIsCompiledAndEverySampleIsShown() throws IOException {
        assertThat(blocks("java")).containsExactlyInAnyOrderElementsOf(samples());
    }

    @Test
    void theDependencyIsThisModule() throws IOException {
        String pom = Files.readString(Path.of("..", "core", "pom.xml"));
        String version = first("<version>(.*?)</version>", pom);

        assertThat(blocks("xml").get(0))
                .contains("<groupId>io.holdpoint</groupId>")
                .contains("<artifactId>" + first("</parent>\\s*<artifactId>(.*?)</artifactId>", pom) + "</artifactId>")
                .contains("<version>" + version + "</version>");
    }

    @Test
    void everyErrorCodeIsExplained() throws IOException {
        String readme = Files.readString(README);

        assertThat(ErrorCode.values()).allSatisfy(code -> assertThat(readme).contains("| `" + code + "`"));
    }

    @Test
    void theVersionsAreTheOnesOfTheBuild() throws IOException {
        String parent = Files.readString(Path.of("..", "..", "pom.xml"));
        String langchain4j = first("<langchain4j.version>(\\d+\\.\\d+)\\.", parent);
        String javalin = first("<javalin.version>(\\d+\\.\\d+)\\.", parent);
        String micrometer = first("<micrometer.version>(\\d+\\.\\d+)\\.", parent);

        assertThat(Files.readString(README))
                .contains("LangChain4j " + langchain4j, "Javalin " + javalin, "Micrometer " + micrometer);
    }

    private static List<String> blocks(String language) throws IOException {
        return all(Pattern.compile("(?m)^```" + language + "\\n(?s:(.*?))^```$"), Files.readString(README));
    }

    private static List<String> samples() throws IOException {
        List<String> samples = new ArrayList<>();
        try (Stream<Path> sources = Files.list(SAMPLES)) {
            for (Path source :
                    sources.filter(path -> !path.endsWith("ReadmeTest.java")).toList()) {
                samples.addAll(all(SNIPPET, Files.readString(source)));
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
