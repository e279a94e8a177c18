package io.holdpoint.follow;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.ThreadStatus;
import io.holdpoint.Turn;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.follow.Following;
import io.holdpoint.internal.follow.HandlerSink;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.run.Inside;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Shows the threads of an agent to those who start no run: their histories, their live runs, the inbox of open questions, and the changes of
 * questions. It works for the caller whom the agent is bound to, and changes nothing but the audit trail, which notes the caller who was
 * presented with an interrupt. It works on after the agent is shut down, except for {@link #changes}. Only {@link #stream} starts runs, for
 * programs that hear of them without AG-UI. Thread-safe.
 *
 * <p>The events of a run are kept for followers once an agent was built with {@link #settings}, or asked for by {@link #of} the first time. A
 * run that began before is followed like one of another node.
 */
public final class Follow {

    private final Inside agent;
    private final Following following;

    private Follow(Inside agent) {
        this.agent = agent;
        this.following = Following.of(agent.runs(), FollowSettings.DEFAULT);
    }

    /** Follows the threads of an agent, for the caller whom it is bound to. */
    public static Follow of(Holdpoint agent) {
        return new Follow(Inside.of(agent));
    }

    /** The default settings, to be changed and given to {@link io.holdpoint.HoldpointBuilder#with}. */
    public static FollowSettings settings() {
        return FollowSettings.DEFAULT;
    }

    /**
     * Shows a thread as AG-UI events: {@code RUN_STARTED}, {@code STATE_SNAPSHOT}, {@code MESSAGES_SNAPSHOT}, and
     * {@code RUN_FINISHED}, with the open interrupts if the thread is held and as a success otherwise.
     * {@code metadata.langchain4j.thread} of the last one says how the thread stands, see {@link ThreadStatus}. The thread is
     * not changed, and an active run is not in the way. A thread that the caller has not is shown as one on which nothing was said yet,
     * whether it exists or not.
     *
     * @param runId names the stream; any id
     * @param sink where the events go, on the agent's executor
     * @return completed when the last event was sent, with what it says; exceptionally if the store failed, of which a
     *     {@code RUN_ERROR} has told the sink
     * @throws RunRejectedException if one of the ids cannot be one ({@link ErrorCode#INPUT_INVALID}); no event was sent then
     */
    public CompletableFuture<ThreadStatus> history(String threadId, String runId, EventSink sink) {
        Caller caller = agent.caller();
        String thread = agent.thread(caller, threadId);
        return following.history.show(caller, thread, runId, agent.runs().noticing(sink, caller, thread));
    }

    /**
     * Shows a thread like {@link #history}, and the run that is active on it, if there is one, until that ends: as that run has
     * ended. A message that is being written begins with all of its text so far. A run of another node on the same store is
     * seen in what it stores: its messages come whole, in further {@code MESSAGES_SNAPSHOT}s, after the text so far if the agent has
     * a {@link FollowSettings#flushInterval}.
     *
     * <p>Following never slows the run. A follower that does not read fast enough, and one that has followed for as long as
     * {@link FollowSettings#longest} allows, gets a {@code RUN_FINISHED} that says {@link ThreadStatus#RUNNING}, and may follow again.
     * Access to the thread is checked once.
     *
     * @param runId names the stream; any id
     * @param sink where the events go, on the agent's executor
     * @return completed when the last event was sent, or the sink has thrown; exceptionally if the store failed, of which a
     *     {@code RUN_ERROR} has told the sink. Cancelling it does not end the stream
     * @throws RunRejectedException as {@link #history}, and if the caller follows 200 threads on this node
     *     ({@link ErrorCode#SERVER_BUSY}; {@link Caller#ANONYMOUS}: 1,000)
     */
    public CompletableFuture<ThreadStatus> follow(String threadId, String runId, EventSink sink) {
        Caller caller = agent.caller();
        String thread = agent.thread(caller, threadId);
        return following.history.follow(caller, thread, runId, agent.runs().noticing(sink, caller, thread));
    }

    /**
     * Sends a message to a thread as {@link Holdpoint#send(Turn)} does, on the agent's executor, and tells a handler of the run's progress:
     * texts, calls and what is held, as they come.
     *
     * @return completed with the end of the run, {@link RunResult.Failed} if it is refused; never exceptionally. Cancelling or completing it
     *     does not stop the run, {@link Holdpoint#cancel(String)} does
     */
    public CompletableFuture<RunResult> stream(Turn turn, RunHandler handler) {
        return stream(turn.input(), handler);
    }

    /**
     * Answers the open interrupts of a thread, all together, as {@link Holdpoint#resume(String, Collection)} does, and tells a handler of the
     * run's progress like {@link #stream(Turn, RunHandler)}.
     */
    public CompletableFuture<RunResult> stream(String threadId, Collection<ResumeEntry> answers, RunHandler handler) {
        return stream(RunAgentInput.of(threadId, Ids.run(), List.of()).withResume(List.copyOf(answers)), handler);
    }

    private CompletableFuture<RunResult> stream(RunAgentInput input, RunHandler handler) {
        AgentRuns<?> runs = agent.runs();
        Caller caller = agent.caller();
        EventSink sink = new HandlerSink(handler, runs.config.store, agent.thread(caller, input.threadId()));
        try {
            return runs.start(caller, input, sink, runs.config.executor);
        } catch (RunRejectedException e) {
            return CompletableFuture.completedFuture(
                    new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e)));
        }
    }

    /** The first page of all open interrupts that the caller may access, own ones among them: {@link Inbox.Scope#ACCESSIBLE}, the largest limit. */
    public Inbox inbox() {
        return inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), Inbox.MAX_THREADS);
    }

    /**
     * The open interrupts of many threads, those that were asked longest ago first.
     *
     * <p>With {@link Inbox.Scope#ACCESSIBLE} the threads of everybody are looked at, first {@code limit} of them, then {@value Inbox#MAX_THREADS} at
     * a time, ten times at most, until some are found that the caller may access: a page may be short or empty although there is a next one.
     *
     * @param cursor {@link Inbox#next} of the page before; empty for the first one
     * @param limit most threads of the page, {@link Inbox#MAX_THREADS} at most
     * @throws IllegalArgumentException if the cursor is none, or the limit is not positive
     */
    public Inbox inbox(Inbox.Scope scope, Optional<String> cursor, int limit) {
        return following.inboxes.page(agent.caller(), scope, cursor, limit);
    }

    /**
     * Tells an open page of the changes of the questions that the caller may see, on all nodes, until it or the agent ends, or for as long as
     * {@link FollowSettings#longest} allows. Access is checked for each change.
     *
     * @param after {@link QuestionChange#position} of what the reader was told last; empty for what comes from now on
     * @param sink is told first that it is {@link QuestionChange.Kind#OPENED}; one that throws has gone
     * @return completed when it has ended; completing it ends it
     * @throws RunRejectedException if the caller has 20 on this node ({@link ErrorCode#SERVER_BUSY}), or the agent is shut down
     */
    public CompletableFuture<Void> changes(Optional<Long> after, Consumer<QuestionChange> sink) {
        return following.changes.open(agent.caller(), after, sink);
    }

    /**
     * Tells the {@link #changes} of others on this node that the caller is looking at a question: {@link QuestionChange.Kind#LOOKED_AT}. It is not
     * stored. A page says it when it shows the question and again every 20 seconds, and forgets those who have not said it for 30. It does nothing for
     * {@link Caller#ANONYMOUS} or what is no id, and is not told of a thread that the caller or they may not access.
     */
    public void looking(String threadId, String interruptId) {
        Caller caller = agent.caller();
        following.changes.looking(caller, agent.thread(caller, threadId), interruptId);
    }

    /**
     * Returns what was decided lately on all threads that the caller may access, by whomever: the events {@code DECIDED} and {@code EXPIRED} of
     * the audit trail, the newest first. A page is found by looking at {@value Decisions#LOOKED_AT} places of the feed at most, of which it has those: it may be
     * short or empty although there is a next one.
     *
     * @param before {@link Decisions#next} of the page before; empty for the newest
     * @param limit most decisions of the page, {@link Decisions#MAX_ITEMS} at most
     * @throws IllegalArgumentException if the place or the limit is not positive
     */
    public Decisions decided(Optional<Long> before, int limit) {
        return following.inboxes.decided(agent.caller(), before, limit);
    }
}
