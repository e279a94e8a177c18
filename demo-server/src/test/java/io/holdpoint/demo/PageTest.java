package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page must work under {@code Content-Security-Policy: default-src 'self'} and never parse text as HTML. */
class PageTest {

    private static final Path PUBLIC = Path.of("src/main/resources/public");

    @Test
    void requestsNothingFromElsewhere() {
        assertThat(files())
                .allSatisfy(file -> assertThat(text(file).replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
                        .as(file.toString())
                        .doesNotContainPattern("(?:https?:)?//[a-z0-9.-]+\\.[a-z]{2}"));
    }

    @Test
    void parsesNoTextAsHtmlOrCode() {
        assertThat(files())
                .allSatisfy(
                        file -> assertThat(text(file))
                                .as(file.toString())
                                .doesNotContainPattern(
                                        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|setHTML|DOMParser|\\beval\\(|new Function"));
    }

    @Test
    void hasNoInlineScriptOrStyle() {
        assertThat(text(PUBLIC.resolve("index.html")))
                .doesNotContainPattern(Pattern.compile("<style|\\sstyle=|\\son\\w+=|<script(?![^>]*\\ssrc=)"));
    }

    private static List<Path> files() {
        try (Stream<Path> files = Files.walk(PUBLIC)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
