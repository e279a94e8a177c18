package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The form of an edit with random arguments: it shows no change that nobody made, each that was made, and none that was taken back. */
@ExtendWith(PageExtension.class)
class CardValuesIT {

    private static final int FIRST = Integer.getInteger("holdpoint.value", 0);
    private static final int TRIES = Integer.getInteger("holdpoint.values", 400);

    private static final Path SOURCE = Path.of("..", "adapter", "card", "src");

    @Test
    void anEditShowsWhatWasChangedAndNothingElse(BarePage theirs) {
        Page page = theirs.ready();
        page.route(
                "**/card-source/**",
                route -> script(route, read(SOURCE.resolve(route.request().url().split("/card-source/")[1]))));
        page.route("**/card-values.js", route -> script(route, values()));

        assertThat(page.evaluate(
                        "async ([first, tries]) => (await import('/card-values.js')).problems(first, tries)",
                        List.of(FIRST, TRIES)))
                .isEqualTo("");
    }

    private static void script(Route route, String text) {
        route.fulfill(
                new Route.FulfillOptions().setContentType("text/javascript").setBody(text));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String values() {
        try (InputStream script = CardValuesIT.class.getResourceAsStream("/card-values.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
