package io.holdpoint.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a follower gets of events that are more than text and calls. */
class FollowerStreamTest {

    private static final RunEvent.Finished END =
            new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), null, List.of());

    private final RecordingSink sink = new RecordingSink();
    private final List<Message> messages = new ArrayList<>(List.of(new Message.User("u1", MessageContent.text("Hi"))));
    private JsonNode state = state(1);
    private int readWhole;
    private final FollowerStream stream = new FollowerStream(sink, new FollowerStream.Shown() {

        @Override
        public JsonNode state() {
            return state;
        }

        @Override
        public List<Message> messages() {
            readWhole++;
            return List.copyOf(messages);
        }

        @Override
        public List<Message> messagesAfter(String messageId) {
            List<Message> end = messages.stream()
                    .dropWhile(message -> !message.id().equals(messageId))
                    .toList();
            return end.isEmpty() ? end : end.subList(1, end.size());
        }
    });

    private static JsonNode state(int x) {
        return AguiCodec.mapper().createObjectNode().put("x", x);
    }

    @BeforeEach
    void begin() {
        stream.started("t", "r");
        stream.show();
    }

    private List<Event> since(int events) {
        return sink.events().subList(events, sink.events().size());
    }

    @Test
    void whatIsUnchangedIsNotShownAgain() {
        stream.show();
        assertThat(sink.events()).hasSize(3);

        state = state(2);
        stream.show();
        assertThat(sink.types()).hasSize(5).endsWith("STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");
    }

    @Test
    void aChangeOfTheStateComesAsTheWholeAndOnceMoreAtTheEnd() {
        StateEvent.Delta delta = new StateEvent.Delta(AguiCodec.mapper().createArrayNode());
        stream.pass(delta);
        state = state(2);
        stream.pass(delta);
        state = state(3);
        stream.end(END);

        assertThat(sink.all(StateEvent.Delta.class)).isEmpty();
        assertThat(sink.all(StateEvent.Snapshot.class).stream()
                        .map(snapshot -> snapshot.snapshot().path("x").asInt()))
                .containsExactly(1, 1, 2, 3);
        assertThat(sink.types()).endsWith("STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
    }

    @Test
    void whereverItBreaksOffEverythingIsClosedInnermostFirst() {
        stream.pass(new StepEvent.Started("think"));
        stream.pass(new ReasoningEvent.Start("m1"));
        stream.pass(new ReasoningEvent.MessageStart("m1"));
        stream.pass(new ReasoningEvent.MessageContent("m1", "Hm"));
        stream.close(END);

        assertThat(sink.types()).endsWith("REASONING_MESSAGE_END", "REASONING_END", "STEP_FINISHED", "RUN_FINISHED");
        assertThat(stream.isOver()).isTrue();
    }

    @Test
    void whatTheRunStoredIsShownBeforeTheNextMessageAndTheWholeThreadIsReadForThatOnly() {
        says("a1");
        messages.add(new Message.Assistant("a1", "Hi", List.of()));
        int before = readWhole;
        says("a2");
        messages.add(new Message.Assistant("a2", "Hi", List.of()));
        says("a3");
        assertThat(readWhole).as("all of it was told").isEqualTo(before);

        messages.add(new Message.Assistant("a3", "Hi", List.of()));
        messages.add(new Message.User("u2", MessageContent.text("More")));
        says("a4");

        assertThat(readWhole).isEqualTo(before + 1);
        assertThat(sink.types())
                .endsWith(
                        "TEXT_MESSAGE_END",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END");
    }

    private void says(String messageId) {
        Stream.of(
                        new TextMessageEvent.Start(messageId),
                        new TextMessageEvent.Content(messageId, "Hi"),
                        new TextMessageEvent.End(messageId))
                .forEach(stream::pass);
    }

    @Test
    void reasoningThatTheTranscriptHasIsNotRepeated() {
        messages.add(new Message.Reasoning("m1", "Hm"));
        stream.show();
        int before = sink.events().size();
        Stream.of(
                        new ReasoningEvent.Start("m1"),
                        new ReasoningEvent.MessageStart("m1"),
                        new ReasoningEvent.MessageContent("m1", "Hm"),
                        new ReasoningEvent.MessageEnd("m1"),
                        new ReasoningEvent.End("m1"))
                .forEach(stream::pass);

        assertThat(since(before)).isEmpty();
    }

    @Test
    void aNewMessageOfTheUserIsShownBeforeTheNextAnswerButNotInTheMiddleOfOne() {
        stream.pass(new TextMessageEvent.Start("m1"));
        messages.add(new Message.User("u2", MessageContent.text("Hey")));
        int before = sink.events().size();
        stream.pass(new ReasoningEvent.Start("m2"));

        assertThat(since(before)).containsExactly(new ReasoningEvent.Start("m2"));
    }

    @Test
    void whatIsAboutNoMessageIsPassedOn() {
        FreeEvent.Custom custom = new FreeEvent.Custom("progress", state(7));
        stream.pass(custom);

        assertThat(sink.last()).isEqualTo(custom);
    }
}
