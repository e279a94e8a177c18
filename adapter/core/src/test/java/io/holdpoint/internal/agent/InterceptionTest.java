package io.holdpoint.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.agui.CustomEvent;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RawEvent;
import io.holdpoint.agui.ReasoningMessageContentEvent;
import io.holdpoint.agui.RunErrorEvent;
import io.holdpoint.agui.StateSnapshotEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCallArgsEvent;
import io.holdpoint.agui.ToolCallResultEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be made of which event. */
class InterceptionTest {

    private static final Event CUSTOM = new CustomEvent("mine", IntNode.valueOf(1));
    private static final Event RAW = new RawEvent(IntNode.valueOf(1), "mine");

    private static void may(Event event, Event... made) {
        assertThat(Interception.isAllowed(event, List.of(made))).isTrue();
    }

    private static void mayNot(Event event, Event... made) {
        assertThat(Interception.isAllowed(event, List.of(made))).isFalse();
    }

    private static Event text(String id, String delta) {
        return new TextMessageContentEvent(id, delta);
    }

    private static Event result(String id, String call, String text) {
        return new ToolCallResultEvent(id, call, MessageContent.text(text));
    }

    private static Message said(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    private static Event snapshot(Message... messages) {
        return new MessagesSnapshotEvent(List.of(messages));
    }

    @Test
    void ownEventsMayBeDroppedReplacedAndAddedAnywhere() {
        may(CUSTOM);
        may(CUSTOM, RAW, CUSTOM);
        may(text("m", "a"), RAW, text("m", "b"), CUSTOM);
        mayNot(CUSTOM, text("m", "a"));
    }

    @Test
    void textStaysInItsMessage() {
        may(text("m", "a"));
        may(text("m", "a"), text("m", "b"), text("m", "c"));
        mayNot(text("m", "a"), text("other", "a"));
        mayNot(text("m", "a"), text("m", ""));
        mayNot(text("m", "a"), new TextMessageStartEvent("m"));
    }

    @Test
    void reasoningStaysInItsMessage() {
        Event reasoning = new ReasoningMessageContentEvent("m", "a");
        may(reasoning);
        may(reasoning, new ReasoningMessageContentEvent("m", "b"));
        mayNot(reasoning, new ReasoningMessageContentEvent("other", "a"));
        mayNot(reasoning, new ReasoningMessageContentEvent("m", ""));
        mayNot(reasoning, text("m", "a"));
    }

    @Test
    void aResultStaysTheResultOfItsCall() {
        may(result("m", "c", "a"), result("m", "c", "b"), CUSTOM);
        mayNot(result("m", "c", "a"));
        mayNot(result("m", "c", "a"), result("m", "other", "a"));
        mayNot(result("m", "c", "a"), result("other", "c", "a"));
        mayNot(result("m", "c", "a"), result("m", "c", "a"), result("m", "c", "a"));
    }

    @Test
    void aSnapshotKeepsItsMessages() {
        may(snapshot(said("a", "x"), said("b", "y")), snapshot(said("a", "1"), said("b", "2")));
        mayNot(snapshot(said("a", "x")));
        mayNot(snapshot(said("a", "x"), said("b", "y")), snapshot(said("a", "x")));
        mayNot(snapshot(said("a", "x"), said("b", "y")), snapshot(said("b", "y"), said("a", "x")));
        mayNot(snapshot(said("a", "x")), snapshot(new Message.System("a", "x")));
    }

    @Test
    void everythingElseStaysAsItIs() {
        for (Event event : List.of(
                new TextMessageStartEvent("m"),
                new ToolCallArgsEvent("c", "{}"),
                new StateSnapshotEvent(JsonNodeFactory.instance.objectNode()))) {
            assertThat(Interception.isFree(event)).isFalse();
            may(event, event);
            may(event, CUSTOM, event, RAW);
            mayNot(event);
            mayNot(event, event, event);
        }
        mayNot(new ToolCallArgsEvent("c", "{}"), new ToolCallArgsEvent("c", "{\"to\":\"eve\"}"));
        mayNot(text("m", "a"), text("m", "a"), new RunErrorEvent("no", "MINE", List.of()));
    }
}
