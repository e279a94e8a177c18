package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A page that is opened, or opened again, while a run is at work on its thread. The model answers when the test lets it. */
@InTurns
@ExtendWith(PageExtension.class)
class PageFollowIT {

    private static final OpenAiReply.Call SEARCH =
            new OpenAiReply.Call("call_1", "searchContacts", "{\"query\":\"Ada\"}");
    private static final OpenAiReply.Call TRANSFER =
            new OpenAiReply.Call("call_2", "transferMoney", "{\"amount\":500,\"to\":\"Bob\"}");

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private FakeOpenAiServer openAi;
    private DemoProcess demo;

    @BeforeEach
    void start() throws Exception {
        openAi = FakeOpenAiServer.start(11);
        demo = DemoProcess.start(
                Map.of("OPENAI_API_KEY", "test", "OPENAI_BASE_URL", openAi.baseUrl(), "OPENAI_MODEL", "gpt-test"));
    }

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        demo.close();
        openAi.close();
    }

    /** A tool that runs, and then a model that waits for the test. */
    private void thinksBefore(OpenAiReply reply) {
        openAi.then(OpenAiReply.textAndCalls("Let me look.", SEARCH)).then(request -> {
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return reply;
        });
    }

    private DemoPage sayAndReloadInTheMiddle(Chromium chromium) throws InterruptedException {
        DemoPage page = DemoPage.open(chromium, demo);
        page.say("Find Ada");
        asked.await();
        assertThat(page.calls("searchContacts").locator(".result")).containsText("Ada Lovelace");
        page.page().reload();
        assertThat(page.messages().first()).containsText("Find Ada");
        assertThat(page.calls("searchContacts").locator(".result")).containsText("Ada Lovelace");
        assertThat(page.page().locator("#status")).containsText("is answering");
        return page;
    }

    @Test
    void aReloadInTheMiddleOfARunShowsItGoOn(Chromium chromium) throws Exception {
        thinksBefore(OpenAiReply.text("Here she is: Ada Lovelace."));
        try (DemoPage page = sayAndReloadInTheMiddle(chromium)) {
            mayAnswer.countDown();

            assertThat(page.messages().last()).containsText("Here she is: Ada Lovelace.");
            page.awaitIdle();
            List<String> conversation = page.messages().allTextContents();
            assertThat(conversation).doesNotHaveDuplicates();
            page.reload();
            assertThat(page.messages()).hasCount(conversation.size());
            assertThat(page.messages().allTextContents()).isEqualTo(conversation);
            assertThat(openAi.requests()).hasSize(2);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void aRunThatIsHeldAfterAReloadAsksOnTheNewPage(Chromium chromium) throws Exception {
        thinksBefore(OpenAiReply.calls(TRANSFER));
        openAi.then(OpenAiReply.text("Done."));
        try (DemoPage page = sayAndReloadInTheMiddle(chromium)) {
            mayAnswer.countDown();

            page.card().approve();

            assertThat(page.messages().last()).containsText("Done.");
            assertThat(page.effects("transferMoney")).hasSize(1);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void aTurnThatFailedGoesOnWhenThePageIsOpenedAgain(Chromium chromium) {
        openAi.breakDown(401);
        try (DemoPage page = DemoPage.open(chromium, demo)) {
            page.say("Find Ada");
            assertThat(page.button("Try again")).isVisible();
            openAi.recover();
            openAi.then(OpenAiReply.text("Here I am again."));

            page.page().reload();

            assertThat(page.messages().last()).containsText("Here I am again.");
            assertThat(page.page().locator(".message.user")).hasCount(1);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void aRunThatFailsWhileItIsLookedAtCanBeTriedAgain(Chromium chromium) throws Exception {
        thinksBefore(new OpenAiReply.Failure(401));
        openAi.then(OpenAiReply.text("Now I can."));
        try (DemoPage page = sayAndReloadInTheMiddle(chromium)) {
            mayAnswer.countDown();
            page.button("Try again").click();

            assertThat(page.messages().last()).containsText("Now I can.");
            assertThat(page.page().locator("#error")).isHidden();
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void aSecondTabShowsTheRunOfTheFirst(Chromium chromium) throws Exception {
        thinksBefore(OpenAiReply.text("Here she is."));
        try (DemoPage page = DemoPage.open(chromium, demo)) {
            page.say("Find Ada");
            asked.await();
            assertThat(page.calls("searchContacts").locator(".result")).containsText("Ada Lovelace");
            var second = page.secondTab();
            assertThat(second.locator("#status")).containsText("is answering");
            mayAnswer.countDown();

            assertThat(second.locator(".message").last()).containsText("Here she is.");
            assertThat(page.messages().last()).containsText("Here she is.");
            assertThat(second.locator("#status")).isEmpty();
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void aRunIsStoppedAndWhatWasDoneStays(Chromium chromium) throws Exception {
        thinksBefore(OpenAiReply.text("Too late."));
        try (DemoPage page = DemoPage.open(chromium, demo)) {
            page.say("Find Ada");
            asked.await();
            assertThat(page.button("Send")).isHidden();

            page.button("Stop").click();

            assertThat(page.page().locator("#status")).hasText("Stopped.");
            assertThat(page.calls("searchContacts").locator(".state")).hasText("Executed");
            assertThat(page.button("Send")).isVisible();
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void markdownIsShownAndWhatIsMarkupInItIsNot(Chromium chromium) {
        openAi.then(OpenAiReply.text("""
                # Plan

                **Bold** and `code`\u202e\u200b, see [the site](https://example.com/) or [not](javascript:alert(1)).

                | a | b |
                |---|---|
                | 1 | 2 |

                ```sh
                echo "<b>hi</b>"
                ```

                <img src=x onerror=alert(1)> ![pixel](https://example.com/p.png)
                """));
        try (DemoPage page = DemoPage.open(chromium, demo)) {
            page.say("Plan it");
            var message = page.messages().last();

            assertThat(message.locator("strong")).hasText("Bold");
            assertThat(page.page().locator("#announcer"))
                    .hasText(Pattern.compile(
                            "The agent answered\\. Plan Bold and code\\\\u202e\\\\u200b, see the site or not\\. a b 1 2"
                                    + " echo \"<b>hi</b>\" <img .*"));
            assertThat(message.locator("td")).hasText(new String[] {"1", "2"});
            assertThat(message.locator(".code-block code")).hasText("echo \"<b>hi</b>\"\n");
            assertThat(message.locator(".code-block button")).hasText("Copy");
            assertThat(message.locator("a[href]")).hasCount(1);
            assertThat(message.locator("a[href]")).hasAttribute("rel", "noopener noreferrer");
            assertThat(message).containsText("<img src=x onerror=alert(1)>");
            assertThat(message.locator("img, h1")).hasCount(0);
            page.watch().assertNothingSeen();
        }
    }
}
