package io.holdpoint.laws;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.laws.Program.Proposed;
import io.holdpoint.laws.Program.Said;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What outlives processes: the stores, the effects of tools, what people allowed. And what the model says next. */
final class World {

    /** An exception of the model's provider. */
    static final class ProviderDown extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    /** Everything that an input may change. */
    record Everything(
            Optional<ThreadRecord> thread,
            List<Message> transcript,
            List<ChatMessage> memory,
            List<String> effects,
            int events) {}

    /**
     * What a person allowed beyond the call that they approved.
     *
     * @param end a little after it ends; when it was taken back, long ago
     * @param by what they sent
     */
    record Remembered(String tool, Instant end, Client.Sent by) {}

    /** How long an approval of that tool counts, and a little: a run may take a lease's time. */
    static final Duration REMEMBERED_FOR = Duration.ofMinutes(47);

    static final int MOST_EVENTS = 5_000;

    final String threadId;
    final Store store;
    final ChatMemoryStore memories;
    final VirtualClock clock;
    /** How much later somebody's clock may be than another one's. */
    Duration skew = Duration.ZERO;

    final List<String> effects = new CopyOnWriteArrayList<>();
    /** An effect as often as an answer allows it: one answer that is refused takes nothing from another one. */
    final List<String> permitted = new CopyOnWriteArrayList<>();

    /** The same of effects that may happen once more: several inputs with an answer to one interrupt allow them once. */
    private final List<Map.Entry<String, String>> retries = new CopyOnWriteArrayList<>();

    final Map<String, Remembered> remembered = new ConcurrentHashMap<>();
    /** Who has approved an effect that needs several, or may have. */
    final Map<String, Set<String>> voices = new ConcurrentHashMap<>();

    final List<String> violations = new CopyOnWriteArrayList<>();
    final AtomicInteger grantsUsed = new AtomicInteger();
    final AtomicInteger failuresOfTheModel = new AtomicInteger();
    /** How often the agent was halted. */
    volatile int halts;

    volatile boolean halted;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Iterator<Said> script;

    World(String threadId, Store store, ChatMemoryStore memories, List<Said> script) {
        this(threadId, store, memories, new VirtualClock(), script);
    }

    /** Several threads have stores and clock in common. */
    World(String threadId, Store store, ChatMemoryStore memories, VirtualClock clock, List<Said> script) {
        this.threadId = threadId;
        this.store = store;
        this.memories = memories;
        this.clock = clock;
        this.script = List.copyOf(script).iterator();
    }

    /** From now on only what was claimed before may still enter its body. */
    void halted() {
        halts++;
        halted = true;
    }

    void released() {
        halted = false;
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** From now on the model only talks. */
    void calmDown() {
        while (script.hasNext()) {
            script.next();
        }
    }

    AiMessage says() {
        Said said = script.hasNext() ? script.next() : new Said.Text();
        if (said instanceof Said.Down) {
            failuresOfTheModel.incrementAndGet();
            throw new ProviderDown();
        }
        if (said instanceof Said.Calls batch) {
            List<ToolExecutionRequest> calls = new ArrayList<>();
            batch.calls().forEach(call -> calls.add(request(call)));
            return batch.text() ? AiMessage.from("Let me see.", calls) : AiMessage.from(calls);
        }
        return AiMessage.from("Said " + nextNumber() + ".");
    }

    private ToolExecutionRequest request(Proposed call) {
        String n = "n" + nextNumber();
        String id =
                switch (call.id()) {
                    case OWN -> "call " + n + "/ü";
                    case NULL -> null;
                    case BLANK -> " ";
                    case REPEATED -> "again";
                };
        String arguments =
                switch (call.arguments()) {
                    case VALID -> "{\"n\":\"" + n + "\"}";
                    case CUT -> "{\"n\":";
                    case ARRAY -> "[]";
                    case TWICE -> "{\"n\":\"a\",\"n\":\"b\"}";
                    case TRAILING -> "{\"n\":\"a\"} x";
                    case NULL -> "null";
                };
        return ScriptedModel.call(id, call.tool(), arguments);
    }

    /**
     * What an input has allowed; what is remembered only if it was not allowed before.
     *
     * @param before what was remembered then
     */
    record Allowance(Client.Sent sent, Map<String, Remembered> before) {}

    /** Takes note of what an input allows, before it is known whether it is accepted. */
    Allowance allow(Client.Sent sent) {
        Instant end = clock.instant().plus(REMEMBERED_FOR).plus(skew);
        // an answer that was sent before counts from now on if it was not taken then
        List<String> open = pending().stream().map(PendingInterrupt::id).toList();
        Map<String, Remembered> before = Map.copyOf(remembered);
        sent.remembers().forEach((id, tool) -> {
            if (open.contains(id) || !before.containsKey(id)) {
                remembered.put(id, new Remembered(tool, end, sent));
            }
        });
        permitted.addAll(sent.permits());
        retries.addAll(sent.retries().entrySet());
        return new Allowance(sent, before);
    }

    /** The clock has jumped before an answer was taken. */
    void answeredLater(Client.Sent sent, Duration jump) {
        remembered.replaceAll((id, each) -> each.by() != sent || each.end() == Instant.MIN
                ? each
                : new Remembered(each.tool(), each.end().plus(jump), sent));
    }

    /** The input was refused; what another one allows meanwhile stays. */
    void takeBack(Allowance allowance) {
        allowance.sent().permits().forEach(permitted::remove);
        allowance.sent().retries().entrySet().forEach(retries::remove);
        allowance
                .sent()
                .remembers()
                .keySet()
                .forEach(id -> remembered.computeIfPresent(
                        id,
                        (key, each) -> each.by() == allowance.sent() && each.end() != Instant.MIN
                                ? allowance.before().get(key)
                                : each));
    }

    /** How often answers allow an effect once more. */
    long retries(String effect) {
        return retries.stream()
                .distinct()
                .filter(each -> each.getValue().equals(effect))
                .count();
    }

    /** Whether somebody allowed calls of a tool, and it still counted at a time. */
    boolean remembers(String tool, Instant at) {
        return remembered.values().stream().anyMatch(each -> each.tool().equals(tool) && at.isBefore(each.end()));
    }

    /** Whoever repeats an answer that was taken back allows nothing. */
    void forgets() {
        forgets(remembered.keySet());
    }

    /** The same of some answers. */
    void forgets(Set<String> interruptIds) {
        interruptIds.forEach(id ->
                remembered.computeIfPresent(id, (key, each) -> new Remembered(each.tool(), Instant.MIN, each.by())));
    }

    Optional<Batch> batch() {
        return store.find(threadId).flatMap(ThreadRecord::batch);
    }

    List<Question> questions() {
        return batch().map(Batch::openQuestions).orElse(List.of());
    }

    List<PendingInterrupt> pending() {
        return questions().stream()
                .map(question -> PendingInterrupt.of(question.interrupt().copy()))
                .toList();
    }

    List<ChatMessage> memory() {
        return memories.getMessages(threadId);
    }

    Everything everything() {
        return new Everything(
                store.find(threadId),
                store.transcript(threadId),
                memory(),
                List.copyOf(effects),
                store.auditTrail(threadId, 0, MOST_EVENTS).size());
    }
}
