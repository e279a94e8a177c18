package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.store.Batch;

/**
 * What the gate made of a message.
 *
 * @param batch the batch to store
 * @param message the model's message as it was stored
 */
record GatedBatch(Batch batch, AiMessage message) {}
