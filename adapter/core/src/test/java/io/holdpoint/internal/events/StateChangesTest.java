package io.holdpoint.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.flipkart.zjsonpatch.JsonPatch;
import io.holdpoint.agui.AguiCodec;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The patches of a state, applied by the library that clients in Java have. */
class StateChangesTest {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Provide
    Arbitrary<JsonNode> trees() {
        Arbitrary<JsonNode> values = Arbitraries.of(
                NODES.numberNode(1),
                NODES.numberNode(2),
                NODES.textNode("1"),
                NODES.textNode(""),
                NODES.booleanNode(true),
                NODES.nullNode());
        return Arbitraries.recursive(() -> values, StateChangesTest::within, 0, 4);
    }

    private static Arbitrary<JsonNode> within(Arbitrary<JsonNode> inner) {
        Arbitrary<JsonNode> lists =
                inner.list().ofMaxSize(5).map(each -> NODES.arrayNode().addAll(each));
        Arbitrary<String> names = Arbitraries.of("a", "b", "", "a/b", "~", "0", "é\"");
        Arbitrary<JsonNode> records = Arbitraries.maps(names, inner)
                .ofMaxSize(4)
                .map(fields -> NODES.objectNode().setAll(fields));
        return Arbitraries.oneOf(lists, records);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void aPatchMakesOfAStateTheNextOne(@ForAll("trees") JsonNode before, @ForAll("trees") JsonNode next) {
        ArrayNode patch = StateChanges.between(before, next);

        assertThat(JsonPatch.apply(patch, before)).isEqualTo(next);
        assertThat(patch)
                .allSatisfy(each -> assertThat(each.path("op").asText()).isIn("add", "remove", "replace"));
        assertThat(patch.isEmpty()).isEqualTo(before.equals(next));
    }

    /** The library reads such a name wrongly. */
    @Test
    void aNameIsEscapedAsThePointersOfJsonAre() {
        assertThat(StateChanges.between(json("{}"), json("{'~1/':1}")))
                .containsExactly(json("{'op':'add','path':'/~01~1','value':1}"));
    }

    private static ArrayNode numbers(IntStream numbers) {
        ArrayNode array = NODES.arrayNode();
        numbers.forEach(array::add);
        return array;
    }

    @Test
    void ofALongListOnlyWhatChangesIsSent() {
        JsonNode before = numbers(IntStream.range(0, 50_000));

        assertThat(StateChanges.between(before, numbers(IntStream.range(0, 50_001))))
                .containsExactly(json("{'op':'add','path':'/50000','value':50000}"));
        assertThat(StateChanges.between(before, numbers(IntStream.range(1, 50_000))))
                .containsExactly(json("{'op':'remove','path':'/0'}"));
        assertThat(StateChanges.between(
                        before, numbers(IntStream.range(0, 50_000).map(i -> i == 7 ? -1 : i))))
                .containsExactly(json("{'op':'replace','path':'/7','value':-1}"));
    }

    @Test
    void aLongListThatIsReversedHasOneChangeAPlace() {
        JsonNode before = numbers(IntStream.range(0, 50_000));

        assertThat(StateChanges.between(
                        before, numbers(IntStream.range(0, 50_000).map(i -> 49_999 - i))))
                .hasSize(50_000);
    }

    @Test
    void aChangeDeepInAListIsOneOfItsField() {
        assertThat(StateChanges.between(
                        json("{'tasks':[{'id':1,'done':false},{'id':2,'done':false}]}"),
                        json("{'tasks':[{'id':1,'done':true},{'id':2,'done':false}]}")))
                .containsExactly(json("{'op':'replace','path':'/tasks/0/done','value':true}"));
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
