package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An approval that counts for a while. */
@ExtendWith(PageExtension.class)
@InTurns
class PageRememberIT {

    private static final String MORE = "Approve, and do not ask again";

    private static Locator remembered(DemoPage page) {
        return page.page().locator("#grants > li");
    }

    @Test
    void whoDoesNotWantToBeAskedAgainIsNotUntilTheyTakeItBack(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();
        assertThat(remembered(page)).hasCount(0);

        card.button(MORE).click();
        card.button("Approve, and do not ask again about this tool for 15 minutes")
                .click();

        assertThat(page.messages().last()).containsText("Sent 'The budget' to ada@example.com.");
        assertThat(remembered(page)).containsText("any call of this tool");
        page.say("Send an email to bob@example.com about the weather");
        assertThat(page.messages().last()).containsText("Sent 'The weather' to bob@example.com.");
        assertThat(page.calls("sendEmail").last().locator(".call-line > summary"))
                .containsText(Pattern.compile("not asked: you allowed this tool until " + DemoPage.TIME));
        assertThat(page.calls("sendEmail").first().locator(".call-line > summary"))
                .containsText("by you");
        assertThat(page.effects("sendEmail")).hasSize(2);
        page.page().setViewportSize(360, 740);
        assertThat(page.calls("sendEmail").last().locator("summary .who")).isVisible();
        page.page().setViewportSize(1280, 720);
        page.reload();
        page.button("Ask again").click();
        assertThat(remembered(page)).hasCount(0);
        page.say("Send an email to ada@example.com about the budget");
        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.effects("sendEmail")).hasSize(2);
    }

    @Test
    void aListThatIsApprovedOnceRunsAndNothingElseDoes(DemoPage page) {
        page.say("Pay my bills");
        assertThat(page.card().question()).containsText("Make these payments?");
        assertThat(page.card().root().locator(".entries dd > dl")).hasText(new String[] {
            "BillerElectricityAmount84.20", "BillerWaterAmount31.50", "BillerTelephoneAmount29.99"
        });
        assertThat(page.effects("payBill")).isEmpty();

        page.card().approve();

        assertThat(page.messages().last()).containsText("Paid Telephone 29.99 euros.");
        assertThat(page.effects("payBill")).hasSize(3);
        assertThat(page.calls("planPayments").locator(".call-gist"))
                .hasText("payBill, Electricity, 84.20, 1, payBill…");
        for (Locator gist : page.calls("payBill").locator(".call-gist").all()) {
            assertThat(gist.evaluate("gist => gist.scrollWidth <= gist.clientWidth"))
                    .isEqualTo(true);
        }
        page.say("Pay my bills"); // the list says once
        page.card().button("Deny\u2026").click();
        page.card().button("Deny").click();
        assertThat(page.messages().last()).containsText("was declined");
        assertThat(page.effects("payBill")).hasSize(3);
    }

    @Test
    void askingEveryTimeIsWhatTheCardSaysUnlessSomebodyChooses(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        Locator choices = page.card().root().locator(".menu button");
        assertThat(choices.first()).isHidden();
        page.card().button(MORE).click();
        assertThat(choices).hasText(new String[] {
            "Approve, and do not ask again about exactly this call for 15 minutes",
            "Approve, and do not ask again about this tool for 15 minutes"
        });
        assertThat(choices.first()).isFocused();
        page.page().keyboard().press("Escape");
        assertThat(choices.first()).isHidden();

        page.card().approve();

        assertThat(page.messages().last()).containsText("Sent 'The budget' to ada@example.com.");
        page.awaitIdle();
        assertThat(remembered(page)).hasCount(0);
    }

    @Test
    void aToolThatDoesNotAllowItHasNoChoice(DemoPage page) {
        page.say("Delete the inactive records from customers");

        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.card().button(MORE)).hasCount(0);
    }

    private static final String WITHIN = """
            {"id":"int_1","reason":"tool_call","message":"Pay Acme?","toolCallId":"call_1","responseSchema":{"type":"object","properties":{
            "approved":{"type":"boolean"},"reason":{"type":"string"},"remember":{"type":"string","enum":["within"]},
            "bounds":{"type":"object","properties":{"amount":{"type":"number","exclusiveMinimum":0}},"required":["amount"],
            "additionalProperties":false},"rememberMinutes":{"type":"integer","minimum":1,"maximum":60,"default":60}},
            "required":["approved"]}}""";

    @Test
    void whatCountsInAllConversationsOfTheOwnerSaysSo(DemoPage page) {
        String perOwner =
                "\"metadata\":{\"langchain4j\":{\"rememberWithin\":{\"same\":[\"vendor\"],\"sum\":{\"argument\":\"amount\",\"seconds\":86400},"
                        + "\"count\":20,\"perOwner\":true}}},\"message\"";
        StagedInterrupts staged =
                StagedInterrupts.ask(page, WITHIN.replace("\n", "").replace("\"message\"", perOwner));
        ApprovalCard card = page.card();

        card.button(MORE).click();
        assertThat(card.root().locator(".menu .hint"))
                .hasText(
                        "Calls within bounds: the same vendor, at most 20 calls, as much amount as you say in 24 h 0 min.");
        card.button("Approve, and do not ask again about calls within bounds for 60 minutes,"
                        + " in all conversations of the same owner")
                .click();
        card.root().getByRole(AriaRole.TEXTBOX).fill("100");
        card.button("Approve within").click();

        assertThat(staged.answer(page)).contains("\"bounds\":{\"amount\":100}");
    }

    @Test
    void whoAllowsCallsWithinBoundsSaysUpToHowMuch(DemoPage page) {
        StagedInterrupts staged = StagedInterrupts.ask(page, WITHIN.replace("\n", ""));
        ApprovalCard card = page.card();

        card.button(MORE).click();
        card.button("Approve, and do not ask again about calls within bounds for 60 minutes")
                .click();
        card.button("Approve within").click();
        assertThat(card.root().getByRole(AriaRole.ALERT).first()).isVisible();
        card.root().getByRole(AriaRole.TEXTBOX).fill("100.50");
        card.button("Approve within").click();

        assertThat(staged.answer(page))
                .contains("{\"approved\":true,\"remember\":\"within\",\"bounds\":{\"amount\":100.50}}");
    }
}
