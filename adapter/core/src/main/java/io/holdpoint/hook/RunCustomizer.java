package io.holdpoint.hook;

import dev.langchain4j.service.AiServices;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;

/** Changes the AI Service for one run: its model, for instance, by what the client forwards. Must be thread-safe. */
@FunctionalInterface
public interface RunCustomizer<A> {

    /**
     * Changes the AI Service. A {@link RunRejectedException} ends the run with its code and its message, which is for the person;
     * any other exception ends it with {@link ErrorCode#HOOK_FAILED}. So do a chat memory and
     * {@code compensateOnToolErrors}, which the agent does not allow.
     *
     * @param service LangChain4j's builder, as {@link io.holdpoint.HoldpointBuilder#aiService} left it
     * @param run the run that the AI Service is for
     */
    void customize(AiServices<A> service, RunInfo run);
}
