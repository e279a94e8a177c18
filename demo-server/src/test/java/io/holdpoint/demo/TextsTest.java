package io.holdpoint.demo;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every text of the card, and of the page, is in each of its languages, with the same places for values, and no text is outside of the catalogue. The
 * page has no text that the card has.
 */
class TextsTest {

    private static final Path RESOURCES = Path.of("src/main/resources");

    private static final Pattern ENTRY = Pattern.compile("(?m)^  '((?:[^'\\\\]|\\\\.)*)': '((?:[^'\\\\]|\\\\.)*)',$");
    private static final Pattern SAID = Pattern.compile("\\b(?:t|say|pieces)\\(\\s*'((?:[^'\\\\]|\\\\.)*)'");
    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");
    private static final Pattern LITERAL =
            Pattern.compile("'((?:[^'\\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\\n]|\\\\.)*)\"|`([^`\\n]*)`");
    private static final Pattern CLASS = Pattern.compile("\\.([a-z][a-z-]*)");
    private static final Pattern IN_DOCUMENT =
            Pattern.compile(">([^<>]*\\p{L}[^<>]*)<|\\s(?:aria-label|title|placeholder|data-hint)=\"([^\"]*)\"");

    /** What looks like a text and is none: keys of a keyboard, words of the web's own, names, classes without a style. */
    private static final Set<String> NO_TEXTS = Set.of(
            "Escape",
            "Enter",
            "SELECT",
            "BUTTON",
            "TypeError",
            "M6 3v10M10 3v10",
            "Bearer",
            "English",
            "Deutsch",
            "Holdpoint",
            "Bob",
            "This page needs JavaScript.",
            "noopener noreferrer",
            "approved with changes",
            "string date",
            "hint times-to-come",
            "icon icon-",
            "inbox-entry dead");

    /** Whose texts: where its code is, what is said to the model there, and what is not code. */
    enum Speaker {
        CARD(Path.of("../adapter/card/src"), Set.of(), List.of()),
        PAGE(
                RESOURCES.resolve("script"),
                Set.of("tools.js", "examples.js"),
                List.of(RESOURCES.resolve("public/index.html"), RESOURCES.resolve("public/page.css")));

        private final Path code;
        private final Set<String> forModel;
        private final List<Path> others;

        Speaker(Path code, Set<String> forModel, List<Path> others) {
            this.code = code;
            this.forModel = forModel;
            this.others = others;
        }

        List<String> sources() {
            try (Stream<Path> files = Files.list(code)) {
                return files.filter(file -> Files.isRegularFile(file)
                                && !forModel.contains(file.getFileName().toString()))
                        .map(TextsTest::read)
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Map<String, String> texts(String language) {
            return ENTRY.matcher(read(code.resolve("lang/" + language + ".js")))
                    .results()
                    .collect(toMap(found -> found.group(1).replace("\\'", "'"), found -> found.group(2)));
        }

        /** Its own texts, and those that it takes from the card. */
        Set<String> known() {
            Set<String> known = new TreeSet<>(texts("de").keySet());
            known.addAll(CARD.texts("de").keySet());
            return known;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"de", "fr", "es", "ar"})
    void aLanguageHasAllTextsWithTheirPlaces(String language) {
        for (Speaker speaker : Speaker.values()) {
            Map<String, String> texts = speaker.texts(language);

            assertThat(texts.keySet())
                    .isNotEmpty()
                    .isEqualTo(speaker.texts("de").keySet());
            assertThat(texts).allSatisfy((english, translated) -> {
                assertThat(translated).isNotBlank();
                String[] forms = translated.split("\\|");
                assertThat(forms.length).as(translated).isIn(1, 2, 6);
                assertThat(places(forms[forms.length - 1]))
                        .as(english)
                        .isEqualTo(places(english.substring(english.indexOf('|') + 1)));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachTextIsUsed(Speaker speaker) {
        String code = String.join("", speaker.sources());
        Set<String> inDocument = inDocument(speaker);

        assertThat(speaker.texts("de").keySet()).allSatisfy(english -> assertThat(
                        inDocument.contains(english) || code.contains("'" + english.replace("'", "\\'") + "'"))
                .as(english)
                .isTrue());
    }

    @Test
    void thePageTakesFromTheCardWhatItHas() {
        assertThat(Speaker.PAGE.texts("de").keySet())
                .doesNotContainAnyElementsOf(Speaker.CARD.texts("de").keySet());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsSaidIsInTheCatalogue(Speaker speaker) {
        Set<String> said = speaker.sources().stream()
                .flatMap(code -> SAID.matcher(code).results())
                .map(found -> found.group(1).replace("\\'", "'"))
                .collect(toCollection(TreeSet::new));
        said.addAll(inDocument(speaker));
        said.removeAll(NO_TEXTS);

        assertThat(said).isNotEmpty().isSubsetOf(speaker.known());
    }

    /** Literals with a capital and a small letter, or of several words that are not all names of classes, are texts. */
    @ParameterizedTest
    @EnumSource
    void noTextIsOutsideOfTheCatalogue(Speaker speaker) {
        Set<String> texts = speaker.known();
        Set<String> classes = classes(speaker);

        Set<String> others = speaker.sources().stream()
                .map(code -> code.replaceAll("(?m)^\\s*(//|/?\\*).*$", "").replaceAll("(?s)= `\\n.*?`;", ""))
                .flatMap(code -> LITERAL.matcher(code).results())
                .map(TextsTest::words)
                .filter(literal -> literal.matches("[A-Z][a-z\u2019]+( .*|[\u2026.?]?)|.*[a-z]{2,} [a-z]{2,}.*"))
                .filter(literal -> !texts.contains(literal.replace("\\'", "'")) && !NO_TEXTS.contains(literal))
                .filter(literal -> !classes.containsAll(List.of(literal.split(" "))))
                .collect(toCollection(TreeSet::new));

        assertThat(others).isEmpty();
    }

    @Test
    void theStyleSaysNothing() {
        assertThat(read(RESOURCES.resolve("public/page.css"))).doesNotContainPattern("content: \"[^\"]*[a-z]");
    }

    /** What stands in the page's document, which is said when the page begins. */
    private static Set<String> inDocument(Speaker speaker) {
        return speaker.others.stream()
                .flatMap(file -> IN_DOCUMENT.matcher(read(file)).results())
                .map(found ->
                        found.group(1) == null ? found.group(2) : found.group(1).strip())
                .collect(toCollection(TreeSet::new));
    }

    /** The names of classes in its styles and in the card's. */
    private static Set<String> classes(Speaker speaker) {
        return Stream.of(
                        Speaker.CARD.sources(),
                        speaker.others.stream().map(TextsTest::read).toList())
                .flatMap(Collection::stream)
                .flatMap(style -> CLASS.matcher(style).results())
                .map(found -> found.group(1))
                .collect(toCollection(TreeSet::new));
    }

    /** What a literal has, and a template beside its values. */
    private static String words(MatchResult literal) {
        Iterator<String> groups =
                Stream.of(1, 2).map(literal::group).filter(each -> each != null).iterator();
        return groups.hasNext()
                ? groups.next()
                : literal.group(3).replaceAll("\\$\\{[^}]*}", "").strip();
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
