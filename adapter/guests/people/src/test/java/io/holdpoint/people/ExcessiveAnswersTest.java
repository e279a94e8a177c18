package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.AsksUser;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers that are no objects have the limits of those that are, also if they come from Java. */
class ExcessiveAnswersTest {

    interface Questions {
        @Tool
        @AsksUser
        BigDecimal howMuch(String what);

        @Tool
        @AsksUser(responseSchema = "{\"type\":\"array\"}")
        Object which(String what);

        @Tool
        @AsksUser
        Verdict judge(String what);
    }

    record Verdict(String reason) {}

    private final Bench bench = new Bench(builder -> builder.questions(Questions.class));

    private void refused(Object answer, String why) {
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.resume(bench.pending(0).asInput().answer(answer));

        assertThat(sink.detail()).contains(why);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aNumberThatIsEndlessAsAnInteger() {
        bench.model.calls(call("c1", "howMuch", "{\"what\":\"sugar\"}"));
        bench.say("Ask");

        refused(DecimalNode.valueOf(new BigDecimal("1e200000000")), "more than 1000 digits");
    }

    @Test
    void aListThatIsDeeperThanArgumentsMayBe() {
        bench.model.calls(call("c1", "which", "{\"what\":\"list\"}"));
        bench.say("Ask");
        ArrayNode deep = AguiCodec.mapper().createArrayNode();
        ArrayNode inner = deep;
        for (int i = 0; i < 150; i++) {
            inner = inner.addArray();
        }

        refused(deep, "nested deeper");
        bench.model.says("Thanks.");
        bench.resume(bench.pending(0).asInput().answer(List.of()));
        assertThat(bench.pending()).isEmpty();
    }

    @Test
    void aFieldOfTheApplicationIsNotAReasonBecauseOfItsName() {
        bench.model.calls(call("c1", "judge", "{\"what\":\"essay\"}")).says("Thanks.");
        bench.say("Ask");
        String reason = "because ".repeat(2_000);

        bench.resume(bench.pending(0).asInput().answer(new Verdict(reason)));

        assertThat(bench.model.lastResult("c1")).contains(reason);
    }
}
