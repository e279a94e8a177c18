package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page says what is so: what runs, what a colleague changed, and what became of it. */
@ExtendWith(PageExtension.class)
@InTurns
class PageTellsIT {

    private static final Map<String, String> PEOPLE =
            Map.of("BEARER_TOKENS", "ada=s1,grace:approver=s2,henry:approver=s3,olga:operator=s4");

    /** What a call was called on the page, in the order in which it changed. */
    private static final String STATES = "window.states = [];"
            + " new MutationObserver(() => document.querySelectorAll('.call-line .state').forEach(({ textContent }) =>"
            + " window.states.at(-1) === textContent || window.states.push(textContent)))"
            + ".observe(document.getElementById('transcript'), { childList: true, subtree: true })";

    @Test
    void aCallIsCheckedAndNotRunningUntilSomebodyWasAsked(DemoPage page) {
        page.page().evaluate(STATES);

        page.say("Transfer 500 to Bob");
        page.card();

        Object states = page.page().evaluate("window.states");
        assertThat((List<?>) states).asString().doesNotContain("Running");
        page.card().approve();
        assertThat(page.calls("transferMoney").locator(".state")).hasText("Executed");
    }

    @Test
    void aColleaguesEditIsToldWithTheVoteThatCountsNoMore(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob");
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();
            new ApprovalCard(grace.locator(".card")).approve();
            assertThat(grace.locator(".card")).containsText("1 of 2 approvals");
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            henry.locator(".inbox-row").click();
            ApprovalCard edited = new ApprovalCard(henry.locator(".card"));
            edited.openEditor();
            edited.field("Amount in euros").fill("15000");
            edited.approveWithEdits();

            Locator told = grace.locator(".card .story");
            assertThat(told).containsText("henry changed this call");
            assertThat(told.locator(".difference")).containsText("20000");
            assertThat(told.locator(".difference")).containsText("15000");
            assertThat(told).containsText("Approvals of what it was before do not count any more: you.");
            assertThat(ada.locator(".card .story"))
                    .containsText("Approvals of what it was before do not count any more: grace.");

            henry.reload();
            Locator decided = henry.locator("#decided-list > li");
            assertThat(decided.locator(".state")).hasText("Edited, asked again");
            assertThat(decided).containsText("15000");
        }
    }

    @Test
    void whatSomebodyTypedStaysWhenAColleagueDecides(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(PEOPLE);
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext henrys = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "s1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "s2");
            grace.locator(".inbox-row").click();
            ApprovalCard graceEdits = new ApprovalCard(grace.locator(".card"));
            graceEdits.openEditor();
            graceEdits.field("Amount in euros").fill("77");
            Page henry = signedIn(henrys, demo.url() + "/inbox", "henry", "s3");
            henry.locator(".inbox-row").click();
            new ApprovalCard(henry.locator(".card")).approve();

            assertThat(grace.locator("#unsent")).containsText("henry approved this while you were at work on it");
            assertThat(grace.locator("#unsent pre")).containsText("77");
            PageAccessIT.assertClean(grace, "what was not used");
        }
    }

    @Test
    void whatIsDeniedElsewhereIsCalledSoWhileTheNextOfItsMessageIsOpenToBeDecided(DemoPage page) {
        page.say("Transfer 1900 to Quentin and transfer 1950 to Rosa");
        assertThat(page.cards()).hasCount(2);
        Page other = page.secondTab();
        other.evaluate("""
                async () => {
                  const { interrupts } = await (await fetch('/agent/interrupts')).json();
                  const { threadId, interrupt } = interrupts.find(({ interrupt: { message } }) => message?.includes('Quentin'));
                  await fetch('/agent/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                    body: JSON.stringify({ threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: false } }) });
                }""");

        assertThat(page.calls("transferMoney").first().locator(".state")).hasText("Denied");
        assertThat(page.card().unread("Approve")).isVisible();
        other.navigate(page.server() + "/inbox");
        Locator line = other.locator("#decided-list > li").first();
        assertThat(line).containsText("Quentin");
        assertThat(line.locator(".state")).hasText("Denied");
        page.card().deny("no");
        assertThat(page.cards()).hasCount(0);
    }

    @Test
    void aLineHasTheArgumentsInTheOrderInWhichTheCardHasThem(DemoPage page) {
        page.say("Write to Ada that the meeting moved to Quentin's");
        Page inbox = page.secondTab();
        inbox.navigate(page.server() + "/inbox");
        Locator row = inbox.locator(".inbox-row", new Page.LocatorOptions().setHasText("Quentin's"));
        assertThat(row.locator(".differs .name"))
                .hasText(new String[] {"Recipient's email address", "Subject line", "Text of the email"});
        page.card().approve();

        assertThat(page.cards()).hasCount(0);
        assertThat(inbox.locator("#decided-list .call-gist").first())
                .hasText(Pattern.compile("^ada@example.com · The meeting moved to Quentin's"));
    }

    @Test
    void backGoesToTheConversationBefore(DemoPage page) {
        page.say("Find Ada's address");
        assertThat(page.messages().first()).containsText("Ada");
        page.awaitIdle();
        String first = page.page().url();
        page.button("New conversation").click();
        assertThat(page.messages()).hasCount(0);
        page.say("Find Bob's address");
        assertThat(page.messages().first()).containsText("Bob");
        page.awaitIdle();

        page.page().goBack();

        assertThat(page.page()).hasURL(first);
        assertThat(page.messages().first()).containsText("Ada");
    }

    @Test
    void theDemosBankRefusesLessThanNothingInTheForm(DemoPage page) {
        page.say("Transfer 500 to Bob");
        ApprovalCard card = page.card();
        card.openEditor();
        card.field("Amount in euros").fill("-5");

        assertThat(card.editsButton()).isDisabled();
        assertThat(card.root()).containsText("more than 0");
        assertThat(page.effects("transferMoney")).isEmpty();
    }

    private static Page signedIn(BrowserContext context, String url, String name, String token) {
        Page page = context.newPage();
        page.navigate(url);
        BearerTokensIT.signIn(page, name, token);
        return page;
    }

    private static BrowserContext context(Chromium chromium) {
        BrowserContext context = chromium.browser().newContext();
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }
}
