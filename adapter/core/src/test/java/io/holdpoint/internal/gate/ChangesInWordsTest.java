package io.holdpoint.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesInWordsTest {

    private static final String LONG =
            "Hello Ada, the quarterly numbers are ready, and they are better than the ones before the summer. "
                    + "We meet on Tuesday. The total is 900 euros. Please tell everybody who has to know it, in time, before the end of the week. ";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1,'b':2}           | {'b':2,'a':1.0}      | ``",
                "{'a':null}              | {}                   | ``",
                "{'a':5,'to':'Bob'}      | {'a':50,'to':'Bob'}  | ` (a: 5 → 50)`",
                "{'a':'5'}               | {'a':5}              | ` (a: \"5\" → 5)`",
                "{'a':'x'}               | {}                   | ` (a: \"x\" → (none))`",
                "{'a':'Bob'}             | {'a':'bob'}          | ` (a: \"Bob\" → \"bob\")`",
                "{'p':{'c':'EUR','v':1}} | {'p':{'v':2,'c':'EUR'}} | ` (p.v: 1 → 2)`",
                "{'l':[1,2]}             | {'l':[1,3,4]}        | ` (l.1: 2 → 3; l.2: (none) → 4)`",
                "{'a':'x\\u202Ey'}       | {'a':'xy'}           | ` (a: \"x\\u202ey\" → \"xy\")`",
                "{'to → me\\\\n':1}      | {'to → me\\\\n':2}   | ` (\"to → me\\\\n\": 1 → 2)`",
            })
    void eachValueThatDiffersIsNamedByItsPath(String before, String after, String words) {
        assertThat(between(before, after)).isEqualTo(words);
    }

    @Test
    void ofALongTextWhatDiffersIsShownWithWordsAround() {
        assertThat(between("{'body':'" + LONG + "'}", "{'body':'" + LONG.replace("900", "90000") + "'}"))
                .isEqualTo(
                        " (body: \"…Tuesday. The total is 900 euros. Please tell everybody…\" → \"…Tuesday. The total is 90000 euros. Please tell everybody…\")");
    }

    @Test
    void aChangeFarBehindInATextWithoutBlanksIsShown() {
        String key = "A".repeat(3_000);

        assertThat(between("{'key':'" + key + "1" + key + "'}", "{'key':'" + key + "2" + key + "'}"))
                .isEqualTo(" (key: \"…AAAA1AAAA…\" → \"…AAAA2AAAA…\")");
    }

    @Test
    void aLotOfChangesIsCounted() {
        String before =
                IntStream.range(0, 8).mapToObj(i -> "'a" + i + "':0").collect(Collectors.joining(",", "{", "}"));

        assertThat(between(before, before.replace(":0", ":1")))
                .startsWith(" (a0: 0 → 1; ")
                .endsWith("a4: 0 → 1; and 3 more)");
    }

    private static String between(String before, String after) {
        return ChangesInWords.between(read(before), read(after));
    }

    private static ObjectNode read(String json) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(json.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }
}
