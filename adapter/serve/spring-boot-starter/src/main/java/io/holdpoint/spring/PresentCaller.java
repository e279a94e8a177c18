package io.holdpoint.spring;

import io.holdpoint.Caller;
import java.util.function.Supplier;

/** The caller for whom an injected agent works. Thread-safe. */
@FunctionalInterface
interface PresentCaller extends Supplier<Caller> {}
