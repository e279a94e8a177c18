package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page says that the agent is halted, and whoever may halts and releases it there. */
@InTurns
@ExtendWith(PageExtension.class)
class PageHaltIT {

    @Test
    void anOperatorHaltsAndReleasesTheAgentAndTheOthersAreTold(Chromium chromium, @TempDir Path folder)
            throws Exception {
        Map<String, String> settings = Map.of(
                "JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db"), "BEARER_TOKENS", "ada=a,olga:operator=o");
        try (DemoProcess server = DemoProcess.start(settings);
                BrowserContext first = chromium.browser().newContext();
                BrowserContext second = chromium.browser().newContext()) {
            Page olga = signedIn(first, server, "olga", "o");
            Page ada = signedIn(second, server, "ada", "a");
            assertThat(ada.locator("#halt")).isHidden();
            say(olga, "Halt the agent", "incident 42");
            assertThat(olga.locator("#halted")).containsText("incident 42");
            assertThat(olga.locator("#halt")).hasText("Release the agent");
            assertThat(ada.locator("#halted")).containsText("incident 42");
            assertThat(ada.locator("#halt")).isHidden();

            ada.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Message"))
                    .fill("Transfer 500 to Bob");
            ada.keyboard().press("Enter");
            assertThat(ada.locator("#error")).containsText("The agent is halted");

            say(olga, "Release the agent", "it is over");
            assertThat(olga.locator("#halted")).isHidden();
            assertThat(ada.locator("#halted")).isHidden();
            assertThat(ada.locator("#error")).isHidden();

            try (Connection database = DriverManager.getConnection(settings.get("JDBC_URL"));
                    Statement statement = database.createStatement()) {
                statement.execute("INSERT INTO holdpoint_halt (agent, reason) VALUES ('*', 'all of them')");
            }
            olga.reload();
            olga.locator("#halt").click();
            Locator dialog = dialog(olga, "Release the agent");
            dialog.getByLabel("Reason").fill("it is over");
            dialog.getByText("Release the agent").last().click();
            assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("It stays halted");
        }
    }

    @Test
    void aHaltThatIsRefusedSaysSoInItsFormWhichNeedsNoMouse(Chromium chromium) throws Exception {
        try (DemoProcess server = DemoProcess.start(Map.of("BEARER_TOKENS", "olga:operator=o"));
                BrowserContext context = chromium.browser().newContext()) {
            Page olga = signedIn(context, server, "olga", "o");
            olga.route(
                    "**/agent/halt",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setStatus(403)
                            .setBody("{\"code\":\"FORBIDDEN\",\"message\":\"You may not halt this agent\"}")));

            assertThat(olga.locator("#halt")).isVisible();
            olga.locator("#halt").press("Enter");
            assertThat(olga.getByLabel("Reason")).isFocused();
            olga.keyboard().press("Enter");
            assertThat(dialog(olga, "Halt the agent")).isVisible();
            PageAccessIT.assertClean(olga, "empty");
            olga.keyboard().type("incident 42");
            olga.keyboard().press("Enter");

            assertThat(dialog(olga, "Halt the agent").getByRole(AriaRole.ALERT))
                    .containsText("You may not halt this agent.");
            assertThat(olga.getByLabel("Reason")).isFocused();
            assertThat(olga.getByLabel("Reason")).hasValue("incident 42");
            PageAccessIT.assertClean(olga, "refused");
            olga.keyboard().press("Escape");
            assertThat(olga.getByRole(AriaRole.DIALOG)).hasCount(0);
            assertThat(olga.locator("#halt")).isFocused();
            olga.keyboard().press("Enter");
            assertThat(olga.getByLabel("Reason")).hasValue("");
            assertThat(olga.getByRole(AriaRole.ALERT)).hasCount(0);
        }
    }

    @Test
    void nothingCanBeApprovedWhileTheAgentIsHaltedAndTheCardSaysWhy(Chromium chromium) throws Exception {
        try (DemoProcess server = DemoProcess.start(Map.of("BEARER_TOKENS", "olga:operator=o"));
                BrowserContext context = chromium.browser().newContext()) {
            Page olga = signedIn(context, server, "olga", "o");
            BearerTokensIT.say(olga, "Transfer 500 to Bob");
            assertThat(olga.locator(".card")).hasCount(1);
            olga.navigate(server.url() + "/inbox");
            olga.locator(".inbox-row").click();
            say(olga, "Halt the agent", "incident 42");
            ApprovalCard card = new ApprovalCard(olga.locator(".card"));
            assertThat(card.button("Approve")).isDisabled();
            assertThat(card.root()).containsText("incident 42");
            card.unread("Deny…").click();
            assertThat(card.button("Deny")).isDisabled();
            card.button("Back").click();
            olga.locator("#inbox-all").check();
            assertThat(olga.locator("#inbox-deny")).isDisabled();

            say(olga, "Release the agent", "it is over");

            assertThat(card.root()).not().containsText("incident 42");
            card.approve();
            assertThat(olga.locator(".card")).hasCount(0);
        }
    }

    /** Halts or releases the agent in the form that asks for the reason. */
    private static void say(Page page, String verb, String reason) {
        page.locator("#halt").click();
        Locator dialog = dialog(page, verb);
        dialog.getByLabel("Reason").fill(reason);
        dialog.getByText(verb).last().click();
        assertThat(dialog).isHidden();
    }

    private static Locator dialog(Page page, String name) {
        return page.getByRole(AriaRole.DIALOG, new Page.GetByRoleOptions().setName(name));
    }

    private static Page signedIn(BrowserContext context, DemoProcess server, String name, String token) {
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        Page page = context.newPage();
        page.navigate(server.url().toString());
        BearerTokensIT.signIn(page, name, token);
        return page;
    }
}
