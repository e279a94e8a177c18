package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A turn function that starts the stream, which is the agent's to start. */
class StartedStreamTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    private RunResult run(StreamingChatModel streaming) {
        return Holdpoint.builder(Shape.Streaming.class)
                .turn((assistant, turn) -> {
                    assistant
                            .chat(turn.contents())
                            .onPartialResponse(text -> {})
                            .onError(error -> {})
                            .start();
                    return null;
                })
                .streamingChatModel(streaming)
                .tools(tools)
                .build()
                .send("t", "Go");
    }

    private static void requireFailedForTheStream(RunResult result) {
        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(
                        failed.cause().orElseThrow())
                .hasMessageContaining("TokenStream"));
    }

    @Test
    @Logs("Run * on thread * failed")
    void theRunFailsAndSaysThatTheStreamIsToBeReturned() {
        model.says("Hello.");

        requireFailedForTheStream(run(model));
    }

    @Test
    @Logs("Run * on thread * failed")
    void aModelThatAnswersAfterwardsRunsNothing() {
        List<Runnable> answers = new ArrayList<>();
        StreamingChatModel later = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                answers.add(() -> model.doChat(request, handler));
            }
        };
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));

        RunResult result = run(later);
        answers.forEach(Runnable::run);

        requireFailedForTheStream(result);
        assertThat(tools.effects()).isEmpty();
    }
}
