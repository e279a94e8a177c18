package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation: a closed set, told apart by {@code role}. Mirrors AG-UI's {@code Message}.
 *
 * <p>A message of a role not known here is skipped when a list of messages is read, so that a newer client does not
 * fail. Implementations are immutable, so thread-safe, as long as the JSON trees given to them are not changed afterwards.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "role"})
public sealed interface Message {

    /** The id, unique within the thread and stable forever. */
    String id();

    /** The role on the wire, such as {@code "user"}. */
    @JsonProperty("role")
    default String role() {
        return AguiModule.NAMES.get(getClass());
    }

    /** Copies the messages without those of unknown roles, which are read as null. */
    static List<Message> known(List<? extends @Nullable Message> messages) {
        for (Message message : messages) {
            if (message == null) {
                return messages.stream()
                        .filter(Objects::nonNull)
                        .<Message>map(each -> each)
                        .toList();
            }
        }
        return List.copyOf(messages);
    }

    /** The fields a message may carry besides its own; {@link MessageExtras#NONE} if it carries none. */
    MessageExtras extras();

    /** From the person using the application. JSON: {@code {"id":…,"role":"user","content":…}}. */
    @JsonTypeName("user")
    record User(
            String id,
            MessageContent content,
            @JsonUnwrapped MessageExtras extras) implements Message {

        /** Checks that the required fields are there. */
        public User {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public User(String id, MessageContent content) {
            this(id, content, MessageExtras.NONE);
        }
    }

    /**
     * From the agent. JSON: {@code {"id":…,"role":"assistant","content"?:…,"toolCalls"?:[…]}}.
     *
     * @param content the text, which a turn of tool calls only does not have; {@code null} if absent
     * @param toolCalls the calls it made; empty is omitted on the wire
     */
    @JsonTypeName("assistant")
    record Assistant(
            String id,
            @Nullable String content,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCall> toolCalls,

            @JsonUnwrapped MessageExtras extras)
            implements Message {

        /** Checks that the required fields are there. */
        public Assistant {
            Objects.requireNonNull(id, "id");
            toolCalls = List.copyOf(toolCalls);
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public Assistant(String id, @Nullable String content, List<ToolCall> toolCalls) {
            this(id, content, toolCalls, MessageExtras.NONE);
        }
    }

    /** The result of a tool call. JSON: {@code {"id":…,"role":"tool","toolCallId":…,"content":…,"error"?:…}}. */
    @JsonTypeName("tool")
    record Tool(
            String id,
            String toolCallId,
            MessageContent content,
            @Nullable String error,
            @JsonUnwrapped MessageExtras extras)
            implements Message {

        /** Checks that the required fields are there. */
        public Tool {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(toolCallId, "toolCallId");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public Tool(String id, String toolCallId, MessageContent content, @Nullable String error) {
            this(id, toolCallId, content, error, MessageExtras.NONE);
        }
    }

    /** Instructions from the system. JSON: {@code {"id":…,"role":"system","content":…}}. */
    @JsonTypeName("system")
    record System(String id, String content, @JsonUnwrapped MessageExtras extras) implements Message {

        /** Checks that the required fields are there. */
        public System {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public System(String id, String content) {
            this(id, content, MessageExtras.NONE);
        }
    }

    /** Instructions from the developer of the application. JSON: {@code {"id":…,"role":"developer","content":…}}. */
    @JsonTypeName("developer")
    record Developer(
            String id, String content, @JsonUnwrapped MessageExtras extras) implements Message {

        /** Checks that the required fields are there. */
        public Developer {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public Developer(String id, String content) {
            this(id, content, MessageExtras.NONE);
        }
    }

    /**
     * Structured progress that is not conversation content. JSON:
     * {@code {"id":…,"role":"activity","activityType":…,"content":{…}}}.
     */
    @JsonTypeName("activity")
    record Activity(
            String id,
            String activityType,
            ObjectNode content,
            @JsonUnwrapped MessageExtras extras) implements Message {

        /** Checks that the required fields are there. */
        public Activity {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(activityType, "activityType");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public Activity(String id, String activityType, ObjectNode content) {
            this(id, activityType, content, MessageExtras.NONE);
        }
    }

    /** A span of the agent's reasoning. JSON: {@code {"id":…,"role":"reasoning","content":…}}. */
    @JsonTypeName("reasoning")
    record Reasoning(
            String id, String content, @JsonUnwrapped MessageExtras extras) implements Message {

        /** Checks that the required fields are there. */
        public Reasoning {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(extras, "extras");
        }

        /** Creates the message without extra fields. */
        public Reasoning(String id, String content) {
            this(id, content, MessageExtras.NONE);
        }
    }
}
