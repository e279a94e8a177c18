package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a person, a model or a tool has written, in whatever place of the page: it is text, nothing of it runs, and what a browser would hide or
 * turn around is marked. {@link HostileServer} says it in every place.
 */
@ExtendWith(PageExtension.class)
class PageHostileIT {

    private static final Path GATEWAY =
            Path.of("..", "adapter", "serve", "gateway", "src", "main", "resources", "io", "holdpoint", "mcp");

    /** A script that tells what a text has become on a page; nothing, if it is a text. */
    static String look() throws Exception {
        try (InputStream script = PageHostileIT.class.getResourceAsStream("/hostile.js")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf("() =>"));
        }
    }

    private final List<String> found = new ArrayList<>();

    private void look(Page page, String where) throws Exception {
        for (int width : List.of(1280, 390)) {
            page.setViewportSize(width, 800);
            String seen = (String) page.evaluate(look());
            if (!seen.isEmpty()) {
                found.add(where + ", " + width + " wide:\n" + seen);
            }
        }
        page.setViewportSize(1280, 800);
    }

    /** Opens all that can be opened to read more. */
    private static void unfold(Page page) {
        page.evaluate("""
                () => {
                  const open = (root) => root.querySelectorAll('*').forEach((each) => {
                    if (each.localName === 'details') each.open = true;
                    if (each.shadowRoot) open(each.shadowRoot);
                  });
                  open(document);
                }""");
    }

    @Test
    void whatATextMustNotBecomeIsSeen(DemoPage demo) throws Exception {
        demo.awaitIdle();
        assertThat(demo.page().evaluate(look())).isEqualTo("");
        demo.page().evaluate("""
                () => {
                  const place = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
                  const planted = place.appendChild(document.createElement('a'));
                  planted.setAttribute('data-planted', '');
                  planted.title = 'a\\u202eb';
                  planted.append('c\\u200bd');
                  planted.href = 'javascript:1';
                }""");
        assertThat((String) demo.page().evaluate(look()))
                .contains("foreign: <a>", "would run: <a>", "not marked (title): <a>", "not marked: <a>");
    }

    /** Markup in each build, the others in their turn. */
    static Stream<String> texts() {
        return HostileServer.texts().keySet().stream()
                .filter(what -> what.equals("markup") || InTurns.Part.isTurnOf(what));
    }

    @ParameterizedTest
    @ValueSource(strings = {"markup", "turned around"})
    void onThePageBehindALinkToo(String what, DemoPage demo) throws Exception {
        String to = what.replace(" ", "") + "@example.com"; // others' mails are there, too
        demo.say("Send an email to " + to + " about " + HostileServer.texts().get(what));
        demo.card();
        Page page = demo.page();
        Locator mail = page.locator("#mail-list a").filter(new Locator.FilterOptions().setHasText(to));
        page.navigate(demo.server() + mail.first().getAttribute("href"));
        assertThat(page.locator("h1")).containsText("email");
        look(page, "link");
        assertThat(String.join("\n", found)).isEqualTo("");
    }

    /** The gateway's page, on the demo's server: it asks an agent for the same. */
    @ParameterizedTest
    @ValueSource(strings = {"markup", "turned around"})
    void onThePageOfAGatewayToo(String what, DemoPage demo) throws Exception {
        String text = HostileServer.texts().get(what);
        demo.say("Transfer 500 to Bob");
        demo.card();
        Page page = demo.page();
        page.unrouteAll();
        HostileServer.behind(page, text);
        openGateway(demo);
        assertThat(page.locator(".card").first()).isVisible();
        look(page, "the gateway's page");

        page.route(
                "**/agent/interrupts*",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(500)
                        .setBody("{\"message\":" + TextNode.valueOf(text) + "}")));
        assertThat(page.locator("#state")).not().containsText("waiting");
        look(page, "the gateway's page, refused");
        assertThat(String.join("\n", found)).isEqualTo("");
        assertThat(demo.watch().take()).allMatch(seen -> seen.contains("status of 500"));
    }

    private static void openGateway(DemoPage demo) {
        for (String file : List.of("page.html", "page.js", "page.css")) {
            demo.page()
                    .route(
                            "**/" + file,
                            route -> route.fulfill(new Route.FulfillOptions().setPath(GATEWAY.resolve(file))));
        }
        demo.page().navigate(demo.server() + "/page.html");
    }

    /** An assistant that asks a hundred things hides nothing of the others. */
    @Test
    void aGatewaysPageShowsWhatWaitsOnFurtherPages(DemoPage demo) throws Exception {
        demo.say("Transfer 500 to Bob");
        demo.card();
        Page page = demo.page();
        page.unrouteAll();
        page.route("**/agent/interrupts*", route -> {
            String url = route.request().url();
            if (url.endsWith("&cursor=a%20place")) {
                route.fulfill(new Route.FulfillOptions()
                        .setResponse(route.fetch(new Route.FetchOptions().setUrl(url.replaceFirst("&cursor=.*", "")))));
            } else {
                route.fulfill(new Route.FulfillOptions().setBody("{\"interrupts\": [], \"next\": \"a place\"}"));
            }
        });
        openGateway(demo);

        assertThat(page.locator(".card").first()).isVisible();
        assertThat(page.locator("#state")).containsText("waiting");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aTextStaysATextInEveryPlace(String what, DemoPage demo) throws Exception {
        String text = HostileServer.texts().get(what);
        Page page = demo.page();
        page.addInitScript("localStorage.setItem('theme', 'light');");
        demo.say("Transfer 500 to Bob and transfer 600 to Bob");
        demo.awaitIdle();
        String thread = page.url();
        page.unrouteAll();
        HostileServer.behind(page, text);
        page.evaluate(
                "text => { for (const me of ['anonymous', text]) { localStorage.setItem('threads-' + me, JSON.stringify([{ id: 'x', title: text },"
                        + " { id: 'y', title: text, state: 'waiting' }])); localStorage.setItem('reasons-' + me, JSON.stringify([text])); } }",
                text);
        page.reload();
        demo.awaitIdle();
        assertThat(demo.cards()).hasCount(2);
        unfold(page);
        look(page, "questions");

        Locator card = demo.cards().first();
        card.locator("[data-key=e]").press("Enter");
        look(page, "editing");
        card.locator(".back").press("Enter");
        card.locator("[data-key=d]").press("Enter");
        card.locator("textarea").last().fill(text);
        look(page, "denying");
        card.locator(".danger.filled").press("Enter");
        look(page, "denied");
        for (String tab : List.of("audit", "events", "state", "effects")) {
            page.locator("#tab-" + tab).press("Enter");
            unfold(page);
            look(page, tab);
        }

        page.navigate(demo.server() + "/inbox");
        assertThat(page.locator(".inbox-row").first()).isVisible();
        look(page, "inbox");
        page.locator(".inbox-row").first().press("Enter");
        unfold(page);
        look(page, "reading in the inbox");
        page.locator("#inbox-all").press(" ");
        page.locator("#inbox-deny").press("Enter");
        look(page, "denying in the inbox");

        page.navigate(demo.server() + "/figures");
        assertThat(page.locator("#figures-list > *").first()).isVisible();
        unfold(page);
        look(page, "figures");
        failures(demo, thread, text);
        decided(demo, thread);
        assertThat(String.join("\n", found)).isEqualTo("");
    }

    /** What the server says when it does not do what was asked. */
    private void failures(DemoPage demo, String thread, String text) throws Exception {
        Page page = demo.page();
        String told = TextNode.valueOf(text).toString();
        page.route(
                "**/agent/halted",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"halted\":true,\"mayHalt\":true,\"since\":\"2026-01-01T00:00:00Z\",\"reason\":"
                                + told + "}")));
        for (Map.Entry<String, String> answer : Map.of(
                        "text/event-stream",
                        "data: {\"type\":\"RUN_ERROR\",\"message\":" + told + ",\"code\":" + told
                                + ",\"metadata\":{\"langchain4j\":{\"detail\":" + told + "}}}\n\n",
                        "application/json",
                        "{\"code\":" + told + ",\"message\":" + told + "}")
                .entrySet()) {
            Route.FulfillOptions refusal = new Route.FulfillOptions()
                    .setStatus(answer.getKey().startsWith("text") ? 200 : 400)
                    .setContentType(answer.getKey())
                    .setBody(answer.getValue());
            page.route("**/agent", route -> route.fulfill(refusal));
            page.route("**/agent/decisions", route -> route.fulfill(refusal));
            page.navigate(demo.server() + "/");
            demo.say("Pay 1 euro to Eve " + text);
            assertThat(page.locator("#error")).isVisible();
            look(page, "an error as " + answer.getKey());
            page.locator("#halt").press("Enter");
            page.locator("#halt-reason").fill(text);
            look(page, "halting");
            page.locator("#halt-back").press("Enter");
            page.unroute("**/agent");
            page.unroute("**/agent/decisions");
        }
        page.unroute("**/agent/halted");
        assertThat(demo.watch().take()).allMatch(seen -> seen.contains("status of 400"));
    }

    /** What was decided, as everybody reads it afterwards. */
    private void decided(DemoPage demo, String thread) throws Exception {
        Page page = demo.page();
        page.navigate(thread);
        demo.awaitIdle();
        page.evaluate("""
                async () => {
                  const { interrupts } = await (await fetch('/agent/interrupts')).json();
                  await fetch('/agent/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ decisions:
                    interrupts.filter(({ threadId }) => location.hash.endsWith(threadId)).map(({ threadId, interrupt }, i) => ({ threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: i > 0 } })) }) });
                }""");
        page.reload();
        demo.awaitIdle();
        assertThat(page.locator(".call summary .state").first()).isVisible();
        unfold(page);
        look(page, "decided");
    }
}
