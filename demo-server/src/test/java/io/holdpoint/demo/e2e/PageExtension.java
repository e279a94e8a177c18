package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Opens the page of the packaged server for each test that takes a {@link DemoPage}, or a {@link BarePage}, in a browser context of its own, and
 * fails the test if the page did at any time what {@link PageWatch} does not allow. One browser and one server
 * serve all tests of a JVM; a test that has a server of its own takes the {@link Chromium}.
 */
final class PageExtension implements ExecutionCondition, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(PageExtension.class);

    /** Bounds the wait for something that does not come; no test depends on its length. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** By night: each page is tried in each theme at each width, in an ordinary build each in one theme. */
    static final boolean ALL = "all".equals(System.getProperty("holdpoint.pages"));

    private static final String NOT_TESTED =
            "NOT TESTED: the page. It needs Chromium or Chrome on the PATH, or its path in"
                    + " the environment variable CHROMIUM.";

    /** Skipped where there is no browser, except on a build server: there it fails. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Chromium.installed().isPresent() || "true".equals(System.getenv("CI"))) {
            return ConditionEvaluationResult.enabled("");
        }
        System.err.println(NOT_TESTED);
        return ConditionEvaluationResult.disabled(NOT_TESTED);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        assertThat(Chromium.installed()).as(NOT_TESTED).isPresent();
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE.toMillis());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        DemoPage page = context.getStore(NAMESPACE).remove(DemoPage.class, DemoPage.class);
        if (page == null) {
            return; // the test took none
        }
        try (page) {
            page.watch().assertNothingSeen();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == DemoPage.class || type == BarePage.class || type == Chromium.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == Chromium.class) {
            return chromium(context);
        }
        if (type == BarePage.class) {
            return new BarePage(page(
                            context,
                            () -> DemoPage.open(chromium(context), server(context), BarePage::serve, BarePage.ADDRESS))
                    .page());
        }
        return page(context, () -> DemoPage.open(chromium(context), demo(context)));
    }

    private static DemoPage page(ExtensionContext context, Supplier<DemoPage> open) {
        return context.getStore(NAMESPACE).computeIfAbsent(DemoPage.class, type -> open.get(), DemoPage.class);
    }

    /** Lives until the last test of this JVM's last class; another is started for the next test when it has died. */
    private static Chromium chromium(ExtensionContext context) {
        ExtensionContext.Store store = session(context);
        Chromium running = store.get(Chromium.class, Chromium.class);
        if (running != null && !running.browser().isConnected()) {
            store.remove(Chromium.class);
            running.close();
        }
        return store.computeIfAbsent(
                Chromium.class, type -> Chromium.start(Chromium.installed().orElseThrow()), Chromium.class);
    }

    private static ExtensionContext.Store session(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
    }

    /** The server, in whose inbox nothing is open that a test of another class has left. */
    private static DemoProcess demo(ExtensionContext context) {
        DemoProcess demo = server(context);
        String before = session(context).get("class", String.class);
        session(context).put("class", context.getRequiredTestClass().getName());
        try {
            if (before != null && !context.getRequiredTestClass().getName().equals(before)) {
                AguiTestClient.cancelAll(demo.url());
            }
            return demo;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DemoProcess server(ExtensionContext context) {
        return session(context).computeIfAbsent(DemoProcess.class, type -> startDemo(), DemoProcess.class);
    }

    private static DemoProcess startDemo() {
        try {
            return DemoProcess.start(Map.of());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
