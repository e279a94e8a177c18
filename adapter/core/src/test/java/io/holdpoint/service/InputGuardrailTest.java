package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.InputGuardrail;
import dev.langchain4j.guardrail.InputGuardrailResult;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guardrails that look at what the user said. */
class InputGuardrailTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger created = new AtomicInteger();

    /** Numbers the messages, and writes the number in. */
    private final class Numbering implements InputGuardrail {

        private int seen;

        private Numbering() {
            created.incrementAndGet();
        }

        @Override
        public InputGuardrailResult validate(UserMessage message) {
            asked.incrementAndGet();
            seen++;
            return successWith(seen + ": " + message.singleText());
        }
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model, service -> service.inputGuardrails(new Numbering()))
                .tools(tools)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void aGuardrailRunsOnceInATurnThatIsHeldAndResumed(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void theModelSeesTheRewrittenMessageBeforeAndAfterAHold(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        assertThat(model.lastMessages()).containsExactly(UserMessage.from("1: Go"));
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.lastMessages().stream().filter(UserMessage.class::isInstance))
                .containsExactly(UserMessage.from("1: Go"));
    }

    @ParameterizedTest
    @EnumSource
    void aGuardrailKeepsItsStateFromRunToRun(Shape shape) {
        model.says("one").says("two");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        agent.send("other", "Go");

        assertThat(model.lastMessages()).containsExactly(UserMessage.from("2: Go"));
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aTurnThatIsRunAgainAfterTheModelFailedIsNotPreparedAgain(Shape shape) {
        model.fails(new IllegalStateException("provider down")).says("Hello.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t");

        assertThat(asked).hasValue(1);
        assertThat(model.lastMessages()).containsExactly(UserMessage.from("1: Go"));
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aGuardrailThatRefusesFailsTheRunBeforeTheModelIsAskedAndTheThreadGoesOn(Shape shape) {
        model.says("Hello.");
        Holdpoint agent = shape.builder(
                        model, service -> service.inputGuardrails((InputGuardrail) new Refusing("bad words")))
                .tools(tools)
                .build();

        RunResult.Failed refused = agent.send("t", "bad words").failure().orElseThrow();
        assertThat(refused.code()).isEqualTo(ErrorCode.INPUT_GUARDRAIL);
        assertThat(refused.message()).contains("Say something else").doesNotContain("again", "refused for");
        assertThat(model.requests()).isEmpty();
        assertThat(agent.send("t", "good words")).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastMessages()).containsExactly(UserMessage.from("good words"));
    }

    private record Refusing(String text) implements InputGuardrail {

        @Override
        public InputGuardrailResult validate(UserMessage message) {
            return message.singleText().equals(text) ? fatal("refused") : success();
        }
    }
}
