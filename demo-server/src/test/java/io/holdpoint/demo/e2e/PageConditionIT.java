package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool that asks only sometimes: a transfer, above 100. */
@ExtendWith(PageExtension.class)
class PageConditionIT {

    @ParameterizedTest
    @ValueSource(strings = {"50", "100"})
    void aSmallTransferRunsWithoutACard(String amount, DemoPage page) throws Exception {
        page.say("Transfer " + amount + " to Bob");

        assertThat(page.messages().last()).containsText("I transferred " + amount + " to Bob");
        assertThat(page.cards()).hasCount(0);
        page.awaitIdle();
        Json.assertSame(
                Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":" + amount + ",\"to\":\"Bob\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"50", "5000"})
    void aLargeOneRunsAsEditedAndIsNotAskedAboutAgain(String amount, DemoPage page) throws Exception {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();

        card.openEditor();
        card.field("Amount in euros").fill(amount);
        card.approveWithEdits();

        assertThat(page.messages().last()).containsText("“Transferred " + amount + " euros to Bob.”");
        assertThat(page.cards()).hasCount(0);
        page.awaitIdle();
        Json.assertSame(
                Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":" + amount + ",\"to\":\"Bob\"}"));
    }

    @Test
    void oneCardIsShownForALargeTransferBesideASmallOne(DemoPage page) {
        page.say("Transfer 50 to Bob and transfer 500 to Carol");
        assertThat(page.card().arguments()).containsEntry("amount", "€500.00");
        assertThat(page.effects()).isEmpty();

        page.card().deny("Not this month");

        assertThat(page.messages().last()).containsText("I transferred 50 to Bob");
        assertThat(page.messages().last()).containsText("(\"Not this month\")");
    }
}
