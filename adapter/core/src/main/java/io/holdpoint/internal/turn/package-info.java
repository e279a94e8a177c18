/**
 * One AI Service call, as data: how its user message was prepared, what the model says, its batch, and how it ends. Called by
 * {@code aiservice}, whose decorators do to a turn what LangChain4j asks of them, and by {@code run}, which starts turns and
 * takes their outcomes. Verdicts come from {@code gate} and answers from {@code question}; {@code LiveBatch} stores every step of
 * the batch through the run's journal, and the chat memory gets the batch when it is settled.
 */
@NullMarked
package io.holdpoint.internal.turn;

import org.jspecify.annotations.NullMarked;
