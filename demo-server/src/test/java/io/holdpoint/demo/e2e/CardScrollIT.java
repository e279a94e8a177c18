package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fifty cards are scrolled through in sixteen milliseconds a frame, in time of the processor, and two hundred in not much more. */
@ExtendWith(PageExtension.class)
@InTurns
class CardScrollIT {

    private static final int FRAMES = 120;

    private static final String CARDS = """
            (n) => {
              const list = document.querySelector('main');
              for (let i = 0; i < n; i++) {
                const next = document.createElement('holdpoint-card');
                next.interrupt = { ...card.interrupt, id: `int_${i}`, expiresAt: new Date(Date.now() + 9e6).toISOString(), message: `Pay ${i} to Bob?` };
                list.append(next);
              }
            }""";

    /** Scrolls by a third of the window in each frame, from end to end and back; tells how many frames that were. */
    private static final String SCROLL = """
            (frames) => new Promise((done) => {
              let frame = 0;
              const step = () => {
                const end = document.documentElement.scrollHeight - innerHeight;
                const at = (frame * innerHeight) / 3 % (2 * end);
                scrollTo(0, at < end ? at : 2 * end - at);
                if (++frame < frames) requestAnimationFrame(step);
                else done(frame);
              };
              requestAnimationFrame(step);
            })""";

    @ParameterizedTest
    @CsvSource({"50, 16", "200, 20"})
    void aFrameIsMadeInTime(int cards, double most, BarePage theirs) {
        Page page = theirs.ready();
        page.evaluate(CARDS, cards);
        assertThat(page.locator("holdpoint-card")).hasCount(cards + 1);
        page.evaluate(SCROLL, 10);
        CDPSession session = page.context().newCDPSession(page);
        JsonObject processor = new JsonObject();
        processor.addProperty("timeDomain", "threadTicks");
        session.send("Performance.enable", processor);
        double before = millis(session);

        page.evaluate(SCROLL, FRAMES);

        double each = (millis(session) - before) / FRAMES;
        assertThat(each)
                .as("%d cards, ms of the page's thread for each frame", cards)
                .isBetween(0.01, most);
    }

    /** All that the page's thread has worked: scripts, styles, layout, painting. */
    private static double millis(CDPSession session) {
        for (JsonElement metric : session.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            JsonObject each = metric.getAsJsonObject();
            if (each.get("name").getAsString().equals("TaskDuration")) {
                return each.get("value").getAsDouble() * 1000;
            }
        }
        throw new IllegalStateException("There is no TaskDuration.");
    }
}
