package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An answer can be undone for five seconds before anything of it reaches the server, and is not lost when the page is left. */
@InTurns
@ExtendWith(PageExtension.class)
class PageUndoIT {

    private static DemoProcess server;

    private DemoPage demo;
    private Page page;
    private Chromium chromium;

    @BeforeAll
    static void start() throws Exception {
        server = DemoProcess.start(Map.of("UNDO_SECONDS", "5"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void open(Chromium running) {
        chromium = running;
        demo = DemoPage.open(running, server);
        page = demo.page();
        page.clock().install();
        demo.reload();
    }

    @AfterEach
    void closePage() {
        demo.close();
    }

    private void held(String sentence) {
        demo.say(sentence);
        demo.awaitIdle();
    }

    /** What ran by the server's word, when the page is gone too. */
    private long effects(String what) {
        try (BrowserContext context = chromium.browser().newContext(new Browser.NewContextOptions())) {
            String all = context.request().get(server.url() + "/demo/effects").text();
            return all.split(what, -1).length - 1L;
        }
    }

    private void runs(String what) {
        try (BrowserContext context = chromium.browser().newContext(new Browser.NewContextOptions())) {
            Page looker = context.newPage();
            looker.navigate(server.url() + "/");
            assertThat(looker.locator("#effects")).containsText(what);
        }
    }

    @Test
    void nothingIsSaidToBeDecidedBeforeItWasSentAndUndoTakesItBack() {
        held("Transfer 611 to Uma");
        demo.card().approve();

        Locator card = demo.cards();
        assertThat(card.locator("h2")).containsText("Sent in 5 seconds");
        assertThat(page.locator(".call summary .state")).hasCount(0);
        PageAccessIT.assertClean(page, "held back");
        demo.card().button("Undo: Transfer 611 euros to \"Uma\"?").click();
        page.clock().fastForward(20_000);
        assertThat(demo.card().button("Approve")).isVisible();
        assertThat(effects("Uma")).isZero();

        demo.card().approve();
        page.clock().fastForward(5_000);
        assertThat(demo.calls("transferMoney").locator("summary .state")).hasText("Executed");
        assertThat(effects("Uma")).isOne();
    }

    @Test
    void severalAreUndoneTogether() {
        held("Transfer 621 to Tom and transfer 622 to Tom");
        demo.card("621").approve();
        demo.card("622").approve();
        demo.button("Send 2 answers").click();
        assertThat(demo.button("Undo")).isVisible();
        demo.button("Undo").click();
        page.clock().fastForward(20_000);
        assertThat(effects("Tom")).isZero();
        demo.card("621").approve();
        demo.card("622").deny("No");
        demo.button("Send 2 answers").click();
        page.clock().fastForward(5_000);
        assertThat(demo.calls("transferMoney").locator("summary .state").first())
                .hasText("Executed");
        assertThat(effects("Tom")).isOne();
    }

    @Test
    void aPageThatIsClosedHasSentIt() {
        held("Transfer 631 to Sam");
        demo.card().approve();
        page.close();
        runs("Sam");
    }

    @Test
    void aPageThatIsLoadedAgainHasSentIt() {
        held("Transfer 641 to Rita");
        demo.card().approve();
        page.reload();
        runs("Rita");
        assertThat(demo.cards()).hasCount(0);
        assertThat(effects("Rita")).isOne();
    }

    private static final String LARGE =
            "All that was said. ".repeat(5_300); // 100 kB, more than a browser sends of a page that is left

    private ApprovalCard editedAtLength(String about) {
        held("Send an email to ada@example.com about " + about + " saying Hi");
        ApprovalCard card = demo.card();
        card.openEditor();
        card.field("Text of the email").fill(LARGE);
        return card;
    }

    @Test
    void aLargeEditIsSentAtOnceAndThePageAsksBeforeItIsLeftMeanwhile() {
        List<String> asked = new ArrayList<>();
        page.onDialog(dialog -> asked.add(dialog.type())); // the watch stays on the page
        ApprovalCard card = editedAtLength("Nora");
        CDPSession network = page.context().newCDPSession(page);
        network.send("Network.enable");
        network.send("Network.emulateNetworkConditions", slow(1_000));

        card.approveWithEdits();
        assertThat(demo.cards().locator("h2")).containsText("Sending");
        page.close(new Page.CloseOptions().setRunBeforeUnload(true));
        page.waitForCondition(() -> asked.equals(List.of("beforeunload")));
        network.send("Network.emulateNetworkConditions", slow(-1));
        assertThat(demo.calls("sendEmail").locator("summary .state")).hasText("Executed with changes");
        assertThat(effects("Nora")).isOne();

        page.navigate("about:blank");
        assertThat(asked).hasSize(1);
        demo.watch().take();
    }

    private static JsonObject slow(int bytesPerSecond) {
        JsonObject conditions = new JsonObject();
        conditions.addProperty("offline", false);
        conditions.addProperty("latency", 0);
        conditions.addProperty("downloadThroughput", -1);
        conditions.addProperty("uploadThroughput", bytesPerSecond);
        return conditions;
    }

    @Test
    void aLargeEditThatIsNotSentIsThereWhenThePageIsLoadedAgain() {
        ApprovalCard card = editedAtLength("Mia");

        page.reload();

        assertThat(card.field("Text of the email")).hasValue(LARGE);
        assertThat(effects("Mia")).isZero();
    }

    @Test
    void anotherConversationOnThePageSendsIt() {
        held("Transfer 651 to Quentin");
        demo.card().approve();
        demo.button("New conversation").click();
        runs("Quentin");
    }

    @Test
    void aPageThatDiesWithoutSendingHasDecidedNothingAndTheQuestionIsOpen() {
        held("Transfer 661 to Paula");
        String address = page.url();
        demo.card().approve();
        assertThat(demo.cards().locator("h2")).containsText("Sent in 5 seconds");
        page.context().setOffline(true);
        page.close();

        try (BrowserContext context = chromium.browser().newContext()) {
            Page again = context.newPage();
            again.navigate(address);
            assertThat(again.locator(".card")
                            .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Approve")))
                    .isVisible();
        }
        assertThat(effects("Paula")).isZero();
    }

    @Test
    void inTheInboxTheNextOneIsThereAndTheLastOneCanBeUndoneByAKey() {
        held("Transfer 671 to Olaf");
        demo.button("New conversation").click();
        held("Transfer 672 to Olaf");
        page.navigate(server.url() + "/inbox");
        page.locator("#inbox-filter").fill("Olaf");
        page.locator("#inbox-filter").blur();
        page.keyboard().press("j");
        Locator pane = page.locator("#inbox-pane .card:visible");
        new ApprovalCard(pane).approve();
        assertThat(pane).containsText("672");
        assertThat(page.locator("#inbox-denying")).containsText("Sent in 5 seconds: Transfer 671");
        PageAccessIT.assertClean(page, "held back in the inbox");
        page.keyboard().press("u");
        page.clock().fastForward(20_000);
        assertThat(page.locator(".inbox-row:visible")).hasCount(2);
        assertThat(effects("Olaf")).isZero();

        new ApprovalCard(pane).approve();
        page.clock().fastForward(5_000);
        assertThat(page.locator(".inbox-row:visible")).hasCount(1);
        assertThat(page.locator("#inbox-denying")).isHidden();
        runs("Olaf");
    }
}
