package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.options.AriaRole;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The button that kills the server: what waited still waits, and of a call that was cut off a person is asked. */
@ExtendWith(PageExtension.class)
class PageCrashIT {

    /** The lease ends within 30 seconds, an agent watches it for 30 more, and the page looks a little later. */
    private static final double LOOKS = 90_000;

    private static DemoProcess start(Path folder) throws Exception {
        return DemoProcess.start(Map.of("JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db")));
    }

    private static DemoProcess start(Path folder, int port) throws Exception {
        return DemoProcess.start(
                Map.of("JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db"), "PORT", Integer.toString(port)));
    }

    @Test
    void whatWaitsOutlivesTheServer(Chromium chromium, @TempDir Path folder) throws Exception {
        try (DemoProcess first = start(folder);
                DemoPage page = DemoPage.open(chromium, first)) {
            page.say("Transfer 500 to Bob");
            page.awaitIdle();
            page.page().getByText("Try a crash").click();
            page.button("Kill the server now").click();
            assertThat(page.page().locator("#gone")).isVisible();

            try (DemoProcess second = start(folder, first.url().getPort())) {
                assertThat(page.page().locator("#gone")).isHidden();
                page.card().approve();
                assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
                assertThat(second.url()).isEqualTo(first.url());
            }
        }
    }

    @Test
    void aCallThatWasCutOffIsAskedAbout(Chromium chromium, @TempDir Path folder) throws Exception {
        try (DemoProcess first = start(folder);
                DemoPage page = DemoPage.open(chromium, first)) {
            diesInsideTheTool(page, folder);

            try (DemoProcess second = start(folder, first.url().getPort())) {
                assertThat(page.card().root().getByRole(AriaRole.HEADING).first())
                        .hasText("Did this happen? transferMoney");
                page.card().radio("It was done").check();
                page.card().button("Answer").click();
                assertThat(page.calls("transferMoney").locator(".state")).hasText("Executed");
                page.awaitIdle();
                assertThat(second.output()).doesNotContain("Exception");
            }
        }
    }

    private static void diesInsideTheTool(DemoPage page, Path folder) throws Exception {
        page.say("Transfer 500 to Bob");
        page.awaitIdle();
        page.page().getByText("Try a crash").click();
        page.button("Kill it inside the next tool").click();
        assertThat(page.page().locator("#status")).containsText("Armed");
        page.card().approve();
        assertThat(page.page().locator("#gone")).isVisible();
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("demo.db"))) {
            assertThat(KilledDemo.endLeases(database, "2000-01-01")).isEqualTo(1);
        }
    }

    @Test
    void whatWasCutOffIsUnfinishedInTheInboxWithoutAnyInput(Chromium chromium, @TempDir Path folder) throws Exception {
        try (DemoProcess first = start(folder);
                DemoPage page = DemoPage.open(chromium, first)) {
            diesInsideTheTool(page, folder);
        }

        try (DemoProcess second = start(folder);
                BrowserContext context = chromium.browser().newContext()) {
            Page inbox = context.newPage();
            inbox.navigate(second.url() + "/inbox");
            // a line until the server has looked, then a question
            Locator dead = inbox.locator("#inbox-unfinished .dead");
            assertThat(dead.or(inbox.locator("#inbox-unfinished .inbox-row"))).isVisible();
            Locator row = inbox.locator("#inbox-unfinished .inbox-row");
            assertThat(row).containsText("transferMoney", new ContainsTextOptions().setTimeout(LOOKS));
            assertThat(dead).hasCount(0);
            PageAccessIT.assertClean(inbox, "unfinished");
            row.click();
            ApprovalCard card = new ApprovalCard(inbox.locator(".card"));
            card.radio("It was done").check();
            card.button("Answer").click();

            assertThat(inbox.locator("#inbox-empty")).hasText("Nothing waits for you.");
            assertThat(inbox.locator("#decided-list .state")).hasText("Executed");
        }
    }

    @Test
    void nobodyElseKillsTheServer(DemoPage page) throws Exception {
        var client = HttpClient.newHttpClient();
        var crash =
                HttpRequest.newBuilder(java.net.URI.create(page.page().url()).resolve("/demo/crash"));

        var simple = client.send(
                crash.copy()
                        .POST(BodyPublishers.ofString("{\"when\":\"now\"}"))
                        .header("Content-Type", "text/plain")
                        .build(),
                BodyHandlers.ofString());

        assertThat(simple.statusCode()).isEqualTo(403);
        for (String body : List.of(
                "",
                "{}",
                "[]",
                "null",
                "{\"when\":\"nope\"}",
                "{\"when\":\"never, or next-tool\"}",
                "{\"when\":now}")) {
            var misunderstood = client.send(
                    crash.copy()
                            .POST(BodyPublishers.ofString(body))
                            .header("Content-Type", "application/json")
                            .build(),
                    BodyHandlers.ofString());

            assertThat(misunderstood.statusCode()).as(body).isEqualTo(400);
            assertThat(misunderstood.body()).contains("when: must be").contains("goes on");
        }
    }
}
