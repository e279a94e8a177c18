package io.holdpoint.follow;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;

/**
 * Listens to a run of {@link Follow#stream} without AG-UI events. Methods are called one at a time, in order, on the thread that is at work,
 * and before the run's result. The run waits for them. After a method has thrown, no further one is called, and the run goes on without
 * the handler.
 */
public interface RunHandler {

    /** Gets a part of the text that the user reads. */
    default void onPartialResponse(String partialResponse) {}

    /** Gets a part of the model's thinking, if the agent was built to pass it on. */
    default void onPartialThinking(String partialThinking) {}

    /** Gets a call that the model proposes, before it is held or executed; its id is unique in the thread. */
    default void onToolCall(ToolExecutionRequest toolCall) {}

    /**
     * Gets an interrupt that the run ends with: a call that is held, or a question. They come last, in the model's order, and are
     * also {@link RunResult#interrupts()}.
     */
    default void onToolCallHeld(PendingInterrupt interrupt) {}

    /**
     * Gets the result of a call as a client reads it, without the notes that only the model gets: of its execution, with the arguments
     * that it had, or the sentence that says why it was not executed.
     */
    default void onToolCallExecuted(ToolExecutionRequest toolCall, String result) {}
}
