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

/** The page and its card must work under the content security policy and never parse text as HTML, except by DOMPurify. */
class PageTest {

    private static final Path RESOURCES = Path.of("src/main/resources");
    private static final Path PUBLIC = RESOURCES.resolve("public");
    private static final Path CARD = Path.of("../adapter/card/src");

    /** Which is asked for by nobody who does not follow it. */
    private static final String LINK = "href: 'https://github.com/holdpoint/holdpoint'";

    @Test
    void requestsNothingFromElsewhere() {
        assertThat(files()).allSatisfy(file -> assertThat(
                        text(file).replace("http://www.w3.org/2000/svg", "").replace(LINK, ""))
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
    void isOneScriptWithItsLibrariesAndOneImport() {
        String script = PageScript.read();

        assertThat(script).contains("DOMPurify", "marked v", "const module_main = ");
        assertThat(script.indexOf("const module_kit = ")).isLessThan(script.indexOf("const module_inbox = "));
        assertThat(script.replace("import * as module_card from '/agent/card.js?part=cards';", ""))
                .doesNotContainPattern("(?m)^(import|export) ")
                .doesNotContain("sourceMappingURL");
    }

    @Test
    void hasNoInlineScriptOrStyle() {
        assertThat(text(PUBLIC.resolve("index.html")))
                .doesNotContainPattern(Pattern.compile("<style|\\sstyle=|\\son\\w+=|<script(?![^>]*\\ssrc=)"));
    }

    private static List<Path> files() {
        try (Stream<Path> files = Stream.concat(
                Stream.concat(Files.walk(PUBLIC), Files.walk(CARD)), Files.walk(RESOURCES.resolve("script")))) {
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
