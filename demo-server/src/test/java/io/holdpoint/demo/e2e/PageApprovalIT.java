package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One held call: approved or denied. */
@ExtendWith(PageExtension.class)
class PageApprovalIT {

    @Test
    void theCardShowsWhatWouldRunAndNothingRan(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");

        ApprovalCard card = page.card();
        assertThat(card.question()).hasText("Send email to \"ada@example.com\" with subject 'The budget'?");
        assertThat(card.root().getByRole(AriaRole.HEADING).first()).hasText("Waiting for you sendEmail");
        assertThat(card.arguments())
                .containsExactly(
                        Map.entry("to", "ada@example.com"),
                        Map.entry("subject", "The budget"),
                        Map.entry("body", "Hello Ada,\n\nThis is about: The budget.\n"));
        assertThat(page.calls("sendEmail").locator(".card")).hasCount(1);
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void anApprovedCallRunsOnceAndItsResultIsShown(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");

        page.card().approve();

        assertThat(page.calls("sendEmail").locator(".result")).hasText("Sent 'The budget' to ada@example.com.");
        assertThat(page.calls("sendEmail").locator(".state")).hasText("Executed");
        assertThat(page.calls("sendEmail").locator(".who")).containsText("by you");
        assertThat(page.messages().last()).containsText("I sent the email to ada@example.com");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.listedEffects().first()).containsText("sendEmail");
        assertThat(page.listedEffects().first()).containsText("The budget");
        assertThat(page.listedEffects().first().locator("dt").nth(1)).hasText("Subject line");
        assertThat(page.effects("sendEmail")).hasSize(1);
    }

    @Test
    void aHeldCallAfterAFreeOneGetsWhatTheFreeOneFound(DemoPage page) {
        page.say("Write to Ada that the meeting moved to Friday");

        ApprovalCard card = page.card();
        assertThat(page.calls("searchContacts").locator(".state")).hasText("Executed");
        assertThat(card.arguments()).containsEntry("to", "ada@example.com");
        card.approve();

        assertThat(page.messages().last()).containsText("I sent the email to ada@example.com");
        assertThat(page.effects("sendEmail"))
                .singleElement()
                .satisfies(args -> assertThat(args.path("subject").asText()).isEqualTo("The meeting moved to Friday"));
    }

    @Test
    void aDeniedCallDoesNotRunAndTheModelHearsTheReason(DemoPage page) {
        page.say("Transfer 500 to Bob");

        page.card().deny("Bob was paid in March");

        assertThat(page.messages().last())
                .containsText("The transfer of 500 to Bob was declined (\"Bob was paid in March\"), so I left it.");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.calls("transferMoney").locator(".state")).hasText("Denied");
        assertThat(page.calls("transferMoney").locator(".said")).hasText("You denied this: Bob was paid in March");
        assertThat(page.calls("transferMoney")).not().containsText("was not executed");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void aReasonThatWasWrittenCannotBeSentAsAnApproval(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.button("Deny…").click();
        card.field("Reason, for the agent (optional)").fill("Bob was paid");
        assertThat(card.button("Approve")).hasCount(0);
        assertThat(card.button("Edit…")).hasCount(0);
        page.page().keyboard().press("Escape");
        assertThat(card.button("Approve")).isFocused();
        card.button("Deny…").click();
        assertThat(card.field("Reason, for the agent (optional)")).hasValue("Bob was paid");
        card.button("Deny").click();

        assertThat(page.calls("transferMoney").locator(".said")).hasText("You denied this: Bob was paid");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void aCallPastItsTimeCanOnlyBeCancelled(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, """
                {"id":"int_x","reason":"tool_call","message":"Go on?","expiresAt":"2026-01-01T00:00:00Z","responseSchema":\
                {"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]},\
                "metadata":{"langchain4j":{"toolName":"x","args":{}}}}""");

        assertThat(page.card().root()).containsText("Nobody answered in time");
        assertThat(page.card().button("Approve")).hasCount(0);
        assertThat(page.card().button("Deny…")).hasCount(0);
        page.card().button("Cancel it").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(staged.answer(page)).isEqualTo("[{\"interruptId\":\"int_x\",\"status\":\"cancelled\"}]");
    }

    @Test
    void aDoubleClickOnApproveRunsTheCallOnce(DemoPage page) {
        page.say("Transfer 500 to Bob");

        page.card().button("Approve").dblclick();

        assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
        page.awaitIdle();
        assertThat(page.effects("transferMoney")).hasSize(1);
        assertThat(page.page().getByRole(AriaRole.ALERT)).hasCount(0);
    }

    @Test
    void whatMayNotBeEditedHasNoEditButton(DemoPage page) {
        page.say("Delete the inactive records from customers");

        ApprovalCard card = page.card().readOn();
        assertThat(card.button("Approve")).isVisible();
        assertThat(card.button("Deny…")).isVisible();
        assertThat(card.button("Edit…")).hasCount(0);
        assertThat(card.arguments()).containsOnlyKeys("table", "filter").containsEntry("filter", "status = inactive");
        card.deny("");

        assertThat(page.messages().last()).containsText("was declined, so I left it.");
        assertThat(page.effects()).isEmpty();
    }
}
