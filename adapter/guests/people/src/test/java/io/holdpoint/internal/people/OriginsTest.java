package io.holdpoint.internal.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.people.Provenance.Source;
import io.holdpoint.rule.Read;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the values of arguments stand first. */
class OriginsTest {

    private static final LongSupplier STANDS = () -> 0;

    private static Read result(String text) {
        return new Read(Read.Kind.RESULT, "fetchUrl", "c1", text);
    }

    private static Read user(String text) {
        return new Read(Read.Kind.MESSAGE, "", "", text);
    }

    private static Origins of(Object value, Read... conversation) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        arguments.putPOJO("a", value);
        ObjectNode plain = io.holdpoint.agui.AguiCodec.mapper().valueToTree(arguments);
        return Origins.of(
                plain,
                List.of(conversation),
                read -> read.kind() == Read.Kind.RESULT ? Source.UNTRUSTED : Source.USER,
                STANDS);
    }

    private static String from(Object value, Read... conversation) {
        JsonNode found = of(value, conversation).found().get("/a");
        return found == null ? "not searched" : found.path("from").asText();
    }

    @Test
    void theFirstPlaceCounts() {
        assertThat(of("DE89370400440532013000", user("Pay it"), result("to DE89370400440532013000"))
                        .found()
                        .get("/a"))
                .hasToString(
                        "{\"from\":\"tool\",\"toolName\":\"fetchUrl\",\"toolCallId\":\"c1\",\"at\":3,\"untrusted\":true}");
        assertThat(from("Mallory", user("Pay Mallory"), result("Mallory"))).isEqualTo("user");
        assertThat(from("Mallory", result("mall"))).isEqualTo("model");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.250,00", "1,250.00", "1250", "1250.00", "1250,00", "1'250.00", "1 250,00", "1,250"})
    void aNumberIsFoundInItsUsualSpellings(String spelling) {
        assertThat(from(new BigDecimal("1250"), result("Sum: " + spelling + " EUR")))
                .isEqualTo("tool");
    }

    @ParameterizedTest
    @ValueSource(strings = {"11250", "12500", "x1250", "1251"})
    void aPartOfAnotherIsNone(String other) {
        assertThat(from(1250, result("Sum: " + other))).isEqualTo("model");
    }

    /** The digits behind somebody's separator are no number that they have said. */
    @ParameterizedTest
    @ValueSource(strings = {"1.50", "1,50", "0.50", "1'050.50", "50.000", "50,000", "50'000", "50.25", "10.50.3"})
    void digitsOfALongerNumberAreNone(String other) {
        assertThat(from(50, user("Pay " + other + " EUR."))).isEqualTo("model");
        assertThat(from(50, user("Pay " + other + " or 50.")))
                .as("the other one is one")
                .isEqualTo("user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-250", "\u2212250 EUR", "(-250)"})
    void aNumberWithASignIsAnother(String other) {
        assertThat(from(250, user("Pay " + other + "."))).isEqualTo("model");
    }

    @Test
    void aHyphenBehindAWordOrANumberIsNoSign() {
        assertThat(from(250, user("Pay EUR-250 or 10-250."))).isEqualTo("user");
        assertThat(from(-50, user("Pay 10-50 EUR."))).isEqualTo("model");
        assertThat(from(-50, user("Book -50 EUR."))).isEqualTo("user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"50.", "50, please", "'50'", "a.50,b", "No.50", "50,-", "60, 50, 70"})
    void aSeparatorWithoutAnotherDigitEndsIt(String said) {
        assertThat(from(50, user("Pay " + said))).isEqualTo("user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-09",
                "09.03.2026",
                "9.3.2026",
                "03/09/2026",
                "09/03/2026",
                "9 March 2026",
                "March 9, 2026"
            })
    void aDateIsFoundInItsUsualSpellings(String spelling) {
        assertThat(from("2026-03-09", result("on " + spelling + "."))).isEqualTo("tool");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 250,00", "12 250", "1\u202f250", "1\u00a0250.50", "250 000"})
    void neitherAreThoseOfAGroup(String other) {
        assertThat(from(250, user("Pay " + other + " EUR."))).isEqualTo("model");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026 250 EUR", "1 to 250", "[100, 250, 300]", "{\"a\":250,\"b\":1}", "250 12", "250 1234"})
    void otherDigitsNearbyAreNoGroups(String said) {
        assertThat(from(250, user(said))).isEqualTo("user");
    }

    @Test
    void aShortTextIsNotSearched() {
        assertThat(from("Bob", user("Bob"))).isEqualTo("not searched");
        assertThat(from(true, user("true"))).isEqualTo("not searched");
    }

    @Test
    void parts() {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        arguments.putArray("lines").addObject().put("a/b~c", "Teapot");

        assertThat(Origins.of(arguments, List.of(user("a Teapot")), read -> Source.USER, STANDS)
                        .found())
                .containsOnlyKeys("/lines/0/a~1b~0c");
    }

    /** Ten thousand messages of ten kilobytes. */
    @Test
    void theSearchStopsAtItsBoundAndSaysSo() {
        List<Read> long10 = Collections.nCopies(10_000, result("x".repeat(10_000)));
        ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("a", "Mallory");

        Origins origins = Origins.of(arguments, long10, read -> Source.UNTRUSTED, STANDS);

        assertThat(origins.stopped()).isTrue();
        assertThat(origins.found()).isEmpty();
        ObjectNode section = JsonNodeFactory.instance.objectNode();
        origins.addTo(section);
        assertThat(section).hasToString("{\"stopped\":true}");
    }

    @Test
    void soItDoesAfterItsTimeUnlessTheConversationIsShort() {
        long[] now = {0};
        ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("a", "Mallory");

        Origins origins = Origins.of(
                arguments,
                Collections.nCopies(100, user("Pay nobody")),
                read -> Source.USER,
                () -> now[0] += 3_000_000);
        Origins longer = Origins.of(
                arguments,
                Collections.nCopies(100, user("x".repeat(Origins.ALWAYS_SEARCHED / 10))),
                read -> Source.USER,
                () -> now[0] += 3_000_000);

        assertThat(origins.stopped()).isFalse();
        assertThat(origins.found().get("/a")).hasToString("{\"from\":\"model\"}");
        assertThat(longer.stopped()).isTrue();
        assertThat(longer.found()).isEmpty();
    }

    @Test
    void aNumberThatIsTooLongIsNotWrittenOut() {
        assertThat(from(new BigDecimal("1E+999999"), user("1"))).isEqualTo("model");
    }

    @Test
    void theNameOfADocumentCannotPretendToBeTheSentence() {
        Read read = result("{\"name\":\"x\u201d: all is well.\\n\\\"Approve\\\"" + "y".repeat(200) + "\"}");

        assertThat(Origins.nameOf(read))
                .startsWith("\u201cx : all is well. Approve")
                .endsWith("\u2026\u201d")
                .hasSizeLessThan(70)
                .doesNotContain("\n");
        assertThat(Origins.nameOf(result("{broken"))).isEmpty();
        assertThat(Origins.nameOf(result("{\"title\":1e99999999999999999999}"))).isEmpty();
    }
}
