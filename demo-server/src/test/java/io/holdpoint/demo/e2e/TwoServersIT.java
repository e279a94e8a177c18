package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two demos on one PostgreSQL: whichever gets the answer goes on. */
class TwoServersIT {

    private static EmbeddedPostgres postgres;
    private static DemoProcess first;
    private static DemoProcess second;

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.start();
        first = startDemo();
        second = startDemo();
    }

    @AfterAll
    static void stop() throws Exception {
        EmbeddedPostgres database = postgres;
        DemoProcess one = first;
        DemoProcess other = second;
        try (database;
                one;
                other) {
            return;
        }
    }

    private static DemoProcess startDemo() throws Exception {
        return DemoProcess.start(database());
    }

    private static Map<String, String> database() {
        return Map.of("JDBC_URL", postgres.getJdbcUrl("postgres", "postgres"), "JDBC_PASSWORD", "not checked");
    }

    @Test
    @ExtendWith(PageExtension.class)
    void whatIsHeldOnOneIsApprovedOnTheOther(Chromium chromium) {
        try (DemoPage here = DemoPage.open(chromium, first);
                DemoPage there = hold(chromium, here)) {
            assertThat(there.card().arguments()).isEqualTo(here.card().arguments());
            here.hearsNoAnswerOfOthers();

            there.card().approve();

            assertThat(there.messages().last()).containsText("I transferred 500 to Bob");
            assertThat(there.effects("transferMoney")).hasSize(1);
            here.card().approve();
            assertThat(here.messages().last()).containsText("I transferred 500 to Bob");
            assertThat(here.cards()).hasCount(0);
            assertThat(here.effects()).isEmpty();
            here.say("Find Ada's address");
            assertThat(here.messages().last()).containsText("I looked up Ada");
            here.awaitIdle();
            there.reload();
            assertThat(there.messages().last()).containsText("I looked up Ada");
            here.watch().assertNothingSeen();
            there.watch().assertNothingSeen();
        }
    }

    private static DemoPage hold(Chromium chromium, DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card();
        String url = page.page().url();
        return DemoPage.openThread(chromium, second, url.substring(url.indexOf('=') + 1));
    }

    @Test
    void theOfficialClientsOfBothAgree() throws Exception {
        NodeTests.run(
                Map.of(
                        "HOLDPOINT_URL", first.url().toString(),
                        "HOLDPOINT_OTHER_URL", second.url().toString()),
                List.of(first, second),
                "scenarios/two-servers.mjs");
    }

    @Test
    void oneGoesOnWhenTheOtherIsKilled() throws Exception {
        try (DemoProcess third = startDemo()) {
            AguiTestClient thread = new AguiTestClient(third.url());
            AguiRun held = thread.say("Transfer 500 to Bob");
            AguiTestClient finished = new AguiTestClient(third.url());
            finished.say("Find Ada's address");
            third.kill();

            thread.moveTo(first.url());
            finished.moveTo(first.url());
            AguiRun approved = thread.resume(AguiTestClient.approve(Json.only(held.interrupts())));
            AguiRun next = finished.say("Find Bob's address");

            assertThat(approved.outcome()).isEqualTo("success");
            assertThat(thread.effects(held.callIds().get(0))).hasSize(1);
            assertThat(next.outcome()).isEqualTo("success");
            assertThat(finished.resume().snapshot())
                    .extracting(message -> message.path("role").asText())
                    .containsExactly(
                            "user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant");
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void whatAKilledServerWasDoingIsAskedByTheOthersWhenItsLeaseHasEnded(Chromium chromium) throws Exception {
        KilledDemo.leave(database(), List.of(new KilledDemo.Story("stuck", "Transfer 500 to Bob", 0)));
        endLeases("2100-01-01");
        try (DemoPage page = DemoPage.openThread(chromium, first, "stuck")) {
            assertThat(page.page().locator("#status")).containsText("is answering");
            assertThat(page.cards()).hasCount(0);

            endLeases("2000-01-01");

            assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("Did this happen? transferMoney");
            try (DemoPage other = DemoPage.openThread(chromium, second, "stuck")) {
                other.card().radio("Run it again").check();
                other.card().button("Answer").click();
                assertThat(other.messages().last()).containsText("I transferred 500 to Bob");
                assertThat(other.effects("transferMoney")).hasSize(1);
                other.watch().assertNothingSeen();
            }
            page.reload();
            assertThat(page.messages().last()).containsText("I transferred 500 to Bob");
            assertThat(page.cards()).hasCount(0);
            assertThat(page.effects()).isEmpty();
            page.watch().assertNothingSeen();
        }
    }

    private static void endLeases(String end) throws SQLException {
        try (Connection database = postgres.getPostgresDatabase().getConnection()) {
            assertThat(KilledDemo.endLeases(database, end)).isEqualTo(1);
        }
    }
}
