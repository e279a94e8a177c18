package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a card says and does when something else happens at the same time: another language, other rights, an end, an answer that comes late. */
@ExtendWith(PageExtension.class)
class CardMeanwhileIT {

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private ApprovalCard card() {
        return new ApprovalCard(page.locator("holdpoint-card .card"));
    }

    private Locator heading() {
        return card().root().locator("h2");
    }

    private Object heard() {
        return page.evaluate("JSON.stringify(heard.map(([type, answer]) => [type, answer?.status]))");
    }

    private Object sent() {
        return page.evaluate("JSON.stringify(sent.map((entries) => entries.map(({ status }) => status)))");
    }

    private void heldBack() {
        page.clock().install();
        page.evaluate(CardsElementIT.CARDS);
        page.evaluate("() => { cards.setAttribute('undo', '5'); cards.interrupts = ask('Ada'); }");
        card().approve();
        assertThat(heading()).containsText("Sent in 5 seconds");
    }

    @Test
    void whatWasFilledInIsPutBackWithoutPressingWhatIsInItsPlaceNow() {
        page.evaluate("card.setAttribute('caller', 'ada')");
        card().openEditor();
        card().field("To").fill("Eve");
        card().approveWithEdits();
        assertThat(heard()).isEqualTo("[[\"decide\",\"resolved\"]]");

        page.evaluate("""
                () => {
                  const { metadata } = card.interrupt;
                  const approvals = { needed: 2, have: [{ by: 'ada' }] };
                  card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...metadata.langchain4j, mayDecide: false, approvals } } };
                }""");

        assertThat(card().unread("Withdraw")).isVisible();
        assertThat(heard()).isEqualTo("[[\"decide\",\"resolved\"]]");
    }

    @Test
    void anotherLanguageTakesNoUndoAway() {
        heldBack();

        page.evaluate("cards.setAttribute('lang', 'de')");

        assertThat(heading()).containsText("Wird in 5 Sekunden gesendet");
        card().root()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("R\u00fcckg\u00e4ngig: Pay Ada?"))
                .click();
        page.clock().fastForward(10_000);
        assertThat(sent()).isEqualTo("[]");
    }

    @Test
    void anotherLanguageDoesNotSayThatIsDecidedWhichWasNotSent() {
        page.evaluate(CardsElementIT.CARDS);
        card().root().first();
        new ApprovalCard(page.locator("holdpoint-card .card").first()).approve();

        page.evaluate("cards.setAttribute('lang', 'de')");

        assertThat(page.locator("holdpoint-card h2").first()).containsText("noch nicht gesendet");
    }

    @Test
    void otherRightsTakeBackWhatWasNotSent() {
        heldBack();

        page.evaluate("cards.setAttribute('caller', 'bob')");

        assertThat(card().button("Approve")).isVisible();
        page.clock().fastForward(10_000);
        assertThat(sent()).isEqualTo("[]");
    }

    @Test
    void whatIsOnItsWayIsNotSaidToBeTooLate() {
        page.clock().install();
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_2', expiresAt: new Date(Date.now() + 60_000).toISOString() }");
        card().approve();
        page.evaluate("card.busy = true");

        page.clock().fastForward(61_000);

        assertThat(heading()).containsText("Approved");
        assertThat(card().root()).not().containsText("It has not run");
        page.evaluate("() => { card.busy = false; card.reopen(); }");
        page.clock().fastForward(1_000);
        assertThat(heading()).containsText("Too late");
    }

    @Test
    void moreTimeThatWasGivenIsCountedOnce() {
        page.evaluate("""
                () => {
                  const asked = (left, minutes) => ({ ...card.interrupt, id: 'int_3', expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
                    metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j, moreTime: { left, seconds: 600 } } } });
                  card.attend = async ({ action }) => {
                    if (action !== 'moreTime') return {};
                    card.interrupt = asked(1, 20); // as the page hears of it before the answer comes
                    return card.interrupt;
                  };
                  card.interrupt = asked(2, 10);
                }""");

        card().button("More time").click();

        assertThat(card().root().locator(".deadline")).containsText(java.util.regex.Pattern.compile("19 min|20 min"));
        assertThat(page.evaluate("card.interrupt.metadata.langchain4j.moreTime.left"))
                .isEqualTo(1);
        assertThat(card().unread("More time")).isVisible();
    }

    @Test
    void timeThatWasGivenToOneQuestionIsNotGivenToTheNext() {
        page.evaluate("""
                () => {
                  const asked = (id) => ({ ...card.interrupt, id, expiresAt: new Date(Date.now() + 600_000).toISOString(),
                    metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j, moreTime: { left: 2, seconds: 600 } } } });
                  card.attend = ({ action }) => action === 'moreTime' ? new Promise((answer) => (globalThis.given = answer)) : Promise.resolve();
                  card.interrupt = asked('int_4');
                  globalThis.next = asked('int_5');
                }""");
        card().button("More time").click();

        page.evaluate("async () => { card.interrupt = next; given({ expiresAt: '2099-01-01T00:00:00Z' }); await 0; }");

        assertThat(page.evaluate("card.interrupt === next")).isEqualTo(true);
    }
}
