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

    /** Folders below {@code io/holdpoint}. */
    private static final List<String> READ =
            List.of("", "hook", "micrometer", "internal/agent", "internal/aiservice", "internal/lease");

    private static List<Path> sources(List<String> folders) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : folders) {
            Path path = Path.of("..", "core", "src", "main", "java", "io", "holdpoint", folder);
            try (Stream<Path> files = Files.list(path)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).hasSizeGreaterThan(folders.size());
        return sources;
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
        assertThat(found(sources(READ), RIDDLE)).isEmpty();
    }

    @Test
    void internalCodeHasNoParameterLists() throws IOException {
        List<String> internal =
                READ.stream().filter(folder -> folder.startsWith("internal/")).toList();

        assertThat(found(sources(internal), Pattern.compile("@param \\S+"))).isEmpty();
    }
}
