package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The demo's own questions, from the model's call to the model's reaction. */
@ExtendWith(PageExtension.class)
@InTurns
class PageAsksUserIT {

    @Test
    void aQuestionIsAnsweredInAFormAndNothingRuns(DemoPage page) {
        page.say("File the VAT return");

        ApprovalCard card = page.card();
        assertThat(card.root().getByRole(AriaRole.HEADING)).hasText("A question for you requestFilingDetails");
        assertThat(card.question())
                .hasText("Please provide the quarterly filing details. The assistant notes: For the VAT return.");
        card.radio("Q3").check();
        card.field("Year").fill("2026");
        card.field("Revenue").fill("12345678901234567.80");
        card.button("Answer").click();

        assertThat(page.messages().last()).containsText("Q3 2026, revenue 12345678901234567.80.");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.calls("requestFilingDetails").locator(".state")).hasText("Answered");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void aYearThatIsTooEarlyIsRefusedInTheForm(DemoPage page) {
        page.say("File my taxes");
        ApprovalCard card = page.card();
        card.radio("Q1").check();
        card.field("Year").fill("1999");
        card.field("Revenue").fill("0");

        card.button("Answer").click();

        assertThat(card.field("Year")).isFocused();
        card.field("Year").fill("2000");
        card.button("Answer").click();
        assertThat(page.messages().last()).containsText("Q1 2000, revenue 0.");
    }

    @Test
    void aConfirmationIsOneClick(DemoPage page) {
        page.say("Ask me to confirm that the order is complete");
        assertThat(page.card().question()).hasText("The assistant asks: The order is complete?");

        page.card().button("No").click();

        assertThat(page.messages().last()).containsText("You said no, so I left it.");
        assertThat(page.calls("confirm").locator(".result")).hasText("false");
    }

    @Test
    void anAnswerToChooseFromIsOneClick(DemoPage page) {
        page.say("Ask me which report to send: sales, costs or staff");
        assertThat(page.card().question()).hasText("The assistant asks: Which report to send?");

        page.card().button("costs").click();

        assertThat(page.messages().last()).containsText("You answered: “costs”.");
    }

    @Test
    void anotherAnswerCanBeWritten(DemoPage page) {
        page.say("Ask me which report to send: sales, costs or staff");
        ApprovalCard card = page.card();
        assertThat(card.arguments()).isEmpty();
        assertThat(card.root().locator("details")).hasCount(0);

        card.field("Or in your own words").fill("the one of March");
        card.button("Answer").click();

        assertThat(page.messages().last()).containsText("You answered: “the one of March”.");
    }

    @Test
    void aCancelledQuestionIsOver(DemoPage page) {
        page.say("Ask me what to write");

        page.card().button("Skip").click();

        assertThat(page.messages().last()).containsText("Nobody answered about the question, so I left it.");
        assertThat(page.cards()).hasCount(0);
    }

    @Test
    void aQuestionIsStillThereAfterAReload(DemoPage page) {
        page.say("Ask me to confirm");
        assertThat(page.cards()).hasCount(1);

        page.reload();

        page.card().button("Yes").click();
        assertThat(page.messages().last()).containsText("You said yes.");
    }

    @Test
    void questionsAndApprovalsAreAnsweredTogether(DemoPage page) {
        page.say("Ask me to confirm the order, then transfer 200 to Carol");
        assertThat(page.cards()).hasCount(2);

        page.card("The order?").open().button("Yes").click();
        page.card("Transfer 200").approve();
        page.button("Send 2 answers").click();

        assertThat(page.messages().last()).containsText("You said yes.");
        assertThat(page.effects("transferMoney"))
                .singleElement()
                .satisfies(args -> assertThat(args.path("to").asText()).isEqualTo("Carol"));
    }
}
