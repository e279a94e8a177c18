package io.holdpoint.demo;

import io.holdpoint.javalin.Authenticator;
import io.holdpoint.micrometer.HoldpointMetrics;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Counts what the agent does, for Prometheus: {@code /metrics}. Thread-safe. */
final class DemoMeters {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HoldpointMetrics metrics = HoldpointMetrics.of(registry);
    private final Authenticator callers;

    DemoMeters(Authenticator callers) {
        this.callers = callers;
    }

    /** For the agent and its streams. */
    HoldpointMetrics metrics() {
        return metrics;
    }

    /** The figures of everybody, to whoever may use the agent. */
    void scrape(Context ctx) {
        if (callers.authenticate(ctx).isPresent()) {
            ctx.contentType(TEXT).result(registry.scrape(TEXT));
        } else {
            ctx.status(HttpStatus.UNAUTHORIZED)
                    .header(Header.WWW_AUTHENTICATE, callers.challenge())
                    .contentType("text/plain")
                    .result("Authentication required.");
        }
    }
}
