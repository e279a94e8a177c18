package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /** Begins some work: a step of that name, and an activity that the content describes; {@code status} is added. */
    public Work begin(String step, String id, String type, ObjectNode content) {
        Optional<String> name = config.steps ? Optional.of(events.stepStarted(step, id)) : Optional.empty();
        String activityId = Ids.message();
        if (config.activities) {
            events.activity(activityId, type, content.deepCopy().put(STATUS, "running"));
        }
        return new Work(name, activityId, type, content);
    }

    /** Work that has begun. */
    public final class Work {

        private final Optional<String> step;
        private final String activityId;
        private final String type;
        private final ObjectNode content;

        private Work(Optional<String> step, String activityId, String type, ObjectNode content) {
            this.step = step;
            this.activityId = activityId;
            this.type = type;
            this.content = content;
        }

        /** The work has ended; the status is one word, {@link #FAILED} for instance. */
        public void ended(String status) {
            if (config.activities) {
                activityEnded(status);
            }
            step.ifPresent(events::stepFinished);
        }

        private void activityEnded(String status) {
            ObjectNode change = about().put("op", "replace").put("path", "/" + STATUS);
            change.put("value", status);
            events.activityDelta(
                    activityId, type, AguiCodec.mapper().createArrayNode().add(change));
            synchronized (ended) {
                ended.add(new Message.Activity(
                        activityId, type, content.deepCopy().put(STATUS, status)));
            }
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
