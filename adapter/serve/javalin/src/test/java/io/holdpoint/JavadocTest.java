package io.holdpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the Javadoc of main code reads. */
class JavadocTest {

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("\\s*\\n\\s*\\*?\\s*");
    private static final Pattern RIDDLE =
            Pattern.compile("(?:^|[.!?] |<p>|<li>)(?:Who|What|Whether|How|Nobody|Nothing)\\b[^.]{0,60}");

    /** Main code of all modules, as far as a part of the path says. */
    private static List<Path> sources(String part) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", ".."))) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/io/holdpoint/"))
                    .filter(file -> file.toString().contains(part))
                    .filter(file -> !file.toString().contains("/bench/"))
                    .toList();
            assertThat(sources).hasSizeGreaterThan(50);
            return sources;
        }
    }

    private static List<String> found(List<Path> sources, Pattern pattern) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            Matcher comment = JAVADOC.matcher(Files.readString(source));
            while (comment.find()) {
                String text = MARGIN.matcher(comment.group(1)).replaceAll(" ").strip();
                pattern.matcher(text).results().forEach(hit -> found.add(source.getFileName() + ": " + hit.group()));
            }
        }
        return found;
    }

    @Test
    void aSentenceBeginsWithTheThingItIsAbout() throws IOException {
        assertThat(found(sources(""), RIDDLE)).isEmpty();
    }

    @Test
    void internalCodeHasNoParameterLists() throws IOException {
        assertThat(found(sources("/internal/"), Pattern.compile("@param \\S+"))).isEmpty();
    }
}
