package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The page without a mouse, without colours, enlarged, and as assistive technology finds it. */
@ExtendWith(PageExtension.class)
@InTurns
class PageAccessIT {

    private static final String AXE = axe();

    private static final String FINDINGS =
            "() => axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap((each) =>"
                    + " each.nodes.map((node) => `${each.id}: ${node.target} ${node.failureSummary}`)))";

    private static Stream<Arguments> looks() {
        Stream<Arguments> some =
                Stream.of(arguments(1440, 900, ColorScheme.LIGHT), arguments(375, 812, ColorScheme.DARK));
        Stream<Arguments> others =
                Stream.of(arguments(1440, 900, ColorScheme.DARK), arguments(375, 812, ColorScheme.LIGHT));
        return PageExtension.ALL ? Stream.concat(some, others) : some;
    }

    @ParameterizedTest
    @MethodSource("looks")
    void axeFindsNothing(int width, int height, ColorScheme scheme, DemoPage page) {
        page.page().setViewportSize(width, height);
        page.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.awaitIdle();
        assertClean(page.page(), "empty");
        page.say("Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
        page.awaitIdle();
        assertClean(page.page(), "several");
        page.card("ada@example.com").openEditor();
        page.card("ada@example.com").field("Subject line").fill("Other");
        assertClean(page.page(), "edit");
        page.card("ada@example.com").approveWithEdits();
        page.card("bob@example.com").button("Deny…").click();
        assertClean(page.page(), "deny");
        page.card("bob@example.com").button("Deny").click();
        page.card("transferMoney").approve();
        assertClean(page.page(), "decided");
        page.button("Send 3 answers").click();
        page.awaitIdle();
        page.calls("transferMoney").locator("summary").first().click();
        assertClean(page.page(), "done");
        page.messages().first().getByText("Edit").click();
        assertClean(page.page(), "another message");
        page.page().keyboard().press("Escape");
        page.say("Delete the inactive records from customers");
        page.awaitIdle();
        assertClean(page.page(), "preview");
        page.say("Find Ada");
        assertClean(page.page(), "steer");
        page.button("Cancel it and send").click();
        page.say("File the VAT return");
        page.card().button("Answer").click();
        assertClean(page.page(), "question");
        page.page().navigate(page.page().url().split("#")[0] + "inbox");
        page.page().locator(".inbox-row").first().click();
        page.awaitIdle();
        assertClean(page.page(), "inbox");
    }

    static void assertClean(Page page, String state) {
        if ((boolean) page.evaluate("!window.axe")) { // half a megabyte
            page.evaluate(AXE);
        }
        assertThat((List<?>) page.evaluate(FINDINGS)).as(state).isEmpty();
    }

    @Test
    void aMessageAnEditAndAnApprovalNeedNoMouse(DemoPage page) throws Exception {
        page.awaitIdle();
        assertThat(page.message()).isFocused();
        type(page, "Transfer 500 to Bob", "Enter");
        assertThat(page.card().root().getByRole(AriaRole.HEADING).first()).isFocused();
        assertThat(page.page().locator("#announcer")).containsText("1 waiting for you: Transfer 500 euros");
        press(page, "Tab", "Tab");
        assertThat(page.card().button("Approve")).isFocused();
        press(page, "Tab", "Enter");
        assertThat(page.card().field("Amount in euros")).isFocused();
        press(page, "ControlOrMeta+a");
        type(page, "5", "Tab", "Tab");
        assertThat(page.card().button("Approve with 1 change")).isFocused();
        press(page, "Enter");

        assertThat(page.messages().last()).containsText("“Transferred 5 euros to Bob.”");
        assertThat(page.message()).isFocused();
        assertThat(page.page().locator("#announcer")).containsText("The agent answered.");
        assertThat(page.effects("transferMoney")).hasSize(1);
    }

    @Test
    void aDenialAndSteeringAwayNeedNoMouse(DemoPage page) {
        page.awaitIdle();
        type(page, "Transfer 500 to Bob", "Enter");
        assertThat(page.card().root().getByRole(AriaRole.HEADING).first()).isFocused();
        assertThat(page.card().button("Approve")).isVisible();
        press(page, "Tab", "Tab", "Tab", "Tab", "Enter");
        type(page, "No", "Escape");
        assertThat(page.card().button("Approve")).isFocused();
        press(page, "Tab", "Tab", "Enter");
        assertThat(page.card().field("Reason, for the agent (optional)")).hasValue("No");
        press(page, "Tab", "Enter");
        assertThat(page.messages().last()).containsText("was declined (\"No\")");
        assertThat(page.message()).isFocused();

        type(page, "Transfer 500 to Bob", "Enter");
        assertThat(page.cards()).hasCount(1);
        page.message().focus();
        type(page, "Find Ada's address", "Enter");
        assertThat(page.button("Keep it")).isFocused();
        press(page, "Shift+Tab", "Enter");
        assertThat(page.messages().last()).containsText("I looked up Ada");
        assertThat(page.effects("transferMoney")).isEmpty();
    }

    @Test
    void severalAreDecidedOneAfterTheOtherAndChangedWithoutAMouse(DemoPage page) {
        page.awaitIdle();
        type(page, "Transfer 200 to Ada and transfer 300 to Bob", "Enter");
        assertThat(page.cards()).hasCount(2);
        approveFromItsHeading(page, "Ada");
        approveFromItsHeading(page, "Bob");
        assertThat(page.button("Send 2 answers")).isFocused();
        page.card("Ada").root().getByRole(AriaRole.BUTTON).focus();
        press(page, "Enter");
        assertThat(page.card("Ada").button("Approve")).isFocused();
        press(page, "Enter");
        assertThat(page.button("Send 2 answers")).isFocused();
        press(page, "Enter");

        assertThat(page.messages().last()).containsText("I transferred 200 to Ada");
        assertThat(page.effects("transferMoney")).hasSize(2);
    }

    @Test
    void aSingleLetterInTheInboxApprovesNothing(DemoPage page) {
        page.say("Transfer 777 to Bob");
        page.awaitIdle();
        page.page().navigate(page.page().url().split("#")[0] + "inbox");
        page.page().locator("#inbox-filter").fill("777");
        page.page().locator("#inbox-filter").blur();
        assertThat(page.page().locator(".inbox-row:visible")).hasCount(1);

        press(page, "j");
        assertThat(page.page().locator(".inbox-row:visible")).isFocused();
        press(page, "e");
        assertThat(page.card().field("Amount in euros")).isFocused();
        press(page, "Escape");
        press(page, "a");
        assertThat(page.card().button("Approve")).isFocused();
        assertThat(page.effects("transferMoney")).isEmpty();
        press(page, "d");
        type(page, "Too much");
        press(page, "Tab", "Enter");

        assertThat(page.page().locator(".inbox-row:visible")).hasCount(0);
        assertThat(page.effects("transferMoney")).isEmpty();
    }

    @Test
    void severalConversationsAreDeniedAtOnce(DemoPage page) {
        for (String amount : List.of("881", "882", "883")) {
            page.say("Transfer " + amount + " to Batch");
            page.awaitIdle();
            page.button("New conversation").click();
        }
        page.page().clock().install();
        page.page().navigate(page.page().url().split("#")[0] + "inbox");
        page.page().locator("#inbox-filter").fill("Batch");
        assertThat(page.page().locator(".inbox-row:visible")).hasCount(3);
        page.page().getByLabel("Choose: Transfer 882").uncheck();
        page.page().locator("#inbox-all").check();
        page.page().getByLabel("Choose: Transfer 882").uncheck();

        page.button("Deny 2").click();
        page.button("Deny all 2").click();
        assertThat(page.button("Undo")).isFocused();
        page.page().clock().fastForward(5_000);

        assertThat(page.page().locator(".inbox-row:visible")).hasCount(1);
        assertThat(page.page().locator(".inbox-row:visible")).containsText("882");
        assertThat(page.effects("transferMoney")).isEmpty();
    }

    @Test
    void nothingMovesForWhoWantsNoMotionAndAllIsThereInForcedColours(DemoPage page) {
        page.page()
                .emulateMedia(new Page.EmulateMediaOptions()
                        .setReducedMotion(ReducedMotion.REDUCE)
                        .setForcedColors(ForcedColors.ACTIVE));
        page.say("Transfer 500 to Bob");

        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.page().evaluate("() => document.getAnimations().length"))
                .isEqualTo(0);
        assertThat(page.card().root()).hasCSS("border-top-width", "2px");
    }

    @Test
    void enlargedToTwiceItsSizeNothingIsLost(DemoPage page) {
        page.page().setViewportSize(720, 450);
        page.say("Write to Ada that the meeting moved to Friday");
        page.awaitIdle();

        assertThat(page.card().button("Approve")).isInViewport();
        assertThat(page.page().evaluate("() => document.documentElement.scrollWidth <= 720"))
                .isEqualTo(true);
        assertThat(page.page().evaluate("() => document.documentElement.scrollHeight <= 450"))
                .isEqualTo(true);
    }

    private static void type(DemoPage page, String text, String... keys) {
        page.page().keyboard().type(text);
        press(page, keys);
    }

    private static void approveFromItsHeading(DemoPage page, String named) {
        assertThat(page.card(named).root().getByRole(AriaRole.HEADING).first()).isFocused();
        assertThat(page.card(named).button("Approve")).isVisible(); // all of it was on the screen
        press(page, "Tab", "Tab", "Enter");
    }

    private static void press(DemoPage page, String... keys) {
        for (String key : keys) {
            page.page().keyboard().press(key);
        }
    }

    private static String axe() {
        try (InputStream in = PageAccessIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
