package io.holdpoint.upgrade;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TrailRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes are upgraded one after the other: one of the version before works on while one of this version upgrades the tables and works
 * beside it. Nothing is lost, and nothing runs twice.
 */
@ParameterizedClass
@EnumSource
@Logs("Another AiServiceContextFactory is in use") // both versions are in one process
class RollingUpgradeIT {

    enum Engine {
        SQLITE,
        POSTGRESQL
    }

    @Parameter
    private Engine engine;

    private final ScriptedModel model = new ScriptedModel();
    private final VirtualClock clock = new VirtualClock();
    private final List<String> entered = Collections.synchronizedList(new ArrayList<>());
    private volatile Consumer<String> body = entered::add;
    private TestDatabase database;
    private Node before;
    private Node now;
    private JdbcStore store;

    @BeforeEach
    void upgradeWhileTheNodeOfTheVersionBeforeHasAQuestion() throws Exception {
        database = engine == Engine.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres();
        before = nodeOf(VersionBefore.CLASSES);
        assertThat(version()).isEqualTo(4);
        hold(before, "upgraded", "transfer");
        now = nodeOf(getClass().getClassLoader());
        assertThat(version()).isEqualTo(6);
        store = JdbcStore.create(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Node nodeOf(ClassLoader version) throws ReflectiveOperationException {
        return (Node) version.loadClass(VersionNode.class.getName())
                .getConstructor(DataSource.class, ChatModel.class, Clock.class, Consumer.class)
                .newInstance(database.dataSource(), model, clock, (Consumer<String>) call -> body.accept(call));
    }

    private int version() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT version FROM holdpoint_schema")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private List<String> hold(Node node, String threadId, String... tools) {
        model.calls(Stream.of(tools)
                .map(tool -> call(threadId + "-" + tool, tool, "{\"to\":\"" + threadId + "\"}"))
                .toArray(ToolExecutionRequest[]::new));
        assertThat(node.send(threadId, "Please")).isEqualTo("Interrupted");
        return node.pending(threadId);
    }

    private List<Kind> trail(String threadId) {
        TrailRules.check(store, threadId);
        return store.auditTrail(threadId, 0, 1_000).stream()
                .map(AuditEvent::kind)
                .toList();
    }

    private void says(Node node, String threadId) {
        model.says("Fine.");
        assertThat(node.send(threadId, "Thank you")).isEqualTo("Completed");
        assertThat(model.left()).isZero();
    }

    @Test
    void whatOneHoldsTheOtherRunsOnce() {
        List<String> old = before.pending("upgraded");
        List<String> young = hold(now, "new", "transfer");
        assertThat(now.pending("upgraded")).isEqualTo(old);
        assertThat(before.pending("new")).isEqualTo(young);

        model.says("Done.");
        assertThat(now.approve("bob", "upgraded", old)).isEqualTo("Completed");
        model.says("Done.");
        assertThat(before.approve("bob", "new", young)).isEqualTo("Completed");
        assertThat(before.approve("bob", "upgraded", old)).isEqualTo("Completed");
        assertThat(now.approve("bob", "new", young)).isEqualTo("Completed");

        assertThat(entered).containsExactly("transfer upgraded", "transfer new");
        says(before, "upgraded");
        says(now, "new");
        assertThat(trail("upgraded"))
                .isEqualTo(trail("new"))
                .containsExactly(Kind.PROPOSED, Kind.HELD, Kind.DECIDED, Kind.CLAIMED, Kind.EXECUTED, Kind.REPLAYED);
    }

    @Test
    void ofTwoThatAreAnsweredAtOnceOneRuns() throws Exception {
        for (int i = 0; i < 10; i++) {
            String threadId = "raced-" + i;
            List<String> asked = hold(i % 2 == 0 ? before : now, threadId, "transfer");
            model.says("Done.");
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<String>> answers = Stream.of(before, now)
                    .map(node -> CompletableFuture.supplyAsync(() -> {
                        await(together);
                        return node.approve("bob", threadId, asked);
                    }))
                    .toList();
            for (CompletableFuture<String> answer : answers) {
                assertThat(answer.get()).isIn("Completed", "RUN_IN_PROGRESS");
            }
            assertThat(entered).containsOnlyOnce("transfer " + threadId);
            says(i % 2 == 0 ? now : before, threadId);
            assertThat(trail(threadId)).contains(Kind.EXECUTED);
        }
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void timeActsOnceAndWhatItRemindedOfIsAnsweredOnTheOther() {
        List<String> asked = hold(now, "t", "lend");
        clock.advance(Duration.ofHours(2));

        assertThat(now.actOnTime()).isEqualTo(1);
        assertThat(now.actOnTime()).isZero();
        assertThat(before.pending("t")).isEqualTo(asked);
        model.says("Done.");
        assertThat(before.approve("bob", "t", asked)).isEqualTo("Completed");

        assertThat(entered).containsExactly("lend t");
        assertThat(now.actOnTime()).isZero();
        says(now, "t");
        assertThat(trail("t")).containsOnlyOnce(Kind.REMINDED, Kind.CLAIMED);
    }

    @Test
    void whatTimeSettledGoesOnOnTheOther() {
        hold(now, "given-up", "sell");
        hold(now, "gone-on", "buy");
        clock.advance(Duration.ofHours(2));
        model.says("Nobody has answered.");

        assertThat(now.actOnTime()).isEqualTo(2);
        for (String threadId : List.of("given-up", "gone-on")) {
            assertThat(before.pending(threadId)).isEmpty();
            says(before, threadId);
            says(now, threadId);
            assertThat(trail(threadId)).containsExactly(Kind.PROPOSED, Kind.HELD, Kind.EXPIRED, Kind.NOT_EXECUTED);
        }
        assertThat(entered).isEmpty();
    }

    /** The version before gives a question no deadline that time acts on: as there, the next message settles it. */
    @Test
    void timeLeavesAQuestionOfTheVersionBeforeAlone() {
        List<String> asked = hold(before, "t", "sell");
        clock.advance(Duration.ofHours(2));

        assertThat(now.actOnTime()).isZero();
        assertThat(now.pending("t")).isEqualTo(asked);
        says(now, "t");

        assertThat(entered).isEmpty();
        assertThat(trail("t")).endsWith(Kind.NOT_EXECUTED);
    }

    @Test
    void theVersionBeforeTakesNoApprovalOfAQuestionForSeveralAndKeepsTheVotes() {
        List<String> asked = hold(now, "t", "award");
        assertThat(now.decide("bob", "t", asked.get(0))).isEqualTo("Waits");

        assertThat(before.pending("t")).isEqualTo(asked);
        assertThat(before.approve("eve", "t", asked)).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(before.send("t", "Hurry")).isEqualTo("INTERRUPT_PENDING");
        assertThat(entered).isEmpty();

        model.says("Done.");
        assertThat(now.decide("eve", "t", asked.get(0))).isEqualTo("Runs");
        assertThat(entered).containsExactly("award t");
        says(before, "t");
        assertThat(trail("t")).containsOnlyOnce(Kind.VOTED, Kind.DECIDED, Kind.CLAIMED);
    }

    @Test
    void theVersionBeforeCancelsAQuestionWithVotes() {
        List<String> asked = hold(now, "t", "award");
        now.decide("bob", "t", asked.get(0));
        model.says("Cancelled.");

        assertThat(before.cancel("t")).isEqualTo("Completed");
        says(now, "t");
        assertThat(entered).isEmpty();
        assertThat(trail("t")).endsWith(Kind.NOT_EXECUTED);
    }

    @Test
    void anAnswerToOneOfTwoQuestionsStandsWhenTheOtherIsAnsweredOnTheVersionBefore() {
        List<String> asked = hold(now, "t", "transfer", "lend");
        assertThat(now.decide("bob", "t", asked.get(0))).isEqualTo("Waits");

        assertThat(before.pending("t")).containsExactly(asked.get(1));
        assertThat(before.send("t", "Hurry")).isEqualTo("INTERRUPT_PENDING");
        model.says("Done.");
        assertThat(before.approve("eve", "t", asked.subList(1, 2))).isEqualTo("Completed");

        assertThat(entered).containsExactly("transfer t", "lend t");
        says(now, "t");
        trail("t");
    }

    /** What the guide for approvers says of an upgrade: so let all nodes be new before answers come one by one. */
    @Test
    void theVersionBeforeRunsNothingOfAMessageInWhichAQuestionHasExpired() {
        List<String> decided = hold(now, "decided", "transfer", "sell");
        List<String> expired = hold(now, "expired", "transfer", "sell");
        assertThat(now.decide("bob", "decided", decided.get(0))).isEqualTo("Waits");
        clock.advance(Duration.ofHours(2));
        says(before, "decided");
        assertThat(now.actOnTime()).isEqualTo(1);
        assertThat(before.approve("bob", "expired", expired.subList(0, 1))).isEqualTo("Completed");

        assertThat(entered).isEmpty();
        for (String threadId : List.of("decided", "expired")) {
            says(now, threadId);
            assertThat(trail(threadId)).endsWith(Kind.NOT_EXECUTED, Kind.NOT_EXECUTED);
        }
    }

    /** The version before stands still in a body for longer than its lease. */
    @Test
    @Logs("Run * on thread t failed")
    void aCallThatTheVersionBeforeHasBegunIsNotBegunAgain() throws Exception {
        List<String> asked = hold(now, "t", "transfer");
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        body = call -> {
            entered.add(call);
            inside.countDown();
            await(goOn);
        };
        CompletableFuture<String> run = CompletableFuture.supplyAsync(() -> before.approve("bob", "t", asked));
        inside.await();
        assertThat(now.send("t", "Hurry")).isEqualTo("RUN_IN_PROGRESS");
        assertThat(now.actOnTime()).isZero();

        clock.advance(VersionNode.LEASE.plusMinutes(11));
        assertThat(now.actOnTime()).isEqualTo(1);
        assertThat(now.pending("t")).hasSize(1).isNotEqualTo(asked);
        goOn.countDown();
        assertThat(run.get()).isEqualTo("RUN_FAILED");

        model.says("As you say.");
        assertThat(now.cancel("t")).isEqualTo("Completed");
        says(now, "t");
        assertThat(entered).containsExactly("transfer t");
        assertThat(trail("t")).containsOnlyOnce(Kind.CLAIMED, Kind.LEASE_LOST);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
