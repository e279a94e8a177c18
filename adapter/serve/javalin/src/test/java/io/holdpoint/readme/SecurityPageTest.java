package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for auditors has the rows of OWASP AISVS 1.0 as the standard has them, and names tests that there are. */
class SecurityPageTest {

    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| (\\d+\\.\\d+\\.\\d+) \\| (\\d) \\| .*? \\| \\*\\*(met|partly|not met)\\*\\*(.*) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");

    private final String page = Files.readString(ROOT.resolve(Path.of("adapter", "docs", "security.md")));
    private final List<MatchResult> rows = ROW.matcher(page).results().toList();

    SecurityPageTest() throws IOException {}

    /** The levels of the standard by their numbers. */
    private static Map<String, String> standard() throws IOException {
        Map<String, String> levels = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("src", "test", "resources", "aisvs", "aisvs-1.0.tsv"))) {
            if (!line.startsWith("#")) {
                String[] columns = line.split("\t");
                levels.put(columns[0], columns[1]);
            }
        }
        return levels;
    }

    @Test
    void everyRowOfTheStandardIsThereOnceWithItsLevelOrNamedAsNotOurs() throws IOException {
        Map<String, String> standard = standard();
        String outside =
                page.substring(page.indexOf("Not a matter of this library")).split("\n\n")[0];
        List<String> named =
                new ArrayList<>(rows.stream().map(row -> row.group(1)).toList());
        Pattern.compile("\\d+\\.\\d+\\.\\d+").matcher(outside).results().forEach(found -> named.add(found.group()));

        assertThat(standard).hasSize(55);
        assertThat(named).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(standard.keySet());
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(row.group(2)).as("level of " + row.group(1)).isEqualTo(standard.get(row.group(1))));
    }

    @Test
    void whatIsMetOrPartlyMetNamesItsTestsAndWhatIsNotMetSaysWhy() {
        assertThat(rows).allSatisfy(row -> {
            boolean isMet = !row.group(3).equals("not met");
            assertThat(isMet ? TEST.matcher(row.group(4)).find() : row.group(4).length() > 20)
                    .as(row.group())
                    .isTrue();
            assertThat(row.group(3).equals("partly") ? row.group(4) : ": why")
                    .as(row.group())
                    .startsWith(":");
        });
    }

    @Test
    void everyTestThatIsNamedIsOneOfTheBuild() throws IOException {
        Set<String> named =
                TEST.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(ROOT.resolve("adapter"))) {
            Set<String> tests = files.filter(file ->
                            file.toString().contains(Path.of("src", "test").toString()))
                    .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
                    .collect(Collectors.toSet());

            assertThat(named).hasSizeGreaterThan(30).isSubsetOf(tests);
        }
    }

    @Test
    void everyQuestionOfAnAuditorIsShownByATestADocumentOrNothing() {
        List<String> questions = page.substring(page.indexOf("## What auditors ask"))
                .lines()
                .filter(line -> line.startsWith("| AI Act") || line.startsWith("| SOC 2"))
                .map(line -> line.substring(line.lastIndexOf("| ", line.length() - 3) + 2))
                .toList();

        assertThat(questions).hasSizeGreaterThanOrEqualTo(11).allSatisfy(shown -> assertThat(shown)
                .containsPattern("`\\w+Test`|\\]\\(|^nothing "));
    }
}
