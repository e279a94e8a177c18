package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** README.md's section on hooks. */
class HookingTest {

    private final ScriptedModel model = new ScriptedModel();
    private final ScriptedModel large = new ScriptedModel();
    private final Hooking.RunsAtWork atWork = new Hooking.RunsAtWork();
    private final Holdpoint agent = Hooking.agent(model, large, Set.of("bob"), atWork);

    private static RunAgentInput input(String forwardedProps) {
        return AguiCodec.readRunAgentInput(
                ("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"id\":\"u1\",\"role\":\"user\","
                                + "\"content\":\"Hi\"}],\"tools\":[],\"context\":[],\"forwardedProps\":"
                                + forwardedProps + "}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private RecordingSink run(String forwardedProps) {
        RecordingSink sink = new RecordingSink();
        agent.as(Caller.of("ada")).run(input(forwardedProps), sink).join();
        StreamRules.check(sink.events());
        return sink;
    }

    @Test
    void whoHasNoSubscriptionIsRefused() {
        assertThatThrownBy(() -> agent.as(Caller.of("bob")).run(input("{}"), event -> {}))
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.INPUT_REJECTED))
                .hasMessage("Your subscription has expired.");
    }

    @Test
    void theModelIsToldTheAccountAndTheClientGetsTheStyle() {
        model.says("Welcome! Sit down!");

        assertThat(run("{}").text()).isEqualTo("Welcome. Sit down.");

        assertThat(model.lastMessages().toString()).contains("The user's account", "ada");
    }

    @Test
    void theClientChoosesTheModel() {
        large.says("Welcome.");

        assertThat(run("{\"model\":\"large\"}").text()).isEqualTo("Welcome.");
    }

    @Test
    void aRunIsAtWorkUntilItHasEnded() {
        model.answers(request -> {
            assertThat(atWork.runIds()).containsExactly("r");
            return AiMessage.from("Welcome.");
        });

        assertThat(run("{}").text()).isEqualTo("Welcome.");

        assertThat(atWork.runIds()).isEmpty();
    }
}
