package io.holdpoint.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.laws.Client.Sent;
import io.holdpoint.laws.Program.Fault;
import io.holdpoint.laws.Program.Input;
import io.holdpoint.laws.Program.Move;
import io.holdpoint.laws.World.Everything;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Runs a program on two nodes with one store, and checks the laws after every move. */
final class Conversation {

    /** A little longer than a lease. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(31);

    private static final int MOST_ATTEMPTS = 4;

    /** A run went on after another one had taken its thread over. */
    static final String TOOK_OVER = "took over";

    /** Somebody took back what was remembered. */
    static final String REVOKED = "revoked";

    /** What waited was cancelled. */
    static final String CANCELLED = "cancelled";

    /** A call ran because of what was remembered. */
    static final String GRANTED = "granted";

    /** A part of the thread was replaced. */
    static final String REPLACED = "replaced";

    private final Program program;
    private final World world;
    private final Client client;
    private final Laws laws;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> happened = new TreeSet<>();
    private Sent last;
    private Instant leasesAreGone;
    private boolean othersAreAtWork;
    /** What waits is cancelled by whoever takes the thread over from a run that is not there any more. */
    private boolean isCancelledLater;
    /** What was open when the last input was made: a call of a run that goes on may ask before it is taken. */
    private List<Question> openWhenMade = List.of();

    Conversation(Program program, World world) {
        this.program = program;
        this.world = world;
        this.client = new Client(world);
        this.laws = new Laws(world);
        this.last = client.make(new Input.Say());
        this.leasesAreGone = world.clock.instant();
        nodes.add(new Node(world, program.shape()));
        nodes.add(new Node(world, program.shape()));
    }

    /** Runs it, and says what happened in it. */
    Set<String> run() {
        send(0, last, Optional.empty());
        for (Move move : program.moves()) {
            world.clock.advance(Duration.ofMinutes(move.minutes()));
            if (move.input() instanceof Input.Revoke) {
                revoke(move.node());
            } else if (move.input() instanceof Input.Cancel) {
                cancel(move.node(), move.fault().filter(Conversation::isOfOwnMaking));
            } else {
                send(move.node(), next(move.input()), move.fault());
            }
        }
        getsUnstuck();
        return happened;
    }

    /** Whoever takes something back does not wait for a run, and needs none. */
    private void revoke(int index) {
        Holdpoint agent = living(index).agent();
        List<Grant> grants = agent.grants(world.threadId);
        grants.forEach(
                grant -> assertThat(agent.revoke(world.threadId, grant.id())).isTrue());
        assertThat(agent.grants(world.threadId)).isEmpty();
        world.forgets();
        if (!grants.isEmpty()) {
            happened.add(REVOKED);
        }
        laws.always();
        if (!othersAreAtWork) {
            laws.trail();
        }
    }

    private static boolean isOfOwnMaking(Fault fault) {
        return fault.kind() == Fault.Kind.FAILS || fault.kind() == Fault.Kind.DIES;
    }

    /** Law 10 without a run: nothing waits any more, and nothing of it has happened. */
    private void cancel(int index, Optional<Fault> fault) {
        Node node = living(index);
        boolean waits = world.batch().isPresent();
        boolean leasesMayBeHeld = world.clock.instant().isBefore(leasesAreGone);
        List<String> effects = List.copyOf(world.effects);
        Optional<RuntimeException> failure = Optional.empty();
        boolean cancelled = false;
        node.arm(fault, due -> {});
        try {
            cancelled = node.agent().cancel(world.threadId);
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        }
        if (node.disarm(fault)) {
            leasesAreGone = world.clock.instant().plus(TAKEN_OVER);
        } else {
            assertThat(failure).as("law 10").isEmpty();
            if (!leasesMayBeHeld) {
                assertThat(cancelled).as("law 10").isEqualTo(waits);
                assertThat(world.batch()).as("law 10").isEmpty();
            }
        }
        if (cancelled) {
            happened.add(CANCELLED);
            isCancelledLater = isUnderWay();
        }
        assertThat(world.effects).as("law 2").isEqualTo(effects);
        laws.always();
        laws.trail();
    }

    private boolean isUnderWay() {
        return world.store
                .find(world.threadId)
                .filter(thread -> thread.batch().isPresent() || thread.turn().isPresent())
                .isPresent();
    }

    private Node living(int index) {
        if (nodes.get(index).isDead()) {
            nodes.set(index, new Node(world, program.shape()));
        }
        return nodes.get(index);
    }

    private Sent next(Input input) {
        last = input instanceof Input.Again ? last.again() : client.make(input);
        openWhenMade = world.questions();
        return isCancelledLater ? last.again() : last;
    }

    private void send(int index, Sent sent, Optional<Fault> fault) {
        Node node = living(index);
        Everything before = world.everything();
        int modelFailures = world.failuresOfTheModel.get();
        boolean leasesMayBeHeld = world.clock.instant().isBefore(leasesAreGone);
        List<Question> cancelled = isCancelledLater ? world.questions() : List.of();
        World.Allowance allowance = world.allow(sent);
        RecordingSink sink = new RecordingSink();
        List<Everything> whenOvertaken = new ArrayList<>();
        node.arm(fault, due -> meanwhile(1 - index, due, whenOvertaken));
        RunResult result = take(node, sent, sink);
        boolean faulty = node.disarm(fault);
        fault.filter(due -> faulty).ifPresent(due -> happened.add(due.kind().name()));
        happened.add(
                result instanceof RunResult.Failed failed
                        ? failed.code().name()
                        : result.getClass().getSimpleName());
        if (faulty) {
            leasesAreGone = world.clock.instant().plus(TAKEN_OVER);
        }
        if (!node.isDead()) {
            laws.stream(sink, result);
        }
        Optional<ErrorCode> refused = refused(result);
        if (refused.isPresent()) {
            world.takeBack(allowance);
        }
        if (faulty) {
            laws.failsOnlyBecauseOfTheFault(result);
        } else {
            if (refused.isPresent() && !othersAreAtWork && !isCancelledLater) {
                assertThat(world.everything()).as("law 8: %s", refused).isEqualTo(before);
            }
            boolean isLate = othersAreAtWork && !world.questions().equals(openWhenMade);
            laws.outcome(
                    isLate ? sent.again() : sent,
                    result,
                    refused,
                    leasesMayBeHeld,
                    world.failuresOfTheModel.get() > modelFailures);
        }
        if (!faulty && !refused.equals(Optional.of(ErrorCode.RUN_IN_PROGRESS))) {
            assertThat(cancelled).as("law 10: cancelled").noneMatch(world.questions()::contains);
            isCancelledLater = false;
        }
        whenOvertaken.forEach(laws::nothingWasWrittenSince);
        client.seesInterrupts();
        world.pending().forEach(asked -> happened.add(asked.interrupt().reason()));
        if (world.grantsUsed.get() > 0) {
            happened.add(GRANTED);
        }
        if (!world.store.transcript(world.threadId, Store.Range.CUT).isEmpty()) {
            happened.add(REPLACED);
        }
        if (!whenOvertaken.isEmpty()) {
            happened.add(TOOK_OVER);
        }
        laws.always();
        if (!happened.contains(Fault.Kind.OVERTAKEN.name())) {
            laws.nothingIsRememberedThatWasCut();
        }
        if (!othersAreAtWork) {
            laws.trail();
        }
    }

    static RunResult take(Node node, Sent sent, RecordingSink sink) {
        try {
            return node.agent().run(sent.input(), sink).join();
        } catch (RunRejectedException e) {
            return new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e));
        }
    }

    static Optional<ErrorCode> refused(RunResult result) {
        return result instanceof RunResult.Failed failed && failed.code() != ErrorCode.RUN_FAILED
                ? Optional.of(failed.code())
                : Optional.empty();
    }

    /** Another client, at the other node, while a run is on its way. */
    private void meanwhile(int index, Fault fault, List<Everything> whenOvertaken) {
        Node paused = nodes.get(1 - index);
        boolean active = paused.isActive();
        if (fault.kind() == Fault.Kind.OVERTAKEN) {
            world.clock.advance(TAKEN_OVER);
        }
        leasesAreGone = world.clock.instant().plus(TAKEN_OVER);
        othersAreAtWork = program.shape().isConcurrent();
        try {
            send(index, next(fault.meanwhile()), Optional.empty());
        } catch (AssertionError e) {
            world.violations.add("meanwhile: " + e.getMessage());
        } finally {
            othersAreAtWork = false;
        }
        if (active && fault.kind() == Fault.Kind.OVERTAKEN && paused.hasLostLease()) {
            paused.overtaken(true);
            whenOvertaken.add(world.everything());
        }
    }

    /** Law 10: whatever happened, letting go and saying something leads on, and nothing else goes wrong. */
    private void getsUnstuck() {
        world.calmDown();
        world.clock.advance(Duration.ofDays(1));
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Message message = client.newMessage();
            if (!program.steersAway() && !world.pending().isEmpty()) {
                send(0, client.letGo(), Optional.empty());
            }
            send(1, client.letGo(message), Optional.empty());
            if (world.pending().isEmpty()
                    && world.store.known(world.threadId, List.of(message.id())).size() == 1) {
                assertThat(world.batch().map(Batch::state)).as("law 10").isEmpty();
                assertThat(world.memory().toString()).as("law 10").contains("\"" + message.id() + "\"");
                return;
            }
        }
        throw new AssertionError(
                "law 10: the thread is stuck: " + Stream.of(world.batch()).toList());
    }
}
