package io.holdpoint.testing;

import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.simple.SimpleServiceProvider;
import org.slf4j.spi.MDCAdapter;

/** What logs in tests, which keeps no MDC otherwise. Named in the build, as {@code slf4j.provider}. */
public final class LoggingWithMdc extends SimpleServiceProvider {

    private final MDCAdapter mdc = new BasicMDCAdapter();

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }
}
