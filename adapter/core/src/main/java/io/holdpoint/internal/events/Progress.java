package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells clients about the work of a run, as steps, activities, both or not at all, as the agent is configured. An activity that
 * has ended, or an event that is kept, enters the transcript with the next commit of the run. Thread-safe.
 */
public final class Progress {

    private static final String STATUS = "status";
    private static final String ERROR = "error";
    private static final String INTERRUPT = "interrupt";
    private static final String CUSTOM = "CUSTOM";

    private final EventEmitter events;
    private final AgentConfig<?> config;
    private final Consumer<Message> transcript;

    /** The transcript gets an activity that has ended, or an event that is kept, with the next commit. */
    public Progress(EventEmitter events, AgentConfig<?> config, Consumer<Message> transcript) {
        this.events = events;
        this.config = config;
        this.transcript = transcript;
    }

    /** Sends an event of a tool; the transcript gets it if the agent keeps it. */
    public void custom(String name, JsonNode value) {
        events.custom(name, value);
        if (config.snapshots.events().contains(name)) {
            ObjectNode content = about().put("name", name).set("value", value);
            transcript.accept(new Message.Activity(Ids.message(), CUSTOM, content));
        }
    }

    /** Tells of a question. Asked again, it has the same id. */
    public void asked(Interrupt interrupt) {
        if (!config.activities) {
            return;
        }
        ObjectNode content = about(interrupt).put("reason", interrupt.reason());
        if (interrupt.message() != null) {
            content.put("message", interrupt.message());
        }
        tell("asked_" + interrupt.id(), content.put(STATUS, "open"));
    }

    /** Tells that a question has its answer. */
    public void answered(Interrupt interrupt, ResumeEntry answer) {
        if (!config.activities) {
            return;
        }
        ObjectNode content = about(interrupt).put(STATUS, answer.status().wire());
        if (answer.payload() != null) {
            content.set("payload", answer.payload().deepCopy());
        }
        tell("answered_" + interrupt.id(), content);
    }

    private static ObjectNode about(Interrupt interrupt) {
        ObjectNode content = about().put("interruptId", interrupt.id());
        return interrupt.toolCallId() == null ? content : content.put("toolCallId", interrupt.toolCallId());
    }

    private void tell(String id, ObjectNode content) {
        events.activity(id, INTERRUPT, content.deepCopy());
        transcript.accept(new Message.Activity(id, INTERRUPT, content));
    }

    /** Creates an object that describes work. */
    public static ObjectNode about() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Begins some work: a step of that name, and an activity of that content, to which a {@code status} is added. */
    public Work begin(String step, String id, String type, ObjectNode content) {
        Optional<String> name = config.steps ? Optional.of(events.stepStarted(step, id)) : Optional.empty();
        String activityId = config.activities ? Ids.message() : "";
        if (config.activities) {
            events.activity(activityId, type, content.deepCopy().put(STATUS, "running"));
        }
        return new Work(name, activityId, type, content);
    }

    /** A piece of work that has begun. */
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

        /** Ends the work with a status of one word. */
        public void ended(String status) {
            ended(about().put(STATUS, status));
        }

        /** Ends the work that has failed, and says why in words that everybody may read who may read the thread. */
        public void failed(String why) {
            ended(about().put(STATUS, "failed").put(ERROR, why));
        }

        private void ended(ObjectNode how) {
            if (config.activities) {
                ArrayNode patch = JsonNodeFactory.instance.arrayNode();
                how.properties().forEach(change -> patch.addObject()
                        .put("op", change.getKey().equals(STATUS) ? "replace" : "add")
                        .put("path", "/" + change.getKey())
                        .set("value", change.getValue()));
                events.activityDelta(activityId, type, patch);
                transcript.accept(new Message.Activity(
                        activityId, type, content.deepCopy().setAll(how)));
            }
            step.ifPresent(events::stepFinished);
        }
    }
}
