package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import java.util.Collections;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The moment of looking: nobody approves what was not on the screen, or what has just come under the pointer; and nothing that was typed is lost. */
@ExtendWith(PageExtension.class)
@InTurns
class CardLookIT {

    /** Questions in the place of the first: each a mail of so many lines. */
    private static final String MAILS = """
            lengths => {
              globalThis.seen = [];
              globalThis.mail = (id, lines, more = {}) => ({
                id, reason: 'tool_call', message: `Send ${id}?`, ...more,
                metadata: { langchain4j: { toolName: 'sendEmail',
                  args: { to: `${id}@example.com`, body: Array.from({ length: lines }, (_, i) => `line ${i + 1}`).join('\\n') } } },
                responseSchema: { type: 'object', required: ['approved'], properties: { approved: { type: 'boolean' }, reason: { type: 'string' },
                  editedArgs: { type: 'object', required: ['to', 'body'], properties: { to: { type: 'string' }, body: { type: 'string' } } } } } });
              document.addEventListener('seen', ({ target }) => seen.push(target.interrupt.id));
              card.remove();
              lengths.forEach((lines, index) => {
                const each = document.createElement('holdpoint-card');
                document.querySelector('main').append(each);
                each.interrupt = mail(['ada', 'bob', 'cyd'][index] ?? `mail${index}`, lines);
              });
              globalThis.card = document.querySelector('holdpoint-card');
            }""";

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private void mails(Integer... lengths) {
        page.evaluate(MAILS, lengths);
    }

    private ApprovalCard card(int index) {
        return new ApprovalCard(page.locator("holdpoint-card").nth(index).locator(".card"));
    }

    private int decisions() {
        return (int) page.evaluate("heard.filter(([type]) => type === 'decide').length");
    }

    private void pressAt(BoundingBox box) {
        page.mouse().click(box.x + box.width / 2, box.y + box.height / 2);
    }

    private Locator more(ApprovalCard card) {
        return card.root().getByText(Pattern.compile("^\\d+ more lines? \u2193$"));
    }

    @ParameterizedTest
    @CsvSource({"1280, 800", "390, 844", "640, 400"})
    void aDoubleClickApprovesOneCall(int width, int height) {
        page.setViewportSize(width, height);
        page.clock().install();
        mails(1, 1, 1);
        card(1).readOn();
        Locator approve = card(0).button("Approve");
        approve.click(new Locator.ClickOptions().setTrial(true));
        page.clock()
                .pauseAt(
                        ((Number) page.evaluate("Date.now() + 1000")).longValue()); // no time passes between the clicks

        pressAt(approve.boundingBox());
        assertThat(decisions()).isEqualTo(1);
        Locator next = card(1).unread("Approve");
        next.evaluate("button => button.scrollIntoView({ block: 'nearest' })");
        BoundingBox place = next.boundingBox();
        pressAt(place);
        pressAt(place);
        assertThat(decisions()).isEqualTo(1);

        page.clock().resume();
        card(1).approve();
        assertThat(decisions()).isEqualTo(2);
    }

    @Test
    void whatHasJustMovedUnderThePointerIsNotPressed() {
        mails(1);
        Locator approve = card(0).button("Approve");
        approve.click(new Locator.ClickOptions().setTrial(true));
        BoundingBox place = approve.boundingBox();

        page.evaluate(
                "height => { const before = document.createElement('p'); document.querySelector('main').prepend(before); "
                        + "const sheet = new CSSStyleSheet(); sheet.replaceSync(`main > p { height: ${height}px; margin: 0 }`); document.adoptedStyleSheets = [sheet]; }",
                40);
        page.mouse().click(place.x + 10, place.y + 40 + place.height / 2);

        assertThat(decisions()).isZero();
        approve.click();
        assertThat(decisions()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1280, 800", "390, 844", "640, 400"})
    void nothingIsApprovedBeforeAllOfItWasOnTheScreen(int width, int height) {
        page.setViewportSize(width, height);
        mails(60);
        ApprovalCard card = card(0);

        assertThat(more(card)).isVisible();
        assertThat(card.unread("Approve")).isHidden();
        assertThat(card.button("Deny\u2026")).isVisible();
        assertThat(page.evaluate("seen.length")).isEqualTo(0);
        BoundingBox question = card.question().boundingBox();
        assertThat(card.root().locator(".foot").boundingBox().y).isGreaterThanOrEqualTo(question.y + question.height);

        more(card).click();
        assertThat(card.root()
                        .getByText("line 59", new Locator.GetByTextOptions().setExact(false))
                        .first())
                .isVisible();
        card.readOn();

        assertThat(card.button("Approve")).isVisible();
        assertThat(page.evaluate("seen.join()")).isEqualTo("ada");
        card.button("Approve").click();
        assertThat(decisions()).isEqualTo(1);
    }

    /** As a phone's keyboard sends a form, without a key that a page hears of. */
    @Test
    void aFormIsNotSentBeforeAllOfItWasOnTheScreen() {
        page.setViewportSize(640, 400);
        mails(60);
        card(0).openEditor();
        card(0).field("To").fill("eve@example.com");
        assertThat(card(0).editsButton()).isHidden();

        page.evaluate("card.card.panel.querySelector('form').requestSubmit()");

        assertThat(decisions()).isZero();
        card(0).approveWithEdits();
        assertThat(decisions()).isEqualTo(1);
    }

    @Test
    void whoJumpsToTheEndHasNotSeenTheMiddle() {
        mails(200);
        assertThat(more(card(0))).isVisible();

        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");

        assertThat(more(card(0))).not().hasText("0 more lines \u2193");
        assertThat(card(0).unread("Approve")).isHidden();
        assertThat(page.evaluate("seen.length")).isEqualTo(0);
    }

    @Test
    void aCardThatIsUnfoldedIsMeasuredAnew() {
        page.setViewportSize(640, 400);
        mails(1, 30);
        page.evaluate("document.querySelectorAll('holdpoint-card')[1].compact = true");
        assertThat(card(1).unread("Approve")).isHidden();

        card(1).open();

        assertThat(more(card(1))).isVisible();
        assertThat(card(1).unread("Approve")).isHidden();
    }

    @Test
    void enterInAFieldApprovesNothingAndGoesToTheButton() {
        mails(1);
        card(0).openEditor();
        Locator to = card(0).field("To");
        to.fill("eve@example.com");

        to.press("Enter");
        assertThat(card(0).editsButton()).isFocused();
        page.keyboard().press("Enter"); // a double press is not meant

        assertThat(decisions()).isZero();
        card(0).approveWithEdits();
        assertThat(decisions()).isEqualTo(1);
    }

    @Test
    void enterWhereAValueIsRepeatedGoesToTheButton() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_c', responseSchema: { type: 'object', required: ['approved', 'confirm'],"
                        + " properties: { approved: { type: 'boolean' }, confirm: { type: 'string', title: 'to' } } } }");
        ApprovalCard card = card(0).readOn();
        Locator repeat = card.root().getByLabel(Pattern.compile("^To approve, repeat"));
        repeat.fill("Bob");

        repeat.press("Enter");

        assertThat(card.button("Approve")).isFocused();
        assertThat(decisions()).isZero();
    }

    @Test
    void twoCallsOfAToolAreToldApartByName() {
        mails(1, 1);

        for (AriaRole role : new AriaRole[] {AriaRole.ARTICLE, AriaRole.HEADING}) {
            assertThat(page.getByRole(role, new Page.GetByRoleOptions().setName("Waiting for you sendEmail Send bob?")))
                    .hasCount(1);
        }
        assertThat(page.getByRole(
                        AriaRole.GROUP,
                        new Page.GetByRoleOptions().setName("Send bob?").setExact(true)))
                .hasCount(1);
        assertThat(card(1).button("Approve")).hasAccessibleDescription("Send bob?");
    }

    @Test
    void theFocusIsNeverLost() {
        mails(1, 1);
        Locator approve = card(0).button("Approve");
        approve.click(new Locator.ClickOptions().setTrial(true)); // waits until it can be pressed
        approve.focus();
        page.keyboard().press("Enter");
        assertThat(card(0).root().getByRole(AriaRole.HEADING)).isFocused();

        card(1).readOn().button("Deny\u2026").focus();
        page.evaluate("document.querySelectorAll('holdpoint-card')[1].busy = true");
        assertThat(card(1).root().getByRole(AriaRole.HEADING)).isFocused();
    }

    @Test
    void whatWasTypedCanBeCopiedWhenTheTimeEnds() {
        page.clock().install();
        mails(1);
        page.evaluate("card.interrupt = mail('eve', 1, { expiresAt: new Date(Date.now() + 90_000).toISOString() })");
        card(0).openEditor();
        card(0).field("Body").fill("All that I wrote");

        page.clock().fastForward(95_000);

        assertThat(card(0).root().getByText("The time ended while you were at it"))
                .isVisible();
        assertThat(card(0).field("What you filled in")).hasValue("Body: All that I wrote");
        assertThat(card(0).root().getByRole(AriaRole.HEADING)).isFocused();
    }

    @ParameterizedTest
    @CsvSource({"undefined", "'mail(\"bob\", 1)'"})
    void whatWasTypedCanBeCopiedWhenSomebodyElseHasDecided(String next) {
        mails(1);
        card(0).openEditor();
        card(0).field("Body").fill("All that I wrote");
        assertThat(page.evaluate("card.typed")).isEqualTo("Body: All that I wrote");

        page.evaluate("card.interrupt = " + next.replace("'", ""));

        assertThat(page.getByText("This was decided while you were at it")).isVisible();
        assertThat(page.getByLabel("What you filled in")).hasValue("Body: All that I wrote");
        assertThat(page.evaluate("document.activeElement === card")).isEqualTo(true);
    }

    @Test
    void anErrorLeavesWithItsQuestion() {
        mails(1);
        page.evaluate("card.error = 'Bob is not known'");
        assertThat(card(0).root().getByRole(AriaRole.ALERT)).hasText("Bob is not known");

        page.evaluate("card.interrupt = mail('bob', 1)");

        assertThat(card(0).root().getByText("Bob is not known")).isHidden();
        assertThat(page.evaluate("card.error")).isEqualTo("");
    }

    @Test
    void aCardInANarrowPlaceOfAWideWindowHasOneColumn() {
        mails(1);
        page.evaluate("card.style.width = '260px'");

        Locator name = card(0).root().locator("dt").first();
        Locator value = card(0).root().locator("dd").first();

        assertThat(value.boundingBox().y).isGreaterThan(name.boundingBox().y + 10);
        assertThat(value.boundingBox().width).isGreaterThan(200);
    }

    @Test
    void whileThePageScrollsOnlyCardsOnTheScreenAreMeasured() {
        mails(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
        card(0).readOn();

        Object measured = page.evaluate("""
                async () => {
                  const hosts = new Set();
                  const measure = Element.prototype.getBoundingClientRect;
                  Element.prototype.getBoundingClientRect = function () { hosts.add(this.getRootNode().host); return measure.call(this); };
                  for (let y = 0; y < 500; y += 100) {
                    scrollTo(0, y);
                    await new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)));
                  }
                  return [...document.querySelectorAll('holdpoint-card')].slice(10).filter((each) => hosts.has(each)).length;
                }""");

        assertThat(measured).isEqualTo(0);
    }

    /** Of the browser's own time, whatever else the machine does. */
    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void manyCardsScrollWithinAFrame(int count) {
        mails(Collections.nCopies(count, 3).toArray(Integer[]::new));
        CDPSession browser = page.context().newCDPSession(page);
        JsonObject threadTime = new JsonObject();
        threadTime.addProperty("timeDomain", "threadTicks");
        browser.send("Performance.enable", threadTime);
        page.evaluate(SCROLL, 5);
        double before = secondsOfWork(browser);

        page.evaluate(SCROLL, 40);

        assertThat((secondsOfWork(browser) - before) / 40)
                .as("seconds of script, style and layout of a frame")
                .isLessThan(0.016);
    }

    private static final String SCROLL = """
            async (frames) => {
              for (let i = 0; i < frames; i++) {
                scrollBy(0, 80);
                await new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)));
              }
            }""";

    private static double secondsOfWork(CDPSession browser) {
        double seconds = 0;
        for (JsonElement each : browser.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            String name = each.getAsJsonObject().get("name").getAsString();
            if (name.matches("(Script|RecalcStyle|Layout)Duration")) {
                seconds += each.getAsJsonObject().get("value").getAsDouble();
            }
        }
        return seconds;
    }

    @Test
    void recordsAreShownByTheirLabelsInTheOrderOfTheSchema() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_r', metadata: { langchain4j: { toolName: 'order', args: {"
                        + " address: { city: 'Bern', street: 'Main Street 1' }, days: [], note: null } } }, responseSchema: { type: 'object',"
                        + " required: ['approved'], properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object', properties: { address: { type: 'object',"
                        + " properties: { street: { type: 'string', title: 'Street and number' }, city: { type: 'string' } } } } } } } }");

        assertThat(card(0).root().locator(".arguments > dl > dd dt"))
                .hasText(new String[] {"Street and number", "City"});
        assertThat(card(0).root().locator(".arguments > dl > dd"))
                .hasText(new String[] {"Street and numberMain Street 1CityBern", "no entries", "null"});
    }

    @Test
    void whatAColleagueHasChangedIsOnTheCard() {
        page.evaluate(
                "card.interrupt = { ...card.interrupt, id: 'int_e', metadata: { langchain4j: { toolName: 'pay', args: { amount: 15000, to: 'Bob' },"
                        + " editedBy: 'henry', editedFrom: { args: { to: 'Bob', amount: 20000 }, at: '2026-01-01T00:00:00Z', approvals: [{ by: 'grace', at: '2026-01-01T00:00:00Z' }] } } } }");

        Locator edit = card(0).root().locator(".story");
        assertThat(edit.locator(".difference")).hasText("Amount: before: 20000 \u2192 now: 15000");
        assertThat(edit).containsText("Approvals of what it was before do not count any more: grace.");
    }
}
