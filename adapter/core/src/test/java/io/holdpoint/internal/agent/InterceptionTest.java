package io.holdpoint.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be made of which event. */
class InterceptionTest {

    private static final Event CUSTOM = new FreeEvent.Custom("mine", IntNode.valueOf(1));
    private static final Event RAW = new FreeEvent.Raw(IntNode.valueOf(1), "mine");

    private static void may(Event event, Event... made) {
        assertThat(RunHooks.isAllowed(event, List.of(made))).isTrue();
    }

    private static void mayNot(Event event, Event... made) {
        assertThat(RunHooks.isAllowed(event, List.of(made))).isFalse();
    }

    private static Event text(String id, String delta) {
        return new TextMessageEvent.Content(id, delta);
    }

    private static Event result(String id, String call, String text) {
        return new ToolCallEvent.Result(id, call, MessageContent.text(text), EventBase.NONE);
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
        mayNot(text("m", "a"), new TextMessageEvent.Start("m"));
    }

    @Test
    void reasoningStaysInItsMessage() {
        Event reasoning = new ReasoningEvent.MessageContent("m", "a");
        may(reasoning);
        may(reasoning, new ReasoningEvent.MessageContent("m", "b"));
        mayNot(reasoning, new ReasoningEvent.MessageContent("other", "a"));
        mayNot(reasoning, new ReasoningEvent.MessageContent("m", ""));
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
                new TextMessageEvent.Start("m"),
                new ToolCallEvent.Args("c", "{}"),
                new StateEvent.Snapshot(JsonNodeFactory.instance.objectNode()))) {
            assertThat(RunHooks.isFree(event)).isFalse();
            may(event, event);
            may(event, CUSTOM, event, RAW);
            mayNot(event);
            mayNot(event, event, event);
        }
        mayNot(new ToolCallEvent.Args("c", "{}"), new ToolCallEvent.Args("c", "{\"to\":\"eve\"}"));
        mayNot(text("m", "a"), text("m", "a"), new RunEvent.Error("no", "MINE"));
    }
}
