/**
 * LangChain4j inside our decorators: an AI Service whose model, memory, guardrails, retrieval and tools obey the turn
 * that they are called in. Called by {@code run} through {@link io.holdpoint.internal.aiservice.AiServiceCall}, and by LangChain4j, which calls the
 * decorators. Model messages and tool results pass through the {@link io.holdpoint.internal.turn.Turn}, which stores them before
 * they go on to the AI Service's loop.
 */
@NullMarked
package io.holdpoint.internal.aiservice;

import org.jspecify.annotations.NullMarked;
