package io.holdpoint.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agents.House.Node;
import io.holdpoint.agents.House.Proposed;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a {@link House}: people approve, edit, deny, say it again, cancel and halt, time goes on, servers die and start again, while
 * other things happen. No body is entered that must not be, no model is told what is not so, and every conversation comes to its end.
 * {@code -Dholdpoint.houses=5000} tries as many, {@code -Dholdpoint.house=17} begins with that one.
 */
@Logs("*")
class HouseHistoriesTest {

    private static final int TRIES = Integer.getInteger("holdpoint.houses", Depth.of(20, 150));
    private static final int FIRST = Integer.getInteger("holdpoint.house", 0);
    private static final int STEPS = 30;
    private static final int MOST_ROUNDS = 80;

    private static final Caller ANN = Caller.of("ann");
    private static final List<Caller> PEOPLE = List.of(Caller.of("grace", "approver"), Caller.of("henry", "approver"));

    private House house = new House(0, () -> {});
    private Random chance = house.chance;
    private int busy;
    private boolean isMeanwhile;
    private int entered;

    private @Nullable ResumeEntry lastAnswer;
    private Caller lastPerson = ANN;

    private void meanwhile() {
        if (!isMeanwhile) {
            isMeanwhile = true;
            house.log.add("  meanwhile");
            step(1 - busy);
            house.log.add("  so far");
            isMeanwhile = false;
        }
    }

    private Optional<ThreadRecord> thread() {
        return house.outer.of("boss").find("t");
    }

    private void step(int which) {
        forgetWhatWasNotTaken();
        Node node = house.nodes.get(which);
        try {
            house.log.add(node.name + ": " + move(node, which));
        } catch (StoreException | RunRejectedException e) {
            house.log.add(node.name + ": " + e);
        } finally {
            Thread.interrupted(); // whoever has interrupted a body
        }
        if (node.dead) {
            house.nodes.set(which, house.new Node(node.name + "'"));
        }
        if (!isMeanwhile || house.happens(4)) {
            house.clock.advance(house.happens(3) ? House.LEASE.multipliedBy(2) : Duration.ofMillis(100));
        }
    }

    private Object move(Node node, int which) {
        Holdpoint boss = node.boss;
        if (thread().isEmpty()) {
            return run(boss.as(ANN), said("Go"));
        }
        switch (chance.nextInt(isMeanwhile ? 18 : 20)) {
            case 0 -> {
                return run(boss.as(ANN), said("More"));
            }
            case 1 -> {
                return "cancel " + cancel(boss);
            }
            case 2, 3 -> {
                return "looks at the time: " + (chance.nextInt(4) > 0 ? boss : node.clerk).actOnTime();
            }
            case 4 -> {
                house.clock.advance(Duration.ofMinutes(chance.nextInt(25)));
                return "time goes on";
            }
            case 5 -> {
                house.nodes.set(which, house.new Node(node.name + "'"));
                return "starts again";
            }
            case 6 -> {
                return boss.purge();
            }
            case 18 -> {
                boolean isBoss = chance.nextBoolean();
                boolean halted = (isBoss ? boss : node.clerk).halt("stop");
                if (halted) {
                    house.halted.add(isBoss ? "boss" : "clerk");
                }
                return "halt " + house.halted;
            }
            case 19 -> {
                house.halted.clear();
                return "release " + boss.release("go") + node.clerk.release("go");
            }
            default -> {
                Caller person = PEOPLE.get(chance.nextInt(2));
                List<PendingInterrupt> open = boss.as(person).pending("t");
                return open.isEmpty()
                        ? run(boss.as(ANN), answers())
                        : answered(node, person, open.get(chance.nextInt(open.size())));
            }
        }
    }

    /** A run of another server hears of it later. */
    private boolean cancel(Holdpoint boss) {
        boolean done = boss.as(ANN).cancel("t");
        house.proposed.values().forEach(call -> call.cancelled |= done && !isMeanwhile && call.entered == 0);
        return done;
    }

    private Object answered(Node node, Caller person, PendingInterrupt open) {
        ResumeEntry answer;
        Caller by = person;
        Proposed call = house.proposed.get(open.arguments().path("n").asInt());
        boolean denies = false;
        if (lastAnswer != null && house.happens(6)) {
            answer = lastAnswer;
            by = lastPerson;
        } else if (open instanceof PendingInterrupt.Approval asked) {
            int how = house.isCalm() ? 0 : chance.nextInt(10);
            denies = how > 7;
            answer = denies ? asked.deny() : how == 7 ? asked.edit("note", "of " + person.id()) : asked.approve();
            if (!denies) {
                String note = how == 7
                        ? "of " + person.id()
                        : open.arguments().path("note").asText();
                call.approvals.computeIfAbsent(note, key -> new HashSet<>()).add(person.id());
            }
        } else if (open instanceof PendingInterrupt.UnknownOutcome unknown) {
            int how = chance.nextInt(3);
            answer = how == 0 ? unknown.retry() : how == 1 ? unknown.done() : unknown.notDone();
            retries(call, how == 0);
        } else if (open instanceof PendingInterrupt.Failure failed) {
            boolean again = chance.nextBoolean();
            answer = again ? failed.retry() : failed.giveUp();
            retries(call, again);
        } else {
            answer = ((PendingInterrupt.Input) open)
                    .answer(house.isCalm() || chance.nextInt(4) > 0); // of a halted agent
        }
        lastAnswer = answer;
        lastPerson = by;
        house.log.add(node.name + ": " + by.id() + " says " + answer.payload() + " to "
                + open.interrupt().message());
        return given(node.boss.as(by), answer, denies ? Optional.of(call) : Optional.empty());
    }

    private static RunAgentInput said(String text) {
        return RunAgentInput.of("t", Ids.run(), List.of(new Message.User(Ids.message(), MessageContent.text(text))));
    }

    private static RunAgentInput answers(ResumeEntry... answers) {
        return RunAgentInput.of("t", Ids.run(), List.of()).withResume(List.of(answers));
    }

    private RunResult run(Holdpoint agent, RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        try {
            RunResult result = agent.run(input, sink).join();
            StreamRules.check(sink.events());
            return result;
        } catch (RunRejectedException e) {
            return new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e));
        }
    }

    private static void retries(@Nullable Proposed call, boolean again) {
        if (call != null && again) {
            call.retries++;
        }
    }

    private Object given(Holdpoint boss, ResumeEntry answer, Optional<Proposed> denied) {
        if (chance.nextInt(3) == 0 && boss.pending("t").size() == 1) {
            RunResult result = run(boss, answers(answer));
            denied.ifPresent(call -> call.denied |= result.failure().isEmpty());
            return result;
        }
        Decided decided = boss.decide("t", answer);
        denied.ifPresent(call -> call.denied |= !(decided instanceof Decided.Refused));
        return decided instanceof Decided.Runs runs ? runs.result().join() : decided;
    }

    /** An agent in a tool that is halted takes no answer: its question is asked again, and says so. */
    private void forgetWhatWasNotTaken() {
        thread().flatMap(ThreadRecord::batch).map(Batch::openQuestions).orElse(List.of()).stream()
                .map(question -> PendingInterrupt.of(question.interrupt()))
                .filter(asked -> String.valueOf(asked.interrupt().message()).contains("halted"))
                .flatMap(asked -> Optional.ofNullable(
                        house.proposed.get(asked.arguments().path("n").asInt()))
                        .stream())
                .forEach(call -> call.denied = false);
    }

    /** Servers that are well, and people who say yes to everything. */
    private void end() {
        house.calmsDown();
        house.halted.clear();
        for (int which = 0; which < 2; which++) {
            Node node = house.new Node("end " + which);
            house.nodes.set(which, node);
            node.boss.release("end");
            node.clerk.release("end");
        }
        for (int round = 0; round < MOST_ROUNDS; round++) {
            forgetWhatWasNotTaken();
            Node node = house.nodes.get(round % 2);
            house.clock.advance(round % 10 == 0 ? Duration.ofMinutes(11) : House.LEASE.multipliedBy(2));
            node.clerk.actOnTime();
            node.boss.actOnTime();
            Caller person = PEOPLE.get(round % 2);
            List<PendingInterrupt> open = node.boss.as(person).pending("t");
            if (!open.isEmpty()) {
                house.log.add("end: " + answered(node, person, open.get(0)));
            } else if (thread().filter(
                            thread -> thread.batch().isEmpty() && thread.turn().isEmpty())
                    .isPresent()) {
                return;
            } else {
                house.log.add("end: " + run(node.boss.as(ANN), answers()));
            }
        }
        house.wrong.add("it does not end");
    }

    private void checkTrails() {
        TrailRules.check(house.outer.of("boss"), "t");
        for (String agent : List.of("clerk~tool", "aide~tool")) {
            Store store = house.inner.of(agent);
            store.feed(0, 1_000).stream()
                    .map(fed -> fed.event().threadId())
                    .filter(id -> !id.isEmpty())
                    .distinct()
                    .forEach(id -> TrailRules.check(store, id));
            assertThat(store.check()).isEmpty();
        }
        assertThat(house.outer.of("boss").check()).isEmpty();
    }

    @Test
    void whateverHappensTheHouseStands() {
        for (int seed = FIRST; seed < FIRST + TRIES; seed++) {
            house = new House(seed, this::meanwhile);
            chance = house.chance;
            lastAnswer = null;
            for (int step = 0; step < STEPS; step++) {
                busy = chance.nextInt(2);
                step(busy);
            }
            if (thread().isPresent()) {
                end();
                checkTrails();
            }
            entered += house.proposed.values().stream()
                    .mapToInt(call -> call.entered)
                    .sum();
            assertThat(house.wrong)
                    .as("seed %d:%n%s", seed, String.join("\n", house.log))
                    .isEmpty();
        }
        assertThat(entered).isGreaterThan(TRIES);
    }
}
