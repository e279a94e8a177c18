package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may be changed of a run's events, and what happens if more is. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs({"Run * is stopped", "Run * on thread * failed"})
class InterceptedEventsTest {

    private static final BiFunction<RunInfo, Event, List<Event>> NOTHING = (run, event) -> List.of(event);

    private final AtomicReference<BiFunction<RunInfo, Event, List<Event>>> interceptor = new AtomicReference<>(NOTHING);
    private final Bench bench = new Bench(builder -> builder.interceptors(
            Interceptor.ofEvents((run, event) -> interceptor.get().apply(run, event))));

    /** A blocking AI Service. */
    interface Clerk {
        String answer(String message);
    }

    /** A tool that says something before it has done its work. */
    public record Telling(List<String> effects) {

        @Tool
        public String tell(ToolCallContext call) {
            call.emit("telling", IntNode.valueOf(1));
            effects.add("told");
            return "told";
        }
    }

    private static BiFunction<RunInfo, Event, List<Event>> failsAt(String type) {
        return (run, event) -> {
            if (event.type().equals(type)) {
                throw new IllegalStateException("broken");
            }
            return List.of(event);
        };
    }

    private static BiFunction<RunInfo, Event, List<Event>> upperCase() {
        return (run, event) -> event instanceof TextMessageEvent.Content text
                ? List.of(new TextMessageEvent.Content(
                        text.messageId(), text.delta().toUpperCase(Locale.ROOT)))
                : List.of(event);
    }

    @Test
    void whatIsKeptStaysAsItWas() {
        interceptor.set(upperCase());
        bench.model.says("Hello.");

        assertThat(bench.say("Hi").text()).isEqualTo("HELLO.");

        assertThat(bench.transcript().get(1)).extracting("content").asString().contains("Hello.");
    }

    @Test
    void textsAreDroppedAndTheMessageIsClosedAllTheSame() {
        interceptor.set((run, event) -> event instanceof TextMessageEvent.Content ? List.of() : List.of(event));
        bench.model.says("Hello.");

        assertThat(bench.say("Hi").types())
                .contains("TEXT_MESSAGE_START", "TEXT_MESSAGE_END")
                .doesNotContain("TEXT_MESSAGE_CONTENT");
    }

    @Test
    void eventsAreAddedAndTheNextInterceptorSeesThem() {
        List<String> seen = new CopyOnWriteArrayList<>();
        Bench two = new Bench(builder -> builder.interceptors(Interceptor.ofEvents((run, event) -> {
                    List<Event> made = new ArrayList<>(List.of(event));
                    if (event.type().equals("TEXT_MESSAGE_END")) {
                        made.add(new FreeEvent.Custom("said", IntNode.valueOf(1)));
                    }
                    return made;
                }))
                .interceptors(Interceptor.ofEvents((run, event) -> {
                    seen.add(event.type());
                    return List.of(event);
                })));
        two.model.says("Hello.");

        assertThat(two.say("Hi").types()).endsWith("TEXT_MESSAGE_END", "CUSTOM", "RUN_FINISHED");

        assertThat(seen).endsWith("TEXT_MESSAGE_END", "CUSTOM").doesNotContain("RUN_STARTED", "RUN_FINISHED");
    }

    @Test
    void aStreamThatFailsInTheMiddleIsClosedAndTheModelIsToldToStop() {
        PuppetModel puppet = new PuppetModel();
        RecordingSink sink = new RecordingSink();
        Holdpoint agent = bench.another(builder ->
                builder.streamingChatModel(puppet).interceptors(Interceptor.ofEvents(failsAt("TEXT_MESSAGE_CONTENT"))));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        puppet.says("Hello ");

        assertThat(run.join()).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.HOOK_FAILED);
            assertThat(failed.cause().orElseThrow()).hasRootCauseMessage("broken");
        });
        assertThat(sink.types()).containsExactly("RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR");
        StreamRules.check(sink.events());
    }

    @Test
    void anInterceptorThatRefusesTheRunIsHeardInItsOwnWords() {
        interceptor.set((run, event) -> {
            if (event instanceof TextMessageEvent.Content) {
                throw new RunRejectedException(ErrorCode.FORBIDDEN, "This must not be told.");
            }
            return List.of(event);
        });
        bench.model.says("The secret.");

        RecordingSink sink = bench.say("Tell me");

        assertThat(sink.errorCode()).isEqualTo("FORBIDDEN");
        assertThat(((RunEvent.Error) sink.last()).message()).isEqualTo("This must not be told.");
        assertThat(sink.text()).isEmpty();
    }

    @Test
    void anyEventMayFailAndTheThreadGoesOn() {
        for (String type : List.of(
                "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "TOOL_CALL_START", "TOOL_CALL_END")) {
            Bench failing = new Bench(builder -> builder.interceptors(
                    Interceptor.ofEvents((run, event) -> interceptor.get().apply(run, event))));
            interceptor.set(failsAt(type));
            failing.model.saysAndCalls("One moment.", call("c1", "sendEmail", MAIL));

            assertThat(failing.say("Send it").errorCode()).as(type).isEqualTo("HOOK_FAILED");

            interceptor.set(NOTHING);
            ScriptedModel.requireWellFormed(failing.memory());
            assertThat(failing.tools.effects()).isEmpty();
        }
    }

    @Test
    void aHoldIsKeptIfTheQuestionCannotBeShown() {
        interceptor.set(failsAt("MESSAGES_SNAPSHOT"));
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");

        RecordingSink sink = bench.say("Send it");
        assertThat(sink.errorCode()).isEqualTo("HOOK_FAILED");
        assertThat(sink.types()).doesNotContain("MESSAGES_SNAPSHOT");

        interceptor.set(NOTHING);
        assertThat(bench.nothingNew().interrupts()).hasSize(1);
        bench.resume(bench.pending(0).asApproval().approve());
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void aResultThatCannotBeShownIsKeptAndTheToolRunsOnce() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        bench.say("Send it");
        PendingInterrupt open = bench.pending(0);
        interceptor.set(failsAt("TOOL_CALL_RESULT"));
        assertThat(bench.resume(open.asApproval().approve()).errorCode()).isEqualTo("HOOK_FAILED");

        interceptor.set(NOTHING);

        assertThat(bench.resume(open.asApproval().approve()).last().type()).isEqualTo("RUN_FINISHED");
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.pending()).isEmpty();
    }

    @Test
    void aToolThatIsRunningComesToItsEndAndRunsOnce() {
        List<String> effects = new CopyOnWriteArrayList<>();
        Bench telling = new Bench(builder -> builder.tools(new Telling(effects))
                .interceptors(
                        Interceptor.ofEvents((run, event) -> interceptor.get().apply(run, event))));
        interceptor.set(failsAt("CUSTOM"));
        telling.model.calls(call("c1", "tell", "{}")).says("Told.");
        assertThat(telling.say("Tell me").errorCode()).isEqualTo("HOOK_FAILED");
        assertThat(effects).containsExactly("told");

        interceptor.set(NOTHING);

        assertThat(telling.say("Tell me").text()).isEqualTo("Told.");
        assertThat(effects).containsExactly("told");
        assertThat(telling.model.lastResult("c1")).isEqualTo("told");
    }

    @Test
    void aHeldThreadCanBeCancelledWhateverTheInterceptorDoes() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Send it");
        PendingInterrupt open = bench.pending(0);
        interceptor.set((run, event) -> {
            throw new AssertionError("always");
        });

        assertThat(bench.resume(open.cancel()).errorCode()).isEqualTo("HOOK_FAILED");

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void theLifeOfAStreamIsProtected() {
        interceptor.set((run, event) -> event.type().equals("TEXT_MESSAGE_END") ? List.of() : List.of(event));
        bench.model.says("Hello.");

        assertThat(bench.say("Hi").errorCode()).isEqualTo("HOOK_FAILED");
    }

    @Test
    void aBlockingServiceEndsWithTheErrorToo() {
        RecordingSink sink = new RecordingSink();
        bench.model.says("Hello.");
        Holdpoint agent = Holdpoint.builder(Clerk.class)
                .chatModel(bench.model)
                .interceptors(Interceptor.ofEvents(failsAt("TEXT_MESSAGE_CONTENT")))
                .build();

        agent.run(bench.input(user("u1", "Hi")), sink).join();

        StreamRules.check(sink.events());
        assertThat(sink.errorCode()).isEqualTo("HOOK_FAILED");
        assertThat(sink.text()).isEmpty();
    }
}
