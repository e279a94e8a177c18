package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * What a store knows of a conversation, besides its transcript. Immutable.
 *
 * @param threadId the conversation
 * @param owner id of the caller that started it
 * @param state the thread's shared state, if there ever was one
 * @param turn the turn that has not come to its end
 * @param batch the batch that is not finished; belongs to {@code turn}
 * @param changedAt when something was committed last; empty if that is purged and nothing was committed since
 * @param purged whether {@link Store#purgeThread} has ever removed what the thread held
 */
public record ThreadRecord(
        String threadId,
        String owner,
        Optional<JsonNode> state,
        Optional<TurnRecord> turn,
        Optional<Batch> batch,
        Optional<Instant> changedAt,
        boolean purged) {}
