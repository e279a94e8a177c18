package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page shows what became of the approvals that people were asked for. */
@ExtendWith(PageExtension.class)
@InTurns
class PageFiguresIT {

    @Test
    void itShowsFiguresAChartAndATableOfWhatWasDecided(Chromium chromium) throws Exception {
        try (DemoProcess server = DemoProcess.start(Map.of());
                DemoPage demo = DemoPage.open(chromium, server)) {
            Page page = demo.page();
            page.navigate(server.url() + "/figures");
            assertThat(page.locator("#figures-list")).containsText("Nobody was asked");
            page.navigate(server.url() + "/");
            demo.say("Transfer 500 to Bob");
            demo.card().approve();
            demo.awaitIdle();
            demo.say("Transfer 600 to Bob");
            demo.card().deny("No");
            demo.awaitIdle();

            page.locator("#figures-link").click();

            Locator tool = page.locator(".figure");
            assertThat(tool.locator("h2")).hasText("transferMoney");
            assertThat(tool.locator("dl > div").nth(0)).hasText("asked2");
            assertThat(tool.locator("dl > div").nth(3)).hasText("denied1");
            assertThat(tool.locator(".chart")).hasAttribute("aria-label", "2 questions on 1 day, at most 2 on one");
            assertThat(tool.locator(".chart rect.approved")).hasCount(1);
            tool.locator("summary").click();
            assertThat(tool.locator("tbody tr")).hasCount(1);
            assertThat(page).hasURL(server.url() + "/figures");
            for (int width : new int[] {360, 768, 1280}) {
                for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                    if (!PageExtension.ALL && (width == 360) == (scheme == ColorScheme.LIGHT)) {
                        continue;
                    }
                    page.setViewportSize(width, 800);
                    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
                    PageAccessIT.assertClean(page, width + " " + scheme);
                    assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                            .isEqualTo(true);
                }
            }
            page.goBack();
            assertThat(page.locator("#thread")).isVisible();
            assertThat(page.locator("#figures")).isHidden();
        }
    }

    @Test
    void whereCallersSignInTheyAreForOperators(Chromium chromium) throws Exception {
        try (DemoProcess server = DemoProcess.start(Map.of("BEARER_TOKENS", "ada=a,olga:operator=o"));
                BrowserContext first = chromium.browser().newContext();
                BrowserContext second = chromium.browser().newContext()) {
            Page olga = signedIn(first, server, "olga", "o");
            Page ada = signedIn(second, server, "ada", "a");

            olga.locator("#figures-link").click();
            assertThat(olga.locator("#figures-list")).containsText("Nobody was asked");
            assertThat(ada.locator("#figures-link")).isHidden();
            ada.navigate(server.url() + "/figures");
            assertThat(ada.locator("#figures-list")).containsText("You may not read the figures");
        }
    }

    private static Page signedIn(BrowserContext context, DemoProcess server, String name, String token) {
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        Page page = context.newPage();
        page.navigate(server.url().toString());
        BearerTokensIT.signIn(page, name, token);
        return page;
    }
}
