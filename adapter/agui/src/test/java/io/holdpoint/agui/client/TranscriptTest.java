package io.holdpoint.agui.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.ToolCallEvent;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class TranscriptTest {

    private static final int FRAGMENTS = 20_000;
    private static final long BYTES_PER_FRAGMENT = 500;
    private static final Message.User QUESTION = new Message.User("u", MessageContent.text("Well?"));

    private final Transcript transcript = new Transcript();

    @Test
    void fragmentsOfSeveralTextsAndCallsGoWhereTheyBelong() {
        accept(
                new TextMessageEvent.Start("m1"),
                text("m1", "He"),
                text("m1", "llo"),
                new ToolCallEvent.Start("c1", "send", "m1"),
                args("c1", "{\"to\""),
                new ToolCallEvent.Start("c2", "pay", "m1"),
                args("c2", "{"),
                args("c1", ":1}"),
                args("c2", "}"),
                text("m2", "By"),
                text("m1", "!"),
                text("m2", "e"));

        List<ToolCall> calls = List.of(new ToolCall("c1", "send", "{\"to\":1}"), new ToolCall("c2", "pay", "{}"));
        assertThat(transcript.messages())
                .containsExactly(
                        new Message.Assistant("m1", "Hello!", calls), new Message.Assistant("m2", "Bye", List.of()));
    }

    @Test
    void aTextIsReadWhileItGrows() {
        accept(text("m", "He"));
        assertThat(transcript.messages()).containsExactly(new Message.Assistant("m", "He", List.of()));

        accept(text("m", "llo"));
        assertThat(transcript.messages()).containsExactly(new Message.Assistant("m", "Hello", List.of()));
    }

    @Test
    void aTextThatHasOnlyBegunIsEmpty() {
        accept(new TextMessageEvent.Start("m"));

        assertThat(transcript.messages()).containsExactly(new Message.Assistant("m", "", List.of()));
    }

    @Test
    void aCallThatIsStreamedAgainHasItsArgumentsOnce() {
        for (int i = 0; i < 2; i++) {
            accept(new ToolCallEvent.Start("c", "send", "m"), args("c", "{"), args("c", "}"));
        }

        assertThat(((Message.Assistant) transcript.messages().get(0)).toolCalls())
                .contains(new ToolCall("c", "send", "{}"));
    }

    @Test
    void whatBeginsComesAfterATextThatHasNotEnded() {
        accept(text("m1", "One"), new TextMessageEvent.Start("m2"), text("m3", "Three"));
        accept(new ToolCallEvent.Start("c", "send", null));

        assertThat(transcript.messages()).extracting(Message::id).containsExactly("m1", "m2", "m3", "c");
    }

    @Test
    void whatTheUserSaysComesAfterATextThatHasNotEnded() {
        accept(text("m", "Hello"));
        transcript.add(QUESTION);
        accept(text("m", "!"));

        assertThat(transcript.messages()).containsExactly(new Message.Assistant("m", "Hello!", List.of()), QUESTION);
    }

    @Test
    void aSnapshotReplacesATextThatHasNotEnded() {
        accept(text("m", "Hello"), new MessagesSnapshotEvent(List.of(QUESTION)));

        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    @Test
    void aLongTextCostsNoMoreForEachFragmentThanAShortOne() {
        assertThat(allocated(i -> text("m", "some "))).isLessThan(FRAGMENTS * BYTES_PER_FRAGMENT);
    }

    @Test
    void longArgumentsCostNoMoreForEachFragmentThanShortOnes() {
        accept(new ToolCallEvent.Start("c", "send", null));

        assertThat(allocated(i -> args("c", "some "))).isLessThan(FRAGMENTS * BYTES_PER_FRAGMENT);
    }

    private long allocated(IntFunction<Event> fragment) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < FRAGMENTS; i++) {
            transcript.accept(fragment.apply(i));
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void accept(Event... events) {
        List.of(events).forEach(transcript::accept);
    }

    private static Event text(String messageId, String delta) {
        return new TextMessageEvent.Content(messageId, delta);
    }

    private static Event args(String toolCallId, String delta) {
        return new ToolCallEvent.Args(toolCallId, delta);
    }
}
