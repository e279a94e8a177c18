package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An approval that counts for a while. */
@ExtendWith(PageExtension.class)
class PageRememberIT {

    private static Locator remembered(DemoPage page) {
        return page.page().locator("#grants > li");
    }

    @Test
    void whoDoesNotWantToBeAskedAgainIsNotUntilTheyTakeItBack(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        ApprovalCard card = page.card();
        assertThat(remembered(page)).hasCount(0);

        card.field("If you approve").selectOption("tool");
        card.approve();

        assertThat(page.messages().last()).containsText("Sent 'The budget' to ada@example.com.");
        assertThat(remembered(page)).containsText("any call of this tool");
        page.say("Send an email to bob@example.com about the weather");
        assertThat(page.messages().last()).containsText("Sent 'The weather' to bob@example.com.");
        assertThat(page.effects("sendEmail")).hasSize(2);
        page.reload();
        page.button("Ask again").click();
        assertThat(remembered(page)).hasCount(0);
        page.say("Send an email to ada@example.com about the budget");
        assertThat(page.card().button("Approve")).isVisible();
        assertThat(page.effects("sendEmail")).hasSize(2);
    }

    @Test
    void askingEveryTimeIsWhatTheCardSaysUnlessSomebodyChooses(DemoPage page) {
        page.say("Send an email to ada@example.com about the budget");
        Locator choice = page.card().field("If you approve");
        assertThat(choice).hasValue("");
        assertThat(choice.getByRole(AriaRole.OPTION)).hasText(new String[] {
            "Ask me every time",
            "Do not ask again about exactly this call for 15 minutes",
            "Do not ask again about this tool for 15 minutes"
        });

        page.card().approve();

        assertThat(page.messages().last()).containsText("Sent 'The budget' to ada@example.com.");
        page.awaitIdle();
        assertThat(remembered(page)).hasCount(0);
    }

    @Test
    void aToolThatDoesNotAllowItHasNoChoice(DemoPage page) {
        page.say("Delete the inactive records from customers");

        assertThat(page.card().field("If you approve")).hasCount(0);
    }
}
