package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments that a person changes in the form made from the schema. */
@ExtendWith(PageExtension.class)
class PageEditIT {

    @Test
    void theCallRunsWithExactlyTheEditedValues(DemoPage page) throws Exception {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Subject line").fill("Budget \"2027\" & more");
        card.field("Text of the email").fill("Two lines,\n  the second indented.\n");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("Done, with your change: “Sent 'Budget");
        JsonNode expected = Json.parse("""
                {"to":"ada@example.com","subject":"Budget \\"2027\\" & more","body":"Two lines,\\n  the second indented.\\n"}""");
        Json.assertSame(Json.only(page.effects("sendEmail")), expected);
    }

    @Test
    void whatIsNotTouchedStaysAsItWas(DemoPage page) throws Exception {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Subject line").fill("Money");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("Done, with your change");
        JsonNode expected = Json.parse("""
                {"to":"ada@example.com","subject":"Money","body":"Hello Ada,\\n\\nThis is about: The budget.\\n"}""");
        Json.assertSame(Json.only(page.effects("sendEmail")), expected);
    }

    @Test
    void whatMayNotBeChangedIsShownAndCannotBeTypedInto(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();

        Locator to = card.field("Recipient's email address");
        assertThat(to).hasRole(AriaRole.GROUP);
        assertThat(to).containsText("ada@example.com");
        assertThat(to).containsText("Cannot be changed.");
        assertThat(to.locator("input, textarea, select")).hasCount(0);
        assertThat(card.root().getByText("Include Recipient")).hasCount(0);
        assertThat(card.field("Subject line")).isEditable();
    }

    @Test
    void whatTheServerDoesNotTakeIsSaidAndCanBeCorrected(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Subject line").fill(" ");
        card.approveWithEdits();
        assertThat(page.page().locator("#error")).containsText("/editedArgs/subject");
        card.field("Subject line").fill("Money");
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("Done, with your change: “Sent 'Money'");
    }

    @Test
    void aNumberKeepsAllItsDigits(DemoPage page) {
        page.say("Transfer 12345678901234567.89 to Bob");
        ApprovalCard card = page.card();
        assertThat(card.arguments()).containsEntry("amount", "€12,345,678,901,234,567.89");

        card.openEditor();
        assertThat(card.field("Amount in euros")).hasValue("12345678901234567.89");
        card.field("Amount in euros").fill("98765432109876543.21");
        card.approveWithEdits();

        assertThat(page.listedEffects().first()).containsText("98,765,432,109,876,543.21");
        assertThat(page.calls("transferMoney").locator(".result"))
                .hasText("Transferred 98765432109876543.21 euros to Bob.");
    }

    @Test
    void whatIsNoNumberIsRefusedAtItsFieldAndNothingIsSent(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Amount in euros").fill("plenty");

        assertThat(card.root().getByText("Write a number, such as 12 or 12.50.").first())
                .isVisible();
        assertThat(card.editsButton()).isDisabled();
        card.field("Amount in euros").press("Enter");
        assertThat(page.effects()).isEmpty();
        card.field("Amount in euros").fill("12");
        card.approveWithEdits();
        assertThat(page.messages().last()).containsText("“Transferred 12 euros to Bob.”");
    }

    @Test
    void goingBackFromTheFormForgetsWhatWasTyped(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Amount in euros").fill("5000");
        card.button("Discard the changes").click();
        card.openEditor();
        assertThat(card.field("Amount in euros")).hasValue("500");
        card.button("Back").click();
        card.approve();

        assertThat(page.messages().last()).containsText("“Transferred 500 euros to Bob.”");
    }

    @Test
    void whileSomethingIsEditedNothingElseCanBeApproved(DemoPage page) throws Exception {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        assertThat(card.editsButton()).hasText("Nothing changed yet");
        assertThat(card.editsButton()).isDisabled();
        card.field("Amount in euros").fill("5");

        assertThat(card.button("Approve")).hasCount(0);
        assertThat(card.button("Deny…")).hasCount(0);
        assertThat(card.editsButton()).hasText("Approve with 1 change");
        assertThat(card.root().locator(".difference:visible")).hasText("before: 500 → now: 5");
        card.field("Who gets the money").fill("Bobby");
        assertThat(card.editsButton()).hasText("Approve with 2 changes");
        card.field("Who gets the money").press("Enter");
        assertThat(card.editsButton()).isFocused();
        card.approveWithEdits();

        Json.assertSame(Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":5,\"to\":\"Bobby\"}"));
        assertThat(page.calls("transferMoney").locator(".state")).hasText("Executed with changes");
        assertThat(page.calls("transferMoney").locator(".call-gist del").first())
                .hasText("before: 500");
        assertThat(page.calls("transferMoney").locator(".call-gist ins").first())
                .hasText("now: 5");
    }

    /** Also with the blanks and signs that a language has in its numbers, in the conversation and where the inbox lists what was decided. */
    @ParameterizedTest
    @CsvSource({"en, '\u20ac1,341.50'", "de, '1.341,50\u00a0\u20ac'", "ar, '\u200f1,341.50\u00a0\u20ac'"})
    void anAmountInTheLineOfACallIsMoney(String language, String amount, DemoPage page) {
        page.say("Transfer 1341.50 to Bob");
        page.card().approve();
        assertThat(page.calls("transferMoney").locator(".state")).hasText("Executed");
        page.page().evaluate("language => localStorage.setItem('language', language)", language);
        page.reload();

        Locator line = page.calls("transferMoney").locator(".call-gist");
        assertThat(line.locator("span").first()).isVisible();
        assertThat((String) line.locator("span").first().evaluate("value => value.textContent"))
                .isEqualTo(amount);
        assertThat(line.locator(".escape")).hasCount(0);
        page.page().navigate(page.server() + "/inbox");
        Locator decided = page.page().locator("#decided-list .call-gist").first();
        assertThat(decided).isVisible();
        assertThat((String) decided.locator("span").first().evaluate("value => value.textContent"))
                .isEqualTo(amount);
    }
}
