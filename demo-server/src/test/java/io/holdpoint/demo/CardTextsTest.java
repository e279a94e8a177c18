package io.holdpoint.demo;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every text of the card is in each of its languages, with the same places for values, and no text is outside of the catalogue. */
class CardTextsTest {

    private static final Path CARD = Path.of("../adapter/card/src");
    private static final Pattern ENTRY = Pattern.compile("(?m)^  '((?:[^'\\\\]|\\\\.)*)': '((?:[^'\\\\]|\\\\.)*)',$");
    private static final Pattern SAID = Pattern.compile("\\bt\\(\\s*'((?:[^'\\\\]|\\\\.)*)'");
    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");
    private static final Pattern LITERAL = Pattern.compile("'((?:[^'\\\\\\n]|\\\\.)*)'|`([^`\\n]*)`");

    /** What looks like a text and is none: keys of a keyboard, and words of the web's own. */
    private static final Set<String> NO_TEXTS =
            Set.of("Escape", "Enter", "SELECT", "BUTTON", "TypeError", "M6 3v10M10 3v10");

    @ParameterizedTest
    @ValueSource(strings = {"de", "fr", "es", "ar"})
    void aLanguageHasAllTextsWithTheirPlaces(String language) {
        Map<String, String> texts = textsOf(language);

        assertThat(texts.keySet()).containsAll(said()).isEqualTo(textsOf("de").keySet());
        assertThat(texts).allSatisfy((english, translated) -> {
            assertThat(translated).isNotBlank();
            String[] forms = translated.split("\\|");
            assertThat(forms.length).as(translated).isIn(1, 2, 6);
            assertThat(places(forms[forms.length - 1]))
                    .as(english)
                    .isEqualTo(places(english.substring(english.indexOf('|') + 1)));
        });
    }

    @Test
    void eachTextIsUsed() {
        String code = String.join("", sources());

        assertThat(textsOf("de").keySet())
                .allSatisfy(english -> assertThat(code).contains("'" + english.replace("'", "\\'") + "'"));
    }

    /** Literals with a capital and a small letter, or of several words, are texts. */
    @Test
    void noTextIsOutsideOfTheCatalogue() {
        Set<String> texts = textsOf("de").keySet();

        Set<String> others = sources().stream()
                .map(code -> code.replaceAll("(?m)^\\s*(//|/?\\*).*$", "").replaceAll("(?s)= `\\n.*?`;", ""))
                .flatMap(code -> LITERAL.matcher(code).results())
                .map(found -> found.group(1) == null ? words(found.group(2)) : found.group(1))
                .filter(literal -> literal.matches("[A-Z][a-z\u2019]+( .*|[\u2026.?]?)|[A-Za-z]*[a-z]{2,} [a-z]{2,}.*"))
                .filter(literal -> !texts.contains(literal.replace("\\'", "'")) && !NO_TEXTS.contains(literal))
                .filter(literal -> !literal.matches("[a-z-]+( [a-z-]+)*")) // names of classes
                .collect(toCollection(TreeSet::new));

        assertThat(others).isEmpty();
    }

    /** What a template has beside its values. */
    private static String words(String template) {
        return template.replaceAll("\\$\\{[^}]*}", "").strip();
    }

    private static Set<String> said() {
        return sources().stream()
                .flatMap(code -> SAID.matcher(code).results())
                .map(found -> found.group(1).replace("\\'", "'"))
                .collect(toCollection(TreeSet::new));
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    private static Map<String, String> textsOf(String language) {
        return ENTRY.matcher(read(CARD.resolve("lang/" + language + ".js")))
                .results()
                .collect(java.util.stream.Collectors.toMap(
                        found -> found.group(1).replace("\\'", "'"), found -> found.group(2)));
    }

    private static List<String> sources() {
        try (Stream<Path> files = Files.list(CARD)) {
            return files.filter(Files::isRegularFile).map(CardTextsTest::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
