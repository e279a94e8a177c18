package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code <holdpoint-card>} in other languages than English: its texts, numbers and dates, out and in, and its direction. */
@ExtendWith(PageExtension.class)
@InTurns
class CardLanguageIT {

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private ApprovalCard card() {
        return new ApprovalCard(page.locator("holdpoint-card .card"));
    }

    private void speak(String language) {
        page.evaluate("language => card.lang = language", language);
        assertThat(page.locator("holdpoint-card .card[lang^=" + language + "]:not(.loading)"))
                .isVisible();
    }

    @ParameterizedTest
    @CsvSource({
        "de, Wartet auf Sie, Freigeben, ltr",
        "fr, En attente de vous, Approuver, ltr",
        "es, Esperando su decisi\u00f3n, Aprobar, ltr",
        "ar, \u0628\u0627\u0646\u062a\u0638\u0627\u0631\u0643, \u0645\u0648\u0627\u0641\u0642\u0629, rtl"
    })
    void speaksTheLanguageOfItsAttribute(String language, String heading, String approve, String direction) {
        speak(language);

        assertThat(card().root().locator("h2")).containsText(heading);
        assertThat(card().root()).hasCSS("direction", direction);
        card().button(approve).click();
        assertThat(page.evaluate("card.answer.payload.approved")).isEqualTo(true);
    }

    @Test
    void speaksTheLanguageOfTheDocumentAndOfWhatItIsIn() {
        page.evaluate(
                "document.documentElement.lang = 'de-DE'; const other = card.cloneNode(true); other.interrupt = { ...card.interrupt, id: 'int_o' };"
                        + " card.replaceWith(other); globalThis.card = other;");
        assertThat(card().root().locator("h2")).containsText("Wartet auf Sie");
        assertThat(
                        page.evaluate(
                                "performance.getEntriesByType('resource').filter(({ name }) => name.includes('?lang=')).length"))
                .isEqualTo(1);

        page.evaluate("document.querySelector('main').lang = 'fr'; document.querySelector('main').append(card)");
        assertThat(card().root().locator("h2")).containsText("En attente de vous");
    }

    @Test
    void anApplicationReplacesTextsAndBringsALanguage() {
        page.evaluate(
                "card.messages = { Approve: 'Release', 'Approve with {n} change|Approve with {n} changes': 'Release, {n} new|Release, {n} new' }");
        assertThat(card().button("Release")).isVisible();
        assertThat(card().button("Deny\u2026")).isVisible();

        page.evaluate("card.lang = 'nl'; card.messages = { 'Deny\u2026': 'Weigeren\u2026' }");

        assertThat(card().button("Weigeren\u2026")).isVisible();
        assertThat(card().button("Approve")).isVisible();
    }

    @Test
    void aDecisionAndADraftOutliveAnotherLanguage() {
        card().openEditor();
        card().field("Amount").fill("12.5");
        speak("de");
        assertThat(card().field("Amount")).hasValue("12.5");
        card().field("Amount").fill("12,5");
        card().readOn().root().getByText("Mit 1 \u00c4nderung freigeben").click();
        assertThat(page.evaluate("card.answer.payload.editedArgs.amount")).isEqualTo(12.5);

        page.evaluate("card.lang = 'en'");

        assertThat(page.evaluate("card.answer.payload.editedArgs.amount")).isEqualTo(12.5);
    }

    @Test
    void aNumberIsReadAsItIsWrittenThere() {
        for (Object[] row : new Object[][] {
            {"de", "5,50", 5.5},
            {"de", "1.234,56", 1234.56},
            {"de", "1.234.567", 1234567.0},
            {"de", "-0,25", -0.25},
            {"fr", "1 234,5", 1234.5},
            {"es", "5,50", 5.5},
            {"en", "1,234.50", 1234.5},
            {"en", "12.50", 12.5},
            {"ar-EG", "\u0665\u066b\u0665\u0660", 5.5},
            {"ar-EG", "\u0661\u066c\u0662\u0663\u0664", 1234.0},
            {"de-CH", "1\u2019234.50", 1234.5}
        }) {
            askAnew();
            speak((String) row[0]);
            edit((String) row[1]);

            assertThat(page.evaluate("card.shadowRoot.querySelector('[aria-invalid]')"))
                    .as("%s in %s", row[1], row[0])
                    .isNull();
            card().readOn().root().locator("button[type=submit]").click();
            assertThat(((Number) page.evaluate("card.answer.payload.editedArgs.amount")).doubleValue())
                    .as("%s in %s", row[1], row[0])
                    .isEqualTo(row[2]);
        }
    }

    @Test
    void whatCouldBeAnotherNumberIsSaidAtTheField() {
        String german = "Schreiben Sie eine Zahl, etwa 12 oder 12,50.";
        for (String[] row : new String[][] {
            {"de", "1.234", "Das ist zweideutig: schreiben Sie 1234 oder 1,234."},
            {"en", "1,234", "This can be read in two ways: write 1234 or 1.234."},
            {"de", "5.50", german},
            {"en", "5,50", "Write a number, such as 12 or 12.50."},
            {"fr", "1.5", "\u00c9crivez un nombre, par exemple 12 ou 12,50."},
            {"es", "1.23,4", "Escriba un n\u00famero, por ejemplo 12 o 12,50."},
            {"de", "12,5,0", german},
            {"de", "viel", german}
        }) {
            askAnew();
            speak(row[0]);
            edit(row[1]);

            assertThat(card().root().locator(".field-error:visible").first()).hasText(row[2]);
            assertThat(card().root().locator("button[type=submit]")).isDisabled();
        }
    }

    /** The same question under another name, about which nothing was typed. */
    private void askAnew() {
        page.evaluate("card.interrupt = { ...card.interrupt, id: 'int_' + crypto.randomUUID() }");
    }

    private void edit(String amount) {
        card().root().locator("[data-key=e]").click();
        card().field("Amount").fill(amount);
    }

    @Test
    void aNumberIsRepeatedAsItIsWrittenThere() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_c', responseSchema: { type: 'object', required: ['approved', 'confirm'],"
                        + " properties: { approved: { type: 'boolean' }, confirm: { type: 'string', title: 'amount' } } } }");
        speak("de");
        Locator repeated = card().readOn().root().getByLabel("Zum Freigeben den Wert von");
        repeated.fill("5.25");
        card().button("Freigeben").click();
        assertThat(card().root().locator(".field-error:visible"))
                .hasText("Schreiben Sie eine Zahl, etwa 12 oder 12,50.");

        repeated.fill("500,25");
        card().button("Freigeben").click();

        assertThat(page.evaluate("card.answer.payload.confirm")).isEqualTo("500.25");
    }

    @Test
    void numbersAndDatesAreShownAsThere() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_d', expiresAt: '2126-11-28T15:30:00Z',"
                        + " metadata: { langchain4j: { toolName: 'pay', args: { amount: 1234.5, on: '2026-12-24' } } },"
                        + " responseSchema: { type: 'object', required: ['approved'], properties: { approved: { type: 'boolean' },"
                        + " editedArgs: { type: 'object', properties: { amount: { type: 'number' }, on: { type: 'string', format: 'date' } } } } } }");
        speak("de");

        assertThat(card().root().locator("dd").first()).hasText("1234,5");
        assertThat(card().root().locator("time")).hasAttribute("title", "Antwort bis 28.11.2126, 15:30:00");
        card().root().locator("[data-key=e]").click();
        assertThat(card().field("Amount")).hasValue("1234,5");
        assertThat(card().root().getByText("Donnerstag, 24. Dezember 2026").last())
                .isVisible();
    }

    /** All that a person sees or hears is made of marked texts, but for what the question brings. */
    @Test
    void noTextIsLeftInEnglish() {
        List<?> found = (List<?>) page.evaluate("""
                async () => {
                  const marked = new Proxy({}, { get: (_, text) => typeof text === 'string' ? text.split('|').map((form) => '\\u27e6' + form + '\\u27e7').join('|') : undefined });
                  card.messages = marked;
                  const yes = { type: 'boolean' };
                  const at = '2126-01-01T00:00:00Z';
                  const approval = { id: 'A', message: 'QUESTION', metadata: { langchain4j: { toolName: 'TOOL', delegatedBy: { toolName: 'AGENT' },
                      args: { AMOUNT: 5, NOTE: '', LIST: [], TEXT: 'a\\u202eb' }, reversibility: 'irreversible', batchReversibility: 'irreversible',
                      effect: { plan: 'PLAN', facts: { FACT: 5 }, why: 'changed', times: { changed: 3 }, changed: { was: { FACT: 4 }, is: {} } },
                      secondOpinion: { concern: 'serious', reason: 'REASON' }, editedBy: 'GRACE', editedFrom: { args: { AMOUNT: 6 }, at, approvals: [{ by: 'HENRY', at }] },
                      approvals: { needed: 2, groups: [{ needed: 1 }], have: [{ by: 'HENRY', at }] }, rememberWithin: { same: ['TEXT'], sum: { argument: 'AMOUNT', seconds: 60 }, count: 3 },
                      timeline: ['remind', 'warn', 'escalate', 'give_up', 'go_on'].map((step) => ({ step, at, audience: 'BOSS' })) } },
                    expiresAt: at, responseSchema: { type: 'object', required: ['approved'], properties: { approved: yes, reason: { type: 'string' }, response: { type: 'string' },
                      remember: { enum: ['same_call', 'tool', 'within'] }, confirm: { type: 'string', title: 'AMOUNT' },
                      editedArgs: { type: 'object', required: ['AMOUNT'], properties: { AMOUNT: { type: 'number', minimum: 1, maximum: 9 }, NOTE: { type: ['string', 'null'], maxLength: 3 },
                        LIST: { type: 'array', items: { type: 'string', format: 'email' } }, FIXED: { readOnly: true } } } } } };
                  const asked = (id, more) => ({ id, message: 'QUESTION', metadata: { langchain4j: { toolName: 'TOOL', args: {}, attempts: 3 } }, ...more });
                  const actions = (...all) => ({ type: 'object', required: ['action'], properties: { action: { enum: all }, note: { type: 'string' }, editedArgs: { type: 'object' } } });
                  const all = [approval, asked('B', { reason: 'confirmation' }), asked('C', { reason: 'langchain4j:tool_error', responseSchema: actions('retry', 'give_up') }),
                    asked('D', { reason: 'langchain4j:outcome_unknown', responseSchema: actions('retry', 'done', 'not_done') }),
                    asked('E', { responseSchema: { type: 'object', properties: { A: { type: 'integer' }, B: yes, C: {}, D: { enum: [1, 2, 3, 4, 5, 6, 7, 8] } } } }),
                    asked('F', { reason: 'ABOUT' }), { ...approval, id: 'G', metadata: { langchain4j: { ...approval.metadata.langchain4j, mayDecide: false } } },
                    { ...approval, id: 'H', expiresAt: '2026-01-01T00:00:00Z' }];
                  const outside = new Set();
                  const look = (root) => {
                    for (const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL); walker.nextNode();) {
                      const { currentNode: node } = walker;
                      const said = node.nodeType === 3 ? [node.data] : node.nodeType === 1 ? ['aria-label', 'title', 'placeholder', 'alt'].map((name) => node.getAttribute(name)) : [];
                      for (const text of said) {
                        let bare = text ?? '';
                        for (let more = ''; more !== bare;) [more, bare] = [bare, bare.replace(/\\u27e6[^\\u27e6\\u27e7]*\\u27e7/g, '')];
                        if (/[a-z]{2}/.test(bare) && !node.parentElement?.closest('pre, .escape, .story time') && !/^[A-Z][a-z]+( [a-z]+)?$/.test(text)) outside.add(text);
                      }
                    }
                  };
                  for (const interrupt of all) {
                    card.interrupt = interrupt;
                    look(card.shadowRoot);
                    for (const key of ['e', 'd']) {
                      card.shadowRoot.querySelector(`[data-key="${key}"]`)?.click();
                      look(card.shadowRoot);
                      card.shadowRoot.querySelector('.back')?.click();
                    }
                  }
                  return [...outside];
                }""");

        assertThat(found).isEmpty();
    }
}
