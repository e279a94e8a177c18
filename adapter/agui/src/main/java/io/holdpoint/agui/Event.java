package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event of an AG-UI 1.0 stream: a closed set, one record per type, each named like AG-UI's own. JSON: an object whose
 * {@code type} tells the record; absent fields are omitted, never {@code null}, except where a field may hold any JSON. Read
 * and written by {@link AguiCodec}. Mirrors AG-UI's {@code Event}.
 *
 * <p>Implementations are immutable, so thread-safe, as long as the JSON trees given to them are not changed afterwards.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder("type")
public sealed interface Event
        permits Event.Fragment,
                Event.Opening,
                Event.Closing,
                Event.Terminal,
                RunEvent,
                StepEvent,
                TextMessageEvent,
                ToolCallEvent,
                StateEvent,
                MessagesSnapshotEvent,
                ActivityEvent,
                FreeEvent,
                ReasoningEvent,
                SubagentEvent {

    /** The type's name on the wire, such as {@code "RUN_STARTED"}. */
    @JsonProperty("type")
    default String type() {
        return AguiModule.NAMES.get(getClass());
    }

    /** The fields any event may carry; {@link EventBase#NONE} if it carries none. */
    EventBase base();

    /**
     * The id of the message that the event tells about, or that a tool's result becomes; {@code null} for an event about
     * something else, and for a chunk that continues the message before it.
     */
    default @Nullable String messageId() {
        return null;
    }

    /**
     * The id of the tool call that the event tells about; {@code null} for an event about something else, and for a chunk
     * that continues the call before it.
     */
    default @Nullable String toolCallId() {
        return null;
    }

    /**
     * The size of the text or the JSON value that the event carries, in characters: of a delta, a result, a state. Counts
     * neither ids and names nor the messages of a snapshot.
     */
    default int contentLength() {
        return 0;
    }

    /** A fragment of a text that comes in pieces. */
    sealed interface Fragment extends Event
            permits TextMessageEvent.Content, ToolCallEvent.Args, ReasoningEvent.MessageContent {

        /** The fragment. */
        String delta();

        /** The same event with another fragment. */
        Fragment withDelta(String delta);

        /** Checks whether this is the next fragment of the same text, or of the same call's arguments. */
        default boolean continues(Fragment before) {
            return type().equals(before.type())
                    && Objects.equals(messageId(), before.messageId())
                    && Objects.equals(toolCallId(), before.toolCallId());
        }

        @Override
        default int contentLength() {
            return delta().length();
        }
    }

    /** Opens something that the stream must close again. */
    sealed interface Opening extends Event
            permits TextMessageEvent.Start,
                    ToolCallEvent.Start,
                    ReasoningEvent.Start,
                    ReasoningEvent.MessageStart,
                    StepEvent.Started {

        /** The event that closes it, without base fields. */
        Closing closing();

        /** The id of the message that appears with this event: a tool call shows the one that makes it; {@code null} for a step. */
        default @Nullable String showsMessage() {
            return messageId();
        }
    }

    /** Closes what an {@link Opening} has opened. */
    sealed interface Closing extends Event
            permits TextMessageEvent.End,
                    ToolCallEvent.End,
                    ReasoningEvent.End,
                    ReasoningEvent.MessageEnd,
                    StepEvent.Finished {}

    /** Ends the stream of a run. */
    sealed interface Terminal extends Event permits RunEvent.Finished, RunEvent.Error {}
}
