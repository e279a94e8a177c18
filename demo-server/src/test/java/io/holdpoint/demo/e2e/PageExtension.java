package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Opens the page of the packaged server for each test that takes a {@link DemoPage}, in a browser context of its own, and
 * fails the test if the page did at any time what {@link PageWatch} does not allow. One server and one browser serve all
 * tests.
 */
final class PageExtension
        implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(PageExtension.class);

    /** Bounds the wait for something that does not come; no test depends on its length. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

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
    public void beforeAll(ExtensionContext context) {
        assertThat(Chromium.installed()).as(NOT_TESTED).isPresent();
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE.toMillis());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Machinery machinery = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Machinery.class, type -> Machinery.start(), Machinery.class);
        context.getStore(NAMESPACE).put(DemoPage.class, DemoPage.open(machinery.chromium(), machinery.demo()));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        DemoPage page = context.getStore(NAMESPACE).remove(DemoPage.class, DemoPage.class);
        try (page) {
            page.watch().assertNothingSeen();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DemoPage.class;
    }

    @Override
    public DemoPage resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).get(DemoPage.class, DemoPage.class);
    }

    /** Lives until the last test of the last class. */
    private record Machinery(DemoProcess demo, Chromium chromium) implements AutoCloseable {

        static Machinery start() {
            try {
                DemoProcess demo = DemoProcess.start(Map.of());
                try {
                    return new Machinery(
                            demo, Chromium.start(Chromium.installed().orElseThrow()));
                } catch (RuntimeException e) {
                    demo.close();
                    throw e;
                }
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try (demo;
                    chromium) {
                return;
            }
        }
    }
}
