package io.holdpoint.store;

import java.util.Optional;

/**
 * What the index tells of a thread: its records themselves are not read, so it is there even if they are damaged. Immutable.
 *
 * @param threadId the conversation
 * @param owner id of the caller that started it
 * @param batchId the batch that is not finished
 * @param hasTurn whether a turn has not come to its end
 */
public record ThreadHead(String threadId, String owner, Optional<String> batchId, boolean hasTurn) {}
