package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A demo on the database of one that was killed while approved calls were running: a person says what came of them. */
class OutcomeUnknownIT {

    /** The badges of a call about which no question is open any more. */
    private static final Pattern DECIDED = Pattern.compile("Executed|Failed|Cancelled|Not run");

    private static final List<String> TRANSFERS = List.of(
            "page-retry",
            "page-done",
            "page-not_done",
            "page-cancel",
            "node-retry",
            "node-done",
            "node-not_done",
            "node-again",
            "node-steer",
            "node-invalid");
    private static final List<String> THREE = List.of("page-three", "node-three");

    @TempDir
    private static Path directory;

    private static Map<String, List<String>> approved;
    private static DemoProcess demo;

    @BeforeAll
    static void startOnWhatIsLeft() throws Exception {
        List<KilledDemo.Story> stories = new ArrayList<>();
        TRANSFERS.forEach(id -> stories.add(new KilledDemo.Story(id, "Transfer 500 to Bob", 0)));
        THREE.forEach(id -> stories.add(new KilledDemo.Story(
                id, "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol", 1)));
        String url = "jdbc:sqlite:" + directory.resolve("demo.db");
        approved = KilledDemo.leave(Map.of("JDBC_URL", url), stories);
        try (Connection database = DriverManager.getConnection(url, "sa", "")) {
            assertThat(KilledDemo.endLeases(database, "2000-01-01")).isEqualTo(stories.size());
        }
        demo = DemoProcess.start(Map.of("JDBC_URL", url));
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Run it again, retry, 1, I transferred 500 to Bob",
        "It was done, done, 0, 'took effect, as a person has confirmed'",
        "It was not done, not_done, 0, 'had no effect, as a person has confirmed'"
    })
    @ExtendWith(PageExtension.class)
    void aPersonSaysOnThePageWhatCameOfIt(String choice, String action, int transfers, String said, Chromium chromium) {
        try (DemoPage page = DemoPage.openThread(chromium, demo, "page-" + action)) {
            page.awaitIdle();
            assertIsTheCard(page.card());
            page.reload();
            assertIsTheCard(page.card());
            assertThat(page.effects()).isEmpty();

            page.card().radio(choice).check();
            page.card().field("Note (optional)").fill("Seen in the books");
            page.card().button("Answer").click();

            assertThat(page.cards()).hasCount(0);
            assertThat(page.messages().last()).containsText(said);
            assertThat(page.calls("transferMoney")).hasCount(1);
            assertThat(page.calls("transferMoney").locator(".state")).hasText(DECIDED);
            assertThat(page.effects("transferMoney")).hasSize(transfers);
            assertGoesOn(page);
            assertThat(page.effects("transferMoney")).hasSize(transfers);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void aCallThatNobodyKnowsAnythingAboutIsCancelled(Chromium chromium) {
        try (DemoPage page = DemoPage.openThread(chromium, demo, "page-cancel")) {
            page.card().button("Cancel it").click();

            assertThat(page.cards()).hasCount(0);
            assertThat(page.calls("transferMoney").locator(".state")).hasText(DECIDED);
            assertThat(page.effects()).isEmpty();
            assertGoesOn(page);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    @ExtendWith(PageExtension.class)
    void onlyTheCallThatWasRunningIsAskedAboutAndTheApprovedOnesAfterItRun(Chromium chromium) {
        try (DemoPage page = DemoPage.openThread(chromium, demo, "page-three")) {
            assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("Did this happen? sendEmail");
            assertThat(page.card().arguments()).containsEntry("to", "bob@example.com");

            page.card().radio("It was done").check();
            page.card().button("Answer").click();

            assertThat(page.cards()).hasCount(0);
            assertThat(page.calls("sendEmail")).hasCount(2);
            assertThat(page.calls("sendEmail").first().locator(".result")).containsText("Sent");
            assertThat(page.calls("transferMoney").locator(".result")).hasText("Transferred 200 euros to Carol.");
            assertThat(page.effects()).singleElement().satisfies(effect -> assertThat(
                            effect.path("tool").asText())
                    .isEqualTo("transferMoney"));
            assertGoesOn(page);
            page.watch().assertNothingSeen();
        }
    }

    @Test
    void theOfficialClientGoesOn() throws Exception {
        NodeTests.run(
                Map.of(
                        "HOLDPOINT_URL", demo.url().toString(),
                        "HOLDPOINT_APPROVED", new ObjectMapper().writeValueAsString(approved)),
                List.of(demo),
                "scenarios/outcome-unknown.mjs");
    }

    private static void assertIsTheCard(ApprovalCard card) {
        assertThat(card.root().getByRole(AriaRole.HEADING)).hasText("Did this happen? transferMoney");
        assertThat(card.question())
                .hasText("The run was stopped while \"transferMoney\" was running."
                        + " It is not known whether it took effect.");
        assertThat(card.root()).containsText("Attempts so far: 1.");
        assertThat(card.arguments()).containsExactly(Map.entry("amount", "500"), Map.entry("to", "Bob"));
        assertThat(card.root().getByRole(AriaRole.RADIO)).hasCount(3);
        assertThat(card.root().locator("input:checked")).hasCount(0);
        assertThat(card.root()).not().containsText("not_done");
    }

    /** The thread takes a new message, and a reload shows the same conversation without a card. */
    private static void assertGoesOn(DemoPage page) {
        page.say("Find Ada's address");
        assertThat(page.messages().last()).containsText("I looked up Ada");
        page.awaitIdle();
        List<String> conversation = page.messages().allTextContents();
        page.reload();
        assertThat(page.messages()).hasCount(conversation.size());
        assertThat(page.messages().allTextContents()).isEqualTo(conversation);
        assertThat(page.cards()).hasCount(0);
    }
}
