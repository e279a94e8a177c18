package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything a page of this demo must never do: ask another server for something, write a warning or an error to the console
 * (violations of its content security policy are among them), leave an exception uncaught, open a dialog.
 */
final class PageWatch {

    private final List<String> seen = new ArrayList<>();

    private PageWatch() {}

    static PageWatch over(BrowserContext context, URI server) {
        PageWatch watch = new PageWatch();
        context.onRequest(request -> {
            if (!request.url().startsWith(server + "/")) {
                watch.seen.add("request: " + request.url());
            }
        });
        context.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                watch.seen.add("console: " + message.text());
            }
        });
        context.onWebError(error -> watch.seen.add("uncaught: " + error.error()));
        context.onDialog(dialog -> {
            watch.seen.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        return watch;
    }

    void assertNothingSeen() {
        assertThat(seen).as("what the page must not do").isEmpty();
    }

    /** What was seen so far, which then counts as expected. */
    List<String> take() {
        List<String> taken = List.copyOf(seen);
        seen.clear();
        return taken;
    }
}
