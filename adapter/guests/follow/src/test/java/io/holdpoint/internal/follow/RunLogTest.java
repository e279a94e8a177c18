package io.holdpoint.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.internal.follow.LiveRuns.RunLog;
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
        log.add(new TextMessageEvent.Start("a"));
        log.add(new TextMessageEvent.Content("a", "1"));
        log.add(new TextMessageEvent.Content("a", "2"));
        assertThat(kept()).endsWith(new TextMessageEvent.Content("a", "12"));
        log.add(new TextMessageEvent.Content("b", "3"));
        log.add(new ToolCallEvent.Args("a", "4"));
        log.add(new ToolCallEvent.Args("a", "5"));
        log.add(new TextMessageEvent.End("a"));

        assertThat(kept())
                .containsExactly(
                        new TextMessageEvent.Start("a"),
                        new TextMessageEvent.Content("a", "12"),
                        new TextMessageEvent.Content("b", "3"),
                        new ToolCallEvent.Args("a", "45"),
                        new TextMessageEvent.End("a"));
    }

    @Test
    void aLongTextInSmallPiecesIsOneEvent() {
        for (int i = 0; i < RunLog.MAX_EVENTS * 2; i++) {
            log.add(new TextMessageEvent.Content("a", "."));
        }

        assertThat(kept()).hasSize(1);
    }

    @Test
    void statesAndEventsOfToolsCountByTheirLength() {
        TextNode half = TextNode.valueOf("x".repeat(RunLog.MAX_LENGTH / 2 + 1));
        for (Event event : List.of(
                new StateEvent.Snapshot(half),
                new FreeEvent.Custom("custom", half),
                new FreeEvent.Raw(half, "source"))) {
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
            log.add(new StepEvent.Started("step"));
        }
        assertThat(kept()).hasSize(RunLog.MAX_EVENTS);
        log.add(new StepEvent.Started("step"));
        assertThat(log.events()).isEmpty();

        log.add(new StepEvent.Started("step"));
        assertThat(log.events()).isEmpty();
    }
}
