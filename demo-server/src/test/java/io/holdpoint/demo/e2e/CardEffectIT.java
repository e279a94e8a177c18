package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A card shows what a call would do, what must still hold, and, where it is asked again, what has changed. */
@ExtendWith(PageExtension.class)
@InTurns
class CardEffectIT {

    private static final String CHANGED =
            "{ plan: { leaves: 49995 }, facts: { balance: 50000, accountOpen: true }, why: 'changed', times: { changed: 3 },"
                    + " reason: 'REASON', fingerprint: 'a1', changed: { was: { balance: 100, holder: 'Bob <b>x</b>' }, is: { balance: 50000 } } }";

    private Page page;
    private ApprovalCard edited;

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
    void thePlanHasTheNumbersOfTheFacts() {
        ask(
                "{ plan: { rate: 1.125, before: [{ balance: 1234.125 }] }, facts: { balance: 1234.125 }, fingerprint: 'a1' }",
                "Pay 5?");
        page.evaluate("card.setAttribute('lang', 'de')");

        assertThat(card().locator(".preview .value")).hasText("1,125");
        assertThat(card().locator(".preview td")).hasText("1234,125");
        assertThat(card().locator(".arguments dd").last()).hasText("1234,125");
        page.evaluate("card.setAttribute('lang', 'ar')");
        assertThat(card()).hasCSS("direction", "rtl");
        assertThat(card().locator(".preview td")).hasCSS("direction", "rtl");
    }

    @Test
    void aFactThatMayDifferSaysByHowMuch() {
        ask(
                "{ plan: { leaves: 95 }, facts: { balance: 100, rate: 1.08, weight: 20 },"
                        + " within: { rate: { percent: 2.5 }, weight: { most: 3 } }, fingerprint: 'a1' }",
                "Pay 5?");

        assertThat(card().locator(".arguments dd"))
                .hasText(new String[] {"5", "100", "1.08\u00b1 2.5 %", "20\u00b1 3"});
        page.evaluate("card.setAttribute('lang', 'de')");
        assertThat(card().getByText("\u00b1 2,5 %")).isVisible();
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

    /** The page asks for the plan; what it is asked with is an entry that is not sent. */
    private void mayBeShown(String planOf) {
        ask("{ plan: { leaves: 95 }, facts: { balance: 100 }, fingerprint: 'a1' }", "Pay 5?");
        page.evaluate("card.planOf = " + planOf
                + "; globalThis.asked = []; const { responseSchema, metadata } = card.interrupt; metadata.langchain4j.args.to = 'Bob';"
                + " card.interrupt = { ...card.interrupt, id: 'int_e', responseSchema: { ...responseSchema,"
                + " properties: { ...responseSchema.properties, effect: { type: 'string' } } } }");
        edited = new ApprovalCard(card());
        edited.openEditor();
        edited.field("Amount").fill("7");
    }

    @Test
    void thePlanOfAnEditIsShownAndItsFingerprintIsInTheAnswer() {
        mayBeShown(
                "async (entry) => { asked.push(entry); return { effect: { plan: { leaves: 93 }, fingerprint: 'b2' } } }");

        edited.button("Show what it would do").click();

        assertThat(card().locator(".preview:visible dd")).hasText("93");
        edited.approveWithEdits();
        assertThat(page.evaluate("JSON.stringify(asked[0].payload)"))
                .isEqualTo("{\"approved\":true,\"editedArgs\":{\"amount\":7,\"to\":\"Bob\"}}");
        assertThat(page.evaluate("heard.at(-1)[1].payload.effect")).isEqualTo("b2");
    }

    @Test
    void aPlanThatIsNotToBeHadIsSaidAndTheEditCanBeSentWithoutIt() {
        mayBeShown("() => Promise.reject(new Error('No connection.'))");

        edited.button("Show what it would do").click();

        assertThat(card()).containsText("No connection.");
        edited.approveWithEdits();
        assertThat(page.evaluate("'effect' in heard.at(-1)[1].payload")).isEqualTo(false);
    }

    @Test
    void thatNobodyForeseesItIsSaidInWords() {
        mayBeShown("async () => ({})");

        edited.button("Show what it would do").click();

        assertThat(card().locator(".preview:visible")).containsText("It cannot be foreseen: the tool does not say");
    }

    @Test
    void aPageThatCannotAskForThePlanOffersNone() {
        mayBeShown("undefined");

        assertThat(edited.editsButton()).isEnabled();
        assertThat(edited.unread("Show what it would do")).hasCount(0);
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
