package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/** The demo's page as a person sees it. Waits by itself for what it is asked about. */
final class DemoPage implements AutoCloseable {

    /** A time as the page shows it: with its day when that is not today, which a test near midnight sees. */
    static final String TIME = "(?:\\d+ \\w+, )?\\d+:\\d\\d";

    private final DemoProcess demo;
    private final BrowserContext context;
    private final PageWatch watch;
    private final Page page;
    private final int earlierEffects;

    private DemoPage(DemoProcess demo, BrowserContext context, Consumer<Page> prepare, String address) {
        this.demo = demo;
        this.context = context;
        this.watch = PageWatch.over(context, demo.url());
        this.page = context.newPage();
        prepare.accept(page);
        page.navigate(demo.url() + address);
        this.earlierEffects = allEffects().size();
    }

    static DemoPage open(Chromium chromium, DemoProcess demo) {
        return open(chromium, demo, page -> {}, "/");
    }

    /** The page as somebody opens it who has the address of a thread. */
    static DemoPage openThread(Chromium chromium, DemoProcess demo, String threadId) {
        return open(chromium, demo, page -> {}, "/#thread=" + threadId);
    }

    static DemoPage open(Chromium chromium, DemoProcess demo, Consumer<Page> prepare, String address) {
        BrowserContext context = chromium.browser()
                .newContext(new Browser.NewContextOptions()
                        .setLocale("en-GB")
                        .setTimezoneId("UTC")
                        .setReducedMotion(ReducedMotion.REDUCE)); // what moves keeps the processor at work
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        try {
            return new DemoPage(demo, context, prepare, address);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    PageWatch watch() {
        return watch;
    }

    Page page() {
        return page;
    }

    /** Where the demo answers. */
    URI server() {
        return demo.url();
    }

    /** A second tab with the same conversation. */
    Page secondTab() {
        Page tab = context.newPage();
        tab.navigate(page.url());
        return tab;
    }

    void say(String text) {
        message().fill(text);
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Send").setExact(true))
                .click();
    }

    /** Where a message is written. */
    Locator message() {
        return page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true));
    }

    /** Loads the page again when it shows all that there is. */
    void reload() {
        awaitIdle();
        page.reload();
        awaitIdle();
    }

    /** Waits until no run is under way, and effects and audit trail were read again after it. */
    void awaitIdle() {
        page.waitForLoadState();
        assertThat(page.locator("body[data-state=idle]")).hasCount(1);
    }

    Locator messages() {
        return page.locator(".message");
    }

    /** The part of the conversation that shows calls of this tool. */
    Locator calls(String tool) {
        return page.locator(".call[data-tool=" + tool + "]");
    }

    /** All open questions. */
    Locator cards() {
        return page.locator(".card");
    }

    /** The open question whose text contains this. */
    ApprovalCard card(String text) {
        return new ApprovalCard(cards().filter(new Locator.FilterOptions().setHasText(text)));
    }

    /** From now on the page is told that what waits now waits still, so that it does not learn by itself of an answer elsewhere. */
    void hearsNoAnswerOfOthers() {
        String waiting = (String) page.evaluate("fetch('/agent/interrupts').then((answer) => answer.text())");
        page.route(
                "**/agent/interrupts*",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(waiting)));
    }

    /** The only open question. */
    ApprovalCard card() {
        assertThat(cards()).hasCount(1);
        return new ApprovalCard(cards());
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** What the page lists under "Effects". */
    Locator listedEffects() {
        return page.locator("#effects > li");
    }

    /** What the tools did since this page was opened, by the server's word; waits for the run that is under way. */
    List<JsonNode> effects() {
        awaitIdle();
        List<JsonNode> all = allEffects();
        return all.subList(earlierEffects, all.size());
    }

    /** As {@link #effects()}, of one tool, only the arguments. */
    List<JsonNode> effects(String tool) {
        return effects().stream()
                .filter(effect -> effect.path("tool").asText().equals(tool))
                .map(effect -> effect.path("args"))
                .toList();
    }

    /** As {@link #effects(String)}, when there are so many of them: an answer in the inbox is stored before its call runs. */
    List<JsonNode> effects(String tool, int calls) {
        page.waitForCondition(() -> effects(tool).size() >= calls);
        return effects(tool);
    }

    /** The pages stop first: what one still asks for while its context closes would fail in a route of the test. */
    @Override
    public void close() {
        for (Page open : context.pages()) {
            open.unrouteAll();
            open.navigate("about:blank");
        }
        context.close();
    }

    private List<JsonNode> allEffects() {
        try {
            return Json.elements(Json.parse(context.request()
                    .get(demo.url() + "/demo/effects", RequestOptions.create().setMaxRetries(ServersAnswer.RETRIES))
                    .text()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
