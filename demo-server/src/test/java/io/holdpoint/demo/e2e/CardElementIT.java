package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code <holdpoint-card>} on a page of somebody else, which allows no inline style and makes no markup of texts. */
@ExtendWith(PageExtension.class)
class CardElementIT {

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private ApprovalCard card() {
        return new ApprovalCard(page.locator("holdpoint-card .card"));
    }

    private String heard() {
        return String.valueOf(page.evaluate("JSON.stringify(heard)"));
    }

    @Test
    void theDecisionIsAnEventWithTheEntryForResume() {
        card().approve();

        assertThat(heard())
                .isEqualTo(
                        "[[\"decide\",{\"interruptId\":\"int_1\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]]");
        assertThat(page.evaluate("card.answer.status")).isEqualTo("resolved");
    }

    /** What a model or a tool has written is text, in every field, whatever it looks like. */
    @Test
    void noTextBecomesMarkupOrCode() throws Exception {
        try (InputStream script = getClass().getResourceAsStream("/payloads.js")) {
            String find = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(page.evaluate(find.substring(find.indexOf("async ()")))).isEqualTo("");
        }
    }

    @Test
    void aNumberWithAUnitThatIsNoCurrencyIsShown() {
        page.evaluate("""
                card.interrupt = { id: 'int_u', reason: 'langchain4j:outcome_unknown', message: 'Did it happen?',
                  metadata: { langchain4j: { toolName: 'pay', args: { amount: 5, currency: 'euros' } } },
                  responseSchema: { type: 'object', required: ['action'], properties: { action: { enum: ['retry', 'done'] } } } }""");

        assertThat(card().root().locator(".arguments dl")).hasText("Amount5Currencyeuros");
    }

    @Test
    void anEditIsPlainJson() {
        card().openEditor();
        card().field("Amount").fill("12.50");
        card().approveWithEdits();

        assertThat(heard()).contains("\"editedArgs\":{\"amount\":12.5,\"to\":\"Bob\"}");
    }

    @Test
    void aDecisionThatIsTakenBackIsAnEventToo() {
        card().deny("Not this month");
        card().change();

        assertThat(heard()).contains("\"reason\":\"Not this month\"").endsWith("[\"reopen\",null]]");
        assertThat(page.evaluate("card.answer === undefined")).isEqualTo(true);
    }

    @Test
    void anErrorIsShownAndTheQuestionCanBeAnsweredAgain() {
        card().approve();
        page.evaluate("card.error = 'Bob is not known'");

        assertThat(card().root().getByRole(AriaRole.ALERT)).hasText("Bob is not known");
        card().approve();

        assertThat(card().root().getByText("Bob is not known")).isHidden();
    }

    @Test
    void anAnswerThatTheServerRefusedIsShownToClientsThatGetTheQuestionAgain() {
        card().approve();
        page.evaluate(
                "card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j,"
                        + " refused: { code: 'INTERRUPT_PAYLOAD_INVALID', message: 'amount: too much' } } } }");

        assertThat(card().button("Approve")).isVisible();
        assertThat(card().root().getByRole(AriaRole.ALERT)).hasText("amount: too much");
    }

    @Test
    void attributesSayWhoMayDoWhat() {
        page.evaluate("card.setAttribute('may-decide', 'false')");

        assertThat(card().root()).containsText("Waits for an approver");
        assertThat(card().button("Approve")).hasCount(0);
        card().button("Withdraw").click();
        assertThat(heard()).contains("{\"interruptId\":\"int_1\",\"status\":\"cancelled\"}");
        page.evaluate("card.setAttribute('may-withdraw', 'false')");
        assertThat(card().root().locator(".actions button")).hasCount(0);
        page.evaluate("card.mayDecide = true");
        page.evaluate("card.busy = true");
        assertThat(card().button("Approve")).isDisabled();
        page.evaluate("card.busy = false; card.compact = true");
        assertThat(card().button("Approve")).isHidden();
        card().open().approve();
        assertThat(heard()).contains("\"approved\":true");
    }

    private static final String QUESTION = """
            card.interrupt = { id: 'int_2', reason: 'langchain4j:flight_class', message: 'Which class for Bobby?',
              responseSchema: { type: 'string' }, metadata: { langchain4j: { toolName: 'book', mayDecide: %s,
              args: { options: ['economy', 'business'], passenger: 'Bob', route: 'class' } } }%s }""";

    @ParameterizedTest
    @CsvSource({"false, ''", "true, ', expiresAt: \"2026-01-01T00:00:00Z\"'"})
    void nobodyIsOfferedAnAnswerThatWouldBeRefused(String mayDecide, String more) {
        page.evaluate(QUESTION.formatted("true", ""));
        assertThat(card().button("business")).isVisible();

        page.evaluate(QUESTION.formatted(mayDecide, more).replace("int_2", "int_3"));

        assertThat(card().button("business")).hasCount(0);
        assertThat(card().root().locator(".actions button")).hasCount(1); // Withdraw, or Cancel it
    }

    @Test
    void anArgumentThatIsOnlyAPartOfAWordOfTheMessageIsShown() {
        page.evaluate(QUESTION.formatted("true", ""));

        assertThat(card().arguments()).containsExactly(Map.entry("passenger", "Bob"));
    }

    /** The page has read 12345678901234567.89 as a double. */
    @Test
    void aNumberThatThePageHasRoundedIsShownWithItsDigits() {
        page.evaluate("""
                card.interrupt = { ...card.interrupt, id: 'int_5', metadata: { langchain4j: { toolName: 'pay',
                  args: { amounts: [1.5, 12345678901234567.89], to: 'Bob' },
                  argsDigits: { '/amounts/1': '12345678901234567.89', '/to': '5', '/amounts/0': 'much' } } } }""");

        assertThat(card().arguments())
                .containsExactly(Map.entry("to", "Bob"), Map.entry("amounts", "1.512345678901234567.89"));
    }

    @Test
    void anApprovalOfAnAgentOnAnotherServerShowsWhatWouldRunThere() {
        page.evaluate("""
                card.interrupt = { ...card.interrupt, id: 'int_4', reason: 'remote:tool_call',
                  metadata: { langchain4j: { toolName: 'office', args: { task: 'Pay Bob' },
                    reversibility: 'irreversible' }, remoteAgent: { name: 'office',
                    metadata: { langchain4j: { toolName: 'pay', args: { amount: 500, to: 'Bob' }, effect: { plan: 'Fee: 3' },
                    reversibility: 'read_only' } } } } }""");

        assertThat(card().arguments()).containsExactly(Map.entry("amount", "500"), Map.entry("to", "Bob"));
        assertThat(card().root()).containsText("Fee: 3");
        assertThat(card().root()).containsText("It cannot be taken back.");
        card().openEditor();
        card().field("Amount").fill("5");
        card().approveWithEdits();
        assertThat(heard()).contains("\"editedArgs\":{\"amount\":5,\"to\":\"Bob\"}");
    }

    /** It is not for an agent on another server to say what people, models and rules of this one have done. */
    @Test
    void whatAnAgentOnAnotherServerClaimsOfOthersIsShownAsItsOwnWords() {
        page.evaluate("""
                card.interrupt = { ...card.interrupt, id: 'int_7', reason: 'remote:tool_call',
                  metadata: { langchain4j: { toolName: 'office', args: { task: 'Pay Bob' } }, remoteAgent: { name: 'office',
                    metadata: { langchain4j: { toolName: 'pay', args: { amount: 500, to: 'Bob' }, reversibility: 'read_only',
                    secondOpinion: { concern: 'none' }, provenance: { arguments: { '/to': { from: 'user' } } },
                    proposedBy: 'irreversible', editedBy: 'grace', editedFrom: { at: '2026-01-01T00:00:00Z', args: { amount: 5 } } } } } } }""");

        assertThat(card().root()).containsText("More about this"); // painted
        String shown = card().root().innerText();
        assertThat(shown)
                .contains("500")
                .doesNotContain(
                        "changed this call", "second opinion", "from a person", "It changes nothing", "Proposed by");
        assertThat(card().root().locator("details pre").last()).containsText("\"editedBy\": \"grace\"");
    }

    @Test
    void thatACallCannotBeTakenBackIsBelievedOfAnAgentOnAnotherServer() {
        page.evaluate("""
                card.interrupt = { ...card.interrupt, id: 'int_8', reason: 'remote:tool_call',
                  metadata: { langchain4j: { toolName: 'office', reversibility: 'read_only' }, remoteAgent: { name: 'office',
                    metadata: { langchain4j: { toolName: 'pay', args: { amount: 500 }, reversibility: 'irreversible' } } } } }""");

        assertThat(card().root()).containsText("It cannot be taken back.");
    }

    /** They are for programs, or said elsewhere on the card. */
    @Test
    void aQuestionThatWasHandedOverShowsNoMarks() {
        page.evaluate(QUESTION.formatted("true", "")
                .replace(
                        "args:",
                        "fingerprint: 'f00', moreTime: { by: 'PT1H', left: 1 },"
                                + " handed: { by: 'grace', to: 'henry', at: '2026-01-01T00:00:00Z' }, args:"));

        assertThat(card().root()).containsText("grace handed this to henry.");
        assertThat(card().root()).not().containsText("More about this");
    }

    @Test
    void thePageStylesTheCardAndAddsToIt() {
        page.evaluate("const sheet = new CSSStyleSheet();"
                + "sheet.replaceSync('holdpoint-card { --holdpoint-accent: rgb(1, 2, 3) } ::part(actions) { outline: 3px solid rgb(4, 5, 6) }"
                + " button { background: red !important; display: none !important }');"
                + "document.adoptedStyleSheets = [sheet]");

        assertThat(page.getByText("Asked by Ada")).isVisible();
        assertThat(card().button("Approve")).hasCSS("background-color", "rgb(1, 2, 3)");
        assertThat(card().root().locator(".actions")).hasCSS("outline-color", "rgb(4, 5, 6)");
    }

    @ParameterizedTest
    @CsvSource({"LIGHT, ltr, NONE", "DARK, rtl, NONE", "LIGHT, rtl, ACTIVE"})
    void axeFindsNothingInAnyThemeAndDirection(ColorScheme scheme, String direction, ForcedColors forced) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme).setForcedColors(forced));
        page.evaluate(
                "direction => { document.dir = direction; const sheet = new CSSStyleSheet();"
                        + " sheet.replaceSync(':root { color-scheme: light dark }'); document.adoptedStyleSheets = [sheet]; }",
                direction);
        page.setViewportSize(375, 812);

        PageAccessIT.assertClean(page, "open");
        card().openEditor();
        card().field("Amount").fill("5");
        PageAccessIT.assertClean(page, "edit");
        Locator send = card().editsButton();
        assertThat(send).isInViewport();
        card().approveWithEdits();
        PageAccessIT.assertClean(page, "decided");
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }

    /** A browser takes the 30th of February for the second of March. */
    @Test
    void aDayThatThereIsNotIsShownAsItWasProposed() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_day', metadata: { langchain4j: { toolName: 'book',"
                        + " args: { day: '2026-02-30', at: '2026-02-30T10:00:00Z', due: '2026-02-28' } } } }");

        Locator dates = page.locator("holdpoint-card .arguments dd");
        assertThat(dates.filter(new Locator.FilterOptions().setHasText("March")))
                .hasCount(0);
        assertThat(dates.filter(new Locator.FilterOptions().setHasText("Saturday")))
                .hasCount(1);
    }
}
