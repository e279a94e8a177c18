package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two people and one payment: whoever asked for it cannot approve it, and an approver does so from the inbox. */
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
            new ApprovalCard(ada.locator(".card")).approve();
            assertThat(ada.locator("#error")).containsText("Somebody else has to decide this");
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
            assertThat(ada.locator("#audit .audit-claimed")).containsText("500");

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

    private static BrowserContext context(Chromium chromium) {
        BrowserContext context = chromium.browser().newContext();
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }
}
