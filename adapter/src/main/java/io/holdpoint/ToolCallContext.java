package io.holdpoint;

import dev.langchain4j.invocation.LangChain4jManaged;

/**
 * Which call a tool is executing. A {@code @Tool} method gets it by declaring a parameter of this type; the model does not
 * see the parameter. It is {@code null} if the tool is called by a plain AI Service. Immutable.
 *
 * @param threadId the conversation
 * @param runId the run that executes the call
 * @param toolCallId the call, the same in every run; unique in its thread only
 * @param idempotencyKey identifies the call to other systems: globally unique, and the same if the call is executed again
 *     after an attempt of unknown outcome. Of a gated call it is the id of its first interrupt
 */
public record ToolCallContext(String threadId, String runId, String toolCallId, String idempotencyKey)
        implements LangChain4jManaged {}
