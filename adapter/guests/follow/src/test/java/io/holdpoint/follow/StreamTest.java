package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plain Java program listens to a run. */
class StreamTest {

    private final Bench bench = new Bench();
    private final List<String> heard = new ArrayList<>();
    private final RunHandler handler = new RunHandler() {

        @Override
        public void onPartialResponse(String partialResponse) {
            heard.add("text " + partialResponse);
        }

        @Override
        public void onToolCall(ToolExecutionRequest toolCall) {
            heard.add("call " + toolCall.id() + " " + toolCall.name());
        }

        @Override
        public void onToolCallHeld(PendingInterrupt interrupt) {
            heard.add("held " + interrupt.toolName());
        }

        @Override
        public void onToolCallExecuted(ToolExecutionRequest toolCall, String result) {
            heard.add("executed " + toolCall.name() + " " + toolCall.arguments() + ": " + result);
        }
    };

    private String text() {
        return String.join(
                "",
                heard.stream()
                        .filter(each -> each.startsWith("text "))
                        .map(each -> each.substring(5))
                        .toList());
    }

    @Test
    void textCallsAndWhatIsHeldAreHeard() {
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}")).calls(call("c2", "sendEmail", MAIL));

        RunResult result = Follow.of(bench.agent()).stream(Turn.of(THREAD, "Write to Ada"), handler)
                .join();

        assertThat(heard)
                .containsExactly(
                        "call c1 searchContacts",
                        "executed searchContacts {\"query\":\"Ada\"}: ada@example.com",
                        "call c2 sendEmail",
                        "held sendEmail");
        assertThat(result.interrupts()).hasSize(1);
        assertThat(result.text()).isEmpty();
    }

    @Test
    void aResumeIsHeardToo() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("All done.");
        PendingInterrupt.Approval asked =
                bench.agent().send(THREAD, "Write").approvals().get(0);

        RunResult result = Follow.of(bench.agent()).stream(
                        THREAD, List.of(asked.approveWith(asked.arguments().put("body", "Edited"))), handler)
                .join();

        assertThat(heard.get(0))
                .isEqualTo("executed sendEmail {\"body\":\"Edited\",\"subject\":\"Hi\",\"to\":\"ada@example.com\"}:"
                        + " sent to ada@example.com");
        assertThat(text()).isEqualTo("All done.");
        assertThat(result.text()).isEqualTo("All done.");
        assertThat(result.failure()).isEmpty();
    }

    @Test
    void aRefusedRunIsAResult() {
        RunResult result = Follow.of(bench.agent()).stream(THREAD, List.of(ResumeEntry.cancelled("int_1")), handler)
                .join();

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
        assertThat(heard).isEmpty();
    }

    @Test
    void aHandlerThatThrowsDoesNotStopTheRun() {
        bench.model.calls(call("c1", "sendEmail", MAIL));

        RunResult result = Follow.of(bench.agent()).stream(Turn.of(THREAD, "Go"), new RunHandler() {
                    @Override
                    public void onToolCall(ToolExecutionRequest toolCall) {
                        throw new IllegalStateException("the window is closed");
                    }
                })
                .join();

        assertThat(result.approvals()).hasSize(1);
    }
}
