package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call of which nobody knows whether it took effect. */
@ExtendWith(PageExtension.class)
@InTurns
class PageOutcomeIT {

    private static final String UNKNOWN = outcomeUnknown("\"retry\",\"done\",\"not_done\"");

    @Test
    void theCardShowsTheCallAndNothingIsChosenBeforehand(DemoPage page) {
        StagedInterrupts.ask(page, UNKNOWN);

        ApprovalCard card = page.card();
        assertThat(card.root().getByRole(AriaRole.HEADING)).hasText("Did this happen? transferMoney");
        assertThat(card.question()).hasText("Did transferMoney take effect?");
        assertThat(card.root()).containsText("it may or may not have taken effect");
        assertThat(card.root()).containsText("Attempts so far: 1.");
        assertThat(card.arguments()).containsExactly(Map.entry("amount", "500"), Map.entry("to", "Bob"));
        assertThat(card.root().getByRole(AriaRole.RADIO)).hasCount(3);
        assertThat(card.root().locator("input:checked")).hasCount(0);
        assertThat(card.button("Approve")).hasCount(0);
    }

    @ParameterizedTest
    @CsvSource({"Run it again, retry", "It was done, done", "It was not done, not_done"})
    void eachChoiceIsSentAsItsAction(String choice, String action, DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);

        page.card().radio(choice).check();
        page.card().field("Note (optional)").fill("  \n");
        page.card().button("Answer").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_1\",\"status\":\"resolved\",\"payload\":{\"action\":\"" + action
                        + "\"}}]");
    }

    @Test
    void aNoteIsSentAsItWasWritten(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);

        page.card().radio("It was done").check();
        page.card().field("Note (optional)").fill(" \"Seen\" in the books\n<b>at ten</b> ");
        page.card().button("Answer").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page))
                .isEqualTo("[{\"interruptId\":\"int_1\",\"status\":\"resolved\",\"payload\":{\"action\":\"done\","
                        + "\"note\":\" \\\"Seen\\\" in the books\\n<b>at ten</b> \"}}]");
    }

    @Test
    void withoutAChoiceNothingIsSent(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);

        page.card().field("Note (optional)").fill("No idea");
        page.card().button("Answer").click();

        assertThat(page.card().root().getByRole(AriaRole.ALERT)).hasText("Your answer: Choose one of them.");
        assertThat(page.card().radio("Run it again")).isFocused();
        assertThat(page.card().root().locator("input:checked")).hasCount(0);
        assertThat(staged.answers()).isEmpty();
    }

    @Test
    void cancelSendsNoPayload(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);

        page.card().radio("Run it again").check();
        page.card().button("Cancel it").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).isEqualTo("[{\"interruptId\":\"int_1\",\"status\":\"cancelled\"}]");
    }

    @Test
    void theKeyboardIsEnough(DemoPage page) {
        page.page().setViewportSize(1280, 900); // all of the card is in sight, so that no button leads to more lines
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);
        Locator heading = page.card().root().getByRole(AriaRole.HEADING);
        assertThat(heading).isFocused();

        heading.press("Tab");
        assertThat(page.card().root().locator("summary")).isFocused();
        page.page().keyboard().press("Tab");
        page.page().keyboard().press("ArrowDown");
        assertThat(page.card().radio("It was done")).isChecked();
        page.page().keyboard().press("Tab");
        page.page().keyboard().type("Checked");
        page.page().keyboard().press("Tab");
        assertThat(page.card().button("Answer")).isFocused();
        page.page().keyboard().press("Enter");

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).endsWith("\"payload\":{\"action\":\"done\",\"note\":\"Checked\"}}]");
        assertThat(page.message()).isFocused();
    }

    @Test
    void aReloadBringsTheCardBackOnceAndNotAfterTheAnswer(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);
        var arguments = page.card().arguments();

        page.reload();
        assertThat(page.card().arguments()).isEqualTo(arguments);
        assertThat(page.card().root().locator("input:checked")).hasCount(0);
        page.card().radio("It was not done").check();
        page.card().button("Answer").click();
        assertThat(page.cards()).hasCount(0);
        page.reload();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answers()).hasSize(1);
    }

    @Test
    void aRefusedAnswerKeepsWhatWasChosen(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, UNKNOWN);
        staged.refuseNext(
                "{\"type\":\"RUN_ERROR\",\"message\":\"$.note: too rude\",\"code\":\"INTERRUPT_PAYLOAD_INVALID\"}");
        page.card().radio("It was done").check();
        page.card().field("Note (optional)").fill("Rude");

        page.card().button("Answer").click();

        assertThat(page.page().locator("#error")).containsText("The server did not take this answer. $.note: too rude");
        assertThat(page.card().radio("It was done")).isChecked();
        page.card().field("Note (optional)").fill("Kind");
        page.card().button("Answer").click();
        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answers()).hasSize(2);
        assertThat(staged.answers().get(1)).contains("\"note\":\"Kind\"");
    }

    @Test
    void anActionThatThePageDoesNotKnowIsAskedByTheForm(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, outcomeUnknown("\"retry\",\"escalate\""));

        ApprovalCard card = page.card();
        assertThat(card.root().getByRole(AriaRole.HEADING)).hasText("A question for you transferMoney");
        assertThat(card.arguments()).containsEntry("to", "Bob");
        card.radio("escalate").check();
        card.button("Answer").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).endsWith("\"payload\":{\"action\":\"escalate\"}}]");
    }

    static String outcomeUnknown(String actions) {
        return """
                {"id":"int_1","reason":"langchain4j:outcome_unknown","message":"Did transferMoney take effect?","toolCallId":"call_1",
                "responseSchema":{"type":"object","required":["action"],"properties":{
                  "action":{"type":"string","enum":[%s]},"note":{"type":"string"}}},
                "metadata":{"langchain4j":{"toolName":"transferMoney","args":{"amount":500,"to":"Bob"},"argsSha256":"00",
                  "attempts":1}}}""".formatted(actions).replaceAll("\\n\\s*", "");
    }
}
