/**
 * The data that outlives a run: threads, their transcript, and the batches of tool calls with their questions, answers and results.
 * The state machine of a batch is written down once, in {@link io.holdpoint.store.Batch} and
 * {@link io.holdpoint.store.Call}; a store keeps what they say. Imports {@code io.holdpoint.agui} only.
 */
@NullMarked
package io.holdpoint.store;

import org.jspecify.annotations.NullMarked;
