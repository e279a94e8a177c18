package io.holdpoint.crash;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdpoint.testing.Shape;

/** What a process is told to do: one line of JSON each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Order.Open.class, name = "open"),
    @JsonSubTypes.Type(value = Order.Run.class, name = "run"),
    @JsonSubTypes.Type(value = Order.Act.class, name = "act"),
    @JsonSubTypes.Type(value = Order.Decide.class, name = "decide"),
    @JsonSubTypes.Type(value = Order.Time.class, name = "time"),
    @JsonSubTypes.Type(value = Order.GoOn.class, name = "goOn"),
    @JsonSubTypes.Type(value = Order.Close.class, name = "close")
})
sealed interface Order {

    ObjectMapper JSON = new ObjectMapper();

    /**
     * Builds an agent.
     *
     * @param effects path of the file that tools write to
     * @param minutes what the clock says: minutes after a fixed time
     * @param stopAt the point to stand still at, from 1; 0 for none
     */
    record Open(Database database, String effects, Shape shape, long minutes, CrashPoints.Detail detail, int stopAt)
            implements Order {}

    /**
     * Runs an input.
     *
     * @param input a {@code RunAgentInput}
     */
    record Run(JsonNode input) implements Order {}

    /**
     * Does something that is no run.
     *
     * @param threadId the conversation, where it is about one
     */
    record Act(What what, String threadId) implements Order {

        enum What {
            CANCEL,
            PURGE,
            ACT_ON_TIME,
            /** Takes back the oldest remembered decision. */
            REVOKE,
            HALT,
            RELEASE
        }
    }

    /**
     * Answers one question for somebody who may approve.
     *
     * @param answer a {@code ResumeEntry}
     */
    record Decide(String who, String threadId, JsonNode answer) implements Order {}

    /**
     * Moves the clock, at any time.
     *
     * @param minutes after the fixed time
     */
    record Time(long minutes) implements Order {}

    /** Leaves the point that it stands at. */
    record GoOn() implements Order {}

    /** Closes the database; the next order opens another one. */
    record Close() implements Order {}

    static Order read(String json) throws JsonProcessingException {
        return JSON.readValue(json, Order.class);
    }

    default String write() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
