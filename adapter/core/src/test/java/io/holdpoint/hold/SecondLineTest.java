package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the first checks let nobody reach holds all the same: the record was changed behind them, or the lease was lost. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class SecondLineTest {

    private final Bench bench = new Bench();

    /** Gives every call of an unfinished batch as somebody else has changed it in the database. */
    private static final class Tampered extends ForwardingStore {

        private final Store store;
        private final UnaryOperator<String> change;

        Tampered(Store store, UnaryOperator<String> change) {
            this.store = store;
            this.change = change;
        }

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public Optional<ThreadRecord> find(String threadId) {
            return super.find(threadId)
                    .map(found -> new ThreadRecord(
                            found.threadId(),
                            found.owner(),
                            found.state(),
                            found.turn(),
                            found.batch().map(this::changed),
                            found.changedAt(),
                            found.purged()));
        }

        private Batch changed(Batch batch) {
            List<Call> calls = batch.calls().stream()
                    .map(call -> RecordJson.read(change.apply(RecordJson.write(call)), Call.class))
                    .toList();
            assertThat(calls).isNotEqualTo(batch.calls());
            return new Batch(
                    batch.id(),
                    batch.threadId(),
                    batch.version(),
                    batch.state(),
                    batch.turn(),
                    batch.message(),
                    calls,
                    batch.givenUp());
        }
    }

    private ResumeEntry hold() {
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        bench.say("Pay");
        return bench.pending(0).asApproval().approve();
    }

    private Holdpoint tampered(UnaryOperator<String> change) {
        return bench.another(builder -> builder.store(new Tampered(bench.store, change)));
    }

    @Test
    void argumentsThatAreNotTheApprovedOnesDoNotRun() {
        ResumeEntry approval = hold();
        bench.model.says("Not paid.");

        tampered(json -> json.replace("Ada", "Eve")).resume(THREAD, approval);

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("not the ones that were approved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"true\"", "1", "[true]", "{\"value\":true}"})
    void aStoredAnswerThatIsNotTrueDoesNotRun(String approved) {
        ResumeEntry approval = hold();
        bench.another(builder -> builder.aiServicePerRun((service, run) -> {
                    throw new IllegalStateException("the answer is stored, and nothing after it");
                }))
                .resume(THREAD, approval);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().state())
                .isEqualTo(Batch.State.ANSWERED);
        bench.model.says("Not paid.");

        tampered(json -> json.replace("\"approved\":true", "\"approved\":" + approved))
                .resume(THREAD);

        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aRetryOfWhatWasNotShownDoesNotRun() {
        Crash crash = new Crash();
        crash.whilePaying();
        crash.bench.nothingNew();
        ResumeEntry retry = ResumeEntry.resolved(
                crash.bench.pending(0).id(),
                AguiCodec.mapper().createObjectNode().put("action", "retry"));
        crash.bench.model.says("Not paid again.");

        crash.bench
                .another(builder -> builder.tools(crash.new Bank())
                        .store(new Tampered(crash.bench.store, json -> attempted(json, "{\"amount\":999}"))))
                .resume(THREAD, retry);

        assertThat(crash.effects()).containsExactly("pay 20");
    }

    private static String attempted(String call, String arguments) {
        int attempts = call.indexOf("\"attempts\":[");
        String text = "\"arguments\":\"";
        int start = call.indexOf(text, attempts) + text.length();
        int end = call.indexOf("}\"", start) + 1;
        return call.substring(0, start) + arguments.replace("\"", "\\\"") + call.substring(end);
    }

    /** Asks again until the text is polite. */
    private static final class Politeness implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return request.responseFromLLM().aiMessage().text().contains("please")
                    ? success()
                    : reprompt("impolite", "Say please.");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aToolOfARepromptDoesNotRunWhenTheThreadIsTakenOver(Shape shape) {
        VirtualClock clock = new VirtualClock();
        InMemoryStore store = new InMemoryStore();
        OfficeTools tools = new OfficeTools();
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = shape.builder(model, service -> service.outputGuardrails(new Politeness()))
                .tools(tools)
                .store(store)
                .clock(clock)
                .build();
        model.says("Give me that.")
                .answers(request -> {
                    clock.advance(Duration.ofMinutes(1));
                    Instant now = clock.instant();
                    store.acquire(THREAD, "another run", "ada", now, now.plusSeconds(30))
                            .orElseThrow();
                    return AiMessage.from(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
                })
                .says("Found, please.");

        assertThat(agent.send(THREAD, "Hi")).isInstanceOf(RunResult.Failed.class);
        assertThat(tools.effects()).isEmpty();
    }
}
