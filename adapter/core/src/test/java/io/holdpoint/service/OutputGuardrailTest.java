package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guardrails that look at what the model said in the end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs("Run * on thread * failed")
class OutputGuardrailTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final RecordingSink sink = new RecordingSink();

    /** Rewrites every text. */
    private static final class Shouting implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return successWith(request.responseFromLLM().aiMessage().text().toUpperCase(Locale.ROOT));
        }
    }

    /** Asks again until the text is polite. */
    private static final class Politeness implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return request.responseFromLLM().aiMessage().text().contains("please")
                    ? success()
                    : reprompt("impolite", "Say please.");
        }
    }

    private RunResult run(Shape shape, OutputGuardrail guardrail) {
        return agent(shape, guardrail)
                .run(RunAgentInput.of("t", "r1", List.of(new Message.User("m1", MessageContent.text("Hi")))), sink)
                .join();
    }

    private Holdpoint agent(Shape shape, OutputGuardrail guardrail) {
        return shape.builder(model, service -> service.outputGuardrails(guardrail))
                .tools(tools)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheRewrittenTextLeavesAsOneMessage(Shape shape) {
        model.says("hello there");

        RunResult result = run(shape, new Shouting());

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("HELLO THERE"));
        assertThat(sink.all(TextMessageEvent.Content.class)).hasSize(1);
        assertThat(sink.text()).isEqualTo("HELLO THERE");
    }

    @ParameterizedTest
    @EnumSource
    void theTextBesideToolCallsNeitherLeavesNorStays(Shape shape) {
        model.saysAndCalls("secret ", call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("found");

        run(shape, new Shouting());

        assertThat(sink.text()).isEqualTo("FOUND");
        assertThat(sink.events().toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @EnumSource
    void aGuardrailThatAsksAgainGivesOneMessageWithTheLastText(Shape shape) {
        model.says("Give me that.").says("Give me that, please.");

        RunResult result = run(shape, new Politeness());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(sink.text()).isEqualTo("Give me that, please.");
        assertThat(sink.types()).containsOnlyOnce("TEXT_MESSAGE_START");
    }

    @ParameterizedTest
    @EnumSource
    void aGatedCallOfARepromptIsNeitherHeldNorRun(Shape shape) {
        model.says("Give me that.").calls(call("c1", "sendEmail", MAIL)).says("Not sent, please.");

        RunResult result = run(shape, new Politeness());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "approval cannot be asked here");
    }

    @ParameterizedTest
    @EnumSource
    void anUngatedCallOfARepromptRuns(Shape shape) {
        model.says("Give me that.")
                .calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .says("Found, please.");

        RunResult result = run(shape, new Politeness());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).containsExactly("searchContacts Ada");
        assertThat(sink.text()).isEqualTo("Found, please.");
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatFailsInARepromptFailsTheRun(Shape shape) {
        model.says("Give me that.").fails(new IllegalStateException("provider down"));

        RunResult result = run(shape, new Politeness());

        assertThat(result).isInstanceOf(RunResult.Failed.class);
        assertThat(sink.errorCode()).isEqualTo("RUN_FAILED");
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatFailsInTheSecondRoundOfARepromptFailsTheRun(Shape shape) {
        model.says("Give me that.")
                .calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .fails(new IllegalStateException("provider down"));

        RunResult result = run(shape, new Politeness());

        assertThat(result).isInstanceOf(RunResult.Failed.class);
    }

    @ParameterizedTest
    @EnumSource
    void theTextAfterAResumeIsGuardedToo(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("sent").says("Sent, please.");
        Holdpoint agent = agent(shape, new Politeness());
        agent.send("t", "Go");

        RunResult result =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("Sent, please."));
    }

    @ParameterizedTest
    @EnumSource
    void afterAGuardrailRefusedForGoodTheSameInputAsksTheModelWithoutTheRefusedText(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("one").says("two").says("three");
        Holdpoint agent = agent(shape, new Politeness());
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();
        assertThat(agent.resume("t", approval).failure().orElseThrow().code()).isEqualTo(ErrorCode.OUTPUT_GUARDRAIL);
        model.says("Sent, please.");

        RunResult again = agent.resume("t", approval);

        assertThat(again).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(1);
        assertThat(model.lastMessages().toString()).doesNotContain("one");
    }
}
