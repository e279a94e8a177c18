package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.follow.LiveRuns.LiveRun;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.run.ThreadView;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Active;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The stream of a follower: reads the thread from the store and changes nothing but the audit trail. Not thread-safe. */
final class ThreadStream implements FollowerStream.Shown {

    private final AgentConfig<?> config;
    /** Texts are flushed while they grow. */
    private final boolean isGrowing;

    private final Caller caller;
    private final String threadId;
    private final String runId;
    private final String clientThreadId;
    final FollowerStream client;
    private final Audit audit;
    private Optional<Seen> seen = Optional.empty();
    /** Texts of a run, some of which are not stored yet. */
    private List<Message> said = List.of();

    private record Seen(int messages, Optional<JsonNode> state) {}

    ThreadStream(
            AgentConfig<?> config,
            FollowSettings settings,
            Caller caller,
            String threadId,
            String runId,
            EventSink sink) {
        this.config = config;
        this.isGrowing = !settings.flushInterval().isZero();
        this.caller = caller;
        this.threadId = threadId;
        this.runId = runId;
        this.clientThreadId = config.threadIds.toClient(caller, threadId);
        this.client = new FollowerStream(sink, this);
        this.audit = new Audit(config, threadId, runId, caller.id());
    }

    @Override
    public JsonNode state() {
        return config.store
                .find(threadId)
                .flatMap(ThreadRecord::state)
                .<JsonNode>map(JsonNode::deepCopy)
                .orElseGet(() -> AguiCodec.mapper().createObjectNode());
    }

    @Override
    public List<Message> messages() {
        List<Message> all = new ArrayList<>(config.store.transcript(threadId));
        Set<String> stored = all.stream().map(Message::id).collect(Collectors.toSet());
        said.stream().filter(message -> !stored.contains(message.id())).forEach(all::add);
        return ThreadView.shown(config, all);
    }

    @Override
    public List<Message> messagesAfter(String messageId) {
        return config.store.transcript(threadId, Store.Range.after(messageId));
    }

    /** Finds the run that is active on the thread. */
    Optional<Active> active() {
        return config.store.active(threadId, config.clock.instant());
    }

    void begin() {
        client.started(clientThreadId, runId);
    }

    /**
     * Shows the thread if it has changed since the last call, and the text that its run is writing. The messages are counted only,
     * since they do not change. The text was read before: if it is complete by now, the transcript has it.
     */
    void showNews(Active run) {
        Optional<ThreadRecord> thread = config.store.find(threadId);
        Seen now = new Seen(
                config.store.count(Store.Counted.MESSAGE, threadId, Integer.MAX_VALUE),
                thread.flatMap(ThreadRecord::state));
        if (!seen.equals(Optional.of(now))) {
            seen = Optional.of(now);
            client.show();
        }
        run.said().filter(text -> isGrowing).ifPresent(client::grow);
    }

    /** The text that a run is writing, as far as its node has flushed it. */
    private Optional<Message.Assistant> flushed() {
        return isGrowing ? active().flatMap(Active::said) : Optional.empty();
    }

    /** Shows the thread as it is and ends, also with the text that its run has begun to say and is going to store as a whole. */
    ThreadStatus endAsItIs(Optional<LiveRun> run) {
        said = run.map(LiveRun::said)
                .orElseGet(() -> flushed().<List<Message>>map(List::of).orElse(List.of()));
        return endAsItIs();
    }

    /** Shows the thread as it is and ends, with the interrupts that can be answered or the calls that the client executes. */
    ThreadStatus endAsItIs() {
        Standing now = standing();
        client.show();
        client.end(finished(outcome(now), now.status(), Optional.empty()));
        return now.status();
    }

    /** Ends without a word of the thread. */
    ThreadStatus endEmpty() {
        client.show(List.of(), AguiCodec.mapper().createObjectNode());
        client.end(finished(RunFinishedOutcome.success(), ThreadStatus.IDLE, Optional.empty()));
        return ThreadStatus.IDLE;
    }

    private RunFinishedOutcome outcome(Standing now) {
        return switch (now.status()) {
            case HELD -> ThreadView.outcome(presented(now.open()));
            case LEFT_TO_CLIENT -> new RunFinishedOutcome.Success(now.left());
            case IDLE, RUNNING, UNFINISHED -> RunFinishedOutcome.success();
        };
    }

    /** Ends as the run has ended. */
    ThreadStatus endLike(RunEvent.Finished run) {
        Standing now = standing();
        boolean wasHeld = run.outcome() instanceof RunFinishedOutcome.Interrupted;
        boolean isHeld = wasHeld && !now.open().isEmpty(); // or somebody was faster
        ThreadStatus status = isHeld ? ThreadStatus.HELD : now.status();
        RunFinishedOutcome outcome =
                isHeld ? ThreadView.outcome(presented(now.open())) : wasHeld ? outcome(now) : run.outcome();
        client.end(finished(outcome, status, Optional.of(run)));
        return status;
    }

    /** Ends as the run has failed, without its tokens: they count once. */
    ThreadStatus endLike(RunEvent.Error run) {
        client.close(new RunEvent.Error(run.message(), run.code(), List.of(), run.base()));
        return standing().status();
    }

    private List<Question> presented(List<Question> open) {
        audit.presented(open);
        return open;
    }

    /** Ends the stream although the run goes on. */
    ThreadStatus breakOff() {
        client.close(finished(RunFinishedOutcome.success(), ThreadStatus.RUNNING, Optional.empty()));
        return ThreadStatus.RUNNING;
    }

    private record Standing(ThreadStatus status, List<Question> open, List<String> left) {}

    /** Reads how the thread stands. The run is looked for first: what it leaves when it ends is read afterwards. */
    private Standing standing() {
        boolean isRunning = active().isPresent();
        Optional<ThreadRecord> thread = config.store.find(threadId);
        List<Question> open = thread.map(
                        held -> new Access(config).shown(caller, held.threadId(), held.owner(), held.batch()))
                .orElse(List.of());
        if (isRunning) {
            return new Standing(ThreadStatus.RUNNING, open, List.of());
        }
        if (!open.isEmpty()) {
            return new Standing(ThreadStatus.HELD, open, List.of());
        }
        List<String> left =
                thread.flatMap(ThreadRecord::batch).map(NextStep::waitedFor).orElse(List.of());
        if (!left.isEmpty()) {
            return new Standing(ThreadStatus.LEFT_TO_CLIENT, open, left);
        }
        boolean isUnfinished = thread.flatMap(ThreadRecord::turn).isPresent()
                || thread.flatMap(ThreadRecord::batch).isPresent();
        return new Standing(isUnfinished ? ThreadStatus.UNFINISHED : ThreadStatus.IDLE, open, List.of());
    }

    private RunEvent.Finished finished(
            RunFinishedOutcome outcome, ThreadStatus status, Optional<RunEvent.Finished> run) {
        ObjectNode metadata = run.map(event -> event.base().metadata())
                .map(ObjectNode::deepCopy)
                .orElseGet(() -> AguiCodec.mapper().createObjectNode());
        metadata.withObjectProperty("langchain4j").put("thread", status.wireName());
        return new RunEvent.Finished(
                clientThreadId,
                runId,
                outcome,
                run.map(RunEvent.Finished::result).orElse(null),
                List.of(),
                EventBase.ofMetadata(metadata));
    }
}
