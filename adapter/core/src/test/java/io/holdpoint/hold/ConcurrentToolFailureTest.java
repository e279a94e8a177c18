package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One concurrent tool fails the run while another one is still at work. */
@Timeout(60)
class ConcurrentToolFailureTest {

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    private final CountDownLatch slowIsIn = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final AtomicInteger slowRuns = new AtomicInteger();
    private final ScriptedModel model = new ScriptedModel();

    class Tools {

        @Tool
        @RequiresApproval
        public String slow(String what) {
            slowRuns.incrementAndGet();
            slowIsIn.countDown();
            await(slowMayEnd);
            return "slow is done";
        }

        @Tool
        public String failing(String what) {
            await(slowIsIn);
            throw new IllegalStateException("no");
        }
    }

    @Test
    @Logs("Run * on thread * failed")
    void theResultOfTheToolThatWasStillRunningIsKept() {
        model.calls(call("c1", "failing", "{\"what\":\"x\"}"), call("c2", "slow", "{\"what\":\"x\"}"))
                .says("Both are settled.");
        CountDownLatch handlerFailed = new CountDownLatch(1);
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new Tools())
                .aiService(service -> service.executeToolsConcurrently().toolExecutionErrorHandler((error, context) -> {
                    handlerFailed.countDown();
                    throw new IllegalArgumentException("the handler gives up");
                }))
                .build();
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();

        CompletableFuture<RunResult> failing = CompletableFuture.supplyAsync(() -> agent.resume("t", approval));
        await(handlerFailed);
        slowMayEnd.countDown();
        assertThat(failing.join()).isInstanceOf(RunResult.Failed.class);
        RunResult again = agent.resume("t", approval);

        assertThat(again).isInstanceOf(RunResult.Completed.class);
        assertThat(slowRuns).hasValue(1);
        assertThat(model.lastResult("c2")).isEqualTo("slow is done");
        assertThat(model.lastResult("c1")).contains("failed");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
