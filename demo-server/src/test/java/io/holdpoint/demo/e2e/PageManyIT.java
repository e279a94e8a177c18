package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inbox of somebody who decides fifty a day: like ones together, what differs on each line, one answer for what was on the screen. */
@InTurns
@ExtendWith(PageExtension.class)
class PageManyIT {

    private static void ask(DemoPage demo, String... sentences) throws Exception {
        for (String sentence : sentences) {
            new AguiTestClient(demo.server()).say(sentence);
        }
    }

    /** The inbox, filtered to what a test has asked for: the server is shared. */
    private static Page inbox(DemoPage demo, String filter) {
        Page page = demo.page();
        page.clock().install();
        page.navigate(demo.server() + "/inbox");
        page.locator("#inbox-filter").fill(filter);
        page.locator("#inbox-filter").blur();
        return page;
    }

    private static List<String> ran(DemoPage demo, int transfers) {
        return demo.effects("transferMoney", transfers).stream()
                .map(JsonNode::toString)
                .toList();
    }

    @Test
    void likeOnesStandTogetherAndOneAnswerIsForThoseThatAreAlike(DemoPage demo) throws Exception {
        ask(demo, "Transfer 341 to Zoe", "Transfer 342 to Zoe", "Transfer 343 to Zoe", "Transfer 9041 to Zoe");
        Page page = inbox(demo, "Zoe");
        Locator rows = page.locator(".inbox-row:visible");
        assertThat(rows).hasCount(4);
        Locator odd = page.locator(".inbox-entry.odd:visible");
        assertThat(odd).hasCount(1);
        assertThat(odd.locator(".value").first()).hasText("\u20ac9,041.00"); // as on its card
        assertThat(rows.first()).containsText("unlike the others");

        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        assertThat(page.locator("#inbox-approve")).hasText("Approve 3");
        assertThat(page.locator("#inbox-left-out")).containsText("1 of the chosen has to be opened");
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).uncheck();
        page.locator("#inbox-all").blur();
        page.keyboard().press("j");
        page.keyboard().press("j");
        page.keyboard().press("g");
        assertThat(page.locator("#inbox-approve")).hasText("Approve 3");
        page.keyboard().press("a");
        assertThat(page.locator("#inbox-approve")).isFocused();
        page.keyboard().press("Enter");
        assertThat(demo.button("Undo")).isFocused();
        assertThat(ran(demo, 0)).isEmpty();
        PageAccessIT.assertClean(page, "approved soon"); // which can take longer than it can be undone
        page.clock().fastForward(5_000);

        assertThat(rows).hasCount(1);
        assertThat(rows).containsText("9,041.00");
        assertThat(page.locator("#announcer")).hasText("3 of 3 approved.");
        assertThat(ran(demo, 3)).hasSize(3).noneMatch(effect -> effect.contains("9041"));
    }

    /** As the card writes them, also with the blanks and signs that a language has in its numbers. */
    @ParameterizedTest
    @CsvSource({"de, '1.341,50\u00a0\u20ac'", "ar, '\u200f1,341.50\u00a0\u20ac'"})
    void anAmountOfALineIsMoney(String language, String amount, DemoPage demo) throws Exception {
        AguiTestClient.cancelAll(demo.server()); // what is alike says its amount above the lines
        ask(demo, "Transfer 1341.50 to Quentin");
        demo.page().evaluate("language => localStorage.setItem('language', language)", language);
        Page page = inbox(demo, "Quentin");

        Locator row = page.locator(".inbox-row:visible").first();
        assertThat(row.locator(".value").first()).isVisible();
        assertThat((String) row.locator(".value").first().evaluate("value => value.textContent"))
                .isEqualTo(amount);
        assertThat(row.locator(".escape")).hasCount(0);
    }

    @Test
    void whatWasNotOnTheScreenIsNotApproved(DemoPage demo) throws Exception {
        String[] sentences = new String[30];
        for (int i = 0; i < sentences.length; i++) {
            sentences[i] = "Transfer " + (510 + i) + " to Yves";
        }
        ask(demo, sentences);
        Page page = inbox(demo, "Yves");
        Locator rows = page.locator(".inbox-row:visible");
        assertThat(rows).hasCount(30);
        assertThat(rows.last()).not().isInViewport();
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();

        Locator approve = page.locator("#inbox-approve");
        assertThat(approve).hasText(Pattern.compile("Approve \\d+"));
        assertThat(Integer.parseInt(approve.innerText().replaceAll("\\D", ""))).isBetween(3, 25);
        assertThat(page.locator("#inbox-left-out")).containsText("of the chosen have to be opened, or scrolled to");

        for (int i = 0; i < 30; i++) {
            rows.nth(i).scrollIntoViewIfNeeded();
        }
        assertThat(approve).hasText("Approve 30");
        assertThat(page.locator("#inbox-left-out")).isHidden();
        demo.button("Deny 30").click();
        demo.button("The amount is wrong").click();
        page.keyboard().press("Enter");
        page.clock().fastForward(5_000);
        assertThat(page.locator("#announcer")).hasText("30 of 30 denied.");
        assertThat(rows).hasCount(0);
        assertThat(ran(demo, 0)).isEmpty();
    }

    @Test
    void theLinesOfATextAreOneLineOfTheListAndNoneIsLeftOut(DemoPage demo) throws Exception {
        ask(demo, "Send an email to yana@example.com");
        Locator row = inbox(demo, "yana").locator(".inbox-row:visible");

        assertThat(row).containsText("Hello Yana,↵ ↵ ");
    }

    @Test
    void whatCannotBeTakenBackIsLookedAtAlone(DemoPage demo) throws Exception {
        ask(demo, "Delete the inactive records from customers", "Delete the inactive records from customers");
        Page page = inbox(demo, "deleteRecords");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();

        assertThat(page.locator("#inbox-approve")).isDisabled();
        assertThat(page.locator("#inbox-left-out")).containsText("2 of the chosen");
        demo.button("Deny 2").click();
        demo.button("Deny all 2").click();
        page.clock().fastForward(5_000);
        assertThat(page.locator(".inbox-row:visible")).hasCount(0);
    }

    @Test
    void whatWasDecidedElsewhereMeanwhileIsNamedAndTheOthersStand(DemoPage demo) throws Exception {
        AguiTestClient first = new AguiTestClient(demo.server());
        JsonNode asked = first.say("Transfer 361 to Xaver").interrupts().get(0);
        ask(demo, "Transfer 362 to Xaver");
        Page page = inbox(demo, "Xaver");
        page.route("**/agent/changes", route -> {});
        page.reload();
        page.locator("#inbox-filter").fill("Xaver");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        assertThat(page.locator("#inbox-approve")).hasText("Approve 2");
        page.locator("#inbox-approve").click();
        first.resume(AguiTestClient.deny(asked, "no"));
        page.clock().fastForward(5_000);

        assertThat(page.locator("#inbox-denying")).containsText("1 of 2 approved.");
        assertThat(page.locator(".not-taken"))
                .containsText("Transfer 361 euros to \"Xaver\"?: This was answered before");
        PageAccessIT.assertClean(page, "not all were taken");
        demo.button("Close").click();
        assertThat(page.locator("#inbox-denying")).isHidden();
        assertThat(ran(demo, 1)).hasSize(1);
    }

    @Test
    void whatWasPressedIsUndoneByAKeyAndIsSentWhenThePageIsLeft(DemoPage demo) throws Exception {
        ask(demo, "Transfer 371 to Wilma", "Transfer 372 to Wilma");
        Page page = inbox(demo, "Wilma");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        page.locator("#inbox-approve").click();
        page.keyboard().press("u");
        page.clock().fastForward(10_000);
        assertThat(page.locator("#inbox-denying")).isHidden();
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        assertThat(ran(demo, 0)).isEmpty();

        page.locator("#inbox-approve").click();
        page.navigate("about:blank");

        page.navigate(demo.server() + "/inbox");
        page.locator("#inbox-filter").fill("Wilma");
        assertThat(page.locator(".inbox-row:visible")).hasCount(0);
        assertThat(ran(demo, 2)).hasSize(2);
    }

    @Test
    void whatIsHeldBackStaysInSightWhateverKeyIsPressedMeanwhile(DemoPage demo) throws Exception {
        ask(demo, "Transfer 376 to Tilda", "Transfer 377 to Tilda");
        Page page = inbox(demo, "Tilda");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        page.locator("#inbox-approve").click();
        page.keyboard().press("d");
        assertThat(page.locator("#inbox-denying")).containsText("Approved in 5 seconds");
        page.clock().fastForward(5_000);

        assertThat(page.locator("#announcer")).hasText("2 of 2 approved.");
        assertThat(ran(demo, 2)).hasSize(2);
    }

    /** Questions that no agent has asked: each of these numbers in this thread. */
    private static void waits(Page page, IntFunction<String> thread, Supplier<String> iban, int count) {
        page.route("**/agent/interrupts*", route -> {
            String items = IntStream.range(0, count)
                    .mapToObj(each -> """
                            {"threadId":"%1$s","owner":"ann","askedAt":"2030-01-01T00:00:00Z","fingerprint":"%2$s%3$d","interrupt":{
                             "id":"%2$s-%3$d","reason":"tool_call","message":"Pay?","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},
                             "required":["approved"]},"metadata":{"langchain4j":{"toolName":"pay","args":{"to":{"iban":"%2$s"},"amount":%3$d}}}}}
                            """.formatted(thread.apply(each), iban.get(), each + 1))
                    .collect(Collectors.joining(","));
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{\"interrupts\":[" + items + "]}"));
        });
    }

    @Test
    void moreThanTheServerTakesAtOnceIsSentInListsWhenThePageIsLeft(DemoPage demo) {
        Page page = demo.page();
        waits(page, each -> "one", () -> "AAA", 201);
        List<Integer> sizes = new ArrayList<>();
        page.route("**/agent/decisions", route -> {
            sizes.add(route.request().postData().split("threadId", -1).length - 1);
            route.fulfill(new Route.FulfillOptions().setStatus(202).setBody("{}"));
        });
        page.navigate(demo.server() + "/inbox");
        page.getByLabel("All", new Page.GetByLabelOptions().setExact(true)).check();
        demo.button("Deny 1").click();
        demo.button("Deny all 1").click();
        page.evaluate("() => dispatchEvent(new Event('pagehide'))");

        page.waitForCondition(() -> sizes.stream().mapToInt(each -> each).sum() == 201);
        assertThat(sizes).hasSize(2).allMatch(size -> size <= 200);
    }

    @Test
    void whatLikeOnesShareIsShownAnewWhereItHasChangedWithinAnObject(DemoPage demo) {
        Page page = demo.page();
        String[] iban = {"AAA"};
        waits(page, each -> iban[0] + each, () -> iban[0], 3);
        page.navigate(demo.server() + "/inbox");
        assertThat(page.locator(".alike-head")).containsText("AAA");
        iban[0] = "BBB";
        page.locator("#inbox-link").click();

        assertThat(page.locator(".alike-head")).containsText("BBB");
    }

    @Test
    void whatIsOpenIsReadBesideTheListAndTheNextOneOpensByItself(DemoPage demo) throws Exception {
        ask(demo, "Transfer 381 to Vera", "Transfer 382 to Vera");
        Page page = inbox(demo, "Vera");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.setViewportSize(1280, 800);
        page.keyboard().press("j");
        Locator pane = page.locator("#inbox-pane");
        assertThat(pane.locator(".card:visible")).hasCount(1);
        assertThat(pane).containsText("381");
        PageAccessIT.assertClean(page, "reading pane");
        page.keyboard().press("j");
        assertThat(pane.locator(".card:visible")).hasCount(1);
        assertThat(pane.locator(".card:visible")).containsText("382");
        page.keyboard().press("k");
        new ApprovalCard(pane.locator(".card:visible")).approve();

        assertThat(page.locator(".inbox-row:visible")).hasCount(1);
        assertThat(pane.locator(".card:visible")).containsText("382");
        assertThat(page.locator(".inbox-row:visible")).isFocused();
        page.setViewportSize(390, 844);
        assertThat(page.locator(".inbox-entry .card:visible")).containsText("382");
        assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        PageAccessIT.assertClean(page, "many on the phone");
        assertThat(ran(demo, 1)).hasSize(1);
    }

    @Test
    void aReasonThatWasGivenIsOfferedAgain(DemoPage demo) throws Exception {
        ask(demo, "Transfer 391 to Ulf", "Transfer 392 to Ulf");
        Page page = inbox(demo, "Ulf");
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        page.keyboard().press("j");
        page.keyboard().press("x");
        page.keyboard().press("d");
        page.keyboard().type("Ulf has left");
        demo.button("Deny all 1").click();
        page.clock().fastForward(5_000);
        assertThat(page.locator(".inbox-row:visible")).hasCount(1);
        page.locator(".inbox-row:visible").focus();
        page.keyboard().press("x");
        page.keyboard().press("d");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Ulf has left"))
                .click();
        assertThat(page.getByLabel("Reason, for the agent (optional)")).hasValue("Ulf has left");
        assertThat(demo.button("Deny all 1")).isFocused();
    }

    /** What is read again after an answer comes late from a server that has much to do. */
    @Test
    void whoIsAtWorkOnTheNextOneStaysThereWhenTheAnswerBeforeIsThrough(DemoPage demo) throws Exception {
        ask(demo, "Transfer 396 to Tina", "Transfer 397 to Tina");
        Page page = inbox(demo, "Tina");
        Locator rows = page.locator(".inbox-row:visible");
        assertThat(rows).hasCount(2);
        List<Route> late = new ArrayList<>();
        page.route("**/demo/effects", late::add);
        page.keyboard().press("j");
        page.keyboard().press("d");
        page.keyboard().press("Control+Enter");
        page.waitForCondition(() -> !late.isEmpty());
        assertThat(rows).hasCount(1);
        assertThat(rows).isFocused();
        page.keyboard().press("d");
        page.keyboard().type("Not ");

        page.unroute("**/demo/effects");
        late.forEach(Route::resume);
        assertThat(page.locator("#announcer")).hasText("Sent.");
        page.evaluate("async () => { for (let i = 0; i < 10; i++) await fetch('/demo/effects'); }"); // comes behind it
        page.keyboard().type("at all");

        assertThat(page.locator("#inbox-list, #inbox-pane").getByLabel("Reason, for the agent (optional)"))
                .hasValue("Not at all");
    }

    @Test
    void whoIsAtWorkOnAnotherOneStaysThereWhenWhatWasChosenIsSent(DemoPage demo) throws Exception {
        ask(demo, "Transfer 398 to Sven", "Transfer 399 to Sven");
        Page page = inbox(demo, "Sven");
        Locator rows = page.locator(".inbox-row:visible");
        assertThat(rows).hasCount(2);
        page.getByLabel("Choose: Transfer 398").check();
        page.locator("#inbox-approve").click();
        rows.last().click();
        Locator card = page.locator("#inbox-list, #inbox-pane").locator(".card:visible");
        new ApprovalCard(card).button("Deny…").click();
        page.keyboard().type("Not ");

        page.clock().fastForward(5_000);
        assertThat(page.locator("#announcer")).hasText("1 of 1 approved.");
        page.evaluate("async () => { for (let i = 0; i < 10; i++) await fetch('/demo/effects'); }"); // comes behind it
        page.keyboard().type("at all");

        assertThat(card.getByLabel("Reason, for the agent (optional)")).hasValue("Not at all");
    }
}
