package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Clock;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What who has not been here sees: a story of ten seconds, in which nothing is real. Its clock is the test's. */
@ExtendWith(PageExtension.class)
@InTurns
class PageFirstVisitIT {

    private static final int ALL_OF_IT = 10_000;

    /** What is on each picture, in milliseconds from its beginning. */
    private static final List<Picture> PICTURES = List.of(
            new Picture(2_600, "Waiting for you transferMoney", "It waits for you."),
            new Picture(2_200, "500 \u2192 now: 5", "You make it \u20ac5.00."),
            new Picture(1_700, "The server is gone", "The server is killed."),
            new Picture(1_700, "The server is back.", "with your change."),
            new Picture(1_400, "Approved with 1 change", "You approve."),
            new Picture(0, "Transferred \u20ac5.00 to Bob.", "\u20ac5.00 is transferred, once."));

    private record Picture(int stands, String shows, String says) {}

    /** Opens the page at a time that stands still. */
    private static void open(DemoPage page) {
        open(page, ReducedMotion.NO_PREFERENCE);
    }

    private static void open(DemoPage page, ReducedMotion motion) {
        page.page().emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(motion));
        page.page().clock().install(new Clock.InstallOptions().setTime("2026-11-30T10:00:00Z"));
        page.page().clock().pauseAt("2026-11-30T10:00:01Z");
        page.reload();
    }

    private static Locator film(DemoPage page) {
        return page.page().locator(".film");
    }

    private static Locator screen(DemoPage page) {
        return page.page().locator(".film-screen > .on");
    }

    private static Locator step(DemoPage page) {
        return page.page().locator(".film-steps > .on");
    }

    private static void assertStandsAt(DemoPage page, Picture picture) {
        assertThat(step(page)).containsText(picture.says);
        assertThat(screen(page).last()).containsText(picture.shows);
        assertThat(screen(page).last()).isVisible();
    }

    @Test
    void playsOnceAndMovesNothingElse(DemoPage page) {
        List<String> asked = new ArrayList<>();
        open(page);
        page.page().onRequest(request -> asked.add(request.method()));
        double examples = page.page().locator("#examples").boundingBox().y;

        for (Picture picture : PICTURES) {
            assertStandsAt(page, picture);
            assertThat(page.page().locator("#examples").boundingBox().y).isEqualTo(examples);
            assertThat(page.message()).isFocused();
            page.page().clock().runFor(picture.stands);
        }

        assertStandsAt(page, PICTURES.get(5));
        page.page().clock().runFor(ALL_OF_IT);
        assertStandsAt(page, PICTURES.get(5));
        assertThat(page.page().locator("#announcer")).isEmpty();
        assertThat(asked).doesNotContain("POST");
        assertThat(page.page().evaluate("JSON.stringify(sessionStorage)")).isEqualTo("{}");
        page.button("Play again").click();
        assertStandsAt(page, PICTURES.get(0));
        page.page().clock().runFor(2_600);
        assertStandsAt(page, PICTURES.get(1));
        page.button("Pause").click();
        page.page().clock().resume();
        PageAccessIT.assertClean(page.page(), "in the middle");
    }

    /** One sentence or two say it to who does not see it, and nothing in it can be reached. */
    @Test
    void isOnePictureToAssistiveTechnology(DemoPage page) {
        open(page);

        assertThat(film(page).getByRole(AriaRole.IMG))
                .hasAccessibleName(
                        Pattern.compile(
                                "A story, not a real question: .*\u20ac500\\.00 .*\u20ac5\\.00\\. .*killed and comes back.*transferred, once\\."));
        assertThat(film(page).getByRole(AriaRole.BUTTON)).hasCount(1);
        page.button("Pause").focus();
        page.page().keyboard().press("Tab");
        assertThat(page.page().getByText("What Holdpoint is")).isFocused();
        page.page().evaluate("document.querySelector('.film holdpoint-card').focus()");
        assertThat(page.page().getByText("What Holdpoint is")).isFocused();
    }

    @Test
    void stopsForWhoTypesOrLooksElsewhereAndEndsWithTheFirstMessage(DemoPage page) {
        open(page);
        page.page().clock().runFor(2_600);
        page.page().keyboard().press("T");
        page.page().clock().runFor(ALL_OF_IT);
        assertStandsAt(page, PICTURES.get(1));
        page.button("Play").click();
        page.page().evaluate("""
                Object.defineProperty(document, 'hidden', { get: () => true });
                document.dispatchEvent(new Event('visibilitychange'));""");
        page.page().clock().runFor(ALL_OF_IT);
        assertStandsAt(page, PICTURES.get(1));
        page.button("Play").click();
        page.button("Pause").click();
        page.page().clock().runFor(ALL_OF_IT);
        assertStandsAt(page, PICTURES.get(1));

        page.page().clock().resume();
        page.say("Transfer 500 to Bob");
        assertThat(page.card().question()).hasText("Transfer 500 euros to \"Bob\"?");
        assertThat(film(page)).hasCount(0);
        page.button("New conversation").click();
        assertThat(page.page().locator("#welcome > .hint")).isVisible();
        assertThat(film(page)).hasCount(0);
        page.reload();
        assertThat(film(page)).hasCount(0);
    }

    @Test
    void standsStillForWhoWantsNoMotion(DemoPage page) {
        open(page, ReducedMotion.REDUCE);

        for (Picture picture : PICTURES) {
            page.page().clock().runFor(picture.stands);
            assertThat(screen(page)).containsText(PICTURES.get(1).shows);
        }
        assertThat(film(page).getByRole(AriaRole.BUTTON)).hasCount(0);
        IntStream.range(0, PICTURES.size())
                .forEach(i -> assertThat(page.page().locator(".film-steps > li").nth(i))
                        .isVisible());
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 800, #examples, en",
        "1280, 800, #examples, fr",
        "1280, 800, #examples, de",
        "1280, 800, #examples, es",
        "1280, 800, #examples, ar",
        "390, 844, #composer, en",
        "260, 640, #composer, en"
    })
    void leavesRoomForWhatCanBeTried(int width, int height, String inSight, String language, DemoPage page) {
        page.page().setViewportSize(width, height);
        page.page().evaluate("language => localStorage.setItem('language', language)", language);
        open(page);

        assertThat(page.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
        assertThat(page.page().evaluate("""
                        (place) => {
                          const { top, bottom, left, right } = document.querySelector(place).getBoundingClientRect();
                          const end = place === '#examples' ? document.getElementById('composer').getBoundingClientRect().top : innerHeight;
                          return top >= 0 && bottom <= end && left >= 0 && right <= innerWidth;
                        }""", inSight)).isEqualTo(true);
        assertThat(screen(page)).isInViewport();
    }
}
