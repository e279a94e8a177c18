package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that reports a complete message more than once. */
class RepeatedCompletionTest {

    private static final ToolExecutionRequest SEARCH = call("c1", "searchContacts", "{\"query\":\"Ada\"}");
    private static final ToolExecutionRequest DELETE = call("c2", "deleteRecords", "{\"table\":\"users\"}");

    /** Completes its first message twice; later ones are completed by the test. */
    private static final class Twice implements StreamingChatModel {

        private final ChatResponse first;
        private final List<StreamingChatResponseHandler> waiting = new ArrayList<>();
        private boolean asked;

        Twice(ToolExecutionRequest... calls) {
            first = ChatResponse.builder().aiMessage(AiMessage.from(calls)).build();
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            if (asked) {
                waiting.add(handler);
                return;
            }
            asked = true;
            handler.onCompleteResponse(first);
            handler.onCompleteResponse(first);
        }

        void completeAll() {
            List.copyOf(waiting)
                    .forEach(handler -> handler.onCompleteResponse(ChatResponse.builder()
                            .aiMessage(AiMessage.from("Done."))
                            .build()));
        }
    }

    private static Bench bench(Twice model, boolean concurrent) {
        return new Bench(builder -> builder.streamingChatModel(model).aiService(service -> {
            if (concurrent) {
                service.executeToolsConcurrently(Runnable::run);
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aToolRunsOnce(boolean concurrent) {
        Twice model = new Twice(SEARCH);
        Bench bench = bench(model, concurrent);

        CompletableFuture<RunResult> run = bench.agent().run(bench.input(Bench.user("u1", "Go")), event -> {});
        model.completeAll();

        assertThat(run.join()).isNotNull();
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
        assertThat(model.waiting).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHeldBatchIsPresentedOnceAndRunsOnce(boolean concurrent) {
        Twice model = new Twice(SEARCH, DELETE);
        Bench bench = bench(model, concurrent);
        bench.agent().run(bench.input(Bench.user("u1", "Go")), event -> {}).join();
        assertThat(bench.pending()).hasSize(1);
        assertThat(bench.tools.effects()).isEmpty();

        CompletableFuture<RunResult> run =
                bench.agent().run(bench.answers(bench.pending(0).asApproval().approve()), event -> {});
        model.completeAll();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada", "deleteRecords users");
    }
}
