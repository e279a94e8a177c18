package io.holdpoint.demo.e2e;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The browser that the machine has, without a window; Playwright downloads none. It resolves no names, so nothing leaves the
 * machine. Used by one thread.
 */
final class Chromium implements AutoCloseable {

    /** The first is the same browser without what surrounds a page, and needs half of the processor's time. */
    private static final List<String> NAMES =
            List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");

    private static final List<String> ARGUMENTS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--in-process-gpu", // a sixth less of the processor
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** What the environment variable {@code CHROMIUM} names, else the first of the usual names on the {@code PATH}. */
    static Optional<Path> installed() {
        return Optional.ofNullable(System.getenv("CHROMIUM"))
                .map(Path::of)
                .or(() -> NAMES.stream().flatMap(Chromium::onPath).findFirst());
    }

    static Chromium start(Path executable) {
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        try {
            Browser browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(executable)
                            .setArgs(ARGUMENTS));
            return new Chromium(playwright, browser);
        } catch (RuntimeException e) {
            playwright.close();
            throw e;
        }
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        playwright.close();
    }

    private static Stream<Path> onPath(String name) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable);
    }
}
