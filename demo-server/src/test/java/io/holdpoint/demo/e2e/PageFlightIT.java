package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A tool that asks while it runs, and one that fails. */
@ExtendWith(PageExtension.class)
@InTurns
class PageFlightIT {

    @Test
    void theClassIsChosenOnTheCardAndTheFlightBooked(DemoPage page) {
        page.say("Book a flight to Rome");

        assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("A question for you bookFlight");
        assertThat(page.card().root()).containsText("Which class to Rome?");
        assertThat(page.card().root()).containsText("Prices: 120");
        page.card().radio("economy").check();
        page.card().button("Answer").click();

        assertThat(page.messages().last()).containsText("Booked economy to Rome for 120 euros.");
        assertThat(page.effects("bookFlight")).hasSize(1);
    }

    @Test
    void theQuestionSurvivesAReload(DemoPage page) {
        page.say("Book a flight to Rome");
        assertThat(page.card().root()).containsText("Which class to Rome?");

        page.reload();

        page.card().radio("business").check();
        page.card().button("Answer").click();
        assertThat(page.messages().last()).containsText("Booked business to Rome");
        assertThat(page.effects("bookFlight")).hasSize(1);
    }

    @Test
    void aFailedBookingIsMendedAndGoesOn(DemoPage page) {
        page.say("Book a flight to Atlantis");

        assertThat(page.card().root().getByRole(AriaRole.HEADING)).hasText("A tool failed bookFlight");
        assertThat(page.card().root()).containsText("Nobody flies to 'Atlantis'");
        page.card().button("Edit and try again…").click();
        page.card().field("City").fill("Oslo");
        page.card().button("Try again with 1 change").click();

        assertThat(page.card().root()).containsText("Which class to Oslo?");
        page.card().radio("economy").check();
        page.card().button("Answer").click();
        assertThat(page.messages().last()).containsText("Booked economy to Oslo");
        assertThat(page.effects("bookFlight")).hasSize(1);
    }

    @Test
    void whoGivesUpMaySayWhy(DemoPage page) {
        page.say("Book a flight to Atlantis");

        page.card().button("Give up…").click();
        page.card().field("Note, for the agent (optional)").fill("it sank");
        page.card().button("Give up").click();

        assertThat(page.cards()).hasCount(0);
        assertThat(page.calls("bookFlight")).containsText("it sank");
        assertThat(page.effects("bookFlight")).isEmpty();
    }

    @Test
    void tryingAgainFailsAgainAndAsksAgain(DemoPage page) {
        page.say("Book a flight to Atlantis");
        assertThat(page.card().root()).containsText("A tool failed");
        String first = page.card().root().getAttribute("aria-labelledby");

        page.card().button("Try again").click();

        assertThat(page.cards()).hasCount(1);
        assertThat(page.card().root()).not().hasAttribute("aria-labelledby", first);
        assertThat(page.card().root()).containsText("Nobody flies to 'Atlantis'");
    }
}
