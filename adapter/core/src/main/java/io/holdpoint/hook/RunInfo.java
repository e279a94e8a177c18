package io.holdpoint.hook;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;

/**
 * The run that a hook is called for. Immutable and thread-safe, as long as the JSON tree is not changed.
 *
 * @param ownerId the id of the caller that the thread belongs to: the same caller, unless another caller answers an interrupt
 * @param forwardedProps the data that the client passes through to hooks, of this run's own input: a run that answers an
 *     interrupt has the data that came with the answer. Any JSON; Jackson's missing node if there are none. The client's word,
 *     so never evidence of anything
 */
public record RunInfo(Caller caller, String ownerId, String threadId, String runId, JsonNode forwardedProps) {}
