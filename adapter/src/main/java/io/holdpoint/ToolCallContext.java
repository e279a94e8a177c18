package io.holdpoint;

import dev.langchain4j.invocation.LangChain4jManaged;

/**
 * Which call a tool is executing. A {@code @Tool} method gets it by declaring a parameter of this type; the model does not
 * see the parameter. It is {@code null} if the tool is called by a plain AI Service. Immutable.
 *
 * @param threadId the conversation
 * @param runId the run that executes the call
 * @param toolCallId the call, the same in every run
 */
public record ToolCallContext(String threadId, String runId, String toolCallId) implements LangChain4jManaged {}
