package io.holdpoint.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.histories.Bank.Feature;
import io.holdpoint.histories.Bank.Node;
import io.holdpoint.people.Questions;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a {@link Bank}: people vote, edit, deny, have remembered, hand on and give more time, in the application and by links, are told by
 * notices and follow, while time goes on, the world changes, messages are edited, servers die and start again, and other things happen. No body is
 * entered that must not be, nobody is told what is not so, everybody is told what is so, and every conversation comes to its end.
 * {@code -Dholdpoint.banks=5000} tries as many, {@code -Dholdpoint.bank=17} begins with that one, {@code -Dholdpoint.bank.features=LINKS,EFFECT} has these only.
 */
@Logs("*")
class BankHistoriesTest {

    private static final int TRIES = Integer.getInteger("holdpoint.banks", Depth.of(20, 150));
    private static final int FIRST = Integer.getInteger("holdpoint.bank", 0);
    private static final String ONLY = System.getProperty("holdpoint.bank.features", "");
    private static final int STEPS = 40;
    private static final int MOST_ROUNDS = 100;

    private Bank bank;
    private Random chance;
    private Ledger ledger;
    private Onlookers onlookers;
    private Answers answers;
    private final List<Move> moves = new ArrayList<>();
    private int busy;
    private boolean isMeanwhile;
    private int entered;

    BankHistoriesTest() {
        begin(0, new InMemoryStore());
    }

    private void begin(int seed, Store store) {
        chance = new Random(seed);
        bank = new Bank(chance, store, features(seed), this::meanwhile, notice -> onlookers.told(notice));
        ledger = bank.ledger;
        onlookers = new Onlookers(bank);
        answers = new Answers(bank, onlookers);
        collectMoves();
    }

    private static Set<Feature> features(int seed) {
        Random random = new Random(~seed);
        return Stream.of(Feature.values())
                .filter(feature -> ONLY.isEmpty()
                        ? random.nextInt(2) == 0
                        : List.of(ONLY.split(",")).contains(feature.name()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Feature.class)));
    }

    private void meanwhile() {
        if (!isMeanwhile) {
            isMeanwhile = true;
            bank.say("  meanwhile");
            onlookers.remember();
            step(1 - busy);
            bank.say("  so far");
            isMeanwhile = false;
        }
    }

    private Optional<ThreadRecord> thread() {
        return bank.store.find(bank.at);
    }

    private void step(int which) {
        Node node = bank.nodes.get(which);
        Node before = bank.atWork;
        String there = bank.at;
        bank.atWork = node;
        bank.at = Bank.THREADS.get(bank.has(Feature.OWNER) ? chance.nextInt(2) : 0);
        int disturbances = bank.disturbances;
        if (!isMeanwhile) {
            ledger.stepAt = bank.clock.instant();
            onlookers.beginStep();
        }
        try {
            bank.say(node.name + " " + bank.at + ": " + move(node));
        } catch (StoreException | RunRejectedException e) {
            bank.say(node.name + ": " + e);
        } finally {
            Thread.interrupted(); // whoever has interrupted a body
            bank.atWork = before;
            bank.at = there;
        }
        if (node.dead) {
            restart(which);
        }
        if (!isMeanwhile) {
            onlookers.endStep(disturbances == bank.disturbances);
            for (int each = 0; each < bank.nodes.size(); each++) {
                if (bank.nodes.get(each).dead) {
                    restart(each);
                }
            }
        }
        if (!isMeanwhile || bank.happens(4)) {
            bank.clock.advance(bank.happens(3) ? Bank.LEASE.multipliedBy(2) : Duration.ofMillis(100));
        }
    }

    private Object restart(int which) {
        String name = bank.nodes.get(which).name + "'";
        bank.nodes.set(which, bank.new Node(name, false));
        return "starts again as " + name;
    }

    /** What a server or a person may do next. */
    @FunctionalInterface
    private interface Move {

        Object with(Node node);
    }

    private void may(int weight, Move move) {
        moves.addAll(Collections.nCopies(weight, move));
    }

    private void may(Feature feature, int weight, Move move) {
        may(bank.has(feature) ? weight : 0, move);
    }

    /** Not while something else is at work, which may have looked already. */
    private Move alone(Move move) {
        return node -> isMeanwhile ? "waits" : move.with(node);
    }

    private void collectMoves() {
        moves.clear();
        may(10, node -> answer(node, answers.anybody()));
        may(2, node -> say(node, "More"));
        may(1, node -> cancel(node.agent));
        may(2, node -> "looks at the time: " + node.agent.actOnTime());
        may(Feature.NOTICES, 3, node -> "looks at the time: " + node.agent.actOnTime());
        may(Feature.TIME, 1, node -> timeGoesOn());
        may(Feature.TIME, 2, node -> amend(node.agent));
        may(Feature.FAULTS, 1, node -> restart(bank.nodes.indexOf(node)));
        may(Feature.EFFECT, 2, alone(node -> balance()));
        may(Feature.LINKS, 3, node -> answers.link(node.agent));
        may(Feature.LINKS, 5, answers::press);
        may(Feature.GRANTS, 1, node -> revoke(node.agent));
        may(Feature.HALT, 1, alone(node -> halt(node.agent)));
        may(Feature.PURGE, 1, node -> node.agent.purge());
        may(Feature.ROLES, 1, alone(node -> suspend()));
        may(Feature.FOLLOW, 2, node -> onlookers.follow(node, answers.anybody()));
        may(Feature.REWRITE, 1, node -> rewrite(node.agent));
        may(Feature.PROPOSE, 2, node -> propose(node.agent));
        may(Feature.STEERING, 1, node -> steerAway(node.agent));
    }

    private Object move(Node node) {
        return thread().isEmpty()
                ? say(node, "Go")
                : moves.get(chance.nextInt(moves.size())).with(node);
    }

    private Object say(Node node, String text) {
        return answers.run(node.agent.as(Bank.ANN), answers.said(text));
    }

    private Object answer(Node node, Caller person) {
        List<PendingInterrupt> open = node.agent.as(person).pending(bank.at);
        return open.isEmpty()
                ? isMeanwhile || bank.isCalm() || chance.nextInt(3) == 0
                        ? answers.run(node.agent.as(Bank.ANN), answers.answers())
                        : say(node, "More")
                : answers.answer(node, person, open.get(chance.nextInt(open.size())));
    }

    private Object timeGoesOn() {
        bank.clock.advance(Duration.ofMinutes(chance.nextInt(25)));
        return "time goes on";
    }

    private Object balance() {
        ledger.balance = 1_000 - 100 * chance.nextInt(2);
        return "the balance is " + ledger.balance;
    }

    private Object suspend() {
        ledger.suspended.clear();
        if (chance.nextBoolean()) {
            ledger.suspended.add(answers.anybody().id());
        }
        return "suspended: " + ledger.suspended;
    }

    private Object halt(Holdpoint agent) {
        if (bank.halted) {
            bank.halted = false;
            return "release " + agent.release("go");
        }
        bank.halted = agent.halt("stop");
        return "halt " + bank.halted;
    }

    /** A run of another server hears of it later. */
    private Object cancel(Holdpoint agent) {
        boolean done = agent.as(answers.anybody()).cancel(bank.at);
        ledger.calls.values().stream()
                .filter(call -> done && !isMeanwhile && call.thread.equals(bank.at))
                .forEach(call -> call.cancelled |= call.entered == 0);
        return "cancel " + done;
    }

    private Object amend(Holdpoint agent) {
        Caller person = answers.anybody();
        List<PendingInterrupt> open = agent.as(person).pending(bank.at);
        if (open.isEmpty()) {
            return "nothing to hand on";
        }
        String id = open.get(chance.nextInt(open.size())).id();
        Questions questions = Questions.of(agent.as(person));
        switch (chance.nextInt(3)) {
            case 0 -> questions.hand(bank.at, id, answers.anybody().id(), "you know better");
            case 1 -> questions.hand(bank.at, id, Audience.role("manager"), "");
            default -> {
                return "more time until " + questions.moreTime(bank.at, id);
            }
        }
        return person.id() + " hands on " + id;
    }

    private Object revoke(Holdpoint agent) {
        List<Grant> grants = agent.as(Bank.PEOPLE.get(0)).grants(bank.at);
        if (grants.isEmpty()) {
            return "nothing to revoke";
        }
        Grant grant = grants.get(chance.nextInt(grants.size()));
        int before = bank.disturbances;
        boolean done = agent.as(Bank.PEOPLE.get(0)).revoke(bank.at, grant.id());
        ledger.kept.stream()
                .filter(kept -> done && before == bank.disturbances && !isMeanwhile)
                .filter(kept -> kept.until.equals(grant.expiresAt()) && kept.by.equals(grant.grantedBy()))
                .forEach(kept -> kept.isOver = true);
        return "revoke " + grant.id() + " " + done;
    }

    private List<ResumeEntry> cancels(Holdpoint agent) {
        return agent.as(Bank.ANN).pending(bank.at).stream()
                .map(PendingInterrupt::cancel)
                .toList();
    }

    /** The user says something else instead. */
    private Object steerAway(Holdpoint agent) {
        Set<String> before = Set.copyOf(ledger.calls.keySet());
        List<ResumeEntry> cancels = cancels(agent);
        RunResult result =
                answers.run(agent.as(Bank.ANN), answers.said("Rather").withResume(cancels));
        if (result.failure().isEmpty() && !cancels.isEmpty() && !isMeanwhile) {
            before.stream()
                    .map(ledger.calls::get)
                    .filter(call -> call.thread.equals(bank.at))
                    .forEach(call -> call.cancelled |= call.entered == 0);
        }
        return "says something else: " + result;
    }

    /** Edits a message, or has the model answer one again. */
    private Object rewrite(Holdpoint agent) {
        List<Message> replaceable = bank.store.transcript(bank.at).stream()
                .filter(message -> message instanceof Message.User || message instanceof Message.Assistant)
                .toList();
        if (replaceable.isEmpty()) {
            return "nothing to replace";
        }
        Message replaced = replaceable.get(chance.nextInt(replaceable.size()));
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", replaced.id());
        RunAgentInput input = replaced instanceof Message.User ? answers.said("Else") : answers.answers();
        List<ResumeEntry> cancels = chance.nextBoolean() ? cancels(agent) : List.of();
        Set<String> before = called();
        RunResult result = answers.run(
                agent.as(Bank.ANN), input.withForwardedProps(forwarded).withResume(cancels));
        if (!isMeanwhile) {
            Set<String> after = called();
            before.stream()
                    .filter(id -> !after.contains(id))
                    .map(ledger.calls::get)
                    .forEach(call -> call.cancelled |= call.entered == 0);
        }
        return "replaces " + replaced + ": " + result;
    }

    private Set<String> called() {
        return bank.store.transcript(bank.at).stream()
                .filter(Message.Assistant.class::isInstance)
                .flatMap(message -> ((Message.Assistant) message).toolCalls().stream())
                .map(ToolCall::id)
                .collect(Collectors.toSet());
    }

    /** Somebody proposes a call in the place of the model, or asks for what has become of it. */
    private Object propose(Holdpoint agent) {
        List<ToolExecutionRequest> known = bank.proposals.getOrDefault(bank.at, List.of());
        ToolExecutionRequest call =
                known.isEmpty() || chance.nextInt(3) > 0 ? bank.proposal() : known.get(chance.nextInt(known.size()));
        boolean isNew = bank.store.auditTrail(bank.at, 0, 10_000).stream()
                .noneMatch(event -> event.toolCallId().equals(Optional.of(call.id())));
        Ledger.Proposed proposed = ledger.calls.get(call.id());
        if (isNew) { // or was refused before
            proposed.cancelled = false;
            proposed.hasRead = bank.hasRead(bank.at);
        }
        Proposal proposal = agent.as(Bank.ANN).propose(bank.at, call.name(), proposed.form.arguments(), call.id());
        proposal.result().ifPresent(result -> ledger.tell(proposed, result.resultText()));
        return "proposes " + proposal;
    }

    /** The place of a notifier that has died is free again, and what it has not told comes again. */
    private void looks() {
        for (int round = 0; round < 4; round++) {
            bank.clock.advance(Duration.ofSeconds(6));
            bank.atWork = bank.nodes.get(round % 2);
            onlookers.beginStep();
            bank.atWork.agent.actOnTime();
        }
    }

    /** Servers that are well, and people who say yes to everything. */
    private void end() {
        bank.calmsDown();
        bank.halted = false;
        ledger.suspended.clear();
        for (int which = 0; which < 2; which++) {
            restart(which);
            bank.nodes.get(which).agent.release("end");
        }
        looks();
        onlookers.checkAsked();
        for (String thread : Bank.THREADS) {
            bank.at = thread;
            if (thread().isPresent()) {
                endThread();
                TrailRules.check(bank.store, thread);
            }
        }
        looks();
        onlookers.checkSettled();
        assertThat(bank.store.check()).isEmpty();
    }

    private void endThread() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Node node = bank.nodes.get(round % 2);
            bank.atWork = node;
            bank.clock.advance(round % 10 == 0 ? Duration.ofMinutes(11) : Bank.LEASE.multipliedBy(2));
            ledger.stepAt = bank.clock.instant();
            onlookers.beginStep();
            node.agent.actOnTime();
            onlookers.endStep(true);
            bank.atWork = node;
            if (thread().filter(
                            thread -> thread.batch().isEmpty() && thread.turn().isEmpty())
                    .isPresent()) {
                return;
            }
            bank.say("end of " + bank.at + ": " + answer(node, Bank.PEOPLE.get(round % Bank.PEOPLE.size())));
        }
        ledger.wrongIf(true, "it does not end", bank.at);
    }

    private void live() {
        for (int step = 0; step < STEPS; step++) {
            busy = chance.nextInt(2);
            step(busy);
        }
        end();
    }

    private void tryOut(int seed, Store store) {
        begin(seed, store);
        try {
            live();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(story(seed), e);
        }
        assertThat(ledger.wrong).as(() -> story(seed)).isEmpty();
        entered += ledger.calls.values().stream().mapToInt(call -> call.entered).sum();
    }

    private String story(int seed) {
        return "seed %d with %s:%n%s".formatted(seed, bank.features, String.join("\n", ledger.log));
    }

    @Test
    void whateverHappensTheBankStands() {
        for (int seed = FIRST; seed < FIRST + TRIES; seed++) {
            tryOut(seed, new InMemoryStore());
        }
        assertThat(entered).isGreaterThan(TRIES);
    }

    @Test
    @Tag("deep")
    void itStandsOnADatabaseToo() {
        for (int seed = FIRST; seed < FIRST + TRIES / 20; seed++) {
            try (TestDatabase database = TestDatabase.sqlite()) {
                tryOut(seed, JdbcStore.create(database.dataSource()));
            }
        }
    }
}
