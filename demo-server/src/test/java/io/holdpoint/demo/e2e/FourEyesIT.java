package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several people and a payment: whoever asked for it cannot approve it, and approvers do so from the inbox. */
@ExtendWith(PageExtension.class)
class FourEyesIT {

    @Test
    void anApproverDecidesFromTheInboxWhatTheOwnerMayNot(Chromium chromium) throws Exception {
        try (DemoProcess demo =
                        DemoProcess.start(Map.of("BEARER_TOKENS", "ada:approver=secret-1,grace:approver=secret-2"));
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium)) {
            Page ada = adas.newPage();
            ada.navigate(demo.url() + "/");
            BearerTokensIT.signIn(ada, "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            ApprovalCard asked = new ApprovalCard(ada.locator(".card"));
            assertThat(asked.root()).containsText("Waits for an approver");
            assertThat(asked.button("Withdraw")).isVisible();
            assertThat(asked.button("Approve")).hasCount(0);
            PageAccessIT.assertClean(ada, "Withdraw");
            assertThat(ada.locator("#effects")).containsText("Nothing has run yet.");

            Page grace = graces.newPage();
            grace.navigate(demo.url() + "/inbox");
            BearerTokensIT.signIn(grace, "grace", "secret-2");
            Locator row = grace.locator(".inbox-row");
            assertThat(row).containsText("ada");
            assertThat(row).containsText("Transfer 500 euros to \"Bob\"?");
            row.click();
            new ApprovalCard(grace.locator(".card")).approve();
            assertThat(grace.locator("#inbox-empty")).hasText("Nothing waits for you.");
            assertThat(grace.locator("#effects")).containsText("transferMoney");
            grace.reload();
            Locator decided = grace.locator("#decided-list > li");
            assertThat(decided).hasCount(1);
            assertThat(decided).containsText("Executed");
            assertThat(decided.locator(".who")).containsText("by you");

            ada.reload();
            Locator call = ada.locator(".call[data-tool=transferMoney]");
            assertThat(call.locator(".state")).hasText("Executed");
            assertThat(call.locator(".who")).containsText("by grace");
            ada.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName("Audit"))
                    .click();
            assertThat(ada.locator("#audit .audit-decided")).containsText("grace");
            assertThat(ada.locator("#audit .audit-proposed")).containsText("500");

            ada.locator("#inbox-link").click();
            assertThat(ada.locator("#decided-list .who")).containsText("by grace");
            ada.locator("#inbox-filter").fill("nobody says this");
            assertThat(ada.locator("#decided-list > li")).isHidden();
            ada.locator("#inbox-filter").fill("Bob");
            ada.locator("#decided-list .call-line > summary").click();
            ada.getByText("Open the conversation").click();
            assertThat(call.locator(".who")).containsText("by grace");
        }
    }

    @Test
    void twoApproversDecideWhileTheOwnerWatches(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(
                        Map.of("BEARER_TOKENS", "ada=secret-1,grace:approver=secret-2,heidi:approver=secret-3"));
                BrowserContext adas = context(chromium);
                BrowserContext graces = context(chromium);
                BrowserContext heidis = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob and transfer 30000 to Carol");
            Locator asked = ada.locator(".card");
            assertThat(asked).hasCount(2);
            assertThat(asked.first()).containsText("0 of 2 approvals. Needs 2 from approver.");
            Page grace = signedIn(graces, demo.url() + "/inbox", "grace", "secret-2");
            assertThat(grace.locator("#inbox-mine")).containsText("ada");
            grace.locator(".inbox-row").click();
            ApprovalCard carols = card(grace, "Carol");
            carols.button("Deny…").click();
            carols.field("Reason, for the agent (optional)").fill("Not this month");
            card(grace, "Bob").approve();

            Locator voted = card(grace, "Bob").root();
            assertThat(voted).containsText("1 of 2 approvals.");
            assertThat(voted.locator(".story")).containsText("You approved.");
            assertThat(voted).containsText("You have approved. Waits for another approver");
            assertThat(card(grace, "Bob").button("Withdraw")).hasCount(0);
            PageAccessIT.assertClean(grace, "votes in the inbox");
            PageAccessIT.assertClean(ada, "votes");
            assertThat(carols.field("Reason, for the agent (optional)")).hasValue("Not this month");
            assertThat(asked.first()).containsText("1 of 2 approvals.");
            assertThat(asked.first().locator(".story")).containsText("grace approved.");

            Page heidi = signedIn(heidis, demo.url() + "/inbox", "heidi", "secret-3");
            heidi.locator(".inbox-row").click();
            card(heidi, "Bob").approve();
            assertThat(heidi.locator(".card")).hasCount(1);
            assertThat(asked).hasCount(1);
            assertThat(ada.locator(".call[data-tool=transferMoney] .state")).hasText("Approved, not run yet");
            assertThat(heidi.locator("#effects")).containsText("Nothing has run yet.");
            carols.button("Deny").click();

            assertThat(grace.locator("#inbox-empty")).hasText("Nothing waits for you.");
            assertThat(grace.locator("#effects")).containsText("20,000.00");
            Locator bobs = ada.locator(".call[data-tool=transferMoney]").first();
            assertThat(bobs.locator(".state")).hasText("Executed");
            assertThat(bobs.locator("span.who")).containsText("by grace and heidi");
            assertThat(ada.locator(".message").last()).containsText("Not this month");
            assertThat(grace.locator("#effects")).not().containsText("30,000.00");
        }
    }

    @Test
    void theOwnerWithdrawsWhatOnlyOthersMayApprove(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of("BEARER_TOKENS", "ada=secret-1,grace:approver=secret-2"));
                BrowserContext adas = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 500 to Bob");
            assertThat(ada.locator("#status")).hasText("The agent waits for an approver.");
            ada.locator("#inbox-link").click();
            assertThat(ada.locator("#inbox-others")).containsText("Transfer 500 euros");
            ada.locator(".inbox-row").click();

            new ApprovalCard(ada.locator(".card")).button("Withdraw").click();

            assertThat(ada.locator("#inbox-empty")).hasText("Nothing waits for you.");
            assertThat(ada.locator("#decided-list .state")).hasText("Cancelled");
            assertThat(ada.locator("#effects")).containsText("Nothing has run yet.");
        }
    }

    @Test
    void whatTimeWillDoIsSaidInWords(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of("BEARER_TOKENS", "ada=secret-1,grace:approver=secret-2"));
                BrowserContext adas = context(chromium)) {
            Page ada = signedIn(adas, demo.url() + "/", "ada", "secret-1");
            BearerTokensIT.say(ada, "Transfer 20000 to Bob");

            assertThat(ada.locator(".times-to-come"))
                    .hasText(Pattern.compile(
                            "If nobody decides: .+ a reminder; .+ manager is asked as well; .+ a warning that time"
                                    + " runs out; .+ over, without an approval: it does not run\\."));

            ada.reload();
            assertThat(ada.locator(".deadline")).containsText("47 h");
            ada.clock()
                    .setFixedTime(
                            System.currentTimeMillis() + Duration.ofHours(25).toMillis());
            ada.reload();
            assertThat(ada.locator(".times-to-come"))
                    .hasText(Pattern.compile(
                            "If nobody decides: [^;]+ a warning that time runs out; [^;]+ it does not run\\."));
        }
    }

    private static ApprovalCard card(Page page, String whose) {
        return new ApprovalCard(page.locator(".card").filter(new Locator.FilterOptions().setHasText(whose)));
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
