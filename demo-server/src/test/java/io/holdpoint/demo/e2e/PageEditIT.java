package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Arguments that a person changes in the form made from the schema. */
@ExtendWith(PageExtension.class)
class PageEditIT {

    @Test
    void theCallRunsWithExactlyTheEditedValues(DemoPage page) throws Exception {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("subject").fill("Budget \"2027\" & more");
        card.field("body").fill("Two lines,\n  the second indented.\n");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("The email to ada@example.com was executed with your changes");
        JsonNode expected = Json.parse("""
                {"to":"ada@example.com","subject":"Budget \\"2027\\" & more","body":"Two lines,\\n  the second indented.\\n"}""");
        Json.assertSame(Json.only(page.effects("sendEmail")), expected);
    }

    @Test
    void whatIsNotTouchedStaysAsItWas(DemoPage page) throws Exception {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("subject").fill("Money");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("was executed with your changes");
        JsonNode expected = Json.parse("""
                {"to":"ada@example.com","subject":"Money","body":"Hello Ada,\\n\\nThis is about: The budget.\\n"}""");
        Json.assertSame(Json.only(page.effects("sendEmail")), expected);
    }

    @Test
    void whatMayNotBeChangedIsShownAndCannotBeTypedInto(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();

        Locator to = card.field("to");
        assertThat(to).hasRole(AriaRole.GROUP);
        assertThat(to).containsText("ada@example.com");
        assertThat(to).containsText("Cannot be changed.");
        assertThat(to.locator("input, textarea, select")).hasCount(0);
        assertThat(card.root().getByText("Include to")).hasCount(0);
        assertThat(card.field("subject")).isEditable();
    }

    @Test
    void whatTheServerDoesNotTakeIsSaidAndCanBeCorrected(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("subject").fill(" ");
        card.approveWithEdits();
        assertThat(page.page().locator("#error")).containsText("/editedArgs/subject");
        card.field("subject").fill("Money");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("was executed with your changes: “Sent 'Money'");
    }

    @Test
    void aNumberKeepsAllItsDigits(DemoPage page) {
        page.say("Transfer 12345678901234567.89 to Bob");
        ApprovalCard card = page.card();
        assertThat(card.arguments()).containsEntry("amount", "12345678901234567.89");

        card.openEditor();
        assertThat(card.field("amount")).hasValue("12345678901234567.89");
        card.field("amount").fill("98765432109876543.21");
        card.approveWithEdits();

        assertThat(page.listedEffects().first()).containsText("\"amount\": 98765432109876543.21");
        assertThat(page.calls("transferMoney").locator(".result"))
                .hasText("Transferred 98765432109876543.21 euros to Bob.");
    }

    @Test
    void whatIsNoNumberIsRefusedAtItsFieldAndNothingIsSent(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("amount").fill("plenty");
        card.approveWithEdits();

        assertThat(card.root().getByText("Write a number, such as 12 or 12.50.").first())
                .isVisible();
        assertThat(card.field("amount")).isFocused();
        assertThat(page.effects()).isEmpty();
        card.field("amount").fill("12");
        card.approveWithEdits();
        assertThat(page.messages().last()).containsText("“Transferred 12 euros to Bob.”");
    }

    @Test
    void goingBackFromTheFormForgetsWhatWasTyped(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("amount").fill("5000");
        card.button("Back").click();
        card.approve();

        assertThat(page.messages().last()).containsText("“Transferred 500 euros to Bob.”");
    }
}
