package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code <holdpoint-cards>} and {@code <holdpoint-call>} on a page of somebody else. */
@InTurns
@ExtendWith(PageExtension.class)
class CardsElementIT {

    static final String CARDS = """
            async () => {
              await import('/agent/card.js?part=cards');
              globalThis.sent = [];
              globalThis.cards = document.createElement('holdpoint-cards');
              cards.setAttribute('caller', 'ada');
              cards.addEventListener('answers', ({ detail }) => sent.push(detail));
              globalThis.ask = (...names) => names.map((name) => ({ ...card.interrupt, id: `int_${name}`, message: `Pay ${name}?` }));
              card.replaceWith(cards);
              cards.interrupts = ask('Ada', 'Bob');
            }""";

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private ApprovalCard card(int index) {
        return new ApprovalCard(
                page.locator("holdpoint-cards > holdpoint-card").nth(index).locator(".card"));
    }

    private Locator bar() {
        return page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("All questions"));
    }

    private String sent() {
        return String.valueOf(
                page.evaluate(
                        "JSON.stringify(sent.map((entries) => entries.map(({ interruptId, payload }) => [interruptId, payload.approved])))"));
    }

    @Test
    void severalAreSentTogetherAndNoneIsSaidToBeApprovedBefore() {
        page.evaluate(CARDS);
        card(0).approve();
        assertThat(card(0).root().locator("h2")).containsText("not sent yet");
        assertThat(bar()).containsText("1 of 2 decided. Nothing is sent before all are.");
        assertThat(sent()).isEqualTo("[]");

        card(1).deny("No");
        bar().getByText("Send 2 answers").click();

        assertThat(sent()).isEqualTo("[[[\"int_Ada\",true],[\"int_Bob\",false]]]");
        assertThat(card(0).root().locator("h2")).containsText("Sending\u2026");
        page.evaluate("cards.interrupts = []");
        assertThat(page.locator("holdpoint-card")).hasCount(0);
        assertThat(bar()).hasCount(0);
    }

    @Test
    void aSingleOneIsSentAtOnceAndWhatWentWrongIsOnIt() {
        page.evaluate(CARDS);
        page.evaluate("cards.interrupts = ask('Ada')");
        assertThat(bar()).isHidden();
        card(0).approve();
        assertThat(sent()).isEqualTo("[[[\"int_Ada\",true]]]");

        page.evaluate("cards.lost('Failed to fetch')");

        assertThat(card(0).root().getByRole(AriaRole.ALERT))
                .hasText(
                        "No answer came (Failed to fetch): yours may not have arrived. If this is still open, press again.");
        card(0).approve();
        assertThat(sent()).isEqualTo("[[[\"int_Ada\",true]],[[\"int_Ada\",true]]]");
    }

    private void withUndo(String names) {
        page.clock().install();
        page.evaluate(CARDS);
        page.evaluate("() => { globalThis.left = []; cards.interrupts = ask(" + names + ");"
                + " cards.addEventListener('leave', ({ detail }) => left.push(...detail.map(({ interruptId }) => interruptId)));"
                + " cards.setAttribute('undo', '5'); }");
    }

    private Object left() {
        return page.evaluate("left.join()");
    }

    @Test
    void anAnswerIsHeldBackAsLongAsItCanBeUndone() {
        withUndo("'Ada'");
        card(0).approve();
        assertThat(card(0).root().locator("h2")).containsText("Sent in 5 seconds \u00b7 Approved");
        page.clock().fastForward(4_000);
        assertThat(sent()).isEqualTo("[]");
        card(0).button("Undo: Pay Ada?").click();
        page.clock().fastForward(10_000);
        assertThat(sent()).isEqualTo("[]");
        assertThat(card(0).button("Approve")).isVisible();

        card(0).approve();
        page.clock().fastForward(5_000);

        assertThat(card(0).root().locator("h2")).containsText("Sending\u2026");
        assertThat(sent()).isEqualTo("[[[\"int_Ada\",true]]]");
        assertThat(left()).isEqualTo("");
    }

    /** A browser sends 64 KB of a page that is left. */
    @Test
    void whatWouldNotArriveFromAPageThatIsLeftIsNotHeldBack() {
        withUndo("'Ada'");
        card(0).button("Deny\u2026").click();
        card(0).root().locator(".panel textarea").fill("\u00e9".repeat(25_000));
        card(0).root().locator(".actions button.danger").click();

        assertThat(card(0).root().locator("h2")).containsText("Sending\u2026");
        assertThat(sent()).isEqualTo("[[[\"int_Ada\",false]]]");
        String asksFirst = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";
        assertThat(page.evaluate(asksFirst)).as("while it is on its way").isEqualTo(true);
        page.evaluate("cards.busy = true; cards.busy = false");
        assertThat(page.evaluate(asksFirst)).as("when it has arrived").isEqualTo(false);
    }

    @Test
    void whatIsHeldBackStaysSoWhenTheListComesAgainAndIsSentOnce() {
        withUndo("'Ada'");
        card(0).approve();
        page.evaluate("cards.interrupts = ask('Ada')");
        page.evaluate("cards.interrupts = [{ ...ask('Ada')[0], metadata: { ...card.interrupt.metadata, votes: 1 } }]");
        assertThat(card(0).root().locator("h2")).containsText("Sent in 5 seconds");
        assertThat(sent()).isEqualTo("[]");
        page.clock().fastForward(5_000);

        assertThat(sent()).isEqualTo("[[[\"int_Ada\",true]]]");
        assertThat(left()).isEqualTo("");
    }

    @Test
    void whatIsHeldBackLeavesWithTheElementOrItsQuestion() {
        withUndo("'Ada'");
        card(0).approve();
        page.evaluate("document.body.append(cards)"); // it is moved
        assertThat(left()).isEqualTo("");
        page.evaluate("cards.remove()");
        assertThat(left()).isEqualTo("int_Ada");

        page.evaluate("() => { left.length = 0; document.body.append(cards); cards.interrupts = ask('Bob'); }");
        card(0).approve();
        page.evaluate("cards.interrupts = []");
        assertThat(left()).isEqualTo("int_Bob");
        page.clock().fastForward(10_000);
        assertThat(sent()).isEqualTo("[]");
    }

    @Test
    void nothingIsHeldBackLongerThanTheQuestionsTimeAllows() {
        withUndo("'Ada'");
        page.evaluate(
                "cards.interrupts = [{ ...ask('Cyd')[0], expiresAt: new Date(Date.now() + 1500).toISOString() }]");
        card(0).approve();

        assertThat(sent()).isEqualTo("[[[\"int_Cyd\",true]]]");
    }

    @Test
    void whatIsInTheListAgainKeepsItsDecisionAndWhatWasTyped() {
        page.evaluate(CARDS);
        card(0).approve();
        card(1).openEditor();
        card(1).field("To").fill("Eve");

        page.evaluate("cards.interrupts = ask('Ada', 'Bob', 'Cyd')");

        assertThat(card(0).root().locator("h2")).containsText("Approved");
        assertThat(card(1).field("To")).hasValue("Eve");
        assertThat(bar()).containsText("1 of 3 decided");
    }

    /** The one of the package's README. */
    @Test
    void theProgramOfTheReadmeWorks() throws Exception {
        page.evaluate(CARDS);
        String readme = Files.readString(Path.of("..", "adapter", "card", "README.md"));
        Matcher program = Pattern.compile("```js\\n(const cards = [^`]*)```").matcher(readme);
        assertThat(program.find()).isTrue();
        page.evaluate("""
                () => {
                  globalThis.ran = [];
                  const asked = ask('Ada', 'Bob');
                  globalThis.agent = { pendingInterrupts: asked, async runAgent({ resume }) {
                    ran.push(resume);
                    if (ran.length === 1) throw new Error('Failed to fetch');
                    this.pendingInterrupts = [];
                  } };
                }""");
        page.evaluate("() => {\n" + program.group(1) + "}");

        card(0).approve();
        card(1).approve();
        bar().getByText("Send 2 answers").click();
        assertThat(card(0).root().getByRole(AriaRole.ALERT)).containsText("No answer came (Failed to fetch)");
        card(0).approve();
        card(1).approve();
        bar().getByText("Send 2 answers").click();

        assertThat(page.locator("holdpoint-card")).hasCount(0);
        assertThat(page.evaluate("ran.length")).isEqualTo(2);
    }

    @Test
    void theBarSpeaksTheLanguageOfTheCards() {
        page.evaluate(CARDS);
        page.evaluate("cards.lang = 'de'; cards.interrupts = ask('Ada', 'Bob', 'Cyd')");

        assertThat(page.getByText("0 von 3 entschieden. Erst wenn alle entschieden sind, wird gesendet."))
                .isVisible();
        assertThat(card(0).root().locator("h2")).containsText("Wartet auf Sie");
    }

    /** A press of one button is not enough for what cannot be taken back. */
    @Test
    void approveAllLeavesOutWhatHasToBeHeld() {
        page.evaluate(CARDS);
        page.evaluate(
                "cards.interrupts = ask('Ada', 'Bob').map((each, i) => ({ ...each, id: `${each.id}2`,"
                        + " metadata: { langchain4j: { ...each.metadata.langchain4j, reversibility: i === 0 ? 'irreversible' : 'reversible' } } }))");
        bar().getByText("Approve all").click();

        assertThat(bar()).containsText("Approve 1");
    }

    static final String CALL = """
            async ([result, answer, by]) => {
              await import('/agent/card.js?part=cards');
              globalThis.call ??= document.createElement('holdpoint-call');
              card.replaceWith(call);
              if (by) call.setAttribute('by', by);
              call.answer = answer ?? undefined;
              call.call = { id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{"amount":500,"to":"Bob"}' } };
              call.result = result ?? undefined;
            }""";

    private Locator call(String result, String answer, String by) {
        page.evaluate("(" + CALL + ")([" + result + ", " + answer + ", '" + by + "'])");
        return page.locator("holdpoint-call");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ content: 'Paid' }|null|henry|Executed pay 500 \u00b7 Bob by henry",
                "{ content: 'Paid', metadata: { langchain4j: { edited: true, executedArgs: { amount: 5, to: 'Bob' } } } }|{ payload: { approved: true } }||Executed with changes pay Amount: before: 500 \u2192 now: 5 by you",
                "{ content: 'It is 5', metadata: { langchain4j: { suppliedBy: 'person' } } }|null||Answered by a person pay 500 \u00b7 Bob",
                "{ content: 'no', error: 'no' }|{ payload: { approved: false } }||Denied pay 500 \u00b7 Bob by you",
                "{ content: 'no', error: 'no' }|null||Not executed, or failed pay 500 \u00b7 Bob",
                "null|{ payload: { approved: true } }||Sent, not run yet pay 500 \u00b7 Bob by you",
                "null|{ status: 'cancelled' }||Cancelled pay 500 \u00b7 Bob by you",
                "null|null||Not run yet pay 500 \u00b7 Bob"
            })
    void aCallSaysWhatBecameOfIt(String result, String answer, String by, String said) {
        Locator line = call(result, answer, by == null ? "" : by);

        assertThat(
                        page.evaluate(
                                "[...call.shadowRoot.querySelector('summary').children].slice(1).map((each) => each.textContent).filter((text) => text).join(' ')"))
                .isEqualTo(said);
        line.locator("summary").first().click();
        PageAccessIT.assertClean(page, "open");
    }

    @Test
    void aCallSpeaksOtherLanguages() {
        call(
                "{ content: 'Paid', metadata: { langchain4j: { edited: true, executedArgs: { amount: 5.5, to: 'Bob' } } } }",
                "null",
                "ada");

        page.evaluate("call.lang = 'de'");

        assertThat(page.locator("holdpoint-call summary").first()).containsText("Mit \u00c4nderungen ausgef\u00fchrt");
        assertThat(page.locator("holdpoint-call summary").first()).containsText("5,5");
        assertThat(page.locator("holdpoint-call summary").first()).containsText("durch ada");
    }
}
