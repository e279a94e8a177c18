/**
 * Holdpoint's public API: annotate a LangChain4j tool with {@link io.holdpoint.RequiresApproval}, build an agent with
 * {@link io.holdpoint.Holdpoint#builder}, and answer the interrupts of its runs.
 */
@NullMarked
package io.holdpoint;

import org.jspecify.annotations.NullMarked;
