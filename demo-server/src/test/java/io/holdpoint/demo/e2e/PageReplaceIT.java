package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message is said in another way, or its answer asked for again, and the page shows what the server has. */
@ExtendWith(PageExtension.class)
@InTurns
class PageReplaceIT {

    private static Locator button(DemoPage page, int message, String name) {
        return page.messages().nth(message).getByText(name, new Locator.GetByTextOptions().setExact(true));
    }

    private static Locator box(DemoPage page) {
        return page.page().getByLabel("Your message");
    }

    @Test
    void anEditedMessageReplacesAllThatFollowsAndUndoesNothing(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        page.say("Transfer 500 to Bob");
        page.card().approve();
        page.awaitIdle();
        assertThat(page.effects("transferMoney")).hasSize(1);
        int shown = page.messages().count();

        button(page, indexOf(page, "Transfer 500 to Bob"), "Edit").click();
        assertThat(box(page)).hasValue("Transfer 500 to Bob");
        assertThat(page.page().locator(".edit-message")).containsText("What has been done stays done.");
        box(page).fill("Transfer 200 to Carol");
        page.button("Send again").click();

        assertThat(page.page().locator("#transcript")).not().containsText("Bob");
        assertThat(page.card().question()).containsText("Carol");
        assertThat(page.effects("transferMoney")).hasSize(1);
        page.card().approve();
        page.awaitIdle();
        assertThat(page.effects("transferMoney")).hasSize(2);
        page.reload();
        assertThat(page.messages()).hasCount(shown);
        assertThat(page.page().locator("#transcript")).not().containsText("Bob");
        assertThat(page.page().locator("#transcript")).containsText("Find Ada's address");
    }

    private static int indexOf(DemoPage page, String text) {
        return page.messages().allInnerTexts().stream()
                .map(each -> each.contains(text))
                .toList()
                .indexOf(true);
    }

    @Test
    void theFirstMessageIsEditedWithTheKeyboard(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        Locator edit = button(page, 0, "Edit");
        edit.focus();
        edit.press("Enter");
        assertThat(box(page)).isFocused();
        box(page).press("Escape");
        assertThat(edit).isFocused();
        assertThat(page.messages().first()).containsText("Find Ada's address");

        edit.press("Enter");
        box(page).fill("Find Bob's address");
        box(page).press("Enter");

        assertThat(page.messages().last()).containsText("I looked up Bob");
        assertThat(page.message()).isFocused();
        page.reload();
        assertThat(page.page().locator("#transcript")).not().containsText("Ada");
        assertThat(page.messages().last()).containsText("I looked up Bob");
    }

    @Test
    void theLastAnswerIsAskedForAgainAndTheOldOneIsGone(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        int shown = page.messages().count();
        assertThat(page.effects("searchContacts")).hasSize(1);

        button(page, shown - 1, "Answer again").click();

        assertThat(page.message()).isFocused();
        assertThat(page.effects("searchContacts")).hasSize(2);
        assertThat(page.messages()).hasCount(shown);
        assertThat(page.messages().last()).containsText("I looked up Ada");
        page.reload();
        assertThat(page.messages()).hasCount(shown);
        assertThat(page.page().locator("#audit")).containsText("replaced by something else");
    }

    @Test
    void nothingIsReplacedWhileSomethingWaits(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        assertThat(button(page, 0, "Edit")).not().hasAttribute("hidden", "");
        page.say("Transfer 500 to Bob");
        page.card();
        page.awaitIdle();

        assertThat(page.page().locator(".message-tools button", new Page.LocatorOptions().setHasText("Edit")))
                .hasCount(2);
        assertThat(page.page().locator(".message-tools button[hidden]", new Page.LocatorOptions().setHasText("Edit")))
                .hasCount(2);
        page.card().deny("No");
        page.awaitIdle();
        assertThat(button(page, 0, "Edit")).not().hasAttribute("hidden", "");
    }

    @Test
    void whatWasNotTakenIsStillThere(DemoPage page) {
        page.say("Find Ada's address");
        page.awaitIdle();
        page.page()
                .route(
                        "**/agent",
                        route -> route.fulfill(new Route.FulfillOptions()
                                .setStatus(409)
                                .setContentType("application/json")
                                .setBody("{\"code\":\"RUN_IN_PROGRESS\",\"message\":\"busy\"}")));
        button(page, 0, "Edit").click();
        box(page).fill("Find Bob's address");
        page.button("Send again").click();

        assertThat(page.page().locator("#error")).containsText("The agent is still at work here");
        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(page.message()).hasValue("Find Bob's address");
        assertThat(page.watch().take()).singleElement().asString().contains("409");
    }
}
