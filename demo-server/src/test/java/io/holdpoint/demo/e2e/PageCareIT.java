package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What somebody has typed is not lost, what they decide about was on the screen, and what is told of it is true. */
@ExtendWith(PageExtension.class)
@InTurns
class PageCareIT {

    private static final String CALL = """
            {"id":"ID","reason":"tool_call","message":"Pay ID?","responseSchema":{"type":"object","properties":\
            {"approved":{"type":"boolean"},"reason":{"type":"string"}MORE},"required":["approved"]},\
            "metadata":{"langchain4j":{"toolName":"pay","args":{"to":"TO"}}}}""";

    private static final String CONFIRM = ",\"confirm\":{\"type\":\"string\",\"title\":\"to\"}";

    private static final String BORDER = "field => getComputedStyle(field).borderColor";

    private static String call(String id, String to, String more) {
        return CALL.replace("ID", id).replace("TO", to).replace("MORE", more);
    }

    @Test
    void anEditAReasonAndAMessageSurviveAReloadAndAnotherConversation(DemoPage page) {
        page.say("Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        page.card("ada@example.com").openEditor();
        page.card("ada@example.com").field("Subject line").fill("Other");
        page.card("bob@example.com").open().button("Deny…").click();
        page.card("bob@example.com").field("Reason, for the agent (optional)").fill("He left");
        page.message().fill("And then");

        page.reload();

        assertThat(page.message()).hasValue("And then");
        assertThat(page.card("ada@example.com").field("Subject line")).hasValue("Other");
        assertThat(page.card("ada@example.com").button("Approve with 1 change")).isEnabled();
        page.button("New conversation").click();
        assertThat(page.message()).hasValue("");
        page.page().locator("#threads a").first().click();
        assertThat(page.card("bob@example.com").open().field("Reason, for the agent (optional)"))
                .hasValue("He left");
        assertThat(page.message()).hasValue("And then");
    }

    @Test
    void whoSignsInAfterSomebodyElseInTheSameTabGetsNoneOfTheirDrafts(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().openEditor();
        page.card().field("Amount in euros").fill("5");
        page.message().fill("And then");
        page.page()
                .route(
                        "**/demo/me",
                        route -> route.fulfill(new Route.FulfillOptions()
                                .setResponse(ServersAnswer.to(route))
                                .setBody("{\"caller\":{\"id\":\"grace\",\"roles\":[]},\"signIn\":false}")));

        page.reload();

        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.message()).hasValue("");
        page.page().unroute("**/demo/me");
        page.reload();
        assertThat(page.card().field("Amount in euros")).hasValue("5");
        assertThat(page.message()).hasValue("And then");
    }

    @Test
    void whatWasDiscardedDoesNotComeBack(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().openEditor();
        page.card().field("Amount in euros").fill("5");
        page.card().button("Discard the changes").click();

        page.reload();

        assertThat(page.card().button("Approve")).isVisible();
    }

    @Test
    void entriesThatWereAddedToAListComeBack(DemoPage page) {
        StagedInterrupts.ask(
                page,
                PageQuestionIT.question("{\"type\":\"array\",\"title\":\"Names\",\"items\":{\"type\":\"string\"}}"));
        page.card().button("Add to Names").click();
        page.card().button("Add to Names").click();
        page.card().field("Names 2").fill("Grace");

        page.reload();

        assertThat(page.card().field("Names 2")).hasValue("Grace");
    }

    @Test
    void aBareYesNeitherCancelsNorApproves(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().open();

        for (String word : new String[] {"yes", "OK.", "no"}) {
            page.message().fill(word);
            page.page().keyboard().press("Enter");
            assertThat(page.page().locator("#status")).containsText("Press a button of the question");
            assertThat(page.card().root().getByRole(AriaRole.HEADING).first()).isFocused();
            page.page().keyboard().press("Enter");
        }

        assertThat(page.card().button("Approve")).isEnabled();
        assertThat(page.message()).hasValue("");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void enterTwiceKeepsWhatWaits(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().open();
        page.message().fill("Find Ada's address");
        page.page().keyboard().press("Enter");
        assertThat(page.button("Keep it")).isFocused();
        page.page().keyboard().press("Enter");

        assertThat(page.card().button("Approve")).isEnabled();
        assertThat(page.message()).hasValue("Find Ada's address");
    }

    @Test
    void aCardSaysHowMuchOfItWasNotOnTheScreen(DemoPage page) {
        StagedInterrupts.ask(page, call("int_1", "line\\n".repeat(160), ""));
        Locator more = page.card().root().getByText(Pattern.compile("^\\d+ more lines"));
        assertThat(more).isVisible();

        assertThat(page.card().unread("Approve")).isHidden();

        page.card().readOn();

        assertThat(more).isHidden();
        assertThat(page.card().button("Approve")).isInViewport();
    }

    @Test
    void howMuchWasNotOnTheScreenIsSaidAnewWhenTheWindowChanges(DemoPage page) {
        StagedInterrupts.ask(page, call("int_1", "line\\n".repeat(160), ""));
        Locator more = page.card().root().getByText(Pattern.compile("^\\d+ more lines"));
        String before = more.textContent();

        page.page().setViewportSize(1280, 1000);

        assertThat(more).not().hasText(before);
    }

    @Test
    void whatHasToBeRepeatedIsAskedForAndNotApprovedWithTheOthers(DemoPage page) {
        page.page().setViewportSize(1280, 1200);
        StagedInterrupts staged = StagedInterrupts.ask(page, call("int_1", "Ada", ""), call("int_2", "Bob", CONFIRM));
        page.button("Approve all").click();
        page.button("Approve 2").click();

        ApprovalCard second = page.card("Pay int_2?");
        Locator repeat = second.field("To approve, repeat the value of \u201cTo\u201d");
        assertThat(repeat).isFocused();
        assertThat(second.root()).containsText("Repeat the value to approve.");
        assertThat(page.page().getByText("1 of 2 decided.")).isVisible();
        assertThat(staged.answers()).isEmpty();
        repeat.fill("Ada");
        second.approve();
        assertThat(second.root()).containsText("This is not the value of \u201cTo\u201d.");
        repeat.fill("Bob");
        second.approve();
        page.button("Send 2 answers").click();
        assertThat(staged.answer(page)).contains("\"payload\":{\"approved\":true,\"confirm\":\"Bob\"}");
    }

    @Test
    void aDeletionIsApprovedByRepeatingItsTableAndDeniedWithoutThat(DemoPage page) {
        page.say("Delete the expired records from invoices");
        ApprovalCard card = page.card();
        assertThat(card.arguments().keySet()).containsExactly("table", "filter");
        Locator repeat = card.field("To approve, repeat the value of \u201cTable\u201d");
        card.button("Deny\u2026").click();
        assertThat(repeat).isHidden();
        card.button("Back").click();

        card.approve();
        assertThat(repeat).isFocused();
        repeat.fill("customers");
        card.approve();
        assertThat(card.root()).containsText("This is not the value of \u201cTable\u201d.");
        assertThat(page.effects()).isEmpty();
        repeat.fill("invoices");
        card.approve();

        assertThat(page.calls("deleteRecords").locator(".state")).hasText("Executed");
        assertThat(page.effects("deleteRecords")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1280, 800", "360, 740"})
    void whatIsFilledInIsAboveTheButtonsAndItsFaultIsMarked(int width, int height, DemoPage page) {
        page.page().setViewportSize(width, height);
        page.say("Delete the inactive records from customers");
        ApprovalCard card = page.card();
        Locator foot = card.root().locator(".foot");
        for (String panel : List.of("Answer instead\u2026", "Deny\u2026")) {
            card.button(panel).click();
            Locator field = card.root().locator(".panel textarea");
            assertThat(field).isFocused();
            assertThat(field.boundingBox().y + field.boundingBox().height).isLessThanOrEqualTo(foot.boundingBox().y);
            card.button("Back").click();
        }

        Locator repeat = card.field("To approve, repeat the value of \u201cTable\u201d");
        Object before = repeat.evaluate(BORDER);
        card.approve();
        assertThat(repeat.boundingBox().y + repeat.boundingBox().height).isLessThanOrEqualTo(foot.boundingBox().y);
        assertThat(repeat.evaluate(BORDER)).isNotEqualTo(before);
    }

    @Test
    void lettersThatLookLikeOthersAreMarked(DemoPage page) {
        StagedInterrupts.ask(
                page,
                call("int_1", "\\u0440\\u0430\\u0443\\u0440\\u0430l, \\u043f\\u0430\\u0440\\u043e\\u043b\\u044c", ""));

        assertThat(page.card().arguments().get("to"))
                .isEqualTo("\\u0440\\u0430\\u0443\\u0440\\u0430l, \u043f\u0430\u0440\u043e\u043b\u044c");
    }

    @Test
    void anExpiredQuestionSaysSo(DemoPage page) {
        String past = "\"expiresAt\":\"2020-01-01T00:00:00Z\",\"message\"";
        StagedInterrupts.ask(page, call("int_1", "Ada", "").replace("\"message\"", past));

        assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("Too late pay");
        assertThat(page.page().locator("#status")).hasText("The time for an answer is over.");
    }

    @Test
    void aCallOfTheDemoCountsDownAndExpires(DemoPage page) {
        page.page().clock().install();
        page.say("Buy 10 shares of Acme");
        assertThat(page.card().root().locator(".deadline")).hasText(Pattern.compile("^(1 min|\\d+ s).* left$"));

        page.page().clock().fastForward(60_000);

        assertThat(page.card().root().locator(".deadline")).isHidden();
        assertThat(page.page().locator("#status")).hasText("The time for an answer is over.");
        page.card().button("Cancel it").click();
        assertThat(page.messages().last()).containsText("purchase of 10 shares of Acme");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void whatHasExpiredStaysExpiredWhenItIsCancelled(DemoPage page) {
        page.page().route("**/demo/audit*", PageCareIT::expired);
        page.say("Transfer 500 to Bob");
        page.card().open();

        page.page().evaluate("""
                () => fetch('/agent/cancel', {
                  method: 'POST',
                  headers: { 'Content-Type': 'application/json' },
                  body: JSON.stringify({ threadId: new URLSearchParams(location.hash.slice(1)).get('thread') }),
                })""");

        assertThat(page.calls("transferMoney").first().locator("summary .state"))
                .hasText("Expired");
    }

    private static void expired(Route route) {
        String trail = ServersAnswer.to(route).text();
        route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json")
                .setBody(trail.replace(
                        "\"reason\":\"tool_call\"",
                        "\"reason\":\"tool_call\",\"expiresAt\":\"2020-01-01T00:00:00Z\"")));
    }

    @Test
    void argumentsKeepTheirNamesInEveryBrowserWhenTheyAreDecidedAbout(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().approve();
        page.awaitIdle();
        page.page().evaluate("() => localStorage.clear()"); // what another browser does not have
        page.reload();

        page.calls("transferMoney").locator("summary").first().click();

        assertThat(page.calls("transferMoney").locator("dt"))
                .hasText(new String[] {"Amount in euros", "Who gets the money"});
    }

    @Test
    void theKeysOfTheInboxWorkInAConversation(DemoPage page) {
        page.say("Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        assertThat(page.card("ada@example.com")
                        .root()
                        .getByRole(AriaRole.HEADING)
                        .first())
                .isFocused();

        page.page().keyboard().press("j");
        assertThat(page.card("bob@example.com")
                        .root()
                        .getByRole(AriaRole.HEADING)
                        .first())
                .isFocused();
        page.page().keyboard().press("d");

        assertThat(page.card("bob@example.com").field("Reason, for the agent (optional)"))
                .isFocused();
    }

    @ParameterizedTest
    @CsvSource({"360, 740", "768, 1024"})
    void theInboxAndItsCountAreInSightOnAPhoneAndATablet(int width, int height, DemoPage page) {
        page.page().setViewportSize(width, height);
        page.say("Transfer 500 to Bob");
        page.awaitIdle();
        Locator inbox = page.page().locator("#inbox-short");
        assertThat(inbox).isInViewport();
        assertThat(inbox.locator(".count")).hasText(Pattern.compile("^[1-9]"));

        inbox.click();

        assertThat(page.page().locator(".inbox-row").first()).isVisible();
    }

    @Test
    void aLowWindowShowsAllArgumentsOfAMail(DemoPage page) {
        page.page().setViewportSize(640, 400); // as a window of 1280 by 800 at 200 %
        page.say("Send an email to ada@example.com about the budget");
        page.awaitIdle();

        assertThat(page.card().root().locator("dd")).hasCount(3);
        for (Locator each : page.card().root().locator("dd").all()) {
            assertThat(each).isInViewport();
        }
        assertThat(page.card().button("Approve")).isInViewport();
    }

    @Test
    void aLowWindowShowsTheFirstOfSeveralCallsWithItsButtons(DemoPage page) {
        page.page().setViewportSize(640, 400);
        page.say("Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        page.awaitIdle();

        ApprovalCard first = page.card("ada@example.com");
        assertThat(first.root().locator(".question")).isInViewport();
        assertThat(first.root().locator("dd").first()).isInViewport();
        assertThat(first.button("Approve")).isInViewport();
        page.page().keyboard().press("j");
        assertThat(page.card("bob@example.com")
                        .root()
                        .getByRole(AriaRole.HEADING)
                        .first())
                .isInViewport();
    }

    @Test
    void manyAreDeniedAfterOneQuestionWithAReasonAndCanBeKeptForFiveSeconds(DemoPage page) {
        page.say("Transfer 8871 to Ada");
        page.awaitIdle();
        page.button("New conversation").click();
        page.say("Transfer 8872 to Bob");
        page.awaitIdle();
        Page inbox = page.page();
        inbox.clock().install();
        inbox.navigate(inbox.url().split("#")[0] + "inbox");
        inbox.locator("#inbox-filter").fill("887");
        Locator rows = inbox.locator(".inbox-entry:visible");
        assertThat(rows).hasCount(2);
        inbox.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();

        page.button("Deny 2").click();
        inbox.locator("#figures-link").click();
        assertThat(page.button("Deny all 2")).isHidden();
        inbox.goBack();
        page.button("Deny 2").click();
        inbox.getByLabel("Reason, for the agent (optional)").fill("Not this month");
        PageAccessIT.assertClean(inbox, "deny all");
        page.button("Deny all 2").click();
        page.button("Undo").click();
        inbox.clock().fastForward(10_000);
        assertThat(rows).hasCount(2);
        page.button("Deny 2").click();
        inbox.getByLabel("Reason, for the agent (optional)").fill("Not this month");
        page.button("Deny all 2").click();
        assertThat(page.button("Undo")).isFocused();
        inbox.clock().fastForward(5_000);

        assertThat(rows).hasCount(0);
        inbox.locator("#threads a").first().click();
        assertThat(page.messages().last()).containsText("(\"Not this month\")");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void aDenialThatCanStillBeUndoneIsInSightEverywhereAndIsSentWhenThePageIsLeft(DemoPage page) {
        page.say("Transfer 8873 to Ada");
        page.awaitIdle();
        Page inbox = page.page();
        String thread = inbox.url();
        inbox.clock().install();
        inbox.navigate(thread.split("#")[0] + "inbox");
        inbox.locator("#inbox-filter").fill("8873");
        inbox.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        page.button("Deny 1").click();
        page.button("Deny all 1").click();

        inbox.locator("#threads a").first().click();
        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.button("Undo")).isVisible();
        inbox.reload();

        assertThat(page.calls("transferMoney").locator("summary .state")).hasText("Denied");
        assertThat(page.effects()).isEmpty();
    }

    @Test
    void whoIsOfflineIsToldSoAndNotToStartTheServer(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().open();
        page.page().context().setOffline(true);
        page.card().approve();

        assertThat(page.page().locator("#gone")).containsText("You are offline");
        assertThat(page.page().locator("#gone")).not().containsText("command");
        assertThat(page.page().locator("#lost")).isHidden(); // it is said once
        page.page().context().setOffline(false);
        assertThat(page.page().locator("#gone")).isHidden();
        page.awaitIdle();
        page.button("New conversation").click();
        page.page().context().setOffline(true);
        page.say("Find Bob");
        assertThat(page.page().locator("#gone")).isVisible(); // it has said so before
        assertThat(page.page().locator("#gone")).containsText("You are offline");
        page.page().context().setOffline(false);
        assertThat(page.page().locator("#error")).containsText("Your message did not arrive.");
        assertThat(page.message()).hasValue("Find Bob");
        assertThat(page.watch().take()).allMatch(seen -> seen.contains("ERR_INTERNET_DISCONNECTED"));
    }

    @Test
    void aValueThatCannotBeSentCountsAsAChange(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().openEditor();
        page.card().field("Amount in euros").fill("five");

        assertThat(page.card().editsButton()).hasText("Approve with 1 change");
        assertThat(page.card().editsButton()).isDisabled();
        page.card().button("Discard the changes").click();
        assertThat(page.card().button("Approve")).isEnabled();
    }

    @Test
    void everyFieldThatIsMissingSaysSoOnce(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, PageQuestionIT.question("""
                {"type":"object","required":["class","day","seats"],"properties":{"class":{"enum":["first","second"]},
                "day":{"type":"string"},"seats":{"type":"integer"}}}"""));
        page.card().button("Answer").click();

        assertThat(page.card().root().locator(".field-error:visible")).hasText(new String[] {
            "Choose one of them.",
            "Write something, or say that the text is to be empty.",
            "Write a whole number, such as 12."
        });
        assertThat(page.card().radio("first")).isFocused();
        assertThat(staged.answers()).isEmpty();
    }

    @Test
    void aMessageWhileTheAgentAnswersIsNotLostAndThePageSaysWhy(DemoPage page) {
        page.page().route("**/agent", route -> {});
        page.say("Find Ada's address");
        page.message().fill("And then");
        page.message().press("Enter");

        assertThat(page.page().locator("#status")).containsText("The agent is still answering");
        assertThat(page.message()).hasValue("And then");
    }

    @Test
    void escapeClosesWhatLiesOverThePage(DemoPage page) {
        page.awaitIdle(); // in a wide window, which shows what is behind the scenes
        page.page().setViewportSize(360, 740);
        for (String opener : new String[] {"Threads", "Behind"}) {
            page.button(opener).click();
            assertThat(page.button(opener)).hasAttribute("aria-expanded", "true");
            page.page().keyboard().press("Escape");
            assertThat(page.button(opener)).hasAttribute("aria-expanded", "false");
            assertThat(page.button(opener)).isFocused();
        }
    }

    @Test
    void theFirstKeySkipsTheListOfConversations(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.awaitIdle();
        String address = page.page().url();
        page.page().evaluate("() => document.activeElement.blur()");
        page.page().locator("#skip").focus();
        assertThat(page.page().locator("#skip")).isInViewport();
        page.page().keyboard().press("Enter");

        assertThat(page.page().locator("#main")).isFocused();
        assertThat(page.page().url()).isEqualTo(address);
        assertThat(page.card().button("Approve")).isVisible();
    }

    @Test
    void controlAndEnterSendWhatIsOpenAndNothingElse(DemoPage page) throws Exception {
        page.say("Transfer 500 to Bob");
        page.card().open();
        page.page().keyboard().press("Control+Enter");
        page.card().openEditor();
        page.page().keyboard().press("Control+Enter");
        assertThat(page.card().editsButton()).hasText("Nothing changed yet");
        page.card().field("Amount in euros").fill("5");
        page.page().keyboard().press("Control+Enter");

        Json.assertSame(Json.only(page.effects("transferMoney")), Json.parse("{\"amount\":5,\"to\":\"Bob\"}"));
    }

    @Test
    void theTrailSaysWhatWasAnsweredInWords(DemoPage page) {
        page.say("Transfer 500 to Bob");
        page.card().deny("Not this month");
        page.awaitIdle();
        page.page().locator("#tab-audit").click();

        assertThat(page.page().locator("#audit .audit-decided > .hint")).hasText("denied: Not this month");
    }

    @Test
    void whatIsBehindTheScenesIsNotBesideTheInbox(DemoPage page) {
        assertThat(page.page().locator("#inspector")).isVisible();
        page.page().locator("#inbox-link").click();
        assertThat(page.page().locator("#inspector")).isHidden();
        assertThat(page.page().locator("#show-inspector")).hasAttribute("aria-expanded", "false");
        page.page().locator("#show-inspector").click();
        assertThat(page.page().locator("#inspector")).isVisible();
        page.button("New conversation").click();
        assertThat(page.page().locator("#inspector")).isVisible();
    }

    @Test
    void anInboxRowSaysWhichToolAndConversationItIsOf(DemoPage page) {
        page.say("Transfer 8974 to Ada");
        page.awaitIdle();
        page.page().locator("#inbox-link").click();
        page.page().locator("#inbox-filter").fill("8974");

        assertThat(page.page().locator(".inbox-of:visible")).hasText("transferMoney · “Transfer 8974 to Ada”");

        page.page().locator("#inbox-filter").fill("8,974.00"); // as its line has it
        assertThat(page.page().locator(".inbox-of:visible")).hasCount(1);
    }

    @Test
    void theFocusIsOnTheNextQuestionBeforeTheTrailsAreRead(DemoPage page) {
        for (String amount : new String[] {"9175", "9176"}) {
            page.say("Transfer " + amount + " to Ada");
            page.awaitIdle();
            page.button("New conversation").click();
        }
        page.page().locator("#inbox-link").click();
        page.page().locator("#inbox-filter").fill("917");
        page.page().route("**/demo/audit*", route -> {});
        Locator rows = page.page().locator(".inbox-row:visible");
        rows.first().click();
        page.card().approve();

        assertThat(rows).hasCount(1);
        assertThat(rows).isFocused();
    }

    @Test
    void aLinkToNobodysConversationLeavesNothingInTheList(DemoPage page) {
        page.awaitIdle();
        page.page().navigate(page.page().url().split("#")[0] + "#thread=somebody-elses");

        assertThat(page.page().locator("#error p").first())
                .hasText("There is no such conversation for you. It may belong to somebody else. Begin a new one.");
        assertThat(page.page().locator("#threads a")).hasCount(0);
    }
}
