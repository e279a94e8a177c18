package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page says that the agent is halted, and whoever may halts and releases it there. */
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
            olga.onDialog(dialog -> dialog.accept("incident 42"));
            olga.locator("#halt").click();
            assertThat(olga.locator("#halted")).containsText("incident 42");
            assertThat(olga.locator("#halt")).hasText("Release the agent");
            assertThat(ada.locator("#halted")).containsText("incident 42");
            assertThat(ada.locator("#halt")).isHidden();

            ada.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Message"))
                    .fill("Transfer 500 to Bob");
            ada.keyboard().press("Enter");
            assertThat(ada.locator("#error")).containsText("The agent is halted");

            olga.locator("#halt").click();
            assertThat(olga.locator("#halted")).isHidden();
            assertThat(ada.locator("#halted")).isHidden();
            assertThat(ada.locator("#error")).isHidden();
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
