package io.holdpoint.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Logs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of an answer ends, whatever schema and answer are, and what cannot be checked does not pass. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs({"A responseSchema cannot be used", "Failed to apply pattern", "Failed to load json schema"})
class JsonSchemasTest {

    private static final String BACKTRACKING = "^(.*a){20}$";
    private static final String TEMPTING = "a".repeat(60) + "!";

    private final JsonSchemas schemas = new JsonSchemas();

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode object() {
        return AguiCodec.mapper().createObjectNode();
    }

    private static ObjectNode patternOfX(String pattern) {
        ObjectNode schema = object();
        schema.putObject("properties").putObject("x").put("pattern", pattern);
        return schema;
    }

    private List<String> violations(String schema, JsonNode value) {
        return schemas.violations(json(schema), value);
    }

    private static void takesTooManySteps(List<String> violations) {
        assertThat(violations).singleElement().asString().contains("too many steps", "cancel");
    }

    private static void isNoUsableSchema(List<String> violations) {
        assertThat(violations).singleElement().asString().contains("not a usable one", "Cancel");
    }

    @ParameterizedTest
    @CsvSource({
        "^[a-z]+$, abc, true",
        "^[a-z]+$, ABC, false",
        "b, abc, true",
        "^[$]$, $, true",
        "^\\$$, $, true",
        "^(?=.*\\d)[a-z0-9]{4}$, abc1, true",
        "^(\\d{3}-){2}\\d{4}$, 555-123-4567, true"
    })
    void ordinaryPatternsAreChecked(String pattern, String value, boolean valid) {
        List<String> violations = schemas.violations(patternOfX(pattern), object().put("x", value));

        assertThat(violations.isEmpty()).isEqualTo(valid);
    }

    @Test
    void theEndOfAPatternIsTheEndOfTheText() {
        assertThat(schemas.violations(patternOfX("^a$"), object().put("x", "a\n")))
                .singleElement()
                .asString()
                .contains("/x");
    }

    @Test
    void aLongTextIsNoReasonToRefuse() {
        assertThat(schemas.violations(patternOfX("^[ab]*$"), object().put("x", "ab".repeat(500_000))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {BACKTRACKING, "^(a+){1,60}$", "^(a*){9}x\\1$", "^(a|aa)+\\1b$"})
    void aPatternThatTriesAgainAndAgainIsStopped(String pattern) {
        takesTooManySteps(schemas.violations(patternOfX(pattern), object().put("x", TEMPTING)));
    }

    @Test
    void aPatternThatNeedsTooDeepAStackIsStopped() {
        takesTooManySteps(schemas.violations(patternOfX("^(a|b)*$"), object().put("x", "ab".repeat(400_000))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"not\":{\"properties\":{\"x\":{\"pattern\":\"^(.*a){20}$\"}}}}",
                "{\"anyOf\":[{\"properties\":{\"x\":{\"pattern\":\"^(.*a){20}$\"}}},true]}",
                "{\"if\":{\"properties\":{\"x\":{\"pattern\":\"^(.*a){20}$\"}}},\"then\":true,\"else\":true}"
            })
    void whatWasStoppedDoesNotPassInsideOfSomethingElse(String schema) {
        takesTooManySteps(violations(schema, object().put("x", TEMPTING)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"patternProperties\":{\"^(.*a){20}$\":{\"type\":\"string\"}}}",
                "{\"patternProperties\":{\"^(.*a){20}$\":{}},\"additionalProperties\":true,\"unevaluatedProperties\":false}",
                "{\"propertyNames\":{\"pattern\":\"^(.*a){20}$\"}}"
            })
    void aPatternOfNamesIsStoppedAsWell(String schema) {
        takesTooManySteps(violations(schema, object().put(TEMPTING, "x")));
    }

    @Test
    void manyHarmlessMatchesCountTogether() {
        ObjectNode schema = json("{\"items\":{\"pattern\":\"^a*b\"}}");
        ArrayNode value = AguiCodec.mapper().createArrayNode();
        for (int i = 0; i < 100; i++) {
            value.add("a".repeat(100));
        }

        assertThat(new JsonSchemas(10_000_000).violations(schema, value)).hasSize(100);
        takesTooManySteps(new JsonSchemas(10_000).violations(schema, value));
    }

    @Test
    void aSchemaThatBranchesAtEveryLevelIsStopped() {
        String schema = "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"oneOf\":["
                + "{\"items\":{\"$ref\":\"#/$defs/n\"}},{\"items\":{\"$ref\":\"#/$defs/n\"},\"minItems\":2}]}}}";
        JsonNode value = AguiCodec.mapper().createArrayNode();
        for (int i = 0; i < 90; i++) {
            value = AguiCodec.mapper().createArrayNode().add(value);
        }

        takesTooManySteps(violations(schema, value));
    }

    @Test
    void aSchemaThatRefersToItselfIsStopped() {
        assertThat(violations("{\"$ref\":\"#\"}", object())).hasSize(1);
        assertThat(violations("{\"allOf\":[{\"$ref\":\"#\"}]}", object())).hasSize(1);
    }

    @Test
    void endlessErrorsAreNotCollected() {
        ArrayNode value = AguiCodec.mapper().createArrayNode();
        for (int i = 0; i < 100_000; i++) {
            value.add(i);
        }

        takesTooManySteps(violations("{\"items\":{\"type\":\"string\"}}", value));
    }

    @Test
    void valuesMadeToCollideAreNotToldApart() {
        ArrayNode value = AguiCodec.mapper().createArrayNode();
        for (int i = 0; i < 1 << 14; i++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 14; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            value.add(text.toString());
        }

        takesTooManySteps(violations("{\"uniqueItems\":true}", value));
    }

    @Test
    void ordinaryValuesAreToldApart() {
        ArrayNode value = AguiCodec.mapper().createArrayNode();
        for (int i = 0; i < 100_000; i++) {
            value.add(i);
        }

        assertThat(violations("{\"uniqueItems\":true}", value)).isEmpty();
        assertThat(violations("{\"uniqueItems\":true}", value.add(7))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "a{2,1}", "(?<x", "((){100}){1000}"})
    void aPatternThatIsNoneDoesNotPass(String pattern) {
        isNoUsableSchema(schemas.violations(patternOfX(pattern), object().put("x", "")));
    }

    @Test
    void aSchemaThatIsUnusableInPartIsUsableForTheRest() {
        ObjectNode schema = patternOfX("(");
        ((ObjectNode) schema.get("properties")).putObject("approved").put("type", "boolean");

        assertThat(schemas.violations(schema, object().put("approved", true))).isEmpty();
        assertThat(schemas.violations(schema, object().put("approved", 1))).hasSize(1);
        isNoUsableSchema(schemas.violations(schema, object().put("x", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$schema\":\"https://example.com/own\"}",
                "{\"$schema\":\"https://json-schema.org/draft/2099-12/schema\"}",
                "{\"$ref\":\"classpath:draft-07/schema\"}",
                "{\"$ref\":\"resource:/draft/2020-12/schema\"}",
                "{\"$ref\":\"file:///etc/hostname\"}",
                "{\"$ref\":\"#/$defs/absent\"}",
                "{\"properties\":{\"x\":{\"$ref\":\"urn:absent\"}}}"
            })
    void aSchemaThatRefersToWhatIsNotThereDoesNotPass(String schema) {
        isNoUsableSchema(violations(schema, object().put("x", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"$ref\":\"URL\"}", "{\"$schema\":\"URL\"}", "{\"$dynamicRef\":\"URL\"}"})
    void nothingIsFetched(String schema) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/schema.json";
            isNoUsableSchema(violations(schema.replace("URL", url), object()));
        } finally {
            server.stop(0);
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void aSchemaDoesNotTakeThePlaceOfAnotherOfTheSameId() {
        violations("{\"$id\":\"https://example.com/s\"}", object().put("x", 1));

        assertThat(violations("{\"$id\":\"https://example.com/s\",\"required\":[\"y\"]}", object()))
                .hasSize(1);
        isNoUsableSchema(violations("{\"$ref\":\"https://example.com/s\"}", object()));
    }

    @Test
    void messagesAreEnglishWhateverTheMachineSpeaks() {
        assertThat(violations("{\"type\":\"string\"}", object())).containsExactly(": object found, string expected");
    }
}
