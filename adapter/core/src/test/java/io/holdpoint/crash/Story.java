package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** One conversation, over as many processes as are killed. */
final class Story {

    /** Runs after which a conversation is stuck. */
    private static final int MAX_RUNS = 25;

    /** More than any of these conversations has. */
    private static final int MAX_AUDIT_EVENTS = 1_000;

    /** Minutes between two processes: long enough for any lease to end. */
    static final long BETWEEN = 120;

    /**
     * What to tell.
     *
     * @param threadId new in its database
     * @param crashes numbers of points: of the first process, of the second ...
     */
    record Plot(
            Database database,
            String threadId,
            Path effects,
            Scenario scenario,
            Shape shape,
            Client.Habit habit,
            Person.OnUnknown onUnknown,
            CrashPoints.Detail detail,
            List<Integer> crashes) {

        Order.Open open(long minutes, int stopAt) {
            return new Order.Open(database, effects.toString(), shape, minutes, detail, stopAt);
        }
    }

    /**
     * What came of it.
     *
     * @param points of each process, in order
     * @param firstRuns how many points each process passed in its first run
     * @param errors codes of streams that ended with an error
     */
    record Told(
            Plot plot,
            List<List<String>> points,
            List<Integer> firstRuns,
            List<String> errors,
            List<ChatMessage> memory,
            List<Message> transcript,
            Optional<ThreadRecord> thread,
            List<AuditEvent> audit,
            List<Message.User> spoken,
            Person person) {

        /** Looks from outside, while no process has the database open. */
        static Told look(
                Plot plot,
                List<List<String>> points,
                List<Integer> firstRuns,
                List<String> errors,
                Client client,
                Person person) {
            DataSource database = plot.database().dataSource();
            Store store = plot.database().store(database);
            assertThat(store.check()).isEmpty();
            Told told = new Told(
                    plot,
                    List.copyOf(points),
                    List.copyOf(firstRuns),
                    List.copyOf(errors),
                    plot.database().memories(database).getMessages(plot.threadId()),
                    store.transcript(plot.threadId()),
                    store.find(plot.threadId()),
                    store.auditTrail(plot.threadId(), 0, MAX_AUDIT_EVENTS),
                    client.spoken(),
                    person);
            return told;
        }

        /** How many processes there were before the last one. */
        int kills() {
            return points.size() - 1;
        }

        Effects effects() {
            return new Effects(plot.effects());
        }
    }

    private final Nodes nodes;
    private final Plot plot;
    private final Person person;
    private final Client client;
    private final Iterator<Integer> crashes;
    private final List<List<String>> points = new ArrayList<>();
    private final List<Integer> firstRuns = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private long minutes;

    private Story(Nodes nodes, Plot plot) {
        this.nodes = nodes;
        this.plot = plot;
        this.person = new Person(plot.onUnknown(), new Effects(plot.effects()));
        this.client = new Client(plot.threadId(), plot.scenario(), plot.habit(), person);
        this.crashes = plot.crashes().iterator();
    }

    static Told tell(Nodes nodes, Plot plot) {
        return new Story(nodes, plot).tell();
    }

    private Told tell() {
        NodeProcess node = open();
        try {
            int runs = 0;
            boolean first = true;
            for (Optional<RunAgentInput> input = client.next(); input.isPresent(); input = client.next()) {
                if (++runs > MAX_RUNS) {
                    throw new AssertionError("the thread is stuck: " + errors);
                }
                List<Event> events = new ArrayList<>();
                NodeProcess.End end = node.run(input.get(), events::add);
                events.forEach(client::saw);
                if (first) {
                    firstRuns.add(node.points().size());
                    first = false;
                }
                if (end == NodeProcess.End.STANDS) {
                    node.kill();
                    leave(node);
                    WellFormedMemory.check(look().memory());
                    client.lost();
                    minutes += BETWEEN;
                    node = open();
                    first = true;
                } else {
                    ended(events);
                }
            }
        } catch (Throwable e) {
            node.kill();
            throw e;
        }
        leave(node);
        node.closeDatabase();
        nodes.giveBack(node);
        return look();
    }

    private NodeProcess open() {
        NodeProcess node = nodes.take();
        int stopAt = crashes.hasNext() ? crashes.next() : 0;
        node.open(plot.open(minutes, stopAt));
        return node;
    }

    private void ended(List<Event> events) {
        StreamRules.check(events);
        if (events.get(events.size() - 1) instanceof RunEvent.Error error) {
            errors.add(error.code() + ": " + error.message());
        }
    }

    private void leave(NodeProcess node) {
        points.add(node.points());
        if (!node.violations().isEmpty()) {
            throw new AssertionError(String.join("\n", node.violations()));
        }
    }

    private Told look() {
        return Told.look(plot, points, firstRuns, errors, client, person);
    }
}
