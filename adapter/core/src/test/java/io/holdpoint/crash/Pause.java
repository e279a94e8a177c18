package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.testing.StreamRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One conversation on two nodes with one database: the first one is stopped at a point for longer than its lease, the
 * second one takes over and brings the conversation to its end, and then the first one comes back.
 */
final class Pause {

    /** The points of a run at which it has no lease. */
    private static final List<String> WITHOUT_LEASE = List.of(
            "before the lease is taken",
            "after the lease is given back",
            "before the last event",
            "after the last event");

    private final NodeProcess first;
    private final NodeProcess second;
    private final Story.Plot plot;
    private final Client client;
    private final Person person;
    private final List<String> errors = new ArrayList<>();

    private Pause(NodeProcess first, NodeProcess second, Story.Plot plot) {
        this.first = first;
        this.second = second;
        this.plot = plot;
        this.person = new Person(plot.onUnknown(), new Effects(plot.effects()));
        this.client = new Client(plot.threadId(), plot.scenario(), plot.habit(), person);
    }

    /**
     * Tells the story.
     *
     * @param point where the first node was stopped
     * @param late the last event of the run that it was stopped in; empty if that was refused
     */
    record Told(Story.Told story, String point, Optional<Event> late) {

        /** Whether the run that came back had something left to write. Otherwise what it tells its client is true. */
        boolean cameTooLate() {
            boolean wroteAll = point.startsWith("after the commit")
                    && (point.contains("batch OPEN") || point.contains("turn Finish"));
            boolean hadNothingToDo = point.equals("after the lease is taken");
            boolean hadNoLease = WITHOUT_LEASE.stream().anyMatch(point::equals);
            return !wroteAll && !hadNothingToDo && !hadNoLease && !point.equals("before the lease is given back");
        }
    }

    static Told tell(NodeProcess first, NodeProcess second, Story.Plot plot) throws IOException, InterruptedException {
        return new Pause(first, second, plot).tell();
    }

    private Told tell() throws IOException, InterruptedException {
        first.open(plot.open(0, plot.crashes().get(0)));
        second.open(plot.open(0, 0));
        List<Event> late = untilItStands();
        String point = lastOf(first.points());
        try {
            signal("STOP");
            client.lost();
            if (holdsTheLease()) {
                assertThat(second.run(client.next().orElseThrow(), event -> {})).isEqualTo(NodeProcess.End.ENDED);
                assertThat(second.result())
                        .as("before the lease has ended")
                        .isEqualTo(ErrorCode.RUN_IN_PROGRESS.name());
                client.lost();
            }
            second.time(Story.BETWEEN);
            talk(second);
        } finally {
            signal("CONT");
            first.goOn();
            assertThat(first.await(late::add)).isEqualTo(NodeProcess.End.ENDED);
        }
        if (late.isEmpty()) { // its lease was lost before it began
            assertThat(first.result()).isEqualTo(ErrorCode.RUN_IN_PROGRESS.name());
        } else {
            StreamRules.check(late);
        }
        assertThat(first.violations()).isEmpty();
        assertThat(second.violations()).isEmpty();
        List<List<String>> points = List.of(first.points(), second.points());
        first.closeDatabase();
        second.closeDatabase();
        return new Told(
                Story.Told.look(plot, points, List.of(), errors, client, person),
                point,
                late.isEmpty() ? Optional.empty() : Optional.of(late.get(late.size() - 1)));
    }

    private List<Event> untilItStands() {
        for (Optional<RunAgentInput> input = client.next(); input.isPresent(); input = client.next()) {
            List<Event> events = new ArrayList<>();
            NodeProcess.End end = first.run(input.get(), events::add);
            events.forEach(client::saw);
            if (end == NodeProcess.End.STANDS) {
                return events;
            }
            StreamRules.check(events);
        }
        throw new AssertionError("the conversation ended before the point: " + first.points());
    }

    private boolean holdsTheLease() {
        String point = lastOf(first.points());
        boolean gaveItBack = point.startsWith("after the commit") && point.endsWith(CrashableStore.GIVES_BACK);
        return !gaveItBack && WITHOUT_LEASE.stream().noneMatch(point::equals);
    }

    private static String lastOf(List<String> points) {
        return points.get(points.size() - 1);
    }

    private void talk(NodeProcess node) {
        for (Optional<RunAgentInput> input = client.next(); input.isPresent(); input = client.next()) {
            List<Event> events = new ArrayList<>();
            node.run(input.get(), events::add);
            events.forEach(client::saw);
            StreamRules.check(events);
            if (events.get(events.size() - 1) instanceof RunEvent.Error error) {
                errors.add(error.code() + ": " + error.message());
            }
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + first.pid())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }
}
