package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.Limits;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools do to the shared state of their thread. */
@Logs({"Run * on thread * failed", "Tool '*' execution failed"})
class SharedStateTest {

    /** Tools that work on a list. */
    static final class ListTools {

        final List<ToolCallContext> calls = new CopyOnWriteArrayList<>();

        @Tool("Add an item to the list")
        public String add(String item, ToolCallContext call) {
            calls.add(call);
            call.updateState(state -> {
                ((ObjectNode) state).withArray("items").add(item);
                return state;
            });
            return "added";
        }

        @Tool("Read the list")
        public String read(ToolCallContext call) {
            return call.state().toString();
        }

        @Tool("Add, then ask")
        public String addAndAsk(String item, ToolCallContext call) {
            if (call.resumed().isPresent()) {
                return call.state().toString();
            }
            add(item, call);
            throw call.interrupt(ToolInterrupt.confirmation("More?"));
        }

        @Tool("Add, then fail")
        public String addAndFail(String item, ToolCallContext call) {
            add(item, call);
            throw new IllegalStateException("no");
        }

        @Tool("Replace it all")
        public String replace(String json, ToolCallContext call) throws Exception {
            JsonNode next = AguiCodec.mapper().readTree(json);
            return call.updateState(state -> next).toString();
        }
    }

    private final ListTools tools = new ListTools();
    private final Bench bench = bench(builder -> builder);

    private Bench bench(UnaryOperator<HoldpointBuilder<Bench.Assistant>> more) {
        return new Bench(builder -> more.apply(builder.tools(tools)));
    }

    private static JsonNode json(String json) {
        try {
            return AguiCodec.mapper().readTree(json);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private RunAgentInput withState(String state, String text) {
        return bench.input(user(text, text)).withState(json(state));
    }

    private JsonNode stored() {
        return bench.store.find(THREAD).flatMap(ThreadRecord::state).orElseThrow();
    }

    private static String deltas(RecordingSink sink) {
        return sink.all(StateEvent.Delta.class).stream()
                .map(StateEvent.Delta::delta)
                .toList()
                .toString();
    }

    @Test
    void theFirstChangeIsSentWholeAndTheOthersAsPatches() {
        bench.model.calls(call("c1", "add", "{\"item\":\"milk\"}"), call("c2", "add", "{\"item\":\"eggs\"}"));
        bench.model.says("Done.");

        RecordingSink sink = bench.run(withState("{\"items\":[\"bread\"],\"title\":\"Shopping\"}", "Milk and eggs"));

        assertThat(sink.all(StateEvent.Snapshot.class))
                .extracting(StateEvent.Snapshot::snapshot)
                .containsExactly(json("{\"items\":[\"bread\",\"milk\"],\"title\":\"Shopping\"}"));
        assertThat(deltas(sink)).isEqualTo("[[{\"op\":\"add\",\"path\":\"/items/2\",\"value\":\"eggs\"}]]");
        assertThat(sink.types())
                .containsSubsequence("STATE_SNAPSHOT", "TOOL_CALL_RESULT", "STATE_DELTA", "TOOL_CALL_RESULT");
        assertThat(stored()).isEqualTo(json("{\"items\":[\"bread\",\"milk\",\"eggs\"],\"title\":\"Shopping\"}"));
    }

    @Test
    void aClientThatSentNoneGetsItWholeFirst() {
        bench.model.calls(call("c1", "add", "{\"item\":\"milk\"}"), call("c2", "add", "{\"item\":\"eggs\"}"));
        bench.model.says("Done.");

        RecordingSink sink = bench.say("Milk and eggs");

        assertThat(sink.all(StateEvent.Snapshot.class))
                .extracting(StateEvent.Snapshot::snapshot)
                .containsExactly(json("{\"items\":[\"milk\"]}"));
        assertThat(deltas(sink)).contains("eggs").doesNotContain("milk");
    }

    /** A client that has just started says {@code state: {}}, after a reload for instance. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "null"})
    void aClientThatKnowsNoStateKeepsTheThreadsAndGetsItAtOnce(String none) {
        bench.model
                .says("Hello.")
                .calls(call("c1", "add", "{\"item\":\"milk\"}"))
                .says("Done.");
        bench.run(withState("{\"items\":[\"bread\"]}", "Hi"));

        RecordingSink sink = bench.run(withState(none, "Milk"));

        assertThat(sink.types()).startsWith("RUN_STARTED", "STATE_SNAPSHOT");
        assertThat(sink.all(StateEvent.Snapshot.class))
                .extracting(StateEvent.Snapshot::snapshot)
                .containsExactly(json("{\"items\":[\"bread\"]}"));
        assertThat(deltas(sink)).contains("milk");
        assertThat(stored()).isEqualTo(json("{\"items\":[\"bread\",\"milk\"]}"));
    }

    @Test
    void whatIsMuchShorterThanItsPatchIsSentWhole() {
        bench.model.calls(
                call("c0", "add", "{\"item\":\"milk\"}"), call("c1", "replace", "{\"json\":\"{\\\"a\\\":1}\"}"));
        bench.model.says("Done.");
        String many =
                IntStream.range(0, 100).mapToObj(i -> "\"n" + i + "\":1").collect(Collectors.joining(",", "{", "}"));

        RecordingSink sink = bench.run(withState(many, "Clear it"));

        assertThat(sink.all(StateEvent.Delta.class)).isEmpty();
        assertThat(sink.all(StateEvent.Snapshot.class)).hasSize(2);
        assertThat(stored()).isEqualTo(json("{\"a\":1}"));
    }

    @Test
    void whatChangesTooMuchToBeComparedIsSentWhole() {
        String numbers = IntStream.range(0, 30_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String others = IntStream.range(0, 30_000)
                .mapToObj(i -> String.valueOf(29_999 - i))
                .collect(Collectors.joining(","));
        bench.model.calls(
                call("c0", "add", "{\"item\":\"milk\"}"),
                call(
                        "c1",
                        "replace",
                        AguiCodec.mapper()
                                .createObjectNode()
                                .put("json", "{\"items\":[" + others + "]}")
                                .toString()));
        bench.model.says("Done.");

        RecordingSink sink = bench.run(withState("{\"items\":[" + numbers + "]}", "Sort"));

        assertThat(sink.all(StateEvent.Delta.class)).isEmpty();
        assertThat(sink.all(StateEvent.Snapshot.class)).hasSize(2);
    }

    @Test
    void aLongListThatGrowsIsPatched() {
        String numbers = IntStream.range(0, 30_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        bench.model.calls(call("c0", "add", "{\"item\":\"eggs\"}"), call("c1", "add", "{\"item\":\"milk\"}"));
        bench.model.says("Done.");

        RecordingSink sink = bench.run(withState("{\"items\":[" + numbers + "]}", "Milk"));

        assertThat(deltas(sink)).isEqualTo("[[{\"op\":\"add\",\"path\":\"/items/30001\",\"value\":\"milk\"}]]");
    }

    @Test
    void toolsReadWhatTheClientSentAndWhatWasChanged() {
        bench.model.calls(call("c1", "read", "{}"), call("c2", "add", "{\"item\":\"b\"}"), call("c3", "read", "{}"));
        bench.model.says("Done.");

        bench.run(withState("{\"items\":[\"a\"]}", "Read"));

        assertThat(bench.model.lastResult("c1")).isEqualTo("{\"items\":[\"a\"]}");
        assertThat(bench.model.lastResult("c3")).isEqualTo("{\"items\":[\"a\",\"b\"]}");
    }

    @Test
    void aStateThatStaysTheSameIsNotTold() {
        bench.model.calls(call("c1", "replace", "{\"json\":\"{\\\"a\\\":1}\"}")).says("Done.");

        RecordingSink sink = bench.run(withState("{\"a\":1}", "Same"));

        assertThat(sink.types()).doesNotContain("STATE_DELTA", "STATE_SNAPSHOT");
    }

    @Test
    void aHeldRunShowsTheChangedStateAndTheResumedOneGoesOnFromIt() {
        bench.model.calls(call("c1", "addAndAsk", "{\"item\":\"milk\"}"));
        RecordingSink held = bench.run(withState("{\"items\":[]}", "Milk"));
        bench.model.says("Done.");

        RecordingSink resumed = bench.resume(bench.pending(0).asInput().answer(true));

        assertThat(held.all(StateEvent.Snapshot.class))
                .extracting(StateEvent.Snapshot::snapshot)
                .containsOnly(json("{\"items\":[\"milk\"]}"));
        assertThat(resumed.types()).doesNotContain("STATE_DELTA");
        assertThat(bench.model.lastResult("c1")).isEqualTo("{\"items\":[\"milk\"]}");
    }

    @Test
    void whatAToolFailedAfterStays() {
        bench.model.calls(call("c1", "addAndFail", "{\"item\":\"milk\"}")).says("It failed.");

        bench.say("Milk");

        assertThat(stored()).isEqualTo(json("{\"items\":[\"milk\"]}"));
    }

    @Test
    void aStateThatCannotBeKeptIsRefusedAndNothingChanges() {
        Bench small = bench(builder -> builder.limits(Limits.DEFAULT.withStateLength(100)));
        String deep = "[".repeat(101) + "]".repeat(101);
        small.model.calls(
                call("c1", "add", "{\"item\":\"milk\"}"),
                call("c2", "add", "{\"item\":\"" + "x".repeat(100) + "\"}"),
                call("c3", "replace", "{\"json\":\"" + deep + "\"}"),
                call("c4", "replace", "{\"json\":\"1e1001\"}"));
        small.model.says("Too much.");

        RecordingSink sink = small.say("Go");

        assertThat(small.model.lastResult("c2")).contains("at most 100 are kept");
        assertThat(small.model.lastResult("c3")).contains("deeper than 100");
        assertThat(small.model.lastResult("c4")).contains("1000 digits");
        assertThat(sink.all(StateEvent.Snapshot.class)).hasSize(1);
        assertThat(small.store.find(THREAD).flatMap(ThreadRecord::state)).contains(json("{\"items\":[\"milk\"]}"));
    }

    @Test
    void nobodyChangesTheStateByWhatTheyWereGiven() {
        bench.model.calls(call("c1", "add", "{\"item\":\"milk\"}")).says("Done.");

        bench.say("Milk");
        ((ObjectNode) tools.calls.get(0).state()).removeAll();

        assertThat(tools.calls.get(0).state()).isEqualTo(json("{\"items\":[\"milk\"]}"));
    }

    @Test
    void aCallThatHasEndedIsNotHeardAnyMore() {
        bench.model.calls(call("c1", "add", "{\"item\":\"milk\"}")).says("Done.");
        bench.say("Milk");
        ToolCallContext ended = tools.calls.get(0);

        assertThatThrownBy(() -> ended.updateState(state -> TextNode.valueOf("late")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ended.emit("late", TextNode.valueOf("late")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(stored()).isEqualTo(json("{\"items\":[\"milk\"]}"));
    }

    @Test
    void aChangeIsStoredWithTheResultOfItsCall() {
        bench.model.calls(call("c1", "add", "{\"item\":\"milk\"}"));
        InMemoryStore threads = new InMemoryStore();
        Store dying = new ForwardingStore() {
            @Override
            protected Store store() {
                return threads;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (commit.state().isPresent()) {
                    assertThat(commit.batches()).hasSize(1);
                    assertThat(commit.batches().get(0).calls().get(0).result()).isNotNull();
                    throw new StoreException("gone", new IllegalStateException());
                }
                super.commit(lease, commit, now);
            }
        };

        RecordingSink sink = new RecordingSink();
        bench.another(builder -> builder.tools(tools).store(dying))
                .run(bench.input(user("u1", "Milk")), sink)
                .join();

        assertThat(sink.errorCode()).isEqualTo("RUN_FAILED");
        assertThat(dying.find(THREAD).flatMap(ThreadRecord::state)).isEmpty();
    }

    /** A tool of which two calls change the state at the same time. */
    static final class Counter {

        private final Optional<CyclicBarrier> together;

        Counter(boolean concurrent) {
            together = concurrent ? Optional.of(new CyclicBarrier(2)) : Optional.empty();
        }

        @Tool("Count")
        public String count(ToolCallContext call) throws InterruptedException, BrokenBarrierException {
            for (int i = 0; i < 50; i++) {
                if (together.isPresent()) {
                    together.get().await();
                }
                call.updateState(
                        state -> ((ObjectNode) state).put("n", state.path("n").asInt() + 1));
            }
            return "counted";
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void noChangeOfToolsThatRunTogetherIsLost(Shape shape) {
        ScriptedModel model = new ScriptedModel();
        InMemoryStore store = new InMemoryStore();
        model.calls(call("c1", "count", "{}"), call("c2", "count", "{}")).says("Done.");
        RecordingSink sink = new RecordingSink();
        Holdpoint agent = shape.builder(model)
                .tools(new Counter(shape.isConcurrent()))
                .store(store)
                .build();

        agent.run(bench.input(user("u1", "Count")).withState(json("{\"n\":0,\"name\":\"counter\"}")), sink)
                .join();

        StreamRules.check(sink.events());
        assertThat(store.find(THREAD).flatMap(ThreadRecord::state)).contains(json("{\"n\":100,\"name\":\"counter\"}"));
        assertThat(sink.all(StateEvent.Delta.class)).hasSize(99);
        assertThat(deltas(sink)).endsWith("\"value\":100}]]");
    }
}
