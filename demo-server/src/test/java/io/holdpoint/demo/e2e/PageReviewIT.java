package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a reviewer sees of a call besides its arguments, and answers in place of the tool. */
@ExtendWith(PageExtension.class)
@InTurns
class PageReviewIT {

    private static final String HTML = "<img src=x onerror=alert(1)>\\u202e";

    private static String interrupt(String plan) {
        return """
                {"id":"int_p","reason":"tool_call","message":"Go on?","responseSchema":{"type":"object","properties":{\
                "approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]},\
                "metadata":{"langchain4j":{"toolName":"x","args":{},"effect":{"plan":PLAN}}}}""".replace("PLAN", plan);
    }

    private static Locator plan(DemoPage page) {
        return page.card()
                .root()
                .getByRole(AriaRole.REGION, new Locator.GetByRoleOptions().setName("What it would do"));
    }

    @Test
    void theRowsThatADeletionAffectsAreShownBeforeItRuns(DemoPage page) {
        page.say("Delete everything from invoices");

        assertThat(plan(page).locator("dl > dt").first()).hasText("Affected rows");
        assertThat(plan(page).locator("dl > dd").first()).hasText("3");
        assertThat(plan(page).locator("th")).hasText(new String[] {"number", "status"});
        assertThat(plan(page).locator("tbody tr")).hasCount(3);
        assertThat(plan(page).locator("tbody tr").first()).containsText("2026-001");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void aDeletionThatHasNoPlanSaysSoAndCanBeDecided(DemoPage page) {
        page.say("Delete everything from secrets");

        assertThat(plan(page)).containsText("could not be found out");
        page.card().deny("no such table");

        assertThat(page.messages().last()).containsText("was declined");
    }

    @Test
    void whatChangesWhileTheCardIsOpenIsShownBeforeItRuns(Chromium chromium) throws Exception {
        try (DemoProcess demo = DemoProcess.start(Map.of());
                DemoPage page = DemoPage.open(chromium, demo);
                DemoPage other = DemoPage.open(chromium, demo)) {
            page.say("Delete the inactive records from customers");
            assertThat(plan(page).locator("dl > dd").first()).hasText("2");
            other.say("Delete everything from customers");
            approve(other, "4");

            approve(page, "2");

            ApprovalCard again = page.card();
            assertThat(again.root().locator(".difference")).containsText("before: 2 → now: 0");
            assertThat(again.root()).containsText("What was shown no longer holds.");
            assertThat(page.messages().last()).not().containsText("deleted");
            again.deny("they have gone");
            assertThat(page.messages().last()).containsText("was declined");
        }
    }

    private static void approve(DemoPage page, String rows) {
        ApprovalCard card = page.card();
        assertThat(card.root().getByText("Only while this holds:")).isVisible();
        assertThat(plan(page).locator("dl > dd").first()).hasText(rows);
        card.field("To approve, repeat the value of “Table”").fill("customers");
        card.approve();
        page.awaitIdle();
    }

    @Test
    void anAnswerInPlaceOfTheToolIsItsResultAndNothingRuns(DemoPage page) {
        page.say("Delete the inactive records from customers");
        ApprovalCard card = page.card();

        card.button("Answer instead…").click();
        card.field("Your answer, in place of the tool").fill("Archived by Carol, 2 rows.");
        card.button("Answer instead").click();

        assertThat(page.calls("deleteRecords").locator(".result")).hasText("Archived by Carol, 2 rows.");
        assertThat(page.calls("deleteRecords").locator(".state")).hasText("Answered by a person");
        assertThat(page.messages().last())
                .containsText("was answered by a person instead: “Archived by Carol, 2 rows.”");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void onlyAToolThatTakesAnAnswerOffersIt(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");

        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.card().button("Answer instead…")).hasCount(0);
    }

    @Test
    void whatIsNoTableIsShownAsTextOrJson(DemoPage page) {
        StagedInterrupts.ask(
                page,
                interrupt("{\"risk\":\"high\",\"price\":12345678901234567.890,\"diff\":\"- a\\n+ b\","
                        + "\"plan\":[\"stop\",[1]],\"none\":{},\"deep\":{\"a\":{\"b\":[{\"c\":1}]}}}"));

        assertThat(plan(page)).containsText("12345678901234567.890");
        assertThat(plan(page).locator("dd").nth(2)).containsText("- a\n+ b");
        assertThat(plan(page).locator("pre").first()).hasText("[\n  \"stop\",\n  [\n    1\n  ]\n]");
        assertThat(plan(page).locator("table")).hasCount(0);
    }

    @Test
    void textOfAPlanIsNeverHtml(DemoPage page) {
        StagedInterrupts.ask(
                page,
                interrupt("[{\"HTML\":\"HTML\"}]".replace("HTML", HTML)),
                interrupt("{\"HTML\":[\"HTML\"]}".replace("HTML", HTML)).replace("int_p", "int_q"),
                interrupt("\"HTML\"".replace("HTML", HTML)).replace("int_p", "int_r"));

        for (String place : new String[] {"th", "td", "dt", "pre", "p.value"}) {
            assertThat(page.page()
                            .locator(
                                    ".preview " + place,
                                    new Page.LocatorOptions().setHasText("<img src=x onerror=alert(1)>"))
                            .first())
                    .containsText("\\u202e");
        }
        assertThat(page.page().locator("img, body script, [onerror]")).hasCount(0);
    }
}
