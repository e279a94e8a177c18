package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A model that reports an error from another thread, while a tool of its complete message is running. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateCallbackTest {

    private final CountDownLatch inTool = new CountDownLatch(1);
    private final CountDownLatch toolMayEnd = new CountDownLatch(1);
    private final CountDownLatch callbackEnded = new CountDownLatch(1);
    private final AtomicReference<StreamingChatResponseHandler> handler = new AtomicReference<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Bench bench =
            new Bench(builder -> builder.streamingChatModel(new TwoThreads()).tools(new Tools()));

    /** A tool that takes its time. */
    final class Tools {

        @Tool
        public String slow(String what) throws InterruptedException {
            inTool.countDown();
            toolMayEnd.await();
            return what;
        }
    }

    /** Answers the first time with a call, on a thread of its own. */
    final class TwoThreads implements StreamingChatModel {

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler given) {
            if (asked.incrementAndGet() > 1) {
                given.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from("Done."))
                        .build());
                return;
            }
            handler.set(given);
            new Thread(() -> {
                        given.onCompleteResponse(ChatResponse.builder()
                                .aiMessage(AiMessage.from(call("c1", "slow", "{\"what\":\"x\"}")))
                                .build());
                        callbackEnded.countDown();
                    })
                    .start();
        }
    }

    private void failWhileTheToolRuns() throws InterruptedException {
        inTool.await();
        handler.get().onError(new IllegalStateException("connection reset"));
        toolMayEnd.countDown();
    }

    @Test
    @Logs("Run * on thread * failed")
    void theMemoryIsNotWrittenAfterTheRunHasEnded() throws Exception {
        CompletableFuture<RunResult> run = bench.agent().run(bench.input(Bench.user("u1", "Go")), event -> {});
        CompletableFuture<List<ChatMessage>> atTheEnd = run.thenApply(result -> List.copyOf(bench.memory()));

        failWhileTheToolRuns();
        callbackEnded.await();

        assertThat(run.get()).isInstanceOf(RunResult.Failed.class);
        assertThat(bench.memory()).isEqualTo(atTheEnd.get());
    }

    @Test
    @Logs("Run * on thread * failed")
    void aRetryAtOnceDoesNotFindTheBatchTwice() throws Exception {
        CompletableFuture<RunResult> retried = bench.agent()
                .run(bench.input(Bench.user("u1", "Go")), event -> {})
                .thenApply(failed -> bench.agent().resume(Bench.THREAD));

        failWhileTheToolRuns();

        assertThat(retried.get()).isInstanceOf(RunResult.Completed.class);
        callbackEnded.await();
        assertThat(bench.memory()).hasSize(4);
    }
}
