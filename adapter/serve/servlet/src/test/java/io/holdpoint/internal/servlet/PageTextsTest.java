package io.holdpoint.internal.servlet;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every text of the page behind a link is in each language, with the same places for values, and nothing that the card says is said twice. */
class PageTextsTest {

    private static final Path HERE = Path.of("src/main/java/io/holdpoint/internal/servlet");
    private static final Path REACH = Path.of("../../guests/reach/src/main/java/io/holdpoint");

    /** A sentence, in one literal or several. */
    private static final Pattern SENTENCE =
            Pattern.compile("\"((?:\\{name\\} |[A-Z])[^\"\\n]* [^\"\\n]*?(?:\"\\s*\\+ \"[^\"\\n]*)?[.:])\"");

    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");

    /** Said to who forges a form, in English. */
    private static final Set<String> NO_TEXTS = Set.of("Press a button of the page, which sends its form.");

    /** Those with which an answer is refused whose question stays open. */
    private static final List<ErrorCode> REFUSED = List.of(
            ErrorCode.INTERRUPT_ALREADY_RESOLVED,
            ErrorCode.INTERRUPT_PAYLOAD_INVALID,
            ErrorCode.RUN_IN_PROGRESS,
            ErrorCode.HOOK_FAILED,
            ErrorCode.AGENT_HALTED,
            ErrorCode.SHUTTING_DOWN,
            ErrorCode.RUN_FAILED);

    private static Map<String, String> own(String language) {
        return PageTexts.read("link/", language);
    }

    private static Set<String> said() throws IOException {
        Set<String> said = new TreeSet<>();
        for (Path file : new Path[] {
            HERE.resolve("LinkPage.java"),
            REACH.resolve("internal/reach/LinkDesk.java"),
            REACH.resolve("reach/LinkView.java")
        }) {
            SENTENCE.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1).replaceAll("\"\\s*\\+ \"", ""))
                    .forEach(said::add);
        }
        REFUSED.forEach(code -> said.add(code.sentence()));
        said.removeAll(NO_TEXTS);
        return said;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar", "de", "es", "fr"})
    void aLanguageHasAllTextsWithTheirPlaces(String language) throws IOException {
        Map<String, String> card = PageTexts.read("card/lang/", language);

        assertThat(said()).hasSizeGreaterThan(40).allSatisfy(text -> assertThat(
                        own(language).containsKey(text) || card.containsKey(text))
                .as(text)
                .isTrue());
        assertThat(own(language)).allSatisfy((english, translated) -> {
            assertThat(translated).isNotBlank().isNotEqualTo(english);
            assertThat(places(translated)).as(english).isEqualTo(places(english));
        });
        assertThat(own(language).keySet()).doesNotContainAnyElementsOf(card.keySet());
    }

    @Test
    void eachTextIsUsed() throws IOException {
        assertThat(said()).containsAll(own("de").keySet());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            de    | 1 | 0 von 1 Freigabe
            de    | 2 | 0 von 2 Freigaben
            fr-CA | 1 | Approbations : 0 sur 1
            en-GB | 2 | 0 of 2 approvals
            ar    | 3 | <bdi>0</bdi> من <bdi>3</bdi> موافقات""")
    void aNumberHasItsForm(String language, String number, String said) {
        assertThat(new PageTexts(Locale.forLanguageTag(language))
                        .html("{have} of {n} approval|{have} of {n} approvals", Map.of("have", "0", "n", number)))
                .isEqualTo(said);
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }
}
