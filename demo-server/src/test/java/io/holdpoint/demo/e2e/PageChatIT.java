package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A conversation on the page in which nothing needs an approval. */
@ExtendWith(PageExtension.class)
@InTurns
class PageChatIT {

    @Test
    void aToolThatNeedsNoApprovalRunsAndTheAnswerFollows(DemoPage page) {
        page.say("Find Ada's address");

        assertThat(page.calls("searchContacts").locator(".result")).hasText("Ada Lovelace <ada@example.com>");
        assertThat(page.messages().last()).containsText("I looked up Ada: “Ada Lovelace <ada@example.com>”");
        assertThat(page.listedEffects()).not().hasCount(0);
        assertThat(page.cards()).hasCount(0);
        assertThat(page.effects("searchContacts")).singleElement().satisfies(args -> assertThat(args.toString())
                .isEqualTo("{\"query\":\"Ada\"}"));
    }

    @Test
    void theAnswerAppearsPieceByPiece(DemoPage page) {
        page.page().evaluate("""
                        () => {
                          globalThis.lengths = new Set();
                          new MutationObserver(() => globalThis.lengths.add(document.querySelector('#transcript').textContent.length))
                            .observe(document.querySelector('#transcript'), { childList: true, subtree: true, characterData: true });
                        }""");

        page.say("What can you do?");

        assertThat(page.messages().last()).containsText("transfer 200 to Carol");
        page.awaitIdle();
        assertThat((int) page.page().evaluate("() => globalThis.lengths.size")).isGreaterThan(5);
        assertThat(page.page().locator(".streaming")).hasCount(0);
    }

    @Test
    void anExampleIsSentByAClickAndTheWelcomeGoes(DemoPage page) {
        page.button("Find Ada's address").click();

        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(page.messages().first()).containsText("Find Ada's address");
        assertThat(page.page().locator("#welcome")).isHidden();
    }

    @Test
    void enterSendsAndShiftEnterBreaksTheLine(DemoPage page) {
        var message = page.message();
        message.fill("Find Ada's address");
        message.press("Shift+Enter");
        assertThat(message).hasValue("Find Ada's address\n");
        assertThat(page.messages()).hasCount(0);

        message.press("Enter");

        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(message).hasValue("");
        assertThat(message).isFocused();
    }

    @Test
    void aMessageSaysWhenItCameAlsoAfterAReload(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        Locator first = page.messages().first().locator(".message-tools time");
        Locator last = page.messages().last().locator(".message-tools time");
        assertThat(first).hasText(Pattern.compile("^" + DemoPage.TIME));
        String came = last.textContent();

        page.reload();

        assertThat(first).hasText(Pattern.compile("^" + DemoPage.TIME));
        assertThat(last).hasText(Pattern.compile("^(?:\\d+ \\w+, )?" + came + "$"));
        assertThat(last).not().isEmpty();
    }

    @Test
    void aNewConversationForgetsTheOldOne(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        String firstThread = page.page().url();

        page.button("New conversation").click();

        assertThat(page.messages()).hasCount(0);
        assertThat(page.page().url()).isNotEqualTo(firstThread);
        page.say("Find Bob's address");
        assertThat(page.messages().last()).containsText("I looked up Bob");
        page.reload();
        assertThat(page.messages().first()).containsText("Find Bob's address");
        assertThat(page.calls("searchContacts")).hasCount(1);
    }

    private static List<Route> openedBeforeItIsReady(DemoPage page, String address) {
        page.awaitIdle();
        List<Route> held = new ArrayList<>();
        page.page().route("**/demo/me", held::add);
        page.page().navigate("about:blank");
        page.page().navigate(address);
        page.page().waitForCondition(() -> !held.isEmpty());
        return held;
    }

    @Test
    void whatIsSentBeforeThePageIsReadyIsSentWhenItIs(DemoPage page) {
        List<Route> held = openedBeforeItIsReady(page, page.server().toString());

        page.message().pressSequentially("Transfer 500 to Bob\n");
        assertThat(page.message()).hasValue("Transfer 500 to Bob");
        assertThat(page.messages()).hasCount(0);
        held.forEach(Route::resume);

        assertThat(page.cards()).hasCount(1);
        assertThat(page.message()).hasValue("");
        assertThat(page.page()).hasURL(Pattern.compile("#thread="));
        page.card().approve();
        assertThat(page.messages().last()).containsText("Transferred 500 euros to Bob.");
        assertThat(page.effects("transferMoney")).hasSize(1);
    }

    @Test
    void anExampleThatIsPressedBeforeThePageIsReadyIsTriedWhenItIs(DemoPage page) {
        List<Route> held = openedBeforeItIsReady(page, page.server().toString());

        page.button("Find Ada's address").click();
        held.forEach(Route::resume);

        assertThat(page.messages().last()).containsText("I looked up Ada");
    }

    @Test
    void whatIsTypedBeforeThePageIsReadyStays(DemoPage page) {
        page.say("Transfer 500 to Bob");
        assertThat(page.cards()).hasCount(1);
        List<Route> held = openedBeforeItIsReady(page, page.page().url());

        page.message().pressSequentially("And Carol");
        held.forEach(Route::resume);

        assertThat(page.cards()).hasCount(1);
        assertThat(page.message()).hasValue("And Carol");
        page.page().unroute("**/demo/me");
        page.reload();
        assertThat(page.message()).hasValue("And Carol");
        assertThat(page.cards()).hasCount(1);
    }
}
