package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes on one PostgreSQL: whatever they do at once on a thread comes out as if one had been first. In each round the
 * second one begins when the first one has passed some points more than in the round before; the ordinary build tries {@linkplain Part a part} of them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RacesIT {

    /** More points than the longest of these runs passes. */
    private static final int POINTS = 30;

    private static final int STRIDE = 15;

    private static final long HOUR = 60;
    private static final long DAY = 24 * HOUR;

    @TempDir
    private static Path directory;

    private static Database database;
    private static Store store;
    private static ChatMemoryStore memories;
    private static Effects effects;
    private static NodeProcess one;
    private static NodeProcess two;

    /** Minutes that have gone by: every round is later than all before it, on both clocks. */
    private static long minutes;

    private static int runs;

    @BeforeAll
    static void start() {
        database = Engine.postgres();
        store = database.store(database.dataSource());
        memories = database.memories(database.dataSource());
        effects = new Effects(directory.resolve("effects"));
        one = NodeProcess.start();
        two = NodeProcess.start();
        for (NodeProcess node : List.of(one, two)) {
            node.open(new Order.Open(
                    database, effects.file().toString(), Shape.STREAMING, 0, CrashPoints.Detail.STEPS, 0));
        }
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        assertThat(one.violations()).isEmpty();
        assertThat(two.violations()).isEmpty();
        assertThat(store.check()).isEmpty();
    }

    /** A part of a race: what a process does. */
    private record Runner(NodeProcess node, Order order) {}

    /**
     * What came of it.
     *
     * @param how {@code success}, {@code interrupt} or {@code cancelled}, the code of an error or a rejection, or what an act gave
     */
    private record Got(String how, List<Event> events) {}

    private static Got got(NodeProcess node, List<Event> events) {
        if (events.isEmpty()) {
            return new Got(node.result(), events);
        }
        StreamRules.check(events);
        if (events.get(events.size() - 1) instanceof RunEvent.Finished finished) {
            RunFinishedOutcome outcome = finished.outcome();
            return new Got(
                    outcome instanceof RunFinishedOutcome.Interrupted
                            ? "interrupt"
                            : RunFinishedOutcome.cancelled().equals(outcome) ? "cancelled" : "success",
                    events);
        }
        return new Got(((RunEvent.Error) events.get(events.size() - 1)).code(), events);
    }

    private static Got run(NodeProcess node, Order order) {
        List<Event> events = new ArrayList<>();
        node.start(order);
        assertThat(node.await(events::add)).isEqualTo(NodeProcess.End.ENDED);
        return got(node, events);
    }

    /** The second one begins when the first one has passed so many points. */
    private static List<Got> race(Runner first, int points, Runner second) {
        List<Event> events = new ArrayList<>();
        List<Event> others = new ArrayList<>();
        first.node.start(first.order);
        NodeProcess.End end = first.node.await(events::add, points);
        second.node.start(second.order);
        if (end == NodeProcess.End.GOES_ON) {
            first.node.await(events::add);
        }
        second.node.await(others::add);
        return List.of(got(first.node, events), got(second.node, others));
    }

    private static void clocks(long ofOne, long ofTwo) {
        one.time(ofOne);
        two.time(ofTwo);
        minutes = Math.max(minutes, Math.max(ofOne, ofTwo));
    }

    private static List<Integer> rounds(String race) {
        return Part.ofPoints(race, POINTS, STRIDE).stream()
                .map(point -> point - 1)
                .toList();
    }

    /** Of two ways in which a race can go, rounds take one and the other in turns. */
    private static boolean takesTheOtherWay(int points) {
        return points / (Part.ALL ? 1 : STRIDE) % 2 == 0;
    }

    private static Order.Run input(String thread, Collection<ResumeEntry> answers, Message... messages) {
        RunAgentInput input = RunAgentInput.of(thread, "run-" + ++runs, List.of(messages));
        return new Order.Run(AguiCodec.toTree(input.withResume(List.copyOf(answers))));
    }

    private static Message user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    private static List<Interrupt> interrupts(Got got) {
        return ((RunFinishedOutcome.Interrupted) ((RunEvent.Finished) got.events.get(got.events.size() - 1)).outcome())
                .interrupts();
    }

    private static List<ResumeEntry> answers(List<Interrupt> asked, boolean approved) {
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("approved", approved);
        return asked.stream()
                .map(interrupt -> ResumeEntry.resolved(interrupt.id(), payload))
                .toList();
    }

    /** A new thread that asks about calls, a day after whatever was before. */
    private static List<Interrupt> held(String thread, String calls) {
        clocks(minutes + DAY, minutes + DAY);
        Got held = run(one, input(thread, List.of(), user("m1", calls)));
        assertThat(held.how).isEqualTo("interrupt");
        return interrupts(held);
    }

    private static int effects(String thread) {
        return (int) effects.all().stream()
                .filter(effect -> effect.argument().startsWith(thread))
                .count();
    }

    private static long told(String thread, Kind kind) {
        return store.auditTrail(thread, 0, 1_000).stream()
                .filter(event -> event.kind() == kind)
                .count();
    }

    /** The thread goes on, and everything that is written of it agrees. What nobody knows is looked up. */
    private static void movesOn(String thread) {
        clocks(minutes + 2 * HOUR, minutes + 2 * HOUR);
        Got got = run(two, input(thread, List.of()));
        for (int i = 0; got.how.equals("interrupt"); i++) {
            assertThat(i).as("the thread is stuck: %s", got).isLessThan(5);
            Person person = new Person(Person.OnUnknown.LOOKS, effects);
            got = run(
                    two,
                    input(
                            thread,
                            interrupts(got).stream()
                                    .map(asked -> asked.expiresAt() == null
                                            ? person.answer(asked)
                                            : ResumeEntry.cancelled(asked.id())) // which it has by now
                                    .toList()));
        }
        assertThat(got.how).isEqualTo("success");
        assertThat(store.head(thread).orElseThrow().batchId()).isEmpty();
        assertThat(store.transcript(thread)).extracting(Message::id).doesNotHaveDuplicates();
        WellFormedMemory.check(memories.getMessages(thread));
        TrailRules.check(store, thread);
        assertThat(told(thread, Kind.EXECUTED)).as("what the trail tells").isEqualTo(effects(thread));
    }

    @Test
    void theSameAnswer() {
        rounds("same").forEach(points -> {
            String thread = "same-" + points;
            List<ResumeEntry> approval = answers(held(thread, "transfer:" + thread), true);

            List<Got> got =
                    race(new Runner(one, input(thread, approval)), points, new Runner(two, input(thread, approval)));

            assertThat(got).extracting(Got::how).contains("success").isSubsetOf("success", "RUN_IN_PROGRESS");
            assertThat(run(two, input(thread, approval)).how).as("again").isEqualTo("success");
            assertThat(effects(thread)).isEqualTo(1);
            movesOn(thread);
            assertThat(memories.getMessages(thread).stream().map(message -> message.type()))
                    .containsExactly(
                            ChatMessageType.USER,
                            ChatMessageType.AI,
                            ChatMessageType.TOOL_EXECUTION_RESULT,
                            ChatMessageType.AI);
        });
    }

    /** Each call is claimed by itself. */
    @Test
    void theSameAnswersToSeveralCalls() {
        rounds("several").forEach(points -> {
            String thread = "several-" + points;
            List<ResumeEntry> approvals =
                    answers(held(thread, "transfer:" + thread + "a,transfer:" + thread + "b"), true);

            List<Got> got =
                    race(new Runner(two, input(thread, approvals)), points, new Runner(one, input(thread, approvals)));

            assertThat(got).extracting(Got::how).contains("success").isSubsetOf("success", "RUN_IN_PROGRESS");
            assertThat(effects.of("call-" + thread + "a")).hasSize(1);
            assertThat(effects.of("call-" + thread + "b")).hasSize(1);
            movesOn(thread);
        });
    }

    @Test
    void differentAnswers() {
        rounds("different").forEach(points -> {
            String thread = "different-" + points;
            List<Interrupt> asked = held(thread, "transfer:" + thread);
            Order.Run approval = input(thread, answers(asked, true));
            Order.Run denial = input(thread, answers(asked, false));
            boolean deniesFirst = takesTheOtherWay(points);

            List<Got> got = race(
                    new Runner(one, deniesFirst ? denial : approval),
                    points,
                    new Runner(two, deniesFirst ? approval : denial));

            assertThat(got).extracting(Got::how).containsOnlyOnce("success");
            assertThat(got).extracting(Got::how).isSubsetOf("success", "INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            boolean firstWon = got.get(0).how.equals("success");
            boolean approved = firstWon != deniesFirst;
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
            assertThat(run(two, approved ? denial : approval).how)
                    .as("the answer that lost, again")
                    .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
        });
    }

    @Test
    void anAnswerAndCancel() {
        rounds("cancelled").forEach(points -> {
            String thread = "cancelled-" + points;
            Order.Run approval = input(thread, answers(held(thread, "transfer:" + thread), true));

            List<Got> got = race(
                    new Runner(one, approval), points, new Runner(two, new Order.Act(Order.Act.What.CANCEL, thread)));

            assertThat(got.get(0).how).isIn("success", "cancelled", "INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            if (got.get(1).how.equals("false")) {
                assertThat(got.get(0).how).isEqualTo("success");
                assertThat(effects(thread)).isEqualTo(1);
            }
            assertThat(effects(thread)).isLessThanOrEqualTo(1);
            movesOn(thread);
            assertThat(effects(thread)).isLessThanOrEqualTo(1);
        });
    }

    /** The call runs if it was claimed before the halt; else it is as it was until the agent is released, and then runs once. */
    @Test
    void anAnswerAndAHalt() {
        rounds("halted").forEach(points -> {
            String thread = "halted-" + points;
            Order.Run approval = input(thread, answers(held(thread, "transfer:" + thread), true));
            Order.Act halt = new Order.Act(Order.Act.What.HALT, "");

            List<Got> got = race(new Runner(one, approval), points, new Runner(two, halt));

            assertThat(got).extracting(Got::how).isIn(List.of("success", "true"), List.of("AGENT_HALTED", "true"));
            int before = effects(thread);
            assertThat(before).isBetween(got.get(0).how.equals("success") ? 1 : 0, 1);
            assertThat(run(one, approval).how).isEqualTo("AGENT_HALTED");
            assertThat(run(two, input(thread, List.of(), user("m2", "transfer:" + thread + "more"))).how)
                    .isEqualTo("AGENT_HALTED");
            assertThat(effects(thread)).isEqualTo(before);
            assertThat(run(two, new Order.Act(Order.Act.What.RELEASE, "")).how).isEqualTo("true");
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(1);
        });
    }

    /** The clock of one node says that it is too late. */
    @Test
    void anAnswerAndItsExpiry() {
        rounds("expired").forEach(points -> {
            String thread = "expired-" + points;
            Order.Run approval = input(thread, answers(held(thread, "pay:" + thread), true));
            clocks(minutes, minutes + 40);
            boolean lateFirst = takesTheOtherWay(points);

            List<Got> got = race(
                    new Runner(lateFirst ? two : one, approval), points, new Runner(lateFirst ? one : two, approval));

            assertThat(effects(thread)).isLessThanOrEqualTo(1);
            if (effects(thread) == 1) {
                assertThat(got.get(lateFirst ? 1 : 0).how).isEqualTo("success");
                assertThat(told(thread, Kind.EXPIRED)).isZero();
            }
            movesOn(thread);
            assertThat(effects(thread)).isLessThanOrEqualTo(1);
        });
    }

    /** Time gives the turn up by the clock of the other node. */
    @Test
    void anAnswerAndTime() {
        rounds("timed").forEach(points -> {
            String thread = "timed-" + points;
            List<ResumeEntry> approvals = answers(held(thread, "sell:" + thread), true);
            Order approval = takesTheOtherWay(points)
                    ? input(thread, approvals)
                    : new Order.Decide("grace", thread, AguiCodec.toTree(approvals.get(0)));
            clocks(minutes, minutes + HOUR + 1);

            List<Got> got = race(
                    new Runner(one, approval),
                    points,
                    new Runner(two, new Order.Act(Order.Act.What.ACT_ON_TIME, thread)));

            boolean approved = got.get(0).how.equals("success");
            assertThat(got.get(0).how)
                    .isIn("success", "cancelled", "INTERRUPT_EXPIRED", "INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
            assertThat(told(thread, Kind.EXPIRED)).isEqualTo(approved ? 0 : 1);
        });
    }

    @Test
    void theVoicesOfTwo() {
        rounds("voices").forEach(points -> {
            String thread = "voices-" + points;
            JsonNode approval = AguiCodec.toTree(
                    answers(held(thread, "award:" + thread), true).get(0));
            Order.Decide grace = new Order.Decide("grace", thread, approval);
            Order.Decide heidi = new Order.Decide("heidi", thread, approval);

            List<Got> got = race(new Runner(one, grace), points, new Runner(two, heidi));

            assertThat(got).extracting(Got::how).isSubsetOf("success", "waits", "RUN_IN_PROGRESS");
            if (got.get(0).how.equals("RUN_IN_PROGRESS")) {
                assertThat(run(one, grace).how).isEqualTo("success");
            } else if (got.get(1).how.equals("RUN_IN_PROGRESS")) {
                assertThat(run(two, heidi).how).isEqualTo("success");
            } else {
                assertThat(got).extracting(Got::how).containsExactlyInAnyOrder("waits", "success");
            }
            assertThat(effects(thread)).isEqualTo(1);
            assertThat(told(thread, Kind.VOTED)).isEqualTo(1);
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(1);
        });
    }

    @Test
    void theLastVoiceAndADenial() {
        rounds("denied").forEach(points -> {
            String thread = "denied-" + points;
            List<Interrupt> asked = held(thread, "award:" + thread);
            JsonNode approval = AguiCodec.toTree(answers(asked, true).get(0));
            JsonNode denial = AguiCodec.toTree(answers(asked, false).get(0));
            assertThat(run(two, new Order.Decide("grace", thread, approval)).how)
                    .isEqualTo("waits");
            Runner approves = new Runner(one, new Order.Decide("heidi", thread, approval));
            Runner denies = new Runner(two, new Order.Decide("iris", thread, denial));
            boolean deniesFirst = takesTheOtherWay(points);

            List<Got> got = deniesFirst ? race(denies, points, approves) : race(approves, points, denies);

            assertThat(got).extracting(Got::how).containsOnlyOnce("success");
            assertThat(got).extracting(Got::how).isSubsetOf("success", "INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            boolean approved = got.get(0).how.equals("success") != deniesFirst;
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(approved ? 1 : 0);
        });
    }

    @Test
    void anAnswerAndANewMessage() {
        rounds("steered").forEach(points -> {
            String thread = "steered-" + points;
            List<Interrupt> asked = held(thread, "transfer:" + thread);
            Order.Run approval = input(thread, answers(asked, true));
            List<ResumeEntry> never = asked.stream()
                    .map(interrupt -> ResumeEntry.cancelled(interrupt.id()))
                    .toList();
            Order.Run steers = input(thread, takesTheOtherWay(points) ? never : List.of(), user("m2", "never mind"));

            List<Got> got = race(new Runner(one, approval), points, new Runner(two, steers));

            assertThat(got).extracting(Got::how).contains("success");
            assertThat(got.get(0).how).isIn("success", "INTERRUPT_ALREADY_RESOLVED", "RUN_IN_PROGRESS");
            if (!got.get(1).how.equals("success")) {
                assertThat(got.get(1).how)
                        .as("it came during the other run, or before it without an answer")
                        .isIn("RUN_IN_PROGRESS", "INTERRUPT_PENDING");
                assertThat(run(two, steers).how).as("the message, again").isEqualTo("success");
            }
            assertThat(effects(thread)).isEqualTo(got.get(0).how.equals("success") ? 1 : 0);
            assertThat(saidBy(thread)).containsExactly("transfer:" + thread, "never mind");
            movesOn(thread);
        });
    }

    private static List<String> saidBy(String thread) {
        return memories.getMessages(thread).stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).singleText())
                .toList();
    }

    /** The lease of the first one has ended by the clock of the second one, wherever the first one is. */
    @Test
    void anAnswerAndATakeOver() {
        rounds("taken").forEach(points -> {
            String thread = "taken-" + points;
            Order.Run approval = input(thread, answers(held(thread, "transfer:" + thread), true));
            clocks(minutes, minutes + 2 * HOUR);

            race(new Runner(one, approval), points, new Runner(two, approval));

            assertThat(effects(thread)).isLessThanOrEqualTo(1);
            movesOn(thread);
            assertThat(effects(thread)).isEqualTo(1);
        });
    }

    @Test
    void anAnswerAndAPurge() {
        rounds("purged").forEach(points -> {
            String thread = "purged-" + points;
            Order.Run approval = input(thread, answers(held(thread, "transfer:" + thread), true));
            clocks(minutes + 40 * DAY, minutes + 40 * DAY);
            Runner answers = new Runner(one, approval);
            Runner purges = new Runner(two, new Order.Act(Order.Act.What.PURGE, thread));
            boolean purgesFirst = takesTheOtherWay(points);

            List<Got> got = purgesFirst ? race(purges, points, answers) : race(answers, points, purges);

            String answered = got.get(purgesFirst ? 1 : 0).how;
            assertThat(effects(thread)).isEqualTo(answered.equals("success") ? 1 : 0);
            movesOn(thread);
            assertThat(told(thread, Kind.EXPIRED)).isEqualTo(1 - effects(thread));
        });
    }

    /** What is settled goes while the answer to it is sent again. */
    @Test
    void anAnswerThatIsRepeatedAndAPurge() {
        rounds("repeated").forEach(points -> {
            String thread = "repeated-" + points;
            Order.Run approval = input(thread, answers(held(thread, "transfer:" + thread), true));
            assertThat(run(one, approval).how).isEqualTo("success");
            clocks(minutes + 2 * DAY, minutes + 2 * DAY);

            List<Got> got = race(
                    new Runner(one, approval), points, new Runner(two, new Order.Act(Order.Act.What.PURGE, thread)));

            assertThat(got.get(0).how).isIn("success", "INTERRUPT_ALREADY_RESOLVED");
            assertThat(run(two, approval).how).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
            assertThat(effects(thread)).isEqualTo(1);
            movesOn(thread);
        });
    }

    /** A call that was let through runs if it was claimed before the decision was taken back, and not if it was not. */
    @Test
    void aRememberedDecisionAndItsRevocation() {
        rounds("granted").forEach(points -> {
            String thread = "granted-" + points;
            ObjectNode remembers =
                    AguiCodec.mapper().createObjectNode().put("approved", true).put("remember", "tool");
            List<Interrupt> asked = held(thread, "pay:" + thread);
            assertThat(run(
                                    one,
                                    input(
                                            thread,
                                            List.of(ResumeEntry.resolved(
                                                    asked.get(0).id(), remembers))))
                            .how)
                    .isEqualTo("success");
            Order.Run uses = input(thread, List.of(), user("m2", "pay:" + thread + "again"));

            List<Got> got =
                    race(new Runner(one, uses), points, new Runner(two, new Order.Act(Order.Act.What.REVOKE, thread)));

            assertThat(got.get(1).how).isEqualTo("true");
            List<Kind> trail = store.auditTrail(thread, 0, 1_000).stream()
                    .filter(event -> event.kind() == Kind.REVOKED
                            || event.kind() == Kind.CLAIMED
                                    && event.toolCallId().orElse("").endsWith("again"))
                    .map(AuditEvent::kind)
                    .toList();
            assertThat(trail).isIn(List.of(Kind.REVOKED), List.of(Kind.CLAIMED, Kind.REVOKED));
            assertThat(effects.of("call-" + thread + "again")).hasSize(trail.size() - 1);
            movesOn(thread);
        });
    }

    @Test
    void differentMessages() {
        rounds("messages").forEach(points -> {
            String thread = "messages-" + points;
            clocks(minutes, minutes);
            if (takesTheOtherWay(points)) {
                run(one, input(thread, List.of(), user("m1", "hello")));
            }
            Order.Run first = input(thread, List.of(), user("a", "from one"));
            Order.Run second = input(thread, List.of(), user("b", "from two"));

            List<Got> got = race(new Runner(one, first), points, new Runner(two, second));

            assertThat(got).extracting(Got::how).contains("success").isSubsetOf("success", "RUN_IN_PROGRESS");
            for (int i = 0; i < 2; i++) { // a client that was sent away sends its message again
                if (!got.get(i).how.equals("success")) {
                    assertThat(run(one, i == 0 ? first : second).how).isEqualTo("success");
                }
            }
            assertThat(saidBy(thread))
                    .filteredOn(text -> text.startsWith("from"))
                    .containsExactlyInAnyOrder("from one", "from two");
            movesOn(thread);
        });
    }

    @Test
    void theSameMessage() {
        rounds("twice").forEach(points -> {
            String thread = "twice-" + points;
            clocks(minutes, minutes);
            Order.Run hello = input(thread, List.of(), user("m1", "hello"));

            List<Got> got = race(new Runner(one, hello), points, new Runner(two, hello));

            assertThat(got).extracting(Got::how).contains("success").isSubsetOf("success", "RUN_IN_PROGRESS");
            assertThat(saidBy(thread)).containsExactly("hello");
            movesOn(thread);
        });
    }
}
