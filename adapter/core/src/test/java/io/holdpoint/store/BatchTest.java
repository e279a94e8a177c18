package io.holdpoint.store;

import static io.holdpoint.store.Batches.ATTEMPT;
import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.RESULT;
import static io.holdpoint.store.Batches.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.store.Call.Answer;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The state machine: every transition of the diagram, and no other. */
class BatchTest {

    private static final Batch OPEN = Batches.hold("h", "t");

    private static Map<Batch.State, Batch> batches() {
        Map<Batch.State, Batch> batches = new EnumMap<>(Batch.State.class);
        Batch results = Batches.results(OPEN, "h");
        batches.put(Batch.State.OPEN, OPEN);
        batches.put(Batch.State.ANSWERED, OPEN.answered(answers("h-i"), Map.of()));
        batches.put(Batch.State.RESULTS, results);
        batches.put(Batch.State.REMEMBERED, results.remembered());
        batches.put(Batch.State.FINISHED, results.remembered().finished());
        return batches;
    }

    static Stream<Arguments> forbidden() {
        Map<String, UnaryOperator<Batch>> transitions = Map.of(
                "answered", batch -> batch.answered(answers("h-i"), Map.of()),
                "claimed", batch -> batch.claimed("h-b", ATTEMPT),
                "settled", batch -> batch.settled("h-a", Call.State.NOT_EXECUTED, RESULT),
                "asked again", batch -> batch.askedAgain(Map.of("h-b", Batches.question("again"))),
                "remembered", Batch::remembered,
                "finished", Batch::finished);
        Map<Batch.State, List<String>> allowed = Map.of(
                Batch.State.OPEN, List.of("answered", "claimed"),
                Batch.State.ANSWERED, List.of("claimed", "settled", "asked again"),
                Batch.State.RESULTS, List.of("remembered"),
                Batch.State.REMEMBERED, List.of("finished"),
                Batch.State.FINISHED, List.of());
        return batches().entrySet().stream().flatMap(from -> transitions.entrySet().stream()
                .filter(to -> !allowed.get(from.getKey()).contains(to.getKey()))
                .map(to -> Arguments.of(from.getKey(), to.getKey(), from.getValue(), to.getValue())));
    }

    @ParameterizedTest(name = "{0} cannot be {1}")
    @MethodSource("forbidden")
    void aTransitionThatIsNotInTheDiagramThrows(
            Batch.State state, String name, Batch batch, UnaryOperator<Batch> transition) {
        assertThatThrownBy(() -> transition.apply(batch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(".*(" + state.name() + "|PENDING).*");
    }

    /** Whoever reads an answer may take its payload for a decision, also one that a later version has written. */
    @ParameterizedTest
    @EnumSource(value = Answer.How.class, names = "RESOLVED", mode = EnumSource.Mode.EXCLUDE)
    void anAnswerThatDecidesNothingHasNoPayload(Answer.How how) {
        String approval = "{\"how\":\"" + how
                + "\",\"payload\":{\"approved\":true},\"answeredBy\":\"ada\",\"answeredAt\":\"" + NOW + "\"}";

        assertThat(RecordJson.read(approval, Answer.class).payload()).isNull();
        assertThat(RecordJson.read(approval.replace(how.name(), "RESOLVED"), Answer.class)
                        .payload())
                .isNotNull();
        assertThat(RecordJson.read(approval.replace(how.name(), "OF_A_LATER_VERSION"), Answer.class)
                        .payload())
                .isNull();
    }

    @Test
    void whileABatchIsOpenNoCallOfItBegins() {
        assertThatThrownBy(() -> OPEN.claimed("h-b", ATTEMPT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> OPEN.claimed("h-a", ATTEMPT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> OPEN.settled("h-a", Call.State.NOT_EXECUTED, RESULT))
                .isInstanceOf(IllegalStateException.class);
        Batch answered = OPEN.answered(answers("h-i"), Map.of());
        assertThat(answered.state()).isEqualTo(Batch.State.ANSWERED);
        assertThat(answered.claimed("h-b", ATTEMPT).call("h-b").orElseThrow().state())
                .isEqualTo(Call.State.CLAIMED);
    }

    @Test
    void everyStateIsReachedByItsTransitionAndEachCountsOneVersion() {
        batches().forEach((state, batch) -> assertThat(batch.state()).isEqualTo(state));
        assertThat(batches().get(Batch.State.FINISHED).version()).isEqualTo(6);
    }

    @Test
    void answersMustCoverExactlyTheOpenQuestions() {
        assertThatThrownBy(() -> OPEN.answered(Map.of(), Map.of())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> OPEN.answered(answers("h-i", "other"), Map.of()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> OPEN.answered(answers("other"), Map.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallIsClaimedOnceAndSettledOnce() {
        Batch claimed = OPEN.answered(answers("h-i"), Map.of()).claimed("h-a", ATTEMPT);
        assertThatThrownBy(() -> claimed.claimed("h-a", ATTEMPT)).isInstanceOf(IllegalStateException.class);

        Batch settled = claimed.settled("h-a", Call.State.EXECUTED, RESULT);
        assertThatThrownBy(() -> settled.settled("h-a", Call.State.FAILED, RESULT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> settled.claimed("h-a", ATTEMPT)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyAClaimedCallIsExecutedOrFailsAndAClaimedOneIsNotUnexecuted() {
        Batch answered = OPEN.answered(answers("h-i"), Map.of());
        assertThatThrownBy(() -> answered.settled("h-a", Call.State.FAILED, RESULT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> answered.settled("h-b", Call.State.EXECUTED, RESULT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> answered.settled("h-b", Call.State.FAILED, RESULT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> answered.claimed("h-a", ATTEMPT).settled("h-a", Call.State.NOT_EXECUTED, RESULT))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPersonMaySupplyTheResultOfACallThatNeverRan() {
        Batch supplied = OPEN.answered(answers("h-i"), Map.of()).settled("h-a", Call.State.EXECUTED, RESULT);

        assertThat(supplied.call("h-a").orElseThrow().attempts()).isEmpty();
        assertThat(supplied.call("h-a").orElseThrow().state()).isEqualTo(Call.State.EXECUTED);
    }

    private static Batch askedAgain() {
        return OPEN.answered(answers("h-i"), Map.of())
                .claimed("h-a", ATTEMPT)
                .askedAgain(Map.of("h-a", Batches.question("again")));
    }

    @Test
    void aClaimedCallIsAskedAboutAgainWhichOpensTheBatch() {
        Batch again = askedAgain();

        assertThat(again.state()).isEqualTo(Batch.State.OPEN);
        assertThat(again.version()).isEqualTo(3);
        assertThat(again.openQuestions())
                .extracting(question -> question.interrupt().id())
                .containsExactly("again");
        assertThat(again.calls()).extracting(Call::state).containsExactly(Call.State.PENDING, Call.State.PENDING);
    }

    @Test
    void aDecidedCallIsAskedAboutAgainInPlaceOfItsClaim() {
        Batch again = OPEN.answered(answers("h-i"), Map.of()).askedAgain(Map.of("h-a", Batches.question("again")));

        assertThat(again.state()).isEqualTo(Batch.State.OPEN);
        assertThat(again.call("h-a").orElseThrow().attempts()).isEmpty();
        assertThatThrownBy(() -> again.claimed("h-a", ATTEMPT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> again.claimed("h-b", ATTEMPT)).isInstanceOf(IllegalStateException.class);
        assertThat(again.answered(answers("again"), Map.of())
                        .claimed("h-a", ATTEMPT)
                        .call("h-a")
                        .orElseThrow()
                        .state())
                .isEqualTo(Call.State.CLAIMED);
    }

    @Test
    void aSecondAnswerMayLeadToASecondAttempt() {
        Call again = askedAgain()
                .answered(answers("again"), Map.of())
                .claimed("h-a", ATTEMPT)
                .call("h-a")
                .orElseThrow();

        assertThat(again.attempts()).hasSize(2);
        assertThat(again.asked("h-i").flatMap(Call.Asked::answer)).isPresent();
        assertThat(again.asked("again").flatMap(Call.Asked::answer)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(names = {"EXECUTED", "FAILED", "NOT_EXECUTED"})
    void aSecondAnswerMaySayWhatCameOfTheFirstAttempt(Call.State outcome) {
        Batch settled = askedAgain().answered(answers("again"), Map.of()).settled("h-a", outcome, RESULT);

        assertThat(settled.call("h-a").orElseThrow().state()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"RESOLVED, false", "CANCELLED, false", "STEERED_AWAY, true", "EXPIRED, true"})
    void nothingMoreRunsOnceThePersonSteeredAwayOrNobodyAnswered(Answer.How how, boolean over) {
        Batch open = Batches.hold("h", "t");

        Batch answered = open.answered(Map.of("h-i", new Answer(how, null, "", Batches.NOW)), Map.of());

        assertThat(open.isOver()).isFalse();
        assertThat(answered.isOver()).isEqualTo(over);
    }

    @Test
    void onlyADecidedOrClaimedCallIsAskedAboutAgain() {
        Batch answered = OPEN.answered(answers("h-i"), Map.of());
        assertThatThrownBy(() -> answered.askedAgain(Map.of("h-b", Batches.question("again"))))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> answered.askedAgain(Map.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyAnIdempotentCallIsAttemptedAgainWithoutAnAnswer() {
        Batch idempotent = Batch.of(
                "h",
                "t",
                new TurnRecord("u", "{}", Set.of(), null),
                new Batch.ModelMessage("a", "{}"),
                List.of(Batches.idempotent("h-a")));

        Batch twice = idempotent.claimed("h-a", ATTEMPT).claimed("h-a", ATTEMPT);

        assertThat(twice.call("h-a").orElseThrow().attempts()).hasSize(2);
    }

    @Test
    void theIdempotencyKeyStaysWhateverIsAsked() {
        assertThat(OPEN.call("h-a").orElseThrow().idempotencyKey()).isEqualTo("h-i");
        assertThat(askedAgain().call("h-a").orElseThrow().idempotencyKey()).isEqualTo("h-i");

        Batch ungated = OPEN.answered(answers("h-i"), Map.of()).claimed("h-b", ATTEMPT);
        String before = ungated.call("h-b").orElseThrow().idempotencyKey();
        Batch asked = ungated.askedAgain(Map.of("h-b", Batches.afterAttempt("again")));
        assertThat(asked.call("h-b").orElseThrow().idempotencyKey()).isEqualTo(before);
    }

    @Test
    void aCallCannotBeSettledAsSomethingThatIsNoOutcome() {
        Batch answered = OPEN.answered(answers("h-i"), Map.of());
        for (Call.State outcome : List.of(Call.State.PENDING, Call.State.DECIDED, Call.State.CLAIMED)) {
            assertThatThrownBy(() -> answered.settled("h-a", outcome, RESULT))
                    .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class);
        }
    }

    private static Map<String, Answer> answered(Answer.How how, String interruptId, Instant at) {
        return Map.of(interruptId, new Answer(how, null, "ada", at));
    }

    @ParameterizedTest
    @EnumSource
    void aBatchIsGivenUpIfNobodyDecidedWhenSomebodyWasLastAsked(Answer.How how) {
        boolean decided = how == Answer.How.RESOLVED;
        assertThat(OPEN.givenUp()).isFalse();

        Batch first = OPEN.answered(answered(how, "h-i", NOW), Map.of());
        assertThat(first.givenUp()).isEqualTo(!decided);
        assertThat(first.claimed("h-b", ATTEMPT).givenUp()).isEqualTo(!decided);
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAnsweredLastCountsHoweverEarlyItsClockSaysItWas(Answer.How how) {
        boolean decided = how == Answer.How.RESOLVED;
        Batch approved =
                OPEN.answered(answered(decided ? Answer.How.CANCELLED : Answer.How.RESOLVED, "h-i", NOW), Map.of());
        Batch asked = approved.claimed("h-b", ATTEMPT).askedAgain(Map.of("h-b", Batches.afterAttempt("again")));
        Batch settled = asked.settled("h-a", Call.State.NOT_EXECUTED, RESULT);

        Batch answered = settled.answered(answered(how, "again", NOW.minusSeconds(2)), Map.of());

        assertThat(answered.givenUp()).isEqualTo(!decided);
    }

    @Test
    void aBatchIsNotGivenUpWhileACallThatWasDecidedBeforeWaitsToRun() {
        Batch approved = OPEN.answered(answered(Answer.How.RESOLVED, "h-i", NOW), Map.of());
        Batch asked = approved.claimed("h-b", ATTEMPT).askedAgain(Map.of("h-b", Batches.afterAttempt("again")));

        assertThat(asked.answered(answered(Answer.How.CANCELLED, "again", NOW), Map.of())
                        .givenUp())
                .isFalse();
    }

    @Test
    void anAnswerMayLeadToAnotherQuestionAboutTheSameCall() {
        Call.Question another = Batches.question("another");

        Batch asked = OPEN.answered(answered(Answer.How.RESOLVED, "h-i", NOW), Map.of("h-i", another));

        assertThat(asked.state()).isEqualTo(Batch.State.OPEN);
        assertThat(asked.openQuestions()).containsExactly(another);
        assertThat(asked.call("h-a").orElseThrow().asked("h-i").flatMap(Call.Asked::answer))
                .isPresent();
        assertThat(asked.call("h-a").orElseThrow().state()).isEqualTo(Call.State.PENDING);
        assertThatThrownBy(() -> asked.claimed("h-a", ATTEMPT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> OPEN.answered(answered(Answer.How.RESOLVED, "h-i", NOW), Map.of("other", another)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(asked.answered(answered(Answer.How.RESOLVED, "another", NOW), Map.of())
                        .state())
                .isEqualTo(Batch.State.ANSWERED);
    }

    @Test
    void everyTransitionSaysWhatItChanged() {
        Call.Question first = Batches.question("h-i");
        Call.Question again = Batches.afterAttempt("again");
        Answer answer = answers("h-i").get("h-i");
        Batch answered = OPEN.answered(answers("h-i"), Map.of());
        Batch claimed = answered.claimed("h-a", ATTEMPT);
        Batch settled = claimed.settled("h-a", Call.State.FAILED, RESULT);

        assertThat(OPEN.changes())
                .containsExactly(
                        new Change.Proposed(call(OPEN, "h-a")),
                        new Change.Asked(call(OPEN, "h-a"), first),
                        new Change.Proposed(call(OPEN, "h-b")));
        assertThat(answered.changes()).containsExactly(new Change.Answered(call(answered, "h-a"), first, answer));
        assertThat(claimed.changes()).containsExactly(new Change.Claimed(call(claimed, "h-a")));
        assertThat(settled.changes()).containsExactly(new Change.Settled(call(settled, "h-a"), Call.State.CLAIMED));
        Batch asked = claimed.askedAgain(Map.of("h-a", again));
        assertThat(asked.changes()).containsExactly(new Change.Asked(call(asked, "h-a"), again));
        Batch edited = OPEN.answered(answers("h-i"), Map.of("h-i", again));
        assertThat(edited.changes())
                .containsExactly(
                        new Change.Answered(call(edited, "h-a"), first, answer),
                        new Change.Asked(call(edited, "h-a"), again));
        Batch results = Batches.results(OPEN, "h");
        assertThat(results.remembered().changes()).isEmpty();
        assertThat(results.remembered().finished().changes()).isEmpty();
    }

    private static Call call(Batch batch, String toolCallId) {
        return batch.call(toolCallId).orElseThrow();
    }

    @Test
    void aCallThatAPersonWasAskedAboutStartsByNoRememberedDecision() {
        Batch open = Batch.of(
                "h",
                "t",
                new TurnRecord("u", "{}", Set.of(), null),
                new Batch.ModelMessage("a", "{}"),
                List.of(Batches.call("h-a").letThroughBy("grant")));
        Batch claimed = open.claimed("h-a", ATTEMPT);

        Batch again = claimed.askedAgain(Map.of("h-a", Batches.afterAttempt("again")))
                .answered(answers("again"), Map.of())
                .claimed("h-a", ATTEMPT);

        assertThat(new Change.Claimed(call(claimed, "h-a")).grant()).contains("grant");
        assertThat(again.changes()).containsExactly(new Change.Claimed(call(again, "h-a")));
        assertThat(new Change.Claimed(call(again, "h-a")).grant()).isEmpty();
    }

    @Test
    void aRefusedCallIsProposedAndSettledAtOnce() {
        Call refused = Batches.call("h-a").refused(RESULT);

        Batch batch = Batch.of(
                "h",
                "t",
                new TurnRecord("u", "{}", Set.of(), null),
                new Batch.ModelMessage("a", "{}"),
                List.of(refused));

        assertThat(batch.changes())
                .containsExactly(new Change.Proposed(refused), new Change.Settled(refused, Call.State.PENDING));
    }

    @Test
    void theChangesAreNoPartOfWhatIsKept() {
        Batch answered = OPEN.answered(answers("h-i"), Map.of());

        String json = RecordJson.write(answered);
        Batch read = RecordJson.read(json, Batch.class);

        assertThat(json).doesNotContain("changes");
        assertThat(read.changes()).isEmpty();
        assertThat(read).isEqualTo(answered).hasSameHashCodeAs(answered).isNotEqualTo(OPEN);
    }

    @Test
    void aBatchKnowsOnlyItsOwnCalls() {
        assertThatThrownBy(() -> OPEN.answered(answers("h-i"), Map.of()).claimed("other", ATTEMPT))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBatchWithoutCallsDoesNotExist() {
        assertThatThrownBy(() -> Batch.of(
                        "h",
                        "t",
                        new TurnRecord("u", "{}", Set.of(), null),
                        new Batch.ModelMessage("a", "{}"),
                        List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
