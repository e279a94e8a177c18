package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Store;
import io.holdpoint.store.TimeStep;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TrailRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process is killed while it does what time has to do, and another one goes on: each step happens once. A third one, whose run time
 * found dead, comes back in the end, and is too late. The ordinary build takes {@linkplain Part a part} of the points.
 */
class SweepKillIT {

    private static final Logger LOG = LoggerFactory.getLogger(SweepKillIT.class);

    private static final int STRIDE = 20;

    /** What is due, by thread: a reminder, an end, an end after which the turn goes on, and a dead run. */
    private static final Map<String, Kind> STEPS =
            Map.of("lend", Kind.REMINDED, "sell", Kind.EXPIRED, "buy", Kind.EXPIRED, "transfer", Kind.HELD);

    private static final String TOOK_EFFECT = "tool transfer took effect";

    @TempDir
    private Path directory;

    /** The number of the point at which an approved call has taken effect; 0 until it is known. */
    private int atTheEffect;

    @ParameterizedTest
    @EnumSource
    void whateverTheKilledOneLeftIsDoneOnceByTheNext(Engine engine) {
        try (Nodes nodes = new Nodes();
                NodeProcess late = NodeProcess.start()) {
            int points = told(engine, late, nodes, 0);
            List<Integer> kills = Part.ofPoints("sweep " + engine, points, stride());
            List<Integer> killed = kills.stream()
                    .filter(stopAt -> told(engine, late, nodes, stopAt) == stopAt)
                    .toList();
            LOG.info("{}: {} points, {} kills", engine, points, killed.size());
            assertThat(killed).as("of %s", kills).isNotEmpty();
        }
    }

    /** How many points the process passed: as many as the number of the one to kill it at, if it came to that one. */
    private int told(Engine engine, NodeProcess late, Nodes nodes, int stopAt) {
        try (TestDatabase database = engine == Engine.POSTGRESQL ? TestDatabase.postgres() : TestDatabase.sqlite()) {
            Path file = directory.resolve(engine + "-" + stopAt);
            Sweep sweep = new Sweep(new Database(database.url()), new Effects(file));
            atTheEffect = atTheEffect > 0 ? atTheEffect : sweep.undisturbedApproval(late);
            List<String> points = sweep.told(late, nodes, atTheEffect, stopAt);
            boolean isStopped = stopAt > 0 && points.size() >= stopAt;
            checkMore(isStopped ? points.get(points.size() - 1) : "undisturbed", sweep.effects());
            return points.size();
        }
    }

    /** Of how many points one is killed at, in an ordinary build. */
    int stride() {
        return STRIDE;
    }

    /** Checks what a module adds, after a kill there. */
    void checkMore(String where, Effects effects) {}

    /** One database, in which time has something to do. */
    private record Sweep(Database database, Effects effects) {

        private NodeProcess open(NodeProcess node, long minutes, int stopAt) {
            node.open(new Order.Open(
                    database, effects.file().toString(), Shape.STREAMING, minutes, CrashPoints.Detail.STEPS, stopAt));
            return node;
        }

        private static List<Event> run(NodeProcess node, RunAgentInput input, NodeProcess.End expected) {
            List<Event> events = new ArrayList<>();
            assertThat(node.run(input, events::add)).isEqualTo(expected);
            return events;
        }

        private static ResumeEntry holds(NodeProcess node, String threadId, String tool) {
            List<Event> events = run(
                    node,
                    RunAgentInput.of(
                            threadId,
                            "run-" + threadId,
                            List.of(new Message.User("u", MessageContent.text(tool + ":" + threadId)))),
                    NodeProcess.End.ENDED);
            RunFinishedOutcome outcome = ((RunEvent.Finished) events.get(events.size() - 1)).outcome();
            return ResumeEntry.resolved(
                    ((RunFinishedOutcome.Interrupted) outcome)
                            .interrupts()
                            .get(0)
                            .id(),
                    AguiCodec.mapper().createObjectNode().put("approved", true));
        }

        private static RunAgentInput approving(String threadId, ResumeEntry approval) {
            return RunAgentInput.of(threadId, "approval-" + threadId, List.of()).withResume(List.of(approval));
        }

        /** The number of the point at which an approved call has taken effect. */
        int undisturbedApproval(NodeProcess node) {
            open(node, 0, 0);
            ResumeEntry approval = holds(node, "other", "transfer");
            int before = node.points().size();
            run(node, approving("other", approval), NodeProcess.End.ENDED);
            int at = node.points().lastIndexOf(TOOK_EFFECT) + 1 - before;
            node.closeDatabase();
            return at;
        }

        /** What the process passed that was killed, if it came to the point to kill it at: notices that go out together are fewer. */
        List<String> told(NodeProcess late, Nodes nodes, int atTheEffect, int stopAt) {
            open(late, 0, 0);
            STEPS.keySet().stream().filter(tool -> !tool.equals("transfer")).forEach(tool -> holds(late, tool, tool));
            ResumeEntry approval = holds(late, "transfer", "transfer");
            late.closeDatabase();
            open(late, 0, atTheEffect);
            run(late, approving("transfer", approval), NodeProcess.End.STANDS);
            assertThat(late.points()).last().isEqualTo(TOOK_EFFECT);

            NodeProcess sweeps = open(nodes.take(), Story.BETWEEN, stopAt);
            Order.Act act = new Order.Act(Order.Act.What.ACT_ON_TIME, "");
            sweeps.start(act);
            NodeProcess.End end = sweeps.await(event -> {});
            List<String> points = sweeps.points();
            boolean isStopped = stopAt > 0 && points.size() >= stopAt;
            assertThat(end).isEqualTo(isStopped ? NodeProcess.End.STANDS : NodeProcess.End.ENDED);
            if (!isStopped) {
                assertThat(sweeps.result()).isEqualTo("4");
                sweeps.closeDatabase();
                nodes.giveBack(sweeps);
            } else {
                sweeps.kill();
            }

            NodeProcess next = open(nodes.take(), 2 * Story.BETWEEN, 0);
            for (String found = "all"; !found.equals("0"); found = next.result()) {
                next.start(act);
                next.await(event -> {});
            }
            next.closeDatabase();
            nodes.giveBack(next);
            late.goOn();
            late.await(event -> {});
            late.closeDatabase();
            String where = isStopped ? points.get(points.size() - 1) : "undisturbed";
            STEPS.forEach((tool, step) -> check(where, tool, step));
            return points;
        }

        private void check(String where, String threadId, Kind step) {
            Store store = database.store(database.dataSource());
            assertThat(store.check()).as(where).isEmpty();
            TrailRules.check(store, threadId);
            WellFormedMemory.check(database.memories(database.dataSource()).getMessages(threadId));
            List<Kind> byTime = store.auditTrail(threadId, 0, 100).stream()
                    .filter(event -> event.caller().equals(TimeStep.TIME))
                    .map(AuditEvent::kind)
                    .toList();
            assertThat(Collections.frequency(byTime, step))
                    .as("%s: %s", where, byTime)
                    .isEqualTo(1);
            assertThat(effects.of("call-" + threadId)).as(where).hasSize(threadId.equals("transfer") ? 1 : 0);
            Optional<Batch> batch = store.find(threadId).orElseThrow().batch();
            assertThat(batch.map(found -> found.openQuestions().size()))
                    .as("%s: open in %s", where, threadId)
                    .isEqualTo(step == Kind.EXPIRED ? Optional.empty() : Optional.of(1));
            assertThat(store.transcript(threadId).stream()
                            .filter(said -> said.toString().contains("That was")))
                    .as("%s: what the model said in %s", where, threadId)
                    .hasSize(threadId.equals("buy") ? 1 : 0);
        }
    }
}
