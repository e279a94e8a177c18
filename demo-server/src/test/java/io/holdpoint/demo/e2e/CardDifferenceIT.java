package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an edit changes, as values: on the card, and as the function that the card's script exports. */
@ExtendWith(PageExtension.class)
@InTurns
class CardDifferenceIT {

    /** The server sorts the members of a record; the schema has them in the order of its components. */
    private static final String ORDER = """
            card.interrupt = { id: 'int_o', reason: 'tool_call', message: 'Order?',
              metadata: { langchain4j: { toolName: 'order', args: {
                address: { city: 'Bern', street: 'Main Street 1' }, lines: [{ n: 2, sku: 'nut' }, { n: 1, sku: 'bolt' }],
                note: 'Hello Ada. ' + 'The quarterly numbers are ready. '.repeat(40) + 'The total is 900.' } } },
              responseSchema: { type: 'object', required: ['approved'], properties: { approved: { type: 'boolean' },
                editedArgs: { type: 'object', required: ['address', 'lines'], properties: {
                  note: { type: 'string' },
                  address: { type: 'object', required: ['street', 'city'], properties: { street: { type: 'string' }, city: { type: 'string' } } },
                  lines: { type: 'array', items: { type: 'object', required: ['sku', 'n'],
                    properties: { sku: { type: 'string' }, n: { type: 'integer', title: 'Pieces' } } } } } } } } }""";

    private Page page;
    private ApprovalCard card;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
        page.evaluate(ORDER);
        card = new ApprovalCard(page.locator("holdpoint-card .card"));
    }

    private Locator differences() {
        return card.root().locator(".difference:visible");
    }

    /** Path, label and parts of each leaf that differs. */
    private String differences(String before, String after) {
        return String.valueOf(page.evaluate("""
                async ([before, after]) => {
                  const { differences, parse } = await import('/agent/card.js');
                  return differences(parse(before), parse(after), card.interrupt.responseSchema.properties.editedArgs)
                    .map(({ path, label, parts }) => `${path} ${label}: ${parts.map(({ kind, text }) => `${kind[0]}[${text}]`).join('')}`)
                    .join('\\n');
                }""", new String[] {before, after}));
    }

    @Test
    void recordsWhoseMembersComeInAnotherOrderAreNoChange() {
        card.openEditor();

        assertThat(card.editsButton()).hasText("Nothing changed yet");
        assertThat(differences()).hasCount(0);
    }

    @Test
    void aChangeInARecordIsToldByItsLabels() {
        card.openEditor();
        card.field("City").fill("Biel");
        card.root().getByLabel("Pieces").nth(1).fill("3");

        assertThat(differences())
                .hasText(new String[] {"City: before: Bern \u2192 now: Biel", "2 \u00b7 Pieces: before: 1 \u2192 now: 3"
                });
        card.readOn().button("Approve with 2 changes").click();
        assertThat(page.evaluate("JSON.stringify(heard.at(-1)[1].payload.editedArgs.lines[1])"))
                .isEqualTo("{\"sku\":\"bolt\",\"n\":3}");
    }

    @Test
    void aNumberAtTheEndOfALongTextIsShownWithALittleAroundIt() {
        card.openEditor();
        Locator note = card.field("Note");
        note.fill(note.inputValue().replace("900", "90000"));

        assertThat(differences()).hasText("\u2026 are ready. The total is before: 900 \u2192 now: 90000.");
        assertThat(differences().locator("del")).hasText("before: 900");
    }

    /** The shapes in which MCP servers say that a value may be null. */
    @Test
    void aValueThatMayBeNullHasAFieldAndAWayToSayNull() {
        page.evaluate("""
                card.interrupt = { id: 'int_n', reason: 'tool_call', message: 'Emulate?',
                  metadata: { langchain4j: { toolName: 'emulate', args: { media: 'print', width: null } } },
                  responseSchema: { type: 'object', required: ['approved'], properties: { approved: { type: 'boolean' },
                    editedArgs: { type: 'object', required: ['media', 'width'], properties: {
                      media: { anyOf: [{ type: 'string', description: 'the medium' }, { type: 'null' }] },
                      width: { type: ['integer', 'null'] },
                      contrast: { anyOf: [{ type: 'null' }, { type: 'string', enum: ['more', 'less'] }] } } } } } }""");
        card.openEditor();

        assertThat(card.root().locator("textarea.code")).hasCount(0);
        assertThat(card.field("Medium")).hasValue("print");
        assertThat(card.root().getByLabel("Width: no value (null)")).isChecked();
        assertThat(card.editsButton()).hasText("Nothing changed yet");
        card.root().getByLabel("Medium: no value (null)").check();
        card.root().getByLabel("Width: no value (null)").uncheck();
        card.field("Width").fill("80");
        card.root().getByLabel("Include Contrast").check();
        card.root().getByLabel("Contrast: no value (null)").check();
        card.readOn().button("Approve with 3 changes").click();
        assertThat(page.evaluate("JSON.stringify(heard.at(-1)[1].payload.editedArgs)"))
                .isEqualTo("{\"media\":null,\"width\":80,\"contrast\":null}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":{\"c\":2,\"d\":[]}} | {\"b\":{\"d\":[],\"c\":2},\"a\":1} | ``",
                "{\"a\":null} | {} | /a A: b[null]a[left out]",
                "{\"a\":\"null\"} | {\"a\":null} | /a A: b[\"null\"]a[null]",
                "{\"a\":\"\"} | {} | /a A: b[\"\"]a[left out]",
                "{\"a\":\"5\"} | {\"a\":5} | /a A: b[\"5\"]a[5]",
                "{\"a\":12345678901234567.89} | {\"a\":12345678901234567.88} | /a A: b[12345678901234567.89]a[12345678901234567.88]",
                "{\"a/b\":{\"~\":1}} | {\"a/b\":{}} | /a~1b/~0 A/b \u00b7 ~: b[1]a[left out]",
                "{\"a\":{\"b\":1}} | {\"a\":null} | /a A: b[{\"b\":1}]a[null]",
                "{\"lines\":[{\"n\":1},{\"n\":2}]} | {\"lines\":[{\"n\":2}]} | /lines/0/n Lines 1 \u00b7 Pieces: b[1]a[left out]",
                "{\"a\":\"Pay 5 to Bob\"} | {\"a\":\"Pay 50 to Bo b\"} | /a A: s[Pay ]b[5]a[50]s[ to ]b[Bob]a[Bo b]",
                "{\"a\":\"one two\"} | {\"a\":\"three\"} | /a A: b[one two]a[three]",
            })
    void valuesAreComparedLeafByLeaf(String before, String after, String expected) {
        assertThat(differences(before, after)).isEqualTo(expected);
    }

    @Test
    void textsThatHaveNothingInCommonAreShownAsAWholeAndSoon() {
        assertThat(page.evaluate("""
                        async () => {
                          const { differences } = await import('/agent/card.js');
                          const words = (letter) => Array.from({ length: 20000 }, (_, i) => letter + i).join(' ');
                          const [{ parts }] = differences({ a: words('v') }, { a: words('w') });
                          return parts.map(({ kind, text }) => kind + text.length).join(' ');
                        }""")).isEqualTo("before128889 after128889");
    }
}
