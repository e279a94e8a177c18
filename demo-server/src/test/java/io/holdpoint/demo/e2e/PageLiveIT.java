package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Open pages change by themselves, say when they cannot, and lose nothing that was filled in; links are opened, and decide nothing. */
@InTurns
@ExtendWith(PageExtension.class)
class PageLiveIT {

    private static final Map<String, String> PEOPLE = Map.of("BEARER_TOKENS", "ada=secret-1,grace:approver=secret-2");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Page signedIn(BrowserContext context, String address, String name, String token) {
        Page page = context.newPage();
        page.navigate(address);
        BearerTokensIT.signIn(page, name, token);
        return page;
    }

    private static String ask(DemoProcess demo, String token, String method, String path, String body)
            throws Exception {
        return HTTP.send(
                        HttpRequest.newBuilder(URI.create(demo.url() + path))
                                .header("Authorization", "Bearer " + token)
                                .header("Content-Type", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** The link in the one mail that somebody gets, a moment after the card is there. */
    private static String mailed(Page page, DemoProcess demo, String token) {
        page.waitForCondition(() -> mails(demo, token).size() == 1);
        return mails(demo, token).get(0).path("link").asText();
    }

    private static JsonNode mails(DemoProcess demo, String token) {
        try {
            return Json.parse(ask(demo, token, "GET", "/demo/mails", ""));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode waiting(DemoProcess demo, String token) throws Exception {
        return Json.parse(ask(demo, token, "GET", "/agent/interrupts?threads=accessible", ""))
                .path("interrupts");
    }

    @Test
    void cardInboxCountAndTitleChangeWhenSomebodyElseDecides(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = chromium.browser().newContext();
                BrowserContext graces = chromium.browser().newContext()) {
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "secret-2");
            assertThat(grace).hasTitle("Holdpoint demo");
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).containsText("Waits for an approver");

            assertThat(grace.locator(".inbox-row")).containsText("Transfer 500 euros");
            assertThat(grace.locator("#inbox-count")).hasText("1");
            assertThat(grace).hasTitle("(1) Holdpoint demo");

            JsonNode open = waiting(demo, "secret-2").get(0);
            ask(
                    demo,
                    "secret-2",
                    "POST",
                    "/agent/decisions",
                    "{\"threadId\":\"" + open.path("threadId").asText() + "\",\"interruptId\":\""
                            + open.at("/interrupt/id").asText()
                            + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}");

            assertThat(ada.locator(".card")).hasCount(0);
            assertThat(ada.locator(".call[data-tool=transferMoney] .state")).hasText("Executed");
            assertThat(grace.locator("#inbox-empty")).hasText("Nothing waits for you.");
            assertThat(grace).hasTitle("Holdpoint demo");
            assertThat(grace.locator("#effects")).containsText("transferMoney");
        }
    }

    @Test
    void anInboxThatIsReadLateDoesNotTakeBackWhatWasReadSince(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/inbox");
            assertThat(page.locator("#inbox-empty")).isVisible();
            AtomicReference<Route> late = new AtomicReference<>();
            AtomicReference<APIResponse> early = new AtomicReference<>();
            page.route("**/agent/interrupts*", route -> {
                if (late.compareAndSet(null, route)) {
                    early.set(route.fetch());
                } else {
                    route.resume();
                }
            });
            new AguiTestClient(demo.url()).say("Transfer 500 to Ada");
            page.waitForCondition(() -> early.get() != null);
            assertThat(page.locator(".inbox-row")).hasCount(0);

            new AguiTestClient(demo.url()).say("Send an email to bob@example.com");
            assertThat(page.locator(".inbox-row")).hasCount(2);
            page.waitForRequestFinished(
                    new Page.WaitForRequestFinishedOptions()
                            .setPredicate(late.get().request()::equals),
                    () -> late.get().fulfill(new Route.FulfillOptions().setResponse(early.get())));
            page.evaluate("fetch('/agent/interrupts').then((answer) => answer.text())"); // comes behind it

            assertThat(page.locator(".inbox-row").count()).isEqualTo(2);
        }
    }

    @Test
    void aLostConnectionIsSaidAndADecisionThatDidNotArriveCanBeMadeAgainWithAllThatWasFilledIn(Chromium chromium)
            throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            assertThat(page.locator("body[data-state=idle]")).hasCount(1);
            BearerTokensIT.say(page, "Write to Ada that the meeting moved to Friday");
            ApprovalCard card = new ApprovalCard(page.locator(".card"));
            card.button("Deny…").click();
            card.field("Reason, for the agent (optional)").fill("She knows");
            assertThat(page.locator("#lost")).isHidden();

            context.setOffline(true);
            assertThat(page.locator("#lost")).containsText("Connection lost. Trying again; nothing is sent");
            card.button("Deny").click();
            assertThat(card.root()).containsText("No answer came: yours may not have arrived.");
            assertThat(card.field("Reason, for the agent (optional)")).hasValue("She knows");
            context.setOffline(false);

            assertThat(page.locator("#lost")).isHidden();
            assertThat(page.locator("#gone")).isHidden();
            assertThat(card.field("Reason, for the agent (optional)")).hasValue("She knows");
            card.button("Deny").click();
            assertThat(page.locator(".card")).hasCount(0);
            assertThat(page.locator(".message").last()).containsText("She knows");
        }
    }

    /** A browser has six connections to a server, and each page follows what changes. */
    @Test
    void sevenPagesOfAPersonChangeAndOneOfThemDecides(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser().newContext()) {
            List<Page> pages = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                Page page = context.newPage();
                page.navigate(demo.url() + "/");
                assertThat(page.locator("body[data-state=idle]")).hasCount(1);
                pages.add(page);
            }
            Page last = pages.get(6);
            BearerTokensIT.say(last, "Transfer 500 to Bob");
            for (Page page : pages) {
                assertThat(page).hasTitle("(1) Holdpoint demo");
            }

            new ApprovalCard(last.locator(".card")).approve();

            for (Page page : pages) {
                assertThat(page.locator("#effects")).containsText("transferMoney");
                assertThat(page).hasTitle("Holdpoint demo");
            }
            pages.get(0).close();
            BearerTokensIT.say(last, "Transfer 700 to Bob");
            assertThat(pages.get(1)).hasTitle("(1) Holdpoint demo");
        }
    }

    @Test
    void aConnectionThatDiesInSilenceAndOneThatTheServerRefusesAreSaid(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.clock().install();
            List<Route> silent = new CopyOnWriteArrayList<>();
            page.route("**/agent/changes", silent::add);
            page.navigate(demo.url() + "/");
            page.waitForCondition(() -> silent.size() == 1);
            assertThat(page.locator("#lost")).isHidden();
            page.clock().fastForward(41_000);
            assertThat(page.locator("#lost")).isVisible();
            assertThat(page.locator("#lost")).containsText("Connection lost. Trying again; nothing is sent");

            page.unroute("**/agent/changes");
            page.route(
                    "**/agent/changes",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setStatus(429)
                            .setContentType("application/json")
                            .setBody("{\"code\":\"SERVER_BUSY\",\"message\":\"This caller has 20 streams.\"}")));
            page.clock().fastForward(11_000);
            assertThat(page.locator("#lost"))
                    .hasText(
                            "This page does not change by itself at present. This caller has 20 streams. Trying again.");
            page.unroute("**/agent/changes");
            page.clock().fastForward(11_000);
            assertThat(page.locator("#lost")).isHidden();
        }
    }

    /** Whether an answer arrived is not known to whoever gets none. */
    @Test
    void anAnswerThatArrivedThoughNoneCameBackIsSeenByLookingAgain(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = chromium.browser().newContext();
                BrowserContext graces = chromium.browser().newContext()) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);
            String link = mailed(ada, demo, "secret-2");
            Page grace = graces.newPage();
            grace.navigate(demo.url() + link);
            BearerTokensIT.signIn(grace, "grace", "secret-2");
            grace.route("**/agent/changes", Route::abort);
            grace.route("**/agent/decisions", route -> {
                ServersAnswer.to(route);
                route.abort();
            });

            new ApprovalCard(grace.locator(".card")).approve();

            assertThat(grace.locator("#effects")).containsText("transferMoney");
            assertThat(grace.locator(".card")).hasCount(0);
        }
    }

    @Test
    void aCardIsBeingSentUntilTheServerHasTheAnswer(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            assertThat(page.locator("body[data-state=idle]")).hasCount(1);
            BearerTokensIT.say(page, "Transfer 500 to Bob");
            Locator heading = page.locator(".card h2");
            AtomicReference<Route> held = new AtomicReference<>();
            page.route("**/agent", held::set);

            new ApprovalCard(page.locator(".card")).approve();
            assertThat(heading).containsText("Sending…");
            page.waitForCondition(() -> held.get() != null);
            page.unroute("**/agent");
            held.get().resume();

            assertThat(page.locator("#effects")).containsText("transferMoney");
        }
    }

    private static long sent(DemoProcess demo) throws Exception {
        return Json.parse(ask(demo, "", "GET", "/demo/effects", "")).findValuesAsText("tool").stream()
                .filter("sendEmail"::equals)
                .count();
    }

    @Test
    void openingAllLinksAHundredTimesDecidesNothingAndPressingOnceDecidesOnce(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                BrowserContext context = chromium.browser()
                        .newContext(new Browser.NewContextOptions()
                                .setJavaScriptEnabled(true)
                                .setViewportSize(375, 812))) {
            Page page = context.newPage();
            page.navigate(demo.url() + "/");
            assertThat(page.locator("body[data-state=idle]")).hasCount(1);
            BearerTokensIT.say(page, "Write to Ada that the meeting moved to Friday");
            assertThat(page.locator(".card")).hasCount(1);
            String link = demo.url() + mailed(page, demo, "");
            String before = waiting(demo, "").toString();

            for (int i = 0; i < 100; i++) {
                Response opened = page.navigate(link);
                assertThat(opened.status()).isEqualTo(200);
            }
            assertThat(waiting(demo, "").toString()).isEqualTo(before);
            assertThat(sent(demo)).isZero();

            assertThat(page.locator("dl")).containsText("Friday");
            assertThat(page.locator("button").first()).isInViewport();
            assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            page.locator("textarea").fill("fine");
            page.getByText("Approve").click();
            assertThat(page.locator("p[role=status]")).containsText("You have approved this.");
            page.navigate(link);
            assertThat(page.locator("button")).hasCount(0);
            page.navigate(demo.url() + "/");
            assertThat(page.locator("#effects")).containsText("sendEmail");
            assertThat(sent(demo)).isEqualTo(1);
        }
    }

    @Test
    void aLinkOfSomebodyWhoHasToSignInLeadsToThePage(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = chromium.browser().newContext();
                BrowserContext graces = chromium.browser().newContext()) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);
            assertThat(Json.parse(ask(demo, "secret-1", "GET", "/demo/mails", "")))
                    .isEmpty();
            String link = mailed(ada, demo, "secret-2");

            Page grace = graces.newPage();
            grace.navigate(demo.url() + link);
            BearerTokensIT.signIn(grace, "grace", "secret-2");
            new ApprovalCard(grace.locator(".card")).approve();

            assertThat(grace.locator("#effects")).containsText("transferMoney");
            assertThat(ada.locator(".card")).hasCount(0);
        }
    }
}
