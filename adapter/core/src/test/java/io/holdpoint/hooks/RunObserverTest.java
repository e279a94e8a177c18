package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What observers and logs are told of the work, and that they cannot disturb it. */
class RunObserverTest {

    private final List<String> seen = new ArrayList<>();

    /** Writes down whose work its body is. */
    final class Looking {

        @Tool("Looks around")
        String look() {
            seen.add(MDC.get("threadId") + " " + MDC.get("runId"));
            return "seen";
        }
    }

    /** Fails wherever it can. */
    private static final class Broken implements RunObserver, ObservedWork {

        private final ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();

        private IllegalStateException failure(String what) {
            called.add(what);
            return new IllegalStateException("broken: " + what);
        }

        @Override
        public ObservedWork started(Run run) {
            called.add("run");
            return this;
        }

        @Override
        public void asked(String toolName) {
            throw failure("asked");
        }

        @Override
        public void decided(Decided what) {
            throw failure("decided");
        }

        @Override
        public ObservedWork started(Part part) {
            throw failure(part.getClass().getSimpleName());
        }

        @Override
        public Scope open() {
            called.add("open");
            return () -> {
                throw failure("close");
            };
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            throw failure("ended " + how);
        }
    }

    @AfterEach
    void forget() {
        MDC.clear();
    }

    @Test
    void whatRunsKnowsItsThreadAndRunAndWhatWasThereBeforeComesBack() {
        MDC.put("threadId", "of the application");
        Bench bench = new Bench(builder -> builder.tools(new Looking()));
        bench.model
                .answers(request -> {
                    seen.add(MDC.get("threadId") + " " + MDC.get("runId"));
                    return AiMessage.from(call("c1", "look", "{}"));
                })
                .says("Done.");

        bench.say("Look");

        assertThat(seen).containsExactly(THREAD + " run-1", THREAD + " run-1");
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("threadId", "of the application"));
    }

    @Test
    void aToolOnTheModelsOwnThreadKnowsThemToo() throws Exception {
        LiveModel model = new LiveModel();
        Bench bench = new Bench(builder -> builder.streamingChatModel(model).tools(new Looking()));
        CompletableFuture<RunResult> run = bench.agent().run(bench.input(user("m", "Look")), new RecordingSink());
        model.awaitAsked();

        MDC.clear();
        model.ends(call("c1", "look", "{}"));
        model.awaitAsked();
        model.says("Done.").ends();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(seen).containsExactly(THREAD + " run-1");
        assertThat(MDC.get("runId")).isNull();
    }

    @Test
    @Logs("An observer failed")
    void observersThatFailChangeNothingAndOthersHearAll() {
        Broken broken = new Broken();
        List<String> heard = new ArrayList<>();
        RunObserver sound = new RunObserver() {
            @Override
            public void decided(Decided what) {
                heard.add(what.toolName() + " " + what.decision() + " " + what.waited());
            }
        };
        Bench bench = new Bench(builder -> builder.observers(broken, sound));
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.say("Write");
        bench.clock.advance(Duration.ofSeconds(5));

        List<String> types =
                bench.resume(bench.pending().get(0).asApproval().approve()).types();

        assertThat(types).endsWith("RUN_FINISHED");
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(heard).containsExactly("sendEmail APPROVED PT5S");
        assertThat(broken.called)
                .contains("run", "asked", "decided", "ModelCall", "ToolExecution", "open", "close")
                .contains("ended INTERRUPTED", "ended COMPLETED");
    }

    @Test
    void aRunThatGetsNoThreadHasFailed() {
        List<String> heard = new ArrayList<>();
        RunObserver observer = new RunObserver() {
            @Override
            public ObservedWork started(ObservedWork.Run run) {
                return new ObservedWork() {
                    @Override
                    public void ended(Ending how, Optional<ErrorCode> code) {
                        heard.add(run.runId() + " " + how + " " + code);
                    }
                };
            }
        };
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        Bench bench = new Bench(builder -> builder.executor(full).observers(observer));

        ThrowingCallable run = () -> bench.agent().run(bench.input(user("m", "Hi")), new RecordingSink());

        assertThatThrownBy(run).hasMessage("full");
        assertThat(heard).containsExactly("run-1 FAILED Optional.empty");
    }
}
