/** Refuses annotated tools in AI Services that nobody gates. Found by LangChain4j through {@code ServiceLoader}. */
@NullMarked
package io.holdpoint.internal.guard;

import org.jspecify.annotations.NullMarked;
