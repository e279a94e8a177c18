package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People who share an inbox: they see who looks, give more time, hand over, and read what everybody decided. */
@ExtendWith(PageExtension.class)
@InTurns
class PageAttentionIT {

    private static final Map<String, String> PEOPLE =
            Map.of("BEARER_TOKENS", "ada=s1,grace:approver=s2,henry:approver=s3,mallory=s4", "UNDO_SECONDS", "0");

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

    private static ApprovalCard card(Page page) {
        return new ApprovalCard(page.locator(".card"));
    }

    private static void assertFocusIsSomewhere(Page page) {
        assertThat(page.evaluate("document.activeElement !== document.body")).isEqualTo(true);
    }

    @Test
    void aQuestionIsHandedToSomebodyWhoseInboxSaysSo(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(card(ada).unread("Hand to\u2026")).isHidden();
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            assertThat(henry.locator(".inbox-row")).containsText("Transfer 500");
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();

            card(grace).unread("Hand to\u2026").click();
            card(grace).field("To whom").fill("mallory");
            card(grace).unread("Hand over").click();
            assertThat(card(grace).root().locator(".field-error:visible"))
                    .hasText("mallory may not decide this, or is not known here.");
            card(grace).field("To whom").fill("henry");
            card(grace).field("Reason, for that person (optional)").fill("You know Bob");
            card(grace).unread("Hand over").press("Enter");

            assertThat(card(grace).root().locator(".story")).containsText("You handed this to henry.");
            assertFocusIsSomewhere(grace);
            assertThat(grace.locator(".inbox-row")).containsText("handed to henry by you");
            assertThat(ada.locator(".card .story")).containsText("grace handed this to henry.");
            Locator row = henry.locator(".inbox-row");
            assertThat(row).containsText("handed to you by grace");
            henry.locator("#inbox-kind").selectOption("handed");
            assertThat(row).isVisible();
            assertThat(henry.locator("#mail-list")).containsText("Handed to you: Transfer 500");
            grace.locator("#inbox-kind").selectOption("handed");
            assertThat(grace.locator(".inbox-row")).isHidden();

            row.click();
            assertThat(card(henry).root().locator(".story")).containsText("grace handed this to you.");
            assertThat(card(henry).root().locator(".story q")).hasText("You know Bob");
            PageAccessIT.assertClean(henry, "handed");
            card(henry).approve();
            assertThat(ada.locator("#effects")).containsText("transferMoney");
        }
    }

    @Test
    void aQuestionIsHandedToAGroupWhoseInboxesSaySo(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob");
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();

            card(grace).unread("Hand to\u2026").click();
            card(grace).field("To whom").fill("approver");
            card(grace).unread("Hand over").press("Enter");

            assertThat(card(grace).root().locator(".story")).containsText("You handed this to approver.");
            assertThat(grace.locator(".inbox-row")).containsText("handed to approver by you");
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            assertThat(henry.locator(".inbox-row")).containsText("handed to approver by grace");
            henry.locator("#inbox-kind").selectOption("handed");
            assertThat(henry.locator(".inbox-row")).isVisible();
            assertThat(henry.locator("#mail-list")).containsText("Handed to you: Transfer 20000");
            ada.navigate(demo.url() + "/inbox");
            ada.locator("#inbox-kind").selectOption("handed");
            assertThat(ada.locator(".inbox-row")).isHidden();
        }
    }

    @Test
    void peopleSeeWhoElseLooks(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            Locator row = henry.locator(".inbox-row");
            row.focus();
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            assertThat(row.locator(".inbox-lookers")).hasText(Pattern.compile("^(ada is looking at this)?$"));
            grace.locator(".inbox-row").click();

            assertThat(row.locator(".inbox-lookers")).containsText("grace");
            assertThat(row).isFocused();
            assertThat(ada.locator(".card .lookers")).hasText("grace is looking at this");
            row.click();
            assertThat(card(henry).root().locator(".lookers")).containsText("grace");
            PageAccessIT.assertClean(henry, "looked at");
            assertThat(card(grace).root().locator(".lookers")).containsText("henry");
        }
    }

    @Test
    void moreTimeIsGivenFromTheInboxAndEverybodySeesIt(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob");
            assertThat(card(ada).unread("More time")).isHidden();
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();
            assertThat(grace.locator(".inbox-left")).containsText("47 h");

            card(grace).unread("More time").press("Enter");
            assertThat(grace.locator(".inbox-left")).containsText("2 days 23 h");
            assertThat(ada.locator(".card .deadline")).containsText("2 days 23 h");
            assertFocusIsSomewhere(grace);
            card(grace).unread("More time").press("Enter");
            assertThat(card(grace).unread("More time")).isHidden();
            assertThat(grace.locator(".inbox-left")).containsText("3 days 23 h");
            assertFocusIsSomewhere(grace);
        }
    }

    @Test
    void whatEverybodyDecidedIsReadByKeyboard(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();
            card(grace).approve();
            assertThat(ada.locator("#effects")).containsText("transferMoney");
            assertThat(ada.locator(".call[data-tool=transferMoney] .state")).hasText("Executed");
            BearerTokensIT.say(ada, "Transfer 700 to Carol");
            assertThat(ada.locator(".card")).hasCount(1);
            grace.locator(".inbox-row").click();
            card(grace).deny("Not Carol");
            assertThat(ada.locator(".card")).hasCount(0);

            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            Locator lines = henry.locator("#decided-list > li");
            assertThat(lines).hasCount(2);
            assertThat(lines.first().locator(".state")).hasText("Denied");
            assertThat(lines.last().locator(".state")).hasText("Executed");
            assertThat(lines.first().locator("summary .who")).containsText("by grace");
            henry.keyboard().press("h");
            assertThat(lines.first().locator(".call-line > summary")).isFocused();
            henry.keyboard().press("Enter");
            assertThat(lines.first()).containsText("grace denied this: Not Carol");
            assertThat(lines.first()).containsText("In a conversation of ada");
            PageAccessIT.assertClean(henry, "history");
            henry.keyboard().press("j");
            assertThat(lines.last().locator(".call-line > summary")).isFocused();

            BearerTokensIT.say(ada, "Write to Ada that the meeting moved to Friday");
            assertThat(henry.locator(".inbox-row")).hasCount(1);
            assertThat(lines.last().locator(".call-line > summary")).isFocused();
            card(ada).approve();
            assertThat(lines).hasCount(3);
            assertThat(lines.last().locator(".call-line > summary")).isFocused();
            assertThat(lines.nth(1).locator(".call-line")).hasAttribute("open", "");
            henry.keyboard().press("k");
            henry.keyboard().press("Tab"); // as JSON
            henry.keyboard().press("Tab");
            assertThat(lines.nth(1).getByText("Open the conversation")).isFocused();
            henry.keyboard().press("Enter");
            assertThat(henry).hasURL(Pattern.compile("#thread="));
        }
    }

    @Test
    void likeCallsStandTogetherAlsoWhereTheyCanBeGivenMoreTime(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            for (String amount : new String[] {"300", "310", "320"}) {
                BearerTokensIT.say(ada, "Transfer " + amount + " to Bob");
                assertThat(ada.locator(".card")).hasCount(1);
                ada.getByText("New conversation").first().click();
            }
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");

            assertThat(grace.locator(".alike .inbox-row")).hasCount(3);
            grace.locator("#inbox-all").check();
            assertThat(grace.locator("#inbox-approve")).hasText("Approve 3");
        }
    }

    @Test
    void earlierDecisionsComeWhenSomebodyAsksForThem(DemoPage demo) throws Exception {
        for (int i = 0; i < 23; i++) {
            AguiTestClient client = new AguiTestClient(demo.server());
            client.resume(AguiTestClient.deny(
                    client.say("Transfer " + (1800 + i) + " to Walter")
                            .interrupts()
                            .get(0),
                    "no"));
        }
        Page page = demo.page();
        page.navigate(demo.server() + "/inbox");
        Locator lines = page.locator("#decided-list > li");
        assertThat(lines).hasCount(20);
        Locator more = page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show earlier ones"));
        more.focus();
        page.keyboard().press("Enter");
        assertThat(lines.nth(20).locator(".call-line > summary")).isFocused();
        assertThat(lines.nth(22)).containsText("1800");
    }

    @ParameterizedTest
    @CsvSource({"1280, LIGHT", "390, DARK", "260, LIGHT"})
    void itFitsAtEachWidth(int width, ColorScheme scheme, Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob");
            assertThat(ada.locator(".card")).hasCount(1);
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.setViewportSize(width, 844);
            grace.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            grace.locator(".inbox-row").click();
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            henry.locator(".inbox-row").click();
            assertThat(card(grace).root().locator(".lookers")).containsText("henry");
            card(grace).unread("Hand to\u2026").click();
            PageAccessIT.assertClean(grace, "handing");
            assertThat(grace.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
        }
    }
}
