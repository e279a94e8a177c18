package io.holdpoint.laws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.laws.Client.Sent;
import io.holdpoint.laws.Program.Input;
import io.holdpoint.laws.World.Everything;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A history of two or three nodes with one store, of a few threads and their clients, drawn from a seed. At every access of a
 * node to what is outside of it, before and after each commit above all, the access may fail, the node may die, the clock may
 * jump, and others may act. All of it happens on the calling thread, so that a seed gives the same history again. The laws are
 * checked after every step.
 */
public final class History {

    /** A little longer than a lease. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(31);

    private static final Set<Kind> TIMED =
            Set.of(Kind.REMINDED, Kind.WARNED, Kind.ESCALATED, Kind.EXPIRED, Kind.VOTED, Kind.VOIDED);

    private static final List<Duration> JUMPS =
            List.of(Duration.ofSeconds(5), TAKEN_OVER, TAKEN_OVER, Duration.ofMinutes(20), Duration.ofMinutes(90));

    /** How many act within each other. */
    private static final int DEEPEST = 3;

    /** The most that two clocks differ by. */
    private static final Duration SKEW = Duration.ofHours(1);

    private static final int MOST_ATTEMPTS = 4;

    private final Chance chance;
    private final Shape shape;
    private final Store store;
    private final Optional<AgreeingStores> stores;
    private final VirtualClock clock = new VirtualClock();
    private final List<Talk> talks = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> everyNode = new ArrayList<>();
    private final Deque<Act> acts = new ArrayDeque<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final StringBuilder trace = new StringBuilder();
    /** When the agent is halted and released; never, if it is empty. */
    private final Optional<Chance> halts;

    private boolean calm;

    /** A thread and those who talk on it. */
    private static final class Talk {

        private final World world;
        private final Client client;
        private final Laws laws;
        private Sent last;
        private Instant leasesAreGone;
        /** Answers that were taken back while somebody may have been acting on them. */
        private final Set<String> takenBack = new HashSet<>();

        Talk(World world) {
            this.world = world;
            this.client = new Client(world);
            this.laws = new Laws(world);
            this.last = client.make(new Input.Say());
            this.leasesAreGone = world.clock.instant();
        }
    }

    /** Something that a node does for a client, perhaps in the middle of something else. */
    private static final class Act {

        private final Node node;
        private final Talk talk;
        /** Something came in between, so that it may end otherwise than its client expects. */
        private boolean disturbed;
        /** What its input wants remembered; counted from when the answer is taken, which is still to come. */
        private Optional<Sent> sent = Optional.empty();
        /** What it left behind when another node took its thread over. */
        private Optional<Everything> overtaken = Optional.empty();

        Act(Node node, Talk talk) {
            this.node = node;
            this.talk = talk;
        }
    }

    private History(long seed, Optional<Chance> halts, Optional<Store> other) {
        this.halts = halts;
        Store first = new InMemoryStore();
        stores =
                other.map(second -> new AgreeingStores(first, second, seed, clock::instant, List.of("t0", "t1", "t2")));
        store = stores.map(AgreeingStores::store).orElse(first);
        chance = new Chance(seed);
        shape = chance.of(List.of(Shape.STREAMING, Shape.BLOCKING));
        InMemoryChatMemoryStore memories = new InMemoryChatMemoryStore();
        for (int i = chance.below(chance.isCrowded ? 2 : 3); i >= 0; i--) {
            World world = new World("t" + i, store, memories, clock, chance.script());
            world.skew = chance.isCrowded ? SKEW : Duration.ZERO;
            talks.add(new Talk(world));
        }
        for (int i = 2 + chance.below(2); i > 0; i--) {
            nodes.add(node());
        }
    }

    /**
     * Plays a history to its end.
     *
     * @param seed the same one gives the same history
     * @return what happened in it
     * @throws AssertionError if a law was broken; names the seed
     */
    public static Told play(long seed) {
        return play(seed, new History(seed, Optional.empty(), Optional.empty()));
    }

    /** The same with an operator who halts and releases the agent at any moment. */
    public static Told halting(long seed) {
        return play(seed, new History(seed, Optional.of(new Chance(~seed)), Optional.empty()));
    }

    /** The same with another store beside the one in memory, which says and keeps the same. */
    static Told agreeing(long seed, Store other) {
        return play(seed, new History(seed, Optional.of(new Chance(~seed)), Optional.of(other)));
    }

    private static Told play(long seed, History history) {
        try {
            history.play();
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + history.trace, e);
        }
        history.everyNode.forEach(Node::isGone); // not if one may still be in the middle of something
        return new Told(history.counts, history.trace.toString());
    }

    /**
     * What happened.
     *
     * @param counts how often what happened
     * @param trace every step and access, in order
     */
    public record Told(Map<String, Integer> counts, String trace) {}

    private void play() {
        for (int step = (chance.isCrowded ? 12 : 3) + chance.below(12); step > 0; step--) {
            jump(chance.perMille(260) ? chance.of(JUMPS) : Duration.ZERO);
            haltOrRelease();
            if (chance.perMille(30)) {
                nodes.set(chance.below(nodes.size()), node());
                count("a node is restarted");
            }
            act();
        }
        calm = true;
        release();
        if (chance.isCrowded) {
            timeHasActed();
        }
        for (Talk talk : talks) {
            getsUnstuck(talk);
            store.auditTrail(talk.world.threadId, 0, World.MOST_EVENTS).stream()
                    .filter(event -> TIMED.contains(event.kind()))
                    .forEach(event -> count(event.kind().name()));
        }
        assertThat(store.check()).isEmpty();
        stores.ifPresent(AgreeingStores::look);
        stores.ifPresent(AgreeingStores::purge);
    }

    /** Law 12: one look of a node that lives leaves nothing that is due. */
    private void timeHasActed() {
        clock.advance(Duration.ofDays(1));
        talks.forEach(talk -> talk.world.calmDown());
        Node node = node();
        if (talks.size() == 1) {
            actsOnTime(node, talks.get(0));
            assertThat(store.threads(Wanted.DUE, Place.FIRST, node.clock.instant(), 1))
                    .as("law 12: what is still due")
                    .isEmpty();
            List<Call> calls = talks.get(0).world.batch().map(Batch::calls).orElse(List.of());
            assertThat(Inside.of(node.agent()).runs().timekeeper.deserted())
                    .as("dead runs without a batch")
                    .isLessThanOrEqualTo(calls.isEmpty() ? 0 : 1);
            assertThat(calls)
                    .as("law 10: calls that a dead run has cut off, and about which nobody is asked")
                    .noneMatch(call -> call.state() == Call.State.CLAIMED
                            && !call.proposal().idempotent());
            talks.get(0).laws.always();
            talks.get(0).laws.trail();
        }
    }

    private Node node() {
        Node node = new Node(talks.get(0).world, shape, chance.skew());
        everyNode.add(node);
        node.meets(access -> meet(node, access));
        return node;
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
        trace(what);
    }

    private void trace(String what) {
        trace.append("  ".repeat(acts.size())).append(what).append('\n');
    }

    // --- what goes wrong

    /** What happens at an access of a node. */
    private void meet(Node node, String access) {
        if (access.startsWith("after acquire") && node.isActive()) {
            beginsAnew(acts.peek());
        }
        if (calm || acts.isEmpty() || node.isDead()) {
            return;
        }
        trace(access);
        haltOrRelease();
        boolean commit = access.endsWith("commit") || access.contains("memory") || access.contains("tool");
        if (chance.perMille(commit ? 25 : 5)) {
            acts.peek().disturbed = true;
            count("an access fails");
            throw new Node.Broken("fails at " + access);
        }
        if (chance.perMille(commit ? 15 : 3)) {
            node.dies();
            acts.stream().filter(act -> act.node == node).forEach(act -> act.disturbed = true);
            count("a node dies");
            throw new Node.Broken("dies at " + access);
        }
        if (chance.perMille(15)) {
            acts.forEach(act -> act.disturbed = true);
            jump(chance.of(JUMPS));
        }
        if (acts.size() < DEEPEST && chance.perMille(40)) {
            act();
        }
    }

    /** An operator, who writes to the store beside the nodes. */
    private void haltOrRelease() {
        boolean halted = store.halted().isPresent();
        if (halts.isEmpty() || !halts.get().perMille(halted ? 120 : 30)) {
            return;
        }
        acts.forEach(act -> act.disturbed = true);
        if (halted) {
            release();
        } else {
            count("a halt");
            store.halt(Optional.of(new Store.Halt("", clock.instant(), "operator", "")), List.of());
            talks.forEach(talk -> talk.world.halted());
        }
    }

    private void release() {
        store.halt(Optional.empty(), List.of());
        talks.forEach(talk -> talk.world.released());
    }

    private void jump(Duration far) {
        if (!far.isZero()) {
            clock.advance(far);
            acts.forEach(act -> act.sent.ifPresent(sent -> act.talk.world.answeredLater(sent, far)));
            count("the clock jumps");
        }
    }

    // --- what clients do

    /** A client does something at a node that is not in the middle of something else. */
    private void act() {
        Talk talk = chance.of(talks);
        int index = chance.below(nodes.size());
        if (acts.stream().anyMatch(act -> act.node == nodes.get(index))) {
            return;
        }
        if (nodes.get(index).isDead()) {
            nodes.set(index, node());
        }
        Node node = nodes.get(index);
        acts.forEach(act -> act.disturbed |= act.talk == talk);
        if (talks.size() == 1 && chance.perMille(chance.isCrowded ? 250 : 120)) {
            actsOnTime(node, talk);
        } else if (chance.isCrowded && chance.perMille(400)) {
            for (int i = chance.below(3); i >= 0 && !node.isDead(); i--) {
                decide(node, talk);
            }
        } else if (chance.perMille(60)) {
            cancel(node, talk);
        } else if (chance.perMille(120)) {
            revoke(node, talk);
        } else {
            Input input = chance.input();
            trace(talk.world.threadId + " at node " + index + ": " + input);
            talk.last = input instanceof Input.Again ? talk.last.again() : talk.client.make(input);
            send(node, talk, talk.last);
        }
        acts.stream()
                .filter(act -> act.talk == talk && (act.overtaken.isPresent() || act.node.hasLostLease()))
                .forEach(this::overtaken);
        talks.forEach(each -> each.laws.always());
        talks.forEach(each -> each.laws.trail());
    }

    private void overtaken(Act act) {
        count("another node takes over");
        act.node.overtaken(true);
        act.overtaken = Optional.of(act.talk.world.everything());
    }

    /** A run that saw in time that others were on the thread has written nothing, and takes its turn with a lease of its own. */
    private static void beginsAnew(Act act) {
        try {
            act.overtaken.ifPresent(act.talk.laws::nothingWasWrittenSince);
        } catch (AssertionError e) {
            act.talk.world.violations.add(e.getMessage());
        }
        act.node.overtaken(false);
        act.overtaken = Optional.empty();
    }

    private Act begin(Node node, Talk talk) {
        Act act = new Act(node, talk);
        node.worksOn(talk.world);
        node.overtaken(false);
        acts.push(act);
        return act;
    }

    private void end(Act act) {
        acts.pop();
        if (act.disturbed) {
            act.talk.leasesAreGone = clock.instant().plus(TAKEN_OVER);
        }
        act.overtaken.ifPresent(act.talk.laws::nothingWasWrittenSince);
        forget(act.talk);
    }

    private void send(Node node, Talk talk, Sent given) {
        World world = talk.world;
        boolean halted = store.halted().isPresent();
        Sent sent = chance.isCrowded ? given.again() : given; // by the node's clock it may be too late, or not yet
        Everything before = world.everything();
        int modelFailures = world.failuresOfTheModel.get();
        boolean leasesMayBeHeld = leasesMayBeHeld(talk);
        World.Allowance allowance = world.allow(sent);
        RecordingSink sink = new RecordingSink();
        Act act = begin(node, talk);
        act.sent = Optional.of(allowance.sent());
        RunResult result = Conversation.take(node, sent, sink);
        end(act);
        if (!node.isDead()) {
            talk.laws.stream(sink, result);
        }
        Optional<ErrorCode> refused = Conversation.refused(result);
        count(
                result instanceof RunResult.Failed failed
                        ? failed.code().name()
                        : result.getClass().getSimpleName());
        if (refused.isPresent() && !act.disturbed) { // or the same answer may have been accepted meanwhile
            world.takeBack(allowance);
        }
        if (act.disturbed) {
            talk.laws.failsOnlyBecauseOfTheFault(result);
        } else {
            if (halted && sent.cancels()) {
                assertThat(world.effects).as("law 15").isEqualTo(before.effects());
                return;
            }
            if (refused.isPresent()) {
                assertThat(world.everything()).as("law 8: %s", refused).isEqualTo(before);
            }
            if (halted) {
                assertThat(refused).as("law 15: %s", result).isPresent();
                return;
            }
            talk.laws.outcome(sent, result, refused, leasesMayBeHeld, world.failuresOfTheModel.get() > modelFailures);
        }
        talk.client.seesInterrupts();
        world.pending().forEach(asked -> count(asked.interrupt().reason()));
    }

    /** A run that died or was overtaken may have left its lease, and one that stands in the middle of something has it. */
    private boolean leasesMayBeHeld(Talk talk) {
        return chance.isCrowded
                || clock.instant().isBefore(talk.leasesAreGone)
                || acts.stream().anyMatch(act -> act.talk == talk);
    }

    /** Law 10 without a run. */
    private void cancel(Node node, Talk talk) {
        boolean waits = talk.world.batch().isPresent();
        boolean leasesMayBeHeld = leasesMayBeHeld(talk);
        List<String> effects = List.copyOf(talk.world.effects);
        Act act = begin(node, talk);
        Optional<RuntimeException> failure = Optional.empty();
        boolean cancelled = false;
        try {
            cancelled = node.agent().cancel(talk.world.threadId);
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        }
        end(act);
        count("cancelled " + cancelled);
        if (!act.disturbed) {
            assertThat(failure).as("law 10").isEmpty();
            assertThat(talk.world.effects).as("law 2").isEqualTo(effects);
            if (!leasesMayBeHeld) {
                assertThat(cancelled).as("law 10").isEqualTo(waits);
                assertThat(talk.world.batch()).as("law 10").isEmpty();
            }
        }
    }

    /** Law 12: the client is not there, and nothing runs but what was approved, which the tools check. */
    private void actsOnTime(Node node, Talk talk) {
        Act act = begin(node, talk);
        try {
            int done = node.agent().actOnTime();
            count("time has acted in " + done + " thread(s)");
        } catch (Node.Broken e) {
            count("acting on time fails");
        }
        end(act);
        talk.client.seesInterrupts();
    }

    /** Law 13: somebody answers one question. A lease that is held would be waited for in real time. */
    private void decide(Node node, Talk talk) {
        World world = talk.world;
        Optional<Client.One> answer = talk.client.answersOne(chance.below(100), chance.reply());
        if (answer.isEmpty()
                || store.active(world.threadId, node.clock.instant()).isPresent()) {
            return;
        }
        Caller person = chance.person();
        Everything before = world.everything();
        World.Allowance allowance = world.allow(answer.get().sent());
        Set<String> voices = answer.get()
                .voice()
                .map(effect -> world.voices.computeIfAbsent(effect, key -> new HashSet<>()))
                .orElseGet(HashSet::new);
        boolean isNew = voices.add(person.id());
        Act act = begin(node, talk);
        act.sent = Optional.of(allowance.sent());
        Decided decided = node.agent()
                .as(person)
                .decide(world.threadId, answer.get().sent().input().resume().get(0));
        end(act);
        count(
                decided instanceof Decided.Refused refused
                        ? "decide " + refused.code()
                        : decided.getClass().getSimpleName());
        assertThat(decided instanceof Decided.Refused || !person.roles().isEmpty())
                .as("law 7: %s may not decide", person)
                .isTrue();
        if (decided instanceof Decided.Refused && !act.disturbed) {
            assertThat(world.everything()).as("law 8: %s", decided).isEqualTo(before);
            world.takeBack(allowance);
            if (isNew) {
                voices.remove(person.id());
            }
        }
        talk.client.seesInterrupts();
    }

    /** A decision that was taken back does not count from the moment on at which somebody began to take it back. */
    private void revoke(Node node, Talk talk) {
        Holdpoint agent = node.agent();
        String thread = talk.world.threadId;
        Set<String> remembered = remembered(talk); // not those of an answer on its way
        Act act = begin(node, talk);
        boolean done = false;
        try {
            for (Grant grant : agent.grants(thread)) {
                agent.revoke(thread, grant.id());
                count("a grant is revoked");
            }
            done = agent.grants(thread).isEmpty();
        } catch (Node.Broken e) {
            count("revoking fails");
        }
        end(act);
        assertThat(done || act.disturbed).as("revoked").isTrue();
        if (done) {
            remembered.removeAll(
                    remembered(talk)); // by the clock of this node they were over, by another one's they are not
            talk.takenBack.addAll(remembered);
            forget(talk);
        }
    }

    /** The questions whose answers the store remembers. */
    private static Set<String> remembered(Talk talk) {
        return Grant.of(talk.world.store, talk.world.threadId).stream()
                .map(grant -> grant.approved().interruptId())
                .collect(Collectors.toSet());
    }

    /** A call that was let through before may begin after. */
    private void forget(Talk talk) {
        if (acts.stream().noneMatch(act -> act.talk == talk)) {
            talk.world.forgets(talk.takenBack);
            talk.takenBack.clear();
        }
    }

    /** Law 10: whatever happened, letting go and saying something leads on, and nothing else goes wrong. */
    private void getsUnstuck(Talk talk) {
        World world = talk.world;
        world.calmDown();
        clock.advance(Duration.ofDays(1));
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Message message = talk.client.newMessage();
            int index = attempt % nodes.size();
            if (nodes.get(index).isDead()) {
                nodes.set(index, node());
            }
            send(nodes.get(index), talk, talk.client.letGo(message));
            talk.laws.always();
            talk.laws.trail();
            boolean heard = store.known(world.threadId, List.of(message.id())).size() == 1;
            if (world.pending().isEmpty() && heard) {
                assertThat(world.batch().map(Batch::state)).as("law 10").isEmpty();
                assertThat(world.memory().toString()).as("law 10").contains("\"" + message.id() + "\"");
                return;
            }
        }
        throw new AssertionError("law 10: the thread " + world.threadId + " is stuck: " + world.batch());
    }
}
