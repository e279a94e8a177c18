package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import org.junit.jupiter.api.Test;

/** README.md's section on tools that ask the user. */
class AskingTest {

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Asking.agent(model);

    @Test
    void whatTheUserAnswersIsWhatTheModelGets() {
        model.calls(call("c1", "requestFilingDetails", "{\"client\":\"Acme\"}")).says("Filed.");

        RunResult result = Asking.answer(agent);

        assertThat(((RunResult.Completed) result).text()).isEqualTo("Filed.");
        assertThat(model.lastResult("c1")).isEqualTo("{\"quarter\":\"Q3\",\"year\":2026,\"revenue\":4200000}");
    }

    @Test
    void theQuestionReadsAsTheReadmeSays() {
        model.calls(call("c1", "requestFilingDetails", "{\"client\":\"Acme\"}"));

        PendingInterrupt question =
                ((RunResult.Interrupted) agent.send("t", "Go")).interrupts().get(0);

        assertThat(question.message()).isEqualTo("What are the details of the filing for \"Acme\"?");
    }

    @Test
    void whatTheModelAsksIsShownAsItsWords() {
        model.calls(
                call("c1", "askUser", "{\"question\":\"Which report?\",\"options\":[\"A\",\"B\"]}"),
                call("c2", "confirm", "{\"question\":\"Shall I send it?\"}"));

        RunResult.Interrupted held = (RunResult.Interrupted) agent.send("t", "Go");

        assertThat(held.interrupts())
                .extracting(PendingInterrupt::message)
                .containsExactly("The assistant asks: Which report?", "Please confirm: Shall I send it?");
        assertThat(held.interrupts())
                .extracting(PendingInterrupt::reason)
                .containsExactly("input_required", "confirmation");
    }
}
