package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The page and its inbox in other languages than English: all of their texts, and their direction. */
@ExtendWith(PageExtension.class)
@InTurns
class PageLanguageIT {

    /** To be looked at. */
    private static final Path PICTURES = DemoProcess.buildDirectory().resolve("pictures");

    private static final Pattern ENTRY = Pattern.compile("('(?:[^'\\\\]|\\\\.)*': ?')((?:[^'\\\\]|\\\\.)*)'");

    /** What is wider than its place, of all that is not made to be scrolled sideways. */
    private static final String OVERFLOWS = """
            () => {
              const box = (each) => each.getBoundingClientRect();
              const outsideOf = (place) => [...place.querySelectorAll('*')].filter((each) => box(each).right > box(place).right + 1 || box(each).left < box(place).left - 1).at(-1);
              return [document.documentElement, ...document.querySelectorAll('main, .side, .inspector, .inbox, .scroll, .bar, .tabs, .panel-body, .inbox-tools, .composer, .steer, button, select')]
              .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
              .map((each) => `${each.id || each.className || each.localName}: ${each.scrollWidth} in ${each.clientWidth}, ${outsideOf(each)?.outerHTML}`);
            }""";

    /** What can be read or heard and is in no text that was marked, but for what people, tools, the server and the browser's calendar say. */
    private static final String OUTSIDE = """
            () => {
              const outside = [];
              const foreign = 'script, noscript, title, pre, code, kbd, time, .escape, [lang=en], .text, .question, .name, .value, dt, dd, .call-gist, .thread-title, #title, #language,'
                + ' .inbox-who, .inbox-age, .result, .preview, .difference, .field label, .advice, .chart-ends, .mail, #mail-list, #error bdi, #error .hint, #audit :is(strong, summary, li > .hint), #announcer, .brand > p, th[scope=row], .figure h2, .differs, .inbox-of, .gist';
              const look = (root) => {
                for (const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL); walker.nextNode();) {
                  const { currentNode: node } = walker;
                  if (node.shadowRoot) look(node.shadowRoot);
                  const element = node.nodeType === 3 ? node.parentElement : node;
                  if (node.nodeType > 3 || !element || (node.nodeType === 3 && !/[a-z]/i.test(node.data)) || element.closest(foreign) || !element.checkVisibility({ visibilityProperty: true })) continue;
                  const said = node.nodeType === 3 ? [[...element.childNodes].filter(({ localName }) => localName !== 'code').map(({ textContent }) => textContent).join('')] : ['aria-label', 'title', 'placeholder', 'alt'].map((name) => node.getAttribute(name) ?? '');
                  for (const text of said) {
                    let bare = text;
                    for (let more = ''; more !== bare;) [more, bare] = [bare, bare.replace(/\\u27e6[^\\u27e6\\u27e7]*\\u27e7/g, '')];
                    if (/[a-z]{2}/i.test(bare)) outside.push(`${element.localName}.${element.className || element.id}: ${text.slice(0, 200)}`);
                  }
                }
              };
              look(document.body);
              return outside;
            }""";

    private static int walks;

    private static BrowserContext context(Chromium chromium, String locale, int width) {
        BrowserContext context = chromium.browser()
                .newContext(new Browser.NewContextOptions()
                        .setLocale(locale)
                        .setTimezoneId("UTC")
                        .setReducedMotion(ReducedMotion.REDUCE)
                        .setColorScheme(width < 500 ? ColorScheme.DARK : ColorScheme.LIGHT)
                        .setViewportSize(width, 900));
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }

    @ParameterizedTest
    @CsvSource({
        "de-AT, de, ltr, Neue Unterhaltung, Wartet auf Sie, Der Agent wartet auf Ihre Entscheidung.",
        "fr-FR, fr, ltr, Nouvelle conversation, En attente de vous, L\u2019agent attend votre d\u00e9cision.",
        "es-MX, es, ltr, Nueva conversaci\u00f3n, Esperando su decisi\u00f3n, El agente espera su decisi\u00f3n.",
        "ar-EG, ar, rtl, \u0645\u062d\u0627\u062f\u062b\u0629 \u062c\u062f\u064a\u062f\u0629, \u0628\u0627\u0646\u062a\u0638\u0627\u0631\u0643, \u064a\u0646\u062a\u0638\u0631 \u0627\u0644\u0648\u0643\u064a\u0644 \u0642\u0631\u0627\u0631\u0643.",
        "nl-NL, en, ltr, New conversation, Waiting for you, The agent waits for your decision."
    })
    void speaksTheLanguageOfTheBrowserAndLoadsNoOther(
            String locale,
            String language,
            String direction,
            String title,
            String held,
            String status,
            Chromium chromium,
            DemoPage running) {
        try (BrowserContext context = context(chromium, locale, 1280)) {
            Page page = context.newPage();
            page.navigate(running.server().toString());

            assertThat(page.locator("#title")).hasText(title);
            assertThat(page.locator("html")).hasAttribute("lang", language);
            assertThat(page.locator("body")).hasCSS("direction", direction);
            say(page, "Transfer 500 to Bob");
            assertThat(page.locator(".card h2")).containsText(held);
            assertThat(page.locator("#status")).hasText(status);
            assertThat(
                            (List<?>)
                                    page.evaluate(
                                            "performance.getEntriesByType('resource').map(({ name }) => new URL(name).searchParams.get('lang')).filter((each) => each)"))
                    .isEqualTo("en".equals(language) ? List.of() : List.of(language, language));
        }
    }

    @Test
    void remembersWhatWasChosen(DemoPage page) {
        assertThat(page.page().locator("#new-conversation")).hasText("New conversation");

        page.page().locator("#language").selectOption("de");
        assertThat(page.page().locator("#new-conversation")).hasText("Neue Unterhaltung");
        page.page().reload();

        assertThat(page.page().locator("#new-conversation")).hasText("Neue Unterhaltung");
        assertThat(page.page().locator("#language")).hasValue("de");
    }

    @Test
    void theTabToTheRightIsTheOneThatIsSeenThere(Chromium chromium, DemoPage running) {
        try (BrowserContext context = context(chromium, "ar-EG", 1280)) {
            Page page = context.newPage();
            page.navigate(running.server().toString());
            awaitIdle(page);
            page.locator("#tab-audit").focus();

            page.keyboard().press("ArrowRight");

            assertThat(page.locator("#tab-effects")).isFocused();
        }
    }

    /** What is said, and what is done with it, are two things: somebody else's question stays theirs, an unknown error keeps the server's words. */
    @Test
    void decidesTheSameInEachLanguage(Chromium chromium, DemoPage running) {
        try (BrowserContext context = context(chromium, "de-DE", 1280)) {
            Page page = context.newPage();
            page.navigate(running.server().toString());
            say(page, "File the VAT return");
            page.navigate(running.server() + "/inbox");
            Locator row = page.locator(".inbox-entry", new Page.LocatorOptions().setHasText("VAT"))
                    .last();
            row.locator("input").check();
            page.locator("#inbox-deny").click();
            page.locator("#inbox-denying .danger").click();
            page.locator("#inbox-denying button").click();
            assertThat(page.locator("#announcer")).hasText("R\u00fcckg\u00e4ngig gemacht. Nichts wurde gesendet.");

            page.route(
                    "**/agent/decisions",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setStatus(418)
                            .setContentType("application/json")
                            .setBody("{\"code\":\"TEAPOT\",\"message\":\"Short and stout\"}")));
            page.clock().install();
            page.locator("#inbox-deny").click();
            page.locator("#inbox-denying .danger").click();
            page.clock().fastForward(5_000);

            assertThat(page.locator(".not-taken")).containsText("Das hat nicht geklappt");
        }
    }

    @Test
    void noTextIsLeftInEnglish(Chromium chromium, DemoPage running) {
        try (BrowserContext context = context(chromium, "de-DE", 1280)) {
            Page page = context.newPage();
            page.route(Pattern.compile("\\.js\\?lang=de"), PageLanguageIT::mark);
            page.navigate(running.server().toString());
            Set<String> outside = new TreeSet<>();

            walk(page, running, state -> ((List<?>) page.evaluate(OUTSIDE))
                    .forEach(each -> outside.add(state + ": " + each)));

            assertThat(outside).isEmpty();
        }
    }

    /** Puts marks around each text of a language. */
    private static void mark(Route route) {
        APIResponse response = route.fetch();
        String marked = ENTRY.matcher(response.text())
                .replaceAll(entry -> Matcher.quoteReplacement(
                        entry.group(1) + "\u27e6" + entry.group(2).replace("|", "\u27e7|\u27e6") + "\u27e7'"));
        route.fulfill(new Route.FulfillOptions().setResponse(response).setBody(marked));
    }

    private static Stream<Arguments> looks() {
        Stream<Arguments> some = Stream.of(arguments("de-DE", 390), arguments("ar-EG", 1280));
        Stream<Arguments> others = Stream.of(
                arguments("ar-EG", 390), arguments("de-DE", 1280), arguments("fr-FR", 390), arguments("es-ES", 390));
        return PageExtension.ALL ? Stream.concat(some, others) : some;
    }

    @ParameterizedTest
    @MethodSource("looks")
    void fitsAndIsAccessible(String locale, int width, Chromium chromium, DemoPage running) {
        try (BrowserContext context = context(chromium, locale, width)) {
            Page page = context.newPage();
            page.navigate(running.server().toString());

            walk(page, running, state -> {
                String name = locale + "-" + width + "-" + state;
                page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
                assertThat((List<?>) page.evaluate(OVERFLOWS)).as(name).isEmpty();
                PageAccessIT.assertClean(page, name);
            });
        }
    }

    /** Goes through the page by what is the same in each language. */
    private static void walk(Page page, DemoPage running, Consumer<String> look) {
        boolean isNarrow = page.viewportSize().width < 800;
        String payee = "Dora" + (char) ('a' + walks++); // what others left waits in the same inbox
        awaitIdle(page);
        look.accept("welcome");
        say(page, "Transfer 500 to Bob");
        look.accept("held");
        page.locator(".card .actions:not([aria-disabled]) [data-key=e]").click();
        look.accept("edit");
        page.locator(".card .back").click();
        page.locator("#message").fill("Find Ada");
        page.locator("#send").click();
        look.accept("steer");
        page.locator("#steer-yes").click();
        awaitIdle(page);
        say(page, "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        look.accept("several");
        page.locator(".batch button").nth(1).click();
        look.accept("decided");
        page.locator(".batch button.primary").click();
        awaitIdle(page);
        page.locator(".call-line:visible > summary").last().click();
        look.accept("done");
        page.locator("#show-inspector").click();
        if (!isNarrow) {
            page.locator("#show-inspector").click();
        }
        for (String tab : List.of("effects", "audit", "events", "state")) {
            page.locator("#tab-" + tab).click();
            look.accept(tab);
        }
        page.locator("#show-inspector").click();
        for (String amount : List.of("701", "702", "703")) {
            page.navigate(running.server().toString());
            say(page, "Transfer " + amount + " to " + payee);
        }
        page.navigate(running.server() + "/inbox");
        page.locator("#inbox-filter").fill(payee);
        assertThat(page.locator(".inbox-row:visible")).hasCount(3);
        look.accept("inbox");
        page.locator("#inbox-all").check();
        look.accept("chosen");
        page.locator("#inbox-deny").click();
        look.accept("denying");
        page.locator("#inbox-denying .danger").click();
        look.accept("undo");
        page.locator("#inbox-denying button").click();
        page.locator(".inbox-row:visible").first().click();
        look.accept("read");
        if (isNarrow) {
            page.locator("#show-side").click();
            look.accept("side");
            page.keyboard().press("Escape");
        }
        page.navigate(running.server() + "/figures");
        assertThat(page.locator(".figure").first()).isVisible();
        look.accept("figures");
        page.navigate(running.server() + "/#thread=nobodys");
        page.reload();
        assertThat(page.locator("#error")).isVisible();
        look.accept("error");
    }

    private static void say(Page page, String text) {
        awaitIdle(page);
        page.locator("#message").fill(text);
        page.locator("#send").click();
        awaitIdle(page);
    }

    private static void awaitIdle(Page page) {
        assertThat(page.locator("body[data-state=idle]")).hasCount(1);
    }
}
