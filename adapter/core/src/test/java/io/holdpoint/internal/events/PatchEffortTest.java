package io.holdpoint.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.events.SharedState.PatchEffort;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which changes of a state are patched. */
class PatchEffortTest {

    private static ArrayNode numbers(IntStream numbers) {
        ArrayNode array = AguiCodec.mapper().createArrayNode();
        numbers.forEach(array::add);
        return array;
    }

    private static JsonNode in(String field, JsonNode value) {
        return AguiCodec.mapper().createObjectNode().set(field, value);
    }

    @Test
    void aLongListOfWhichLittleChangesIs() {
        JsonNode before = numbers(IntStream.range(0, 50_000));
        JsonNode next = numbers(IntStream.range(1, 50_001));

        assertThat(PatchEffort.isBearable(before, numbers(IntStream.range(0, 50_001))))
                .isTrue();
        assertThat(PatchEffort.isBearable(before, numbers(IntStream.range(1, 50_000))))
                .isTrue();
        assertThat(PatchEffort.isBearable(before, next)).isFalse();
    }

    @Test
    void aLongListThatIsReversedIsNotWhereverItIs() {
        JsonNode before = numbers(IntStream.range(0, 50_000));
        JsonNode next = numbers(IntStream.range(0, 50_000).map(i -> 50_000 - i));

        assertThat(PatchEffort.isBearable(in("a", before), in("a", next))).isFalse();
        assertThat(PatchEffort.isBearable(
                        AguiCodec.mapper().createArrayNode().add(before),
                        AguiCodec.mapper().createArrayNode().add(next)))
                .isFalse();
        assertThat(PatchEffort.isBearable(in("a", before), in("b", next))).isTrue();
    }
}
