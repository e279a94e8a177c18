package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page on a narrow screen: nothing has to be scrolled sideways. */
@ExtendWith(PageExtension.class)
@InTurns
class PageWidthIT {

    private static final String UNBREAKABLE = "x".repeat(200);

    @BeforeEach
    void narrow(DemoPage page) {
        page.page().setViewportSize(360, 640);
    }

    @Test
    void theWelcomeFits(DemoPage page) {
        assertThat(page.button("Transfer 500 to Bob")).isVisible();

        assertFits(page);
    }

    @Test
    void aCardWithALongWordFitsInEveryState(DemoPage page) {
        page.say("Send an email to ada@example.com about " + UNBREAKABLE + " saying " + UNBREAKABLE);
        ApprovalCard card = page.card();
        assertFits(page);

        card.root().getByText("As JSON").click();
        assertFits(page);

        card.openEditor();
        assertThat(card.field("Text of the email")).isVisible();
        assertFits(page);

        card.button("Back").click();
        card.deny(UNBREAKABLE);
        assertThat(page.messages().last()).containsText("was declined");
        page.awaitIdle();
        assertFits(page);
    }

    @Test
    void severalCardsAndTheQuestionBeforeSteeringAwayFit(DemoPage page) {
        page.say("Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        assertThat(page.cards()).hasCount(3);
        page.card("transferMoney").deny(UNBREAKABLE);

        page.say("Find Ada's address");

        assertThat(page.button("Cancel them and send")).isVisible();
        assertFits(page);
    }

    @Test
    void questionsWithLongWordsFitInEveryState(DemoPage page) {
        StagedInterrupts.ask(
                page,
                PageOutcomeIT.outcomeUnknown("\"retry\",\"done\",\"not_done\"").replace("Bob", UNBREAKABLE),
                PageQuestionIT.question("""
                        {"type":"object","title":"LONG","description":"LONG","required":["LONG","c","l","m","s"],"properties":{
                        "LONG":{"type":"string","description":"LONG"},"c":{"enum":["LONG","x"]},"s":{"$ref":"LONG"},
                        "m":{"enum":["LONG",1,2,3,4,5,6,7,8]},"o":{"type":"object","title":"LONG","properties":{}},
                        "l":{"type":"array","title":"LONG","items":{"type":"array","items":{"type":"string"}}}}}""".replace("LONG", UNBREAKABLE)),
                "{\"id\":\"int_f\",\"reason\":\"langchain4j:LONG\",\"metadata\":{\"LONG\":1}}"
                        .replace("LONG", UNBREAKABLE));
        assertThat(page.cards()).hasCount(3);
        assertFits(page);

        page.card("Please say.").open();
        page.button("Add to " + UNBREAKABLE).click();
        page.button("Add to " + UNBREAKABLE + " 1").click();
        page.card("Please say.").open().button("Answer").click();
        assertThat(page.card("Please say.").root().getByRole(AriaRole.ALERT)).isVisible();
        page.card("About: ").open().button("Answer with JSON…").click();
        assertFits(page);

        page.button("Back").click();
        page.button("Acknowledge").click();
        assertThat(page.page().getByText("1 of 3 decided.")).isVisible();
        assertFits(page);
    }

    @Test
    void whatAnEditHasChangedFitsAmongWhatWasDecided(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();
        card.openEditor();
        card.field("Amount in euros").fill("5");
        card.button("Approve with 1 change").click();
        page.awaitIdle();
        assertFits(page);

        page.page().navigate(page.page().url().split("#")[0] + "inbox");

        assertThat(page.page().locator("#decided-list")).containsText("now: 5");
        assertFits(page);
    }

    @Test
    void theEndOfTheConversationStaysInViewWhileItGrows(DemoPage page) {
        page.say("What can you do?");
        page.awaitIdle();
        page.page().evaluate("""
                        () => {
                          globalThis.lowest = -Infinity;
                          const main = document.querySelector('main');
                          new MutationObserver(() => globalThis.lowest =
                              Math.max(globalThis.lowest, main.getBoundingClientRect().bottom - innerHeight))
                            .observe(document.querySelector('#transcript'), { childList: true, subtree: true, characterData: true });
                        }""");

        page.say("And what else?");

        assertThat(page.page().locator(".message.assistant")).hasCount(2);
        page.awaitIdle();
        assertThat((boolean) page.page().evaluate("() => globalThis.lowest < 2"))
                .as("at most %s px below the window", page.page().evaluate("() => globalThis.lowest"))
                .isTrue();
    }

    @Test
    void theNewestEffectIsInViewBesideALongConversation(DemoPage page) {
        page.page().setViewportSize(1100, 640);
        for (String name : List.of("Ada", "Bob", "Carol")) {
            page.say("Find " + name + "'s address");
            assertThat(page.messages().last()).containsText("I looked up " + name);
            page.awaitIdle();
        }

        assertThat(page.listedEffects().first()).containsText("Carol");
        assertThat(page.listedEffects().first()).isInViewport();
    }

    private static void assertFits(DemoPage page) {
        int width = (int) page.page().evaluate("() => document.documentElement.scrollWidth");
        assertThat(width).isLessThanOrEqualTo(360);
    }
}
