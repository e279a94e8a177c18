package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody does with a question besides deciding it: give it more time, hand it to somebody, and see who else looks at it. */
@InTurns
@ExtendWith(PageExtension.class)
class CardAttentionIT {

    /** A server that knows henry alone, and keeps what it was told in {@code told}. */
    private static final String SERVER = """
            seconds => {
              globalThis.told = [];
              card.attend = async (what) => {
                told.push(what);
                if (what.action === 'hand' && what.to !== 'henry') throw Object.assign(new Error('to: nobody'), { code: 'INPUT_INVALID' });
                if (globalThis.fails) throw new Error('The server is away.');
                return what.action === 'moreTime' ? { expiresAt: new Date(Date.now() + 600_000).toISOString() } : {};
              };
              card.people = ['henry', 'ida'];
              card.interrupt = { ...card.interrupt, id: 'int_e', expiresAt: seconds ? new Date(Date.now() + seconds * 1000).toISOString() : undefined,
                metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j, moreTime: { by: 'PT10M', left: 2 } } } };
            }""";

    private Page page;

    @BeforeEach
    void openSomebodyElsesPage(BarePage theirs) {
        page = theirs.ready();
    }

    private ApprovalCard card() {
        return new ApprovalCard(page.locator("holdpoint-card .card"));
    }

    private void ask(Integer seconds) {
        page.evaluate(SERVER, seconds);
    }

    private Object told(String action) {
        return page.evaluate("action => JSON.stringify(told.filter((each) => each.action === action))", action);
    }

    private Locator button(String name) {
        return card().unread(name);
    }

    private Locator news() {
        return card().root().getByRole(AriaRole.STATUS);
    }

    /** Somebody is somewhere in the card. */
    private void assertFocusIsKept() {
        assertThat(
                        page.evaluate(
                                "document.activeElement === card && card.shadowRoot.activeElement !== null && card.shadowRoot.activeElement.checkVisibility()"))
                .isEqualTo(true);
    }

    @Test
    void moreTimeIsGivenWhereTheQuestionAllowsIt() {
        ask(90);
        button("More time").focus();
        page.keyboard().press("Enter");

        assertThat(card().root().locator(".deadline")).containsText("9 min");
        assertThat(news()).containsText("Answer until");
        assertThat(told("moreTime")).isEqualTo("[{\"interruptId\":\"int_e\",\"action\":\"moreTime\"}]");
        assertFocusIsKept();
        button("More time").click();
        assertThat(button("More time")).isHidden();
        assertFocusIsKept();
        assertThat(page.evaluate("heard.length")).isEqualTo(0);
        page.evaluate("card.interrupt = { ...card.interrupt, id: 'int_f', expiresAt: undefined }");
        assertThat(button("More time")).isHidden();
    }

    /** Its time and its people are those of the other agent, so the server does neither. */
    @Test
    void aQuestionOfAnAgentInAToolIsNeitherGivenTimeNorHandedOver() {
        ask(90);
        assertThat(button("Hand to\u2026")).isVisible();

        page.evaluate(
                "card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j, delegatedBy: { toolName: 'clerk' } } } }");

        assertThat(button("More time")).isHidden();
        assertThat(button("Hand to\u2026")).isHidden();
    }

    @Test
    void beforeTheEndItIsAnnouncedAndMoreTimeIsOffered() {
        page.clock().install();
        ask(90);
        page.clock().fastForward(35_000);
        assertThat(news()).hasText("One minute left to answer. You can give it more time.");
        page.clock().fastForward(50_000);
        assertThat(news()).hasText("10 seconds left to answer. You can give it more time.");
        assertThat(button("More time")).isInViewport();

        button("More time").click();
        page.clock().fastForward(292_000);
        assertThat(card().root().locator(".deadline")).containsText("5 min");
        page.evaluate(
                "card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j, moreTime: { by: 'PT10M', left: 0 } } } }");
        page.clock().fastForward(260_000);
        assertThat(news()).hasText("One minute left to answer.");
        assertThat(button("More time")).isHidden();
    }

    @Test
    void whoeverMayDecideNamesWhoIsTo() {
        ask(null);
        button("Hand to\u2026").focus();
        page.keyboard().press("Enter");
        Locator whom = card().field("To whom");
        assertThat(whom).isFocused();
        assertThat(button("Hand to\u2026")).isHidden();
        assertThat(card().root().locator("datalist option")).hasCount(2);

        page.keyboard().press("Enter");
        assertThat(button("Hand over")).isFocused();
        card().button("Hand over").click();
        assertThat(card().root().locator(".field-error:visible")).hasText("Say to whom.");
        whom.fill("mallory");
        button("Hand over").click();
        assertThat(card().root().locator(".field-error:visible"))
                .hasText("mallory may not decide this, or is not known here.");
        assertThat(whom).isFocused();
        assertThat(whom).hasAttribute("aria-invalid", "true");

        whom.fill("henry");
        card().field("Reason, for that person (optional)").fill("You know Bob");
        button("Hand over").click();
        assertThat(news()).hasText("You handed this to henry.");
        assertThat(whom).isHidden();
        assertThat(told("hand"))
                .asString()
                .endsWith(
                        "{\"interruptId\":\"int_e\",\"action\":\"hand\",\"to\":\"henry\",\"reason\":\"You know Bob\"}]");
        assertFocusIsKept();
        assertThat(page.evaluate("heard.length")).isEqualTo(0);
    }

    @Test
    void aGroupThatIsAskedGetsIt() {
        ask(null);
        page.evaluate("""
                card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j,
                  approvals: { needed: 2, groups: [{ needed: 1, audience: 'treasury' }, { needed: 1 }], have: [] } } } }""");
        page.evaluate("() => { card.attend = async (what) => { told.push(what); return {}; } }");
        button("Hand to\u2026").click();
        Locator options = card().root().locator("datalist option");
        assertThat(options.evaluateAll("all => all.map(({ value }) => value).join()"))
                .isEqualTo("henry,ida,treasury,");
        card().field("To whom").fill("treasury ");
        button("Hand over").click();
        assertThat(news()).hasText("You handed this to treasury.");
        assertThat(told("hand"))
                .asString()
                .endsWith("{\"interruptId\":\"int_e\",\"action\":\"hand\",\"audience\":\"treasury\"}]");
    }

    @Test
    void whatWentWrongIsSaidAndNothingThatWasTypedIsLost() {
        ask(90);
        page.evaluate("globalThis.fails = true");
        button("Hand to\u2026").click();
        card().field("To whom").fill("henry");
        button("Hand over").click();
        assertThat(card().root().getByRole(AriaRole.ALERT).last()).hasText("The server is away.");
        assertThat(card().field("To whom")).hasValue("henry");
        button("More time").click();
        assertThat(card().root().locator(".deadline")).containsText("1 min");
    }

    @Test
    void nobodyDoesSoWhoMayNotDecideOrWhoseTimeIsOver() {
        page.clock().install();
        ask(90);
        assertThat(button("Hand to\u2026")).isVisible();
        page.evaluate("card.mayDecide = false");
        assertThat(button("Hand to\u2026")).isHidden();
        assertThat(button("More time")).isHidden();
        page.evaluate("card.mayDecide = true");
        page.clock().fastForward(91_000);
        assertThat(card().root()).containsText("Too late");
        assertThat(button("Hand to\u2026")).isHidden();
        assertThat(button("More time")).isHidden();
    }

    @Test
    void whoElseLooksIsSaidUntilTheyHaveNotSaidItForHalfAMinute() {
        page.clock().install();
        ask(null);
        Locator lookers = card().root().locator(".lookers");
        assertThat(lookers).hasText("");
        page.evaluate("card.lookedAt('grace')");
        assertThat(lookers).hasText("grace is looking at this");
        assertThat(news()).hasText("grace is looking at this");
        page.clock().fastForward(20_000);
        page.evaluate("card.lookedAt('henry')");
        assertThat(lookers).hasText("grace, henry are looking at this");
        page.evaluate("card.mayDecide = false");
        page.clock().fastForward(12_000);
        assertThat(lookers).hasText("henry is looking at this");
        page.clock().fastForward(20_000);
        assertThat(lookers).hasText("");
    }

    @Test
    void thePageIsToldThatSomebodyLooksAsLongAsItIsOnTheScreen() {
        page.clock().install();
        ask(null);
        page.evaluate(
                "() => { const { attend } = card; globalThis.looked = []; card.attend = (what) => { if (what.action === 'look' && what.interruptId === 'int_e') looked.push(Date.now()); return attend(what); } }");
        page.clock().runFor(45_000);
        page.waitForCondition(() -> looks() >= 2);
        assertThat(told("look")).asString().contains("{\"interruptId\":\"int_e\",\"action\":\"look\"}");
        assertThat(page.evaluate(
                        "looked.slice(1).map((at, i) => at - looked[i]).filter((pause) => pause < 20_000).join()"))
                .isEqualTo("");

        page.evaluate("card.compact = true");
        page.waitForCondition(() -> (boolean) page.evaluate("card.card.place === undefined"));
        int before = looks();
        page.clock().runFor(60_000);
        assertThat(looks()).isEqualTo(before);
    }

    private int looks() {
        return (int) page.evaluate("looked.length");
    }

    @ParameterizedTest
    @CsvSource({
        "grace, You handed this to henry.",
        "henry, grace handed this to you.",
        "ida, grace handed this to henry."
    })
    void whoHandedItToWhomIsInItsStory(String me, String words) {
        ask(null);
        page.evaluate(
                "me => { card.setAttribute('caller', me); card.interrupt = { ...card.interrupt, metadata: { langchain4j: { ...card.interrupt.metadata.langchain4j,"
                        + " handed: { to: 'henry', by: 'grace', at: '2026-11-29T10:00:00Z', reason: 'Yours' } } } }; }",
                me);

        assertThat(card().root().locator(".story")).containsText(words);
        assertThat(card().root().locator(".story q")).hasText("Yours");
    }

    @ParameterizedTest
    @ValueSource(strings = {"de", "fr", "es", "ar"})
    void itIsSaidInThePersonsLanguageWithoutAnyEnglish(String lang) {
        ask(90);
        page.evaluate("lang => card.setAttribute('lang', lang)", lang);
        Locator aside = card().root().locator(".aside button");
        assertThat(aside).hasCount(2);
        assertThat(aside.last()).not().hasText("Hand to\u2026");
        aside.last().click();
        card().root().locator("input[list]").fill("mallory");
        card().root().locator("button[type=submit]").click();
        assertThat(card().root().locator(".field-error:visible")).containsText("mallory");
        page.evaluate("card.lookedAt('grace')");
        assertThat(card().root().locator(".lookers")).containsText("grace");

        assertThat((List<?>) page.evaluate("""
                        () => ['.aside button', '.panel label', '.panel button', 'button[type=submit]', '.field-error:not([hidden])', '.lookers']
                          .flatMap((of) => [...card.shadowRoot.querySelectorAll(of)].map(({ textContent }) => textContent))
                          .filter((text) => /\\b(hand|time|whom|reason|may|looking|over|to)\\b/i.test(text))""")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1280, light, ltr, en", "390, dark, ltr, de", "260, light, ltr, en", "390, light, rtl, ar"})
    void itIsAccessibleAndFitsAtEachWidth(int width, String theme, String dir, String lang) {
        page.setViewportSize(width, 700);
        page.emulateMedia(new Page.EmulateMediaOptions()
                .setColorScheme(com.microsoft.playwright.options.ColorScheme.valueOf(
                        theme.toUpperCase(java.util.Locale.ROOT))));
        ask(90);
        page.evaluate(
                "([dir, lang]) => { document.documentElement.dir = dir; card.setAttribute('lang', lang); card.lookedAt('grace'); }",
                List.of(dir, lang));
        assertThat(card().root().locator(".aside button")).hasCount(2);
        PageAccessIT.assertClean(page, "offered");
        card().root().locator(".aside button").last().click();
        assertThat(card().root().locator("input[list]")).isFocused();
        PageAccessIT.assertClean(page, "handing");
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }
}
