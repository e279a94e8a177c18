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
                    + " reason: 'REASON', fingerprint: 'a1', changed: { was: { balance: 100, holder: 'Bob <b>x</b>' }, is: { balance: 50000 } } }";

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
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

        assertThat(card().locator(".preview h3")).hasText("What it would do");
        assertThat(card().locator(".preview dd")).hasText("95");
        assertThat(card().getByText("Only while this holds:")).isVisible();
        assertThat(card().locator("dt")).hasText(new String[] {"Amount", "Leaves", "Balance"});
        assertThat(card().locator(".difference")).hasCount(0);
        assertThat(card()).not().containsText("a1");
    }

    @Test
    void whatHasChangedIsShownOldBesideNewInThePersonsLanguage() {
        ask(CHANGED, "What was shown no longer holds. Pay 5?");

        assertThat(card().locator(".difference")).hasText(new String[] {
            "Balance: before: 100 → now: 50000", "Holder: before: Bob <b>x</b> → now: left out"
        });
        page.evaluate("card.setAttribute('lang', 'de')");
        assertThat(card().locator(".difference").first()).hasText("Balance: vorher: 100 → jetzt: 50000");
        assertThat(card().getByText("Nur solange dies gilt:")).isVisible();
    }

    @Test
    void axeFindsNothing() {
        ask(CHANGED, "Pay 5?");
        assertThat(card().locator(".difference").first()).isVisible();

        PageAccessIT.assertClean(page, "open");
    }

    @Test
    void whatNobodyKnowsIsSaid() {
        ask("{ plan: 'What it would do was not found out in time.', why: 'late', times: { late: 1 } }", "Pay 5?");

        assertThat(card().locator(".preview")).containsText("What it would do was not found out in time.");
        assertThat(card().getByText("Only while this holds:")).hasCount(0);
    }

    @Test
    void aRecordOfSomebodyElseBreaksNothing() {
        for (String effect :
                new String[] {"5", "{}", "{ changed: 'x', facts: 'y', plan: [] }", "{ changed: [1, {}], facts: [1] }"
                }) {
            ask(effect, "Pay 5?");
            assertThat(card()).containsText("Pay 5?");
        }
    }
}
