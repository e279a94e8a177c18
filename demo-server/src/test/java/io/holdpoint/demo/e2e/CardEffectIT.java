package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A card shows what a call would do, what must still hold, and, where it is asked again, what has changed. */
@ExtendWith(PageExtension.class)
class CardEffectIT {

    private static final String CHANGED =
            "{ plan: { leaves: 49995 }, facts: { balance: 50000, accountOpen: true }, why: 'changed', times: { changed: 3 },"
                    + " reason: 'REASON', fingerprint: 'a1', changed: [{ fact: 'balance', was: 100, is: 50000 }, { fact: 'holder', was: 'Bob <b>x</b>' }] }";

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(DemoPage demo) {
        page = BarePage.open(demo);
    }

    private Locator card() {
        return page.locator("holdpoint-card .card");
    }

    private void ask(String effect, String message) {
        page.evaluate("card.interrupt = { ...card.interrupt, id: `int_${Math.random()}`, message: '" + message
                + "', metadata: { langchain4j: { toolName: 'pay', args: { amount: 5 }, effect: " + effect + " } } }");
    }

    @Test
    void thePlanAndItsFactsAreShown() {
        ask("{ plan: { leaves: 95 }, facts: { balance: 100 }, fingerprint: 'a1' }", "Pay 5?");

        Locator plan = card().locator(".preview");
        assertThat(plan).containsText("What it would do");
        assertThat(plan.locator("dt")).hasText(new String[] {"Leaves", "Balance"});
        assertThat(plan.locator("dd")).hasText(new String[] {"95", "100"});
        assertThat(card().locator(".over")).hasCount(0);
        assertThat(card()).not().containsText("a1");
    }

    @Test
    void whatHasChangedIsShownOldBesideNew() {
        ask(CHANGED, "Pay 5?");

        assertThat(card().locator(".over"))
                .hasText(
                        "What was shown no longer holds. It was asked for the same reason before, and does not run if it"
                                + " happens again: deny it.");
        assertThat(card().locator(".difference")).hasText(new String[] {
            "Balance: before: 100 → now: 50000", "Holder: before: Bob <b>x</b> → now: left out"
        });
    }

    @Test
    void aReasonThatTheQuestionSaysIsNotSaidTwiceAndIsInThePersonsLanguage() {
        ask(CHANGED.replace("changed: 3", "changed: 1"), "What was shown no longer holds. Pay 5?");
        assertThat(card().locator(".over")).hasCount(0);

        page.evaluate("card.setAttribute('lang', 'de')");
        assertThat(card().locator(".over")).hasText("Was gezeigt wurde, gilt nicht mehr.");
        assertThat(card().locator(".difference").first()).hasText("Balance: vorher: 100 → jetzt: 50000");
    }

    @Test
    void axeFindsNothing() {
        ask(CHANGED, "Pay 5?");
        assertThat(card().locator(".over")).isVisible();

        PageAccessIT.assertClean(page, "open");
    }

    @Test
    void whatNobodyKnowsIsSaid() {
        ask("{ why: 'late', times: { late: 1 } }", "Pay 5?");

        assertThat(card().locator(".over")).hasText("What it would do could not be found out.");
    }

    @Test
    void aRecordOfSomebodyElseBreaksNothing() {
        for (String effect : new String[] {
            "5", "null", "{ changed: 'x', times: 3, why: 'toString', facts: [] }", "{ changed: [1, {}], why: 3 }"
        }) {
            ask(effect, "Pay 5?");
            assertThat(card()).containsText("Pay 5?");
        }
    }
}
