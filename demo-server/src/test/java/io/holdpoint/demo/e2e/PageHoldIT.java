package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A held call while the person reloads, writes something else, or has two tabs. */
@ExtendWith(PageExtension.class)
class PageHoldIT {

    @Test
    void aReloadBringsTheOpenCardBackOnce(DemoPage page) {
        page.say("Transfer 500 to Bob");
        var arguments = page.card().arguments();
        List<String> conversation = page.messages().allTextContents();

        page.reload();

        assertThat(page.card().arguments()).isEqualTo(arguments);
        assertThat(page.messages().allTextContents()).isEqualTo(conversation);
        page.card().approve();
        assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
        assertThat(page.effects("transferMoney")).hasSize(1);
    }

    @Test
    void anAnsweredCardDoesNotComeBack(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().approve();
        assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
        page.awaitIdle();
        List<String> conversation = page.messages().allTextContents();

        page.reload();

        assertThat(page.messages()).hasCount(conversation.size());
        assertThat(page.messages().allTextContents()).isEqualTo(conversation);
        assertThat(page.cards()).hasCount(0);
        assertThat(page.effects("transferMoney")).hasSize(1);
    }

    @Test
    void theConversationHasEachMessageOnceAfterAnAnswer(DemoPage page) {
        page.say("Write to Ada that the meeting moved to Friday");
        page.card().approve();
        assertThat(page.messages().last()).containsText("I sent the email to ada@example.com");
        page.say("Find Bob's address");
        assertThat(page.messages().last()).containsText("I looked up Bob");
        page.awaitIdle();

        assertThat(page.messages().allTextContents()).doesNotHaveDuplicates();
        assertThat(page.page().locator(".message.user")).hasCount(2);
        assertThat(page.calls("sendEmail")).hasCount(1);
        assertThat(page.calls("searchContacts")).hasCount(2);
    }

    @Test
    void aNewMessageAsksFirstAndThenCancelsWhatWaits(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card();

        page.say("Find Ada's address");
        assertThat(page.page().getByText("A question is still open.")).isVisible();
        assertThat(page.page().locator(".message.user")).hasCount(1);
        page.button("Cancel it and send").click();

        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.calls("transferMoney").locator(".state")).hasText("Cancelled");
        page.awaitIdle();
        page.reload();
        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.effects("transferMoney")).isEmpty();
    }

    @Test
    void whoKeepsTheQuestionCanStillAnswerItAndKeepsTheMessage(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card();

        page.say("Find Ada's address");
        page.button("Keep it").click();

        assertThat(page.message()).hasValue("Find Ada's address");
        page.card().approve();
        assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
        assertThat(page.message()).hasValue("Find Ada's address");
    }

    @Test
    void theAnswerOfASecondTabCounts(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card();
        page.hearsNoAnswerOfOthers();
        Page second = page.secondTab();
        new ApprovalCard(second.locator(".card")).deny("Said in the second tab");
        assertThat(second.locator(".message").last()).containsText("Said in the second tab");
        assertThat(second.locator("#status")).isEmpty();

        page.card().approve();

        assertThat(page.page().getByRole(AriaRole.ALERT)).containsText("This was answered before");
        assertThat(page.cards()).hasCount(0);
        assertThat(page.messages().last()).containsText("Said in the second tab");
        assertThat(page.effects()).isEmpty();
    }
}
