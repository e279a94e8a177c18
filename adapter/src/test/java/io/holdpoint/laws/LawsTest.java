package io.holdpoint.laws;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunErrorEvent;
import io.holdpoint.laws.RandomAnswers.Permit;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;
import io.holdpoint.store.ThreadRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.ScriptedModel;
import io.holdpoint.testing.StreamRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small random programs: after every step the laws hold. The seed is the test's argument. */
class LawsTest {

    private static final int STEPS = 12;

    private record Sent(RunAgentInput input, List<Permit> permits) {}

    private final Set<String> permitted = new HashSet<>();
    private final List<PendingInterrupt> everAsked = new ArrayList<>();
    private Bench bench;
    private Random random;
    private RandomModel model;
    private RandomAnswers answers;

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest(name = "seed {0}, one tool after another")
    @MethodSource("seeds")
    void theLawsHold(int seed) {
        program(seed, new Bench());
    }

    @ParameterizedTest(name = "seed {0}, concurrent tools")
    @MethodSource("seeds")
    void theLawsHoldWithConcurrentTools(int seed) {
        program(seed, new Bench(builder -> builder.customizer(service -> service.executeToolsConcurrently())));
    }

    private void program(int seed, Bench fresh) {
        bench = fresh;
        random = new Random(seed);
        model = new RandomModel(random);
        answers = new RandomAnswers(random, model);
        Sent last = new Sent(bench.input(user("first", "Go")), List.of());
        for (int step = 0; step < STEPS; step++) {
            model.fill(bench.model, 40);
            if (step > 0 && random.nextInt(10) > 0) {
                last = next();
            }
            take(last);
        }
        getsUnstuck();
    }

    private Sent next() {
        List<PendingInterrupt> open = bench.pending();
        int choice = random.nextInt(100);
        if (choice < 5) {
            bench.clock.advance(Duration.ofMinutes(40));
        }
        if (choice < 10) {
            return new Sent(bench.input(), List.of());
        }
        if (choice < 20 && !everAsked.isEmpty()) {
            PendingInterrupt stale = model.pick(everAsked);
            return sent(
                    List.of(new Permit(random.nextBoolean() ? stale.cancel() : stale.deny("late"), Optional.empty())));
        }
        if (open.isEmpty() || choice < 25) {
            return new Sent(bench.input(newMessage()), List.of());
        }
        if (choice < 35) {
            return sent(
                    open.stream()
                            .map(asked -> new Permit(asked.cancel(), Optional.empty()))
                            .toList(),
                    newMessage());
        }
        List<Permit> permits = new ArrayList<>();
        for (PendingInterrupt asked : open) {
            permits.add(random.nextInt(20) == 0 ? answers.malformed(asked) : answers.valid(asked));
        }
        if (choice < 40) {
            permits.remove(random.nextInt(permits.size()));
        } else if (choice < 44) {
            permits.add(answers.valid(model.pick(open)));
        } else if (choice < 48) {
            permits.add(new Permit(ResumeEntry.cancelled("int_unknown"), Optional.empty()));
        }
        return choice < 55 ? sent(permits, newMessage()) : sent(permits);
    }

    private Message newMessage() {
        String id = "u" + model.nextNumber();
        return user(id, id);
    }

    private Sent sent(List<Permit> permits, Message... messages) {
        ResumeEntry[] entries = permits.stream().map(Permit::entry).toArray(ResumeEntry[]::new);
        return new Sent(bench.input(messages).withResume(List.of(entries)), permits);
    }

    private void take(Sent sent) {
        Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();
        bench.agent().run(sent.input(), sink).join();
        StreamRules.checkWithAbandoned(sink.events());
        boolean rejected = sink.types().equals(List.of("RUN_ERROR"));
        if (rejected) {
            assertThat(bench.everything()).as("law 8: %s", sink.errorCode()).isEqualTo(before);
            assertThat(sink.errorCode()).startsWith("INTERRUPT_");
        } else {
            sent.permits().forEach(permit -> permit.effect().ifPresent(permitted::add));
            if (!(sink.last() instanceof RunErrorEvent)) {
                sent.permits().forEach(permit -> permit.effect()
                        .ifPresent(effect -> assertThat(bench.tools.effects()).contains(effect)));
            }
        }
        bench.pending().stream().filter(asked -> !everAsked.contains(asked)).forEach(everAsked::add);
        effectsArePermitted();
        heldCallsHaveNotRun();
        ScriptedModel.requireWellFormed(bench.memory());
        assertThat(bench.transcript()).extracting(Message::id).doesNotHaveDuplicates();
        assertThat(sink.interrupts()).hasSameSizeAs(sink.last() instanceof RunErrorEvent ? List.of() : bench.pending());
    }

    private void effectsArePermitted() {
        assertThat(bench.tools.effects()).as("law 5").doesNotHaveDuplicates();
        assertThat(bench.tools.effects().stream().filter(effect -> !effect.startsWith("searchContacts ")))
                .as("law 2")
                .isSubsetOf(permitted);
    }

    private void heldCallsHaveNotRun() {
        Stream<Call> held = bench.store.find(Bench.THREAD).flatMap(ThreadRecord::hold).stream()
                .filter(hold -> !hold.openQuestions().isEmpty())
                .flatMap(hold -> hold.calls().stream())
                .filter(call -> call.state() == CallState.PENDING);
        assertThat(held.map(call ->
                        RandomAnswers.effect(call.toolName(), (ObjectNode) RandomAnswers.json(call.arguments()))))
                .as("law 3")
                .noneMatch(bench.tools.effects()::contains);
    }

    /** Law 10: cancel everything, then say something. */
    private void getsUnstuck() {
        model.calmDown();
        model.fill(bench.model, 5);
        bench.clock.advance(Duration.ofDays(1));
        ResumeEntry[] cancels =
                bench.pending().stream().map(PendingInterrupt::cancel).toArray(ResumeEntry[]::new);
        take(new Sent(bench.answers(cancels), List.of()));
        RecordingSink sink = bench.say("the end");
        assertThat(sink.types()).endsWith("RUN_FINISHED");
        assertThat(sink.text()).contains("Said ");
        assertThat(bench.pending()).isEmpty();
        ScriptedModel.requireWellFormed(bench.memory());
    }
}
