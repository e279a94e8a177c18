package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the page says and keeps when something else happens at the same time: another conversation, somebody else's answer, an answer that comes late. */
@ExtendWith(PageExtension.class)
class PageMeanwhileIT {

    private static final String PEOPLE = "ada=s1,grace:approver=s2,henry:approver=s3";

    private static BrowserContext context(Chromium chromium) {
        BrowserContext context = chromium.browser().newContext(new Browser.NewContextOptions().setLocale("en-GB"));
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }

    private static Page signedIn(BrowserContext context, String address, String name, String token) {
        Page page = context.newPage();
        page.navigate(address);
        BearerTokensIT.signIn(page, name, token);
        return page;
    }

    private static Map<String, String> model(FakeOpenAiServer openAi) {
        return Map.of(
                "OPENAI_API_KEY",
                "test",
                "OPENAI_BASE_URL",
                openAi.baseUrl(),
                "OPENAI_MODEL",
                "gpt-test",
                "UNDO_SECONDS",
                "0");
    }

    /** A browser has six connections to a server. */
    @Test
    void conversationsThatNobodyLooksAtKeepNoConnection(Chromium chromium) throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (FakeOpenAiServer openAi = FakeOpenAiServer.start(11);
                DemoProcess demo = DemoProcess.start(model(openAi));
                DemoPage page = DemoPage.open(chromium, demo)) {
            for (int i = 0; i < 6; i++) {
                openAi.then(request -> {
                    try {
                        mayAnswer.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return OpenAiReply.text("Late.");
                });
                page.button("New conversation").click();
                page.say("Think about it");
                assertThat(page.page().locator("#status")).containsText("is answering");
                int asked = i + 1;
                page.page().waitForCondition(() -> openAi.requests().size() == asked);
            }
            page.button("New conversation").click();

            Object answers = page.page()
                    .evaluate(
                            "Promise.race([fetch('/health').then(() => true), new Promise((late) => setTimeout(late, 60_000, false))])");
            mayAnswer.countDown();

            assertThat(answers).isEqualTo(true);
        }
    }

    @Test
    void aMessageThatDidNotArriveIsGivenBackWhereItWasWritten(DemoPage demo) {
        Page page = demo.page();
        demo.say("What can you do?");
        demo.awaitIdle();
        String first = page.url();
        AtomicReference<Route> sent = new AtomicReference<>();
        page.route("**/agent", sent::set);
        demo.say("And what about Friday?");
        page.waitForCondition(() -> sent.get() != null);

        demo.button("New conversation").click();
        sent.get().abort();
        demo.awaitIdle();

        assertThat(demo.message()).hasValue("");
        page.locator("#threads a").first().click();
        assertThat(demo.message()).hasValue("And what about Friday?");
        assertThat(page.url()).isEqualTo(first);
        demo.watch().take();
    }

    @Test
    void aMessageIsNotGivenBackToAnotherConversationWhenTheServerIsBack(DemoPage demo) {
        Page page = demo.page();
        demo.say("What can you do?");
        demo.awaitIdle();
        page.route("**/health", Route::abort);
        page.route("**/agent", Route::abort);
        demo.say("And what about Friday?");
        assertThat(page.locator("#gone")).isVisible();

        demo.button("New conversation").click();
        page.unrouteAll();
        assertThat(page.locator("#gone")).isHidden();
        demo.awaitIdle();

        assertThat(demo.message()).hasValue("");
        assertThat(page.locator("#error")).isHidden();
        page.locator("#threads a").first().click();
        assertThat(demo.message()).hasValue("And what about Friday?");
        demo.watch().take();
    }

    @Test
    void whatIsRememberedOfOneConversationIsNotShownInAnother(DemoPage demo) {
        Page page = demo.page();
        demo.say("Send an email to ada@example.com about the budget");
        demo.card().button("Approve, and do not ask again").click();
        demo.card()
                .button("Approve, and do not ask again about this tool for 15 minutes")
                .click();
        assertThat(page.locator("#grants > li")).hasCount(1);
        demo.awaitIdle();
        AtomicReference<Route> late = new AtomicReference<>();
        page.route("**/demo/grants*", late::set);
        page.locator("#threads a").first().click();
        page.reload();
        page.waitForCondition(() -> late.get() != null);
        page.unrouteAll();

        demo.button("New conversation").click();
        APIResponse answer = ServersAnswer.to(late.get());
        late.get().fulfill(new Route.FulfillOptions().setResponse(answer));
        demo.awaitIdle();

        assertThat(page.locator("#remembered")).isHidden();
    }

    @Test
    void aFileStaysWithTheConversationForWhichItWasChosen(DemoPage demo) {
        Page page = demo.page();
        demo.say("What can you do?");
        demo.awaitIdle();
        page.locator("#file").setInputFiles(new FilePayload("contract.pdf", "application/pdf", new byte[10]));
        assertThat(page.locator("#attachments li")).hasCount(1);

        demo.button("New conversation").click();
        assertThat(page.locator("#attachments li")).hasCount(0);

        page.locator("#threads a").first().click();
        assertThat(page.locator("#attachments li")).hasCount(1);
    }

    @Test
    void anAnswerThatWasTakenIsNotAnErrorBecauseTheNextQuestionIsThere(Chromium chromium) throws Exception {
        try (FakeOpenAiServer openAi = FakeOpenAiServer.start(11);
                DemoProcess demo = DemoProcess.start(model(openAi));
                DemoPage page = DemoPage.open(chromium, demo)) {
            openAi.then(OpenAiReply.calls(
                            new OpenAiReply.Call("call_1", "transferMoney", "{\"amount\":501,\"to\":\"Bob\"}")))
                    .then(OpenAiReply.calls(
                            new OpenAiReply.Call("call_2", "transferMoney", "{\"amount\":502,\"to\":\"Bob\"}")));
            page.say("Pay Bob");
            page.awaitIdle();
            page.page().navigate(demo.url() + "/inbox");
            Locator row = page.page().locator(".inbox-row");
            row.click();
            AtomicReference<APIResponse> taken = new AtomicReference<>();
            AtomicReference<Route> route = new AtomicReference<>();
            page.page().route("**/agent", asked -> {
                taken.set(ServersAnswer.to(asked));
                route.set(asked);
            });
            new ApprovalCard(page.page().locator(".card:visible")).approve();
            assertThat(row).containsText("502");

            route.get().fulfill(new Route.FulfillOptions().setResponse(taken.get()));

            assertThat(page.page().locator("#announcer")).hasText("Sent.");
            assertThat(page.page().locator("#inbox .field-error:visible")).hasCount(0);
        }
    }

    @Test
    void anEditThatWasSentIsNotSaidToBeUnused(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of("BEARER_TOKENS", PEOPLE, "UNDO_SECONDS", "0"));
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 611 to Uma and transfer 622 to Uma");
            assertThat(ada.locator(".card")).hasCount(2);
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();
            ApprovalCard card = new ApprovalCard(grace.locator(".card").first());
            card.openEditor();
            card.field("Amount in euros").fill("11");
            card.approveWithEdits();

            assertThat(grace.locator(".card").first()).containsText("grace has edited this call");
            grace.evaluate(
                    "async () => { for (let i = 0; i < 10; i++) await fetch('/health'); }"); // in which time it would
            // be said
            assertThat(grace.locator("#unsent")).isHidden();
        }
    }

    @Test
    void anAnswerThatCameTooLateIsSaidThoughItsLineIsGone(Chromium chromium) throws Exception {
        Map<String, String> settings = Map.of("BEARER_TOKENS", PEOPLE, "UNDO_SECONDS", "5");
        try (DemoProcess demo = DemoProcess.start(settings);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 631 to Sam");
            assertThat(ada.locator(".card")).hasCount(1);
            Page grace = graces.newPage();
            grace.clock().install();
            grace.navigate(demo.url() + "/inbox");
            BearerTokensIT.signIn(grace, "grace", "s2");
            grace.locator(".inbox-row").click();
            new ApprovalCard(grace.locator(".card")).approve();
            assertThat(grace.locator("#inbox-denying")).containsText("Sent in 5 seconds");

            denies(demo, "s3");
            assertThat(ada.locator(".card")).hasCount(0);
            grace.clock().fastForward(1_000);
            assertThat(grace.locator(".inbox-row")).hasCount(0);
            grace.clock().fastForward(6_000);

            assertThat(grace.locator("#inbox-denying")).containsText("Transfer 631 euros");
            assertThat(grace.locator("#inbox-denying")).containsText("This was answered before.");
            assertThat(grace.locator(".card")).hasCount(0);
        }
    }

    private static void denies(DemoProcess demo, String token) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest.Builder asked = HttpRequest.newBuilder()
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
        var open = Json.parse(http.send(
                                asked.copy()
                                        .uri(URI.create(demo.url() + "/agent/interrupts?threads=accessible"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body())
                .path("interrupts")
                .get(0);
        String decision = "{\"threadId\":\"" + open.path("threadId").asText() + "\",\"interruptId\":\""
                + open.at("/interrupt/id").asText() + "\",\"status\":\"resolved\",\"payload\":{\"approved\":false}}";
        String answer = http.send(
                        asked.copy()
                                .uri(URI.create(demo.url() + "/agent/decisions"))
                                .POST(HttpRequest.BodyPublishers.ofString(decision))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        assertThat(answer).contains("status");
    }
}
