package io.holdpoint.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.CustomEvent;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RawEvent;
import io.holdpoint.agui.StateSnapshotEvent;
import io.holdpoint.agui.StepStartedEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.TextMessageEndEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCallArgsEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of a run as long as it is active. */
class RunLogTest {

    private final RunLog log = new RunLog();

    private List<Event> kept() {
        return log.events().orElseThrow();
    }

    @Test
    void piecesOfOneTextArePutTogetherAndThoseOfAnotherAreNot() {
        log.add(new TextMessageStartEvent("a"));
        log.add(new TextMessageContentEvent("a", "1"));
        log.add(new TextMessageContentEvent("a", "2"));
        assertThat(kept()).endsWith(new TextMessageContentEvent("a", "12"));
        log.add(new TextMessageContentEvent("b", "3"));
        log.add(new ToolCallArgsEvent("a", "4"));
        log.add(new ToolCallArgsEvent("a", "5"));
        log.add(new TextMessageEndEvent("a"));

        assertThat(kept())
                .containsExactly(
                        new TextMessageStartEvent("a"),
                        new TextMessageContentEvent("a", "12"),
                        new TextMessageContentEvent("b", "3"),
                        new ToolCallArgsEvent("a", "45"),
                        new TextMessageEndEvent("a"));
    }

    @Test
    void aLongTextInSmallPiecesIsOneEvent() {
        for (int i = 0; i < RunLog.MAX_EVENTS * 2; i++) {
            log.add(new TextMessageContentEvent("a", "."));
        }

        assertThat(kept()).hasSize(1);
    }

    @Test
    void statesAndEventsOfToolsCountByTheirLength() {
        TextNode half = TextNode.valueOf("x".repeat(RunLog.MAX_LENGTH / 2 + 1));
        for (Event event :
                List.of(new StateSnapshotEvent(half), new CustomEvent("custom", half), new RawEvent(half, "source"))) {
            RunLog own = new RunLog();
            own.add(event);
            assertThat(own.events()).isPresent();
            own.add(event);
            assertThat(own.events()).as(event.type()).isEmpty();
        }
    }

    @Test
    void whatIsTooMuchIsNotKeptAtAll() {
        for (int i = 0; i < RunLog.MAX_EVENTS; i++) {
            log.add(new StepStartedEvent("step"));
        }
        assertThat(kept()).hasSize(RunLog.MAX_EVENTS);
        log.add(new StepStartedEvent("step"));
        assertThat(log.events()).isEmpty();

        log.add(new StepStartedEvent("step"));
        assertThat(log.events()).isEmpty();
    }
}
