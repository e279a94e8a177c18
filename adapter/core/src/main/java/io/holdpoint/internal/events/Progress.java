package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What of a run's work clients are told, where they are to be told: as a step, as an activity, or both. An activity that has
 * ended enters the transcript with whatever the run stores next. Thread-safe.
 */
public final class Progress {

    /** How work that throws ends. */
    public static final String FAILED = "failed";

    private static final String STATUS = "status";

    private final EventEmitter events;
    private final AgentConfig<?> config;
    private final List<Message> ended = new ArrayList<>();

    public Progress(EventEmitter events, AgentConfig<?> config) {
        this.events = events;
        this.config = config;
    }

    /** An object to describe work by. */
    public static ObjectNode about() {
        return AguiCodec.mapper().createObjectNode();
    }

    /**
     * Does some work.
     *
     * @param step the name of the step
     * @param id tells it from another step of that name
     * @param type of the activity
     * @param content describes it; {@code status} is added
     * @param work to do
     * @param status how the work has ended, in a word
     */
    public <T> T tell(
            String step, String id, String type, ObjectNode content, Supplier<T> work, Function<T, String> status) {
        Runnable endOfStep = stepStarted(step, id);
        String activity = activityStarted(type, content);
        String how = FAILED;
        try {
            T result = work.get();
            how = status.apply(result);
            return result;
        } finally {
            activityEnded(activity, type, content, how);
            endOfStep.run();
        }
    }

    private Runnable stepStarted(String step, String id) {
        if (!config.steps) {
            return () -> {};
        }
        String name = events.stepStarted(step, id);
        return () -> events.stepFinished(name);
    }

    private String activityStarted(String type, ObjectNode content) {
        String id = Ids.message();
        if (config.activities) {
            events.activity(id, type, content.deepCopy().put(STATUS, "running"));
        }
        return id;
    }

    private void activityEnded(String id, String type, ObjectNode content, String how) {
        if (!config.activities) {
            return;
        }
        events.activityDelta(
                id,
                type,
                AguiCodec.mapper()
                        .createArrayNode()
                        .add(about().put("op", "replace")
                                .put("path", "/" + STATUS)
                                .put("value", how)));
        synchronized (ended) {
            ended.add(new Message.Activity(id, type, content.deepCopy().put(STATUS, how)));
        }
    }

    /** The commit with the activities that have ended: before its messages, as they were live. */
    public Commit with(Commit commit) {
        List<Message> messages;
        synchronized (ended) {
            if (ended.isEmpty()) {
                return commit;
            }
            messages = new ArrayList<>(ended);
            ended.clear();
        }
        messages.addAll(commit.messages());
        return new Commit(commit.batches(), messages, commit.state(), commit.turn(), commit.audit(), commit.grants());
    }
}
