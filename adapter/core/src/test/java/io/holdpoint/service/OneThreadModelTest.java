package io.holdpoint.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A streaming model whose callbacks all come on one thread of its own, as an event loop's do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneThreadModelTest {

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ScriptedModel script = new ScriptedModel().says("Give").says("Give, please");

    /** Calls back on the one thread. */
    final class OneThread implements StreamingChatModel {

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            thread.execute(() -> script.doChat(request, handler));
        }
    }

    /** Asks again until the model says please. */
    static final class Polite implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return request.responseFromLLM().aiMessage().text().contains("please")
                    ? success()
                    : reprompt("impolite", "Say please.");
        }
    }

    @AfterEach
    void stop() {
        thread.shutdown();
    }

    @Test
    void aGuardrailMayAskItAgain() throws Exception {
        Bench bench = new Bench(builder -> builder.streamingChatModel(new OneThread())
                .executor(command -> new Thread(command).start())
                .aiService(service -> service.outputGuardrails(new Polite())));

        RunResult result = bench.agent()
                .run(bench.input(Bench.user("u1", "Go")), event -> {})
                .get();

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("Give, please"));
    }
}
