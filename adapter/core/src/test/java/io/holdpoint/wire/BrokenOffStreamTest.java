package io.holdpoint.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A model that breaks off in the middle: what it has opened is closed before the run ends with an error. */
class BrokenOffStreamTest {

    private RecordingSink runUntil(Consumer<StreamingChatResponseHandler> said) {
        StreamingChatModel model = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                said.accept(handler);
                handler.onError(new IllegalStateException("connection reset"));
            }
        };
        Bench bench = new Bench(builder -> builder.streamingChatModel(model));
        RecordingSink sink = new RecordingSink();
        bench.agent().run(bench.input(Bench.user("u1", "Go")), sink).join();
        return sink;
    }

    @Test
    @Logs("Run * on thread * failed")
    void textIsClosed() {
        RecordingSink sink = runUntil(handler -> handler.onPartialResponse("Half a sen"));

        assertThat(sink.types())
                .containsExactly(
                        "RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_ERROR");
    }

    @Test
    @Logs("Run * on thread * failed")
    void aToolCallIsClosed() {
        RecordingSink sink = runUntil(handler -> handler.onPartialToolCall(PartialToolCall.builder()
                .index(0)
                .id("c1")
                .name("sendEmail")
                .partialArguments("{\"to\":")
                .build()));

        assertThat(sink.types())
                .containsExactly("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_ERROR");
    }
}
