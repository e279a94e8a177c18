package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonElement;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page as a desk: what has to be decided is in sight with its buttons, nothing jumps, and it loads at once. */
@ExtendWith(PageExtension.class)
@InTurns
class PageDeskIT {

    private static final List<String> SENTENCES = List.of(
            "Transfer 500 to Bob",
            "Write to Ada that the meeting moved to Friday",
            "Delete the inactive records from customers",
            "Buy 10 shares of Acme",
            "Book a flight to Rome",
            "Book a flight to Atlantis",
            "File the VAT return",
            "Ask me which report to send: sales, costs or staff",
            "Ask me to confirm that the order is complete",
            "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");

    /** How often these come depends on what is there first, the page or its stream of changes. */
    private static final Set<String> FETCHED = Set.of("fetch", "eventsource");

    @ParameterizedTest
    @CsvSource({"1440, 900", "375, 812"})
    void whatIsAskedIsOnTheScreenWithItsButtons(int width, int height, DemoPage page) {
        page.page().setViewportSize(width, height);
        for (String sentence : SENTENCES) {
            page.page().navigate(page.page().url().split("#")[0]);
            page.say(sentence);
            page.awaitIdle();

            Locator card = page.cards().first();
            assertThat(card.locator(".question")).isInViewport();
            assertThat(card.locator(".actions button:visible").first()).isInViewport();
            assertThat(card.locator(".actions button:visible").last()).isInViewport();
            assertThat(page.message()).isInViewport();
            assertThat(card.locator(".actions button:visible").first().evaluate("""
                            button => {
                              const { x, y, width, height } = button.getBoundingClientRect();
                              return document.elementFromPoint(x + width / 2, y + height / 2) === button.getRootNode().host;
                            }"""))
                    .as("the button of \"" + sentence + "\" is covered")
                    .isEqualTo(true);
        }
    }

    @Test
    void theMessageBoxIsAtTheBottomFromTheStart(DemoPage page) {
        page.awaitIdle();
        double before = page.page().locator("#composer").boundingBox().y;

        page.say("What can you do?");
        page.awaitIdle();

        assertThat(page.page().locator("#composer").boundingBox().y).isEqualTo(before);
        assertThat(before).isGreaterThan(600);
    }

    @Test
    void theFirstPageIsAFewSmallFiles(Chromium chromium, DemoPage other) throws Exception {
        List<Request> requests = new CopyOnWriteArrayList<>();
        try (BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.onRequestFinished(requests::add);
            page.navigate(other.page().url());
            assertThat(page.locator("body[data-state=idle]")).hasCount(1);
            assertThat(requests)
                    .filteredOn(request -> !FETCHED.contains(request.resourceType()))
                    .hasSizeLessThanOrEqualTo(6);
            assertThat(requests.stream()
                            .mapToInt(request -> request.sizes().responseBodySize)
                            .sum())
                    .isLessThan(150_000);
        }
    }

    @Test
    void nothingJumpsWhileAnAnswerIsStreamed(DemoPage page) {
        watchForShifts(page);

        page.say("What can you do?");
        page.awaitIdle();
        page.say("Write to Ada that the meeting moved to Friday");
        page.card().approve();
        page.awaitIdle();
        page.say("What else?");
        page.awaitIdle();

        assertThat(shiftOn(page)).isLessThan(0.02);
    }

    @ParameterizedTest
    @CsvSource({"360, 740", "768, 1024", "1280, 800"})
    void nothingJumpsWhenSeveralCallsAreHeldAndDecided(int width, int height, DemoPage page) {
        page.page().setViewportSize(width, height);
        watchForShifts(page);

        // said by a script: for half a second after a person's click, the browser leaves out what moves
        page.page().evaluate("""
                () => {
                  document.getElementById('message').value = 'Send an email to ada@example.com and bob@example.com and transfer 200 to Carol';
                  document.getElementById('composer').requestSubmit();
                }""");
        assertThat(page.cards()).hasCount(3);
        page.awaitIdle();
        assertThat(shiftOn(page)).isLessThan(0.02);
        page.card("ada@example.com").approve();
        page.card("bob@example.com").approve();
        page.card("transferMoney").approve();
        page.button("Send 3 answers").click();
        page.awaitIdle();

        assertThat(shiftOn(page)).isLessThan(0.02);
    }

    private static double secondsOfStyleAndLayout(CDPSession browser) {
        return StreamSupport.stream(
                        browser.send("Performance.getMetrics")
                                .getAsJsonArray("metrics")
                                .spliterator(),
                        false)
                .map(JsonElement::getAsJsonObject)
                .filter(each -> each.get("name").getAsString().matches("(RecalcStyle|Layout)Duration"))
                .mapToDouble(each -> each.get("value").getAsDouble())
                .sum();
    }

    private static void watchForShifts(DemoPage page) {
        page.page()
                .addInitScript("globalThis.shift = 0; new PerformanceObserver((list) => {"
                        + " for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;"
                        + " }).observe({ type: 'layout-shift', buffered: true });");
        page.reload();
    }

    private static double shiftOn(DemoPage page) {
        return ((Number) page.page().evaluate("() => globalThis.shift")).doubleValue();
    }

    /** A person types, and is answered, in a conversation of any length: the earlier messages come when somebody asks for them. */
    @Test
    void aConversationOfFiveThousandMessagesStaysFluent(DemoPage page) {
        String messages = IntStream.range(0, 5_000)
                .mapToObj(i -> "{\"id\":\"m%d\",\"role\":\"%s\",\"content\":\"%s %d\"}"
                        .formatted(
                                i, i % 2 == 0 ? "user" : "assistant", "Some **words** about it. ".repeat(i % 7 + 1), i))
                .collect(Collectors.joining(","));
        String ids = "\"threadId\":\"long\",\"runId\":\"r\"";
        String start = "data: {\"type\":\"RUN_STARTED\"," + ids + "}\n\n";
        String end = "data: {\"type\":\"RUN_FINISHED\"," + ids + ",\"outcome\":{\"type\":\"success\"}}\n\n";
        String snapshot = "data: {\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[" + messages + "%s]}\n\n";
        page.page().route("**/agent/history*", route -> stream(route, start + snapshot.formatted("") + end));
        page.page().route("**/agent", route -> {
            String said = "{\"id\":\"new\",\"role\":\"assistant\",\"content\":\"" + "word ".repeat(300) + "\"}";
            stream(
                    route,
                    start + "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"new\",\"role\":\"assistant\"}\n\n"
                            + "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"new\",\"delta\":\"word \"}\n\n"
                                    .repeat(300)
                            + "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"new\"}\n\n"
                            + snapshot.formatted("," + said) + end);
        });
        page.page().navigate(page.page().url().split("#")[0] + "#thread=long");
        assertThat(page.messages()).hasCount(200);
        page.awaitIdle();
        page.page().evaluate("""
                () => {
                  globalThis.touched = 0;
                  new MutationObserver((changes) => (globalThis.touched += changes.length))
                    .observe(document.getElementById('transcript'), { subtree: true, childList: true, attributes: true, characterData: true });
                }""");

        page.page().locator("#message").focus();
        CDPSession browser = page.page().context().newCDPSession(page.page());
        browser.send("Performance.enable");
        double before = secondsOfStyleAndLayout(browser);
        page.page().keyboard().type("And what about the next one?");
        assertThat(secondsOfStyleAndLayout(browser) - before)
                .as("seconds for style and layout of 28 keys")
                .isLessThan(1);
        assertThat(page.page().evaluate("globalThis.touched")).isEqualTo(0);

        page.page().keyboard().press("Enter");
        assertThat(page.messages().last()).containsText("word word");
        page.awaitIdle();
        assertThat(secondsOfStyleAndLayout(browser) - before)
                .as(
                        "seconds for style and layout of an answer of 300 pieces, too: they were 8 with all messages on the page")
                .isLessThan(2);

        page.page().evaluate("() => document.getElementById('scroll').scrollTo(0, 0)");
        Locator first = page.messages().first();
        double top = first.boundingBox().y;
        page.button("Show earlier messages (4,800)").click();
        assertThat(page.messages()).hasCount(401);
        assertThat(page.button("Show earlier messages (4,600)")).hasCount(1);
        Locator same = page.messages().nth(200);
        assertThat(same).containsText(" 4800");
        assertThat(same.boundingBox().y).isCloseTo(top, within(2.0));
    }

    private static void stream(Route route, String events) {
        route.fulfill(
                new Route.FulfillOptions().setContentType("text/event-stream").setBody(events));
    }

    @Test
    void conversationsAreListedAndComeBack(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.awaitIdle();
        page.button("New conversation").click();
        page.say("Find Ada's address");
        page.awaitIdle();

        Locator threads = page.page().locator("#threads a");
        assertThat(threads).hasCount(2);
        assertThat(threads.nth(0)).hasText("Find Ada's address");
        assertThat(threads.nth(0)).hasAttribute("aria-current", "page");
        assertThat(threads.nth(1)).containsText("Transfer 500 to Bobwaits");
        threads.nth(1).click();

        page.card().deny("Not now");
        assertThat(page.messages().last()).containsText("was declined");
        page.awaitIdle();
        assertThat(threads.nth(0)).hasText("Transfer 500 to Bob");
        page.page().goBack();
        assertThat(page.cards()).hasCount(0);
    }

    @Test
    void theThemeIsChosenAndKept(DemoPage page) {
        Locator html = page.page().locator("html");
        page.page().locator("#theme").click();
        page.page().locator("#theme").click();
        assertThat(html).hasAttribute("data-theme", "dark");

        page.page().reload();

        assertThat(html).hasAttribute("data-theme", "dark");
        assertThat(page.page().locator("body")).hasCSS("color-scheme", "dark");
    }

    @Test
    void whatIsBehindTheScenesCanBeLookedAt(DemoPage page) {
        page.say("Add milk to my list");
        page.awaitIdle();
        page.say("Transfer 500 to Bob");
        page.card().approve();
        page.awaitIdle();

        page.page().locator("#tab-state").click();
        assertThat(page.page().locator("#state")).containsText("\"milk\"");
        page.page().keyboard().press("ArrowLeft");
        assertThat(page.page().locator("#tab-events")).isFocused();
        assertThat(page.page().locator("#events > li").first()).containsText("RUN_STARTED");
        Locator delta = page.page().locator("#events > li", new Page.LocatorOptions().setHasText("STATE_"));
        delta.first().locator("summary").click();
        assertThat(delta.first().locator("pre")).containsText("milk");
        page.page().locator("#tab-audit").click();
        assertThat(page.page().locator("#audit")).containsText("transferMoney about to run");
        assertThat(page.page().locator("#audit .audit-decided")).containsText("anonymous");
    }

    @Test
    void aLongMailTakesAFewLinesOfTheEffectsUntilSomebodyWantsAllOfIt(DemoPage page) {
        page.say("Send an email to ada@example.com about the minutes saying " + "one\n".repeat(40) + "last");
        page.card().approve();
        page.awaitIdle();

        Locator mail = page.listedEffects().first();
        assertThat(mail.locator("dt")).hasCount(3);
        assertThat(mail.boundingBox().height).isLessThan(300);
        mail.getByText("Show all 43 lines").press("Enter");
        assertThat(mail.boundingBox().height).isGreaterThan(700);
        page.say("Transfer 50 to Bob");
        assertThat(page.listedEffects().first()).containsText("transferMoney");
        assertThat(page.button("Show less")).isVisible();
        page.button("Show less").click();
        assertThat(page.listedEffects().nth(1).boundingBox().height).isLessThan(300);
    }

    @Test
    void theStepThatTheAgentIsAtIsSaid(DemoPage page) {
        page.awaitIdle();
        page.page()
                .evaluate(
                        "() => { globalThis.said = new Set(); new MutationObserver((records) => records.forEach(({ addedNodes }) =>"
                                + " addedNodes.forEach((node) => said.add(node.textContent)))).observe(document.querySelector('#status'),"
                                + " { childList: true }); }");

        page.say("Find Ada's address");
        assertThat(page.messages().last()).containsText("I looked up Ada");
        page.awaitIdle();

        assertThat(page.page().evaluate("() => [...said]").toString())
                .contains("The agent is answering…", "Running searchContacts…");
        page.page().locator("#tab-events").click();
        assertThat(page.page().locator("#events")).containsText("STEP_STARTED");
    }

    @Test
    void aModelThatCannotBeReachedIsSaidOnce(Chromium chromium) throws Exception {
        Map<String, String> nowhere = Map.of("OPENAI_API_KEY", "none", "OPENAI_BASE_URL", "http://127.0.0.1:9");
        try (DemoProcess demo = DemoProcess.start(nowhere);
                BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            BearerTokensIT.say(page, "Transfer 500 to Bob");

            assertThat(page.locator("#error p").first())
                    .hasText("The model cannot be reached. Check OPENAI_BASE_URL and the network, then try again.");
            assertThat(page.locator("#error .hint")).containsText("MODEL_UNAVAILABLE");
            assertThat(page.getByText("Try again", new Page.GetByTextOptions().setExact(true)))
                    .isInViewport();
        }
    }

    @Test
    void thePagesOwnToolRunsHereAndTheModelHearsOfIt(DemoPage page) {
        page.say("Make the background beige");

        assertThat(page.messages().last()).containsText("The background is beige now.");
        assertThat(page.calls("setBackground").locator(".state")).hasText("Executed");
        assertThat(page.page().evaluate("() => document.documentElement.style.getPropertyValue('--tint')"))
                .isEqualTo("beige");
        page.say("Make the background nonsense");
        assertThat(page.messages().last()).containsText("This is no colour.");
    }

    @Test
    void whatTheModelThoughtIsFolded(DemoPage page) {
        page.say("Think, then find Ada's address");

        assertThat(page.messages().last()).containsText("I looked up Ada");
        page.awaitIdle();
        Locator thought = page.page().locator(".thought").first();
        assertThat(thought.locator("summary")).hasText("Thought about it");
        assertThat(thought.locator(".text")).isHidden();
        thought.locator("summary").click();
        assertThat(thought.locator(".text")).hasText("What does the user want of me?");
    }

    @Test
    void aPictureIsSentAndOneThatIsTooLargeIsNot(DemoPage page) {
        Locator file = page.page().locator("#file");
        file.setInputFiles(new com.microsoft.playwright.options.FilePayload("big.png", "image/png", new byte[700_001]));
        assertThat(page.page().locator("#error")).containsText("big.png is too large");
        file.setInputFiles(new com.microsoft.playwright.options.FilePayload("a.zip", "application/zip", new byte[1]));
        assertThat(page.page().locator("#error")).containsText("only pictures, sound, videos and PDF files");
        file.setInputFiles(new com.microsoft.playwright.options.FilePayload("a.pdf", "application/pdf", new byte[10]));
        file.setInputFiles(new com.microsoft.playwright.options.FilePayload("b.pdf", "application/pdf", new byte[10]));
        page.button("Remove b.pdf").click();
        assertThat(page.page().locator("#attachments li")).hasCount(1);

        page.button("Send").click();

        assertThat(page.messages().last()).containsText("You sent me: pdf.");
        assertThat(page.messages().first().locator(".chip")).hasText("Document application/pdf");
        assertThat(page.page().locator("#attachments li")).hasCount(0);
    }
}
