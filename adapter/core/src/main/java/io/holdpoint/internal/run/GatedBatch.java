package io.holdpoint.internal.run;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.store.Hold;

/**
 * What the gate made of a message.
 *
 * @param hold the batch to store
 * @param message the model's message as it was stored
 */
record GatedBatch(Hold hold, AiMessage message) {}
