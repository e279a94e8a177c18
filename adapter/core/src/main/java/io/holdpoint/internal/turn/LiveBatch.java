package io.holdpoint.internal.turn;

import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.StoreConflictException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batch that a turn is working on, and the only class that stores it while the turn lasts: each step (gated, claimed, asked
 * about, settled, remembered) is one commit of the run, made before the next step is taken. Results are announced in the
 * model's order, in whatever order the bodies end. Thread-safe, because tools may run concurrently.
 */
public final class LiveBatch {

    private static final Logger LOG = LoggerFactory.getLogger(LiveBatch.class);

    private final Run run;
    private final Consumer<Message.Tool> client;
    private Batch batch;
    private final Set<String> announced = new HashSet<>();
    private boolean remembered;

    public LiveBatch(Run run, Batch batch) {
        this(run, batch, run.events::toolResult);
    }

    LiveBatch(Run run, Batch batch, Consumer<Message.Tool> client) {
        this.run = run;
        this.batch = batch;
        this.client = client;
    }

    public synchronized Batch batch() {
        return batch;
    }

    public synchronized boolean has(String toolCallId) {
        return batch.call(toolCallId).isPresent();
    }

    public synchronized Call call(String toolCallId) {
        Optional<Call> call = batch.call(toolCallId);
        if (call.isEmpty()) {
            throw new IllegalStateException("no call " + toolCallId + " in batch " + batch.id());
        }
        return call.get();
    }

    /** Checks whether a person has to answer, or the client to execute calls, before the model goes on. */
    synchronized boolean isPaused() {
        return !batch.isSettled() && (isOpen() || !NextStep.leftToClient(batch).isEmpty());
    }

    private boolean isOpen() {
        return batch.state() == Batch.State.OPEN;
    }

    /** Checks whether no call waits for an answer: while one does, no other gets its result. */
    public synchronized boolean mayGoOn() {
        return !isOpen();
    }

    /**
     * Claims a call for execution, which is possible once; returns {@code false} if the call has to wait.
     *
     * @throws StoreConflictException if the remembered decision by which the call starts no longer allows it; nothing else is lost by
     *     that
     */
    public synchronized boolean claim(String toolCallId, String arguments) {
        boolean now = mayGoOn();
        if (now) {
            if (call(toolCallId).grantId() != null && call(toolCallId).asked().isEmpty()) {
                run.journal.catchUp(); // a commit that the store refuses takes along what waits
            }
            commit(
                    batch.claimed(toolCallId, new Call.Attempt(run.runId, arguments, run.clock.instant())),
                    Commit.empty());
        }
        return now;
    }

    /** Asks about a call that is claimed, or would be; calls that are not running yet wait for the answer. */
    public synchronized void ask(String toolCallId, Question question) {
        commit(batch.askedAgain(Map.of(toolCallId, question)), Commit.empty());
    }

    /** Asks about claimed calls that may not simply run again; returns whether there are any. */
    synchronized boolean askAboutUnknownOutcomes(Predicate<Call> mayRunAgain) {
        Optional<Batch> asked = OutcomeUnknown.askAbout(batch, run.clock.instant(), mayRunAgain);
        if (asked.isPresent()) {
            commit(asked.get(), Commit.empty());
        }
        return asked.isPresent();
    }

    /** Stores the result of a call that does not run, or not to its end: an agent that works in it may have done something. */
    public ToolExecutionResult settle(Call call, NextStep.Settle decision) {
        Optional<InnerAgent> inner = call.attempts().isEmpty() ? Optional.empty() : run.config.inner(call.toolName());
        NextStep.Settle told =
                inner.isEmpty() ? decision : decision.with(ModelTexts.ranBefore(started(inner.get(), call)));
        ToolExecutionResult result =
                settle(call.toolCallId(), decision.outcome(), ToolResult.of(call, told, run.limits));
        inner.ifPresent(agent -> letGo(agent, call));
        return result;
    }

    /** The agent's store may be away, and throw whatever; the call has to end all the same. */
    private List<String> started(InnerAgent inner, Call call) {
        try {
            return inner.started(run.config.name, run.threadId, call.toolCallId());
        } catch (Throwable e) {
            LOG.warn("What the agent in \"{}\" has done is not known", inner.name(), e);
            return List.of(ModelTexts.perhaps(inner.name()));
        }
    }

    private void letGo(InnerAgent inner, Call call) {
        try {
            inner.letGo(run.config.name, run.threadId, call.toolCallId());
        } catch (Throwable e) {
            LOG.warn("The question of the agent in \"{}\" stays open, and nobody is asked it", inner.name(), e);
        }
    }

    /** Stores the result of a call and announces all results that are ready by that; returns it for the model. */
    public ToolExecutionResult settle(String toolCallId, Call.State outcome, ToolResult result) {
        return settle(toolCallId, outcome, result, List.of());
    }

    /** Does so, and remembers what was approved with the call, in one commit. */
    public synchronized ToolExecutionResult settle(
            String toolCallId, Call.State outcome, ToolResult result, List<Grant> grants) {
        Batch settled = batch.settled(toolCallId, outcome, result.stored());
        List<Message.Tool> ready = ready(settled);
        commit(settled, Commit.empty().append(List.copyOf(ready)).grant(grants));
        announce(ready);
        return result.toModel();
    }

    /**
     * Announces the results that the batch already has, up to the first call without one; the gate gives some, too. Results
     * that an earlier run has announced are left out, because the official client would add such a message a second time. A
     * client that has missed one gets it with the snapshot at the end.
     */
    synchronized void announceSettled() {
        List<Message.Tool> ready = ready(batch);
        note(ready);
        List<Message.Tool> unheard = ready.isEmpty() ? ready : unheard(ready);
        if (!unheard.isEmpty()) {
            run.journal.commit(Commit.empty().append(List.copyOf(unheard)));
            unheard.forEach(client);
        }
    }

    private void note(List<Message.Tool> ready) {
        for (Message.Tool result : ready) {
            announced.add(result.toolCallId());
        }
    }

    private List<Message.Tool> unheard(List<Message.Tool> results) {
        Set<String> heard = run.store
                .known(run.threadId, results.stream().map(Message::id).toList())
                .keySet();
        return results.stream().filter(result -> !heard.contains(result.id())).toList();
    }

    /** Notes that the chat memory holds the batch; stored when the batch is finished, because a retry finds it there. */
    public synchronized void remembered() {
        remembered = batch.state() == Batch.State.RESULTS;
    }

    /** Finishes the batch, which must be remembered, with the next commit. */
    synchronized Commit finished() {
        Commit all = Commit.empty();
        if (remembered) {
            batch = batch.remembered();
            remembered = false;
            all = all.with(batch);
        }
        batch = batch.finished();
        return all.with(batch);
    }

    private List<Message.Tool> ready(Batch present) {
        List<Message.Tool> ready = new ArrayList<>();
        for (Call call : present.calls()) {
            if (isClientsAffair(call) || announced.contains(call.toolCallId())) {
                continue;
            }
            if (!call.state().isSettled()) {
                break;
            }
            ready.add(ToolResult.transcript(call));
        }
        return ready;
    }

    /** The client executes this call and knows its result, so other results need not wait for it. */
    private static boolean isClientsAffair(Call call) {
        return call.proposal().ofClient() && call.state() != Call.State.NOT_EXECUTED;
    }

    private void commit(Batch next, Commit more) {
        run.journal.commit(more.with(next));
        batch = next;
    }

    private void announce(List<Message.Tool> ready) {
        note(ready);
        ready.forEach(client);
    }
}
