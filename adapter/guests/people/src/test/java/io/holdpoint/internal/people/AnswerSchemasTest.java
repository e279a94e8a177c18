package io.holdpoint.internal.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a return type says of an answer. */
class AnswerSchemasTest {

    enum Size {
        SMALL,
        LARGE
    }

    record Address(String street, int number) {}

    record Order(
            List<Size> sizes,
            Address from,
            Address to,
            @JsonProperty(required = false) String note) {}

    interface Answers {
        boolean yes();

        Boolean perhaps();

        int count();

        Long many();

        BigInteger huge();

        double weight();

        BigDecimal price();

        String text();

        char letter();

        UUID id();

        Size size();

        Set<Size> sizes();

        String[] names();

        List<List<Integer>> table();

        List<Integer>[] rows();

        Order order();

        Map<String, Integer> map();
    }

    private static String schema(String answer, String more) {
        return Arrays.stream(Answers.class.getMethods())
                .filter(method -> method.getName().equals(answer))
                .map(method -> new AnswerSchemas("here")
                        .of(method.getGenericReturnType(), more)
                        .toString())
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return AguiCodec.mapper().readTree(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yes|{\"type\":\"boolean\"}",
                "perhaps|{\"type\":\"boolean\"}",
                "count|{\"type\":\"integer\"}",
                "many|{\"type\":\"integer\"}",
                "huge|{\"type\":\"integer\"}",
                "weight|{\"type\":\"number\"}",
                "price|{\"type\":\"number\"}",
                "text|{\"type\":\"string\"}",
                "letter|{\"type\":\"string\"}",
                "size|{\"type\":\"string\",\"enum\":[\"SMALL\",\"LARGE\"]}",
                "sizes|{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"SMALL\",\"LARGE\"]}}",
                "names|{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
                "table|{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}"
            })
    void plainValuesAreNotWrapped(String answer, String schema) {
        assertThat(schema(answer, "")).isEqualTo(schema);
    }

    @Test
    void anIdIsAText() throws JsonProcessingException {
        assertThat(json(schema("id", "")).path("type").asText()).isEqualTo("string");
    }

    @Test
    void aRecordIsAClosedObjectWithoutReferences() throws JsonProcessingException {
        String address = "{\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"
                + "\"number\":{\"type\":\"integer\"}},\"required\":[\"street\",\"number\"],\"additionalProperties\":false}";

        assertThat(json(schema("order", "")))
                .isEqualTo(json("{\"type\":\"object\",\"properties\":{"
                        + "\"sizes\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"SMALL\",\"LARGE\"]}},"
                        + "\"from\":" + address + ",\"to\":" + address + ",\"note\":{\"type\":\"string\"}},"
                        + "\"required\":[\"sizes\",\"from\",\"to\"],\"additionalProperties\":false}"));
    }

    @Test
    void whatIsSaidAboutItIsMergedIn() throws JsonProcessingException {
        JsonNode schema = json(schema(
                "order",
                "{\"title\":\"Order\",\"properties\":{\"from\":{\"properties\":{\"number\":{\"minimum\":1}}},"
                        + "\"sizes\":{\"minItems\":1}}}"));

        assertThat(schema.path("title").asText()).isEqualTo("Order");
        assertThat(schema.at("/properties/from/properties/number"))
                .isEqualTo(json("{\"type\":\"integer\",\"minimum\":1}"));
        assertThat(schema.at("/properties/to/properties/number")).isEqualTo(json("{\"type\":\"integer\"}"));
        assertThat(schema.at("/properties/sizes/minItems").asInt()).isEqualTo(1);
    }

    @Test
    void ofATypeThatSaysNothingItIsTheWholeSchema() {
        assertThat(schema("map", "{\"type\":\"object\"}")).isEqualTo("{\"type\":\"object\"}");
    }
}
