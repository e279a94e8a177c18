package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;

/** JSON as these tests compare it. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static JsonNode parse(String text) throws IOException {
        return MAPPER.readTree(text);
    }

    /** The elements of an array; none if the node is missing. */
    static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    /** The one element of a list. */
    static JsonNode only(List<JsonNode> nodes) {
        assertThat(nodes).hasSize(1);
        return nodes.get(0);
    }

    /** Equal as JSON, in which {@code 7} and {@code 7.0} are one number. */
    static void assertSame(JsonNode actual, JsonNode expected) {
        boolean same = actual.equals(
                (one, other) -> one.isNumber() && other.isNumber()
                        ? one.decimalValue().compareTo(other.decimalValue())
                        : one.equals(other) ? 0 : 1,
                expected);
        assertThat(same).as("expected %s but was %s", expected, actual).isTrue();
    }
}
