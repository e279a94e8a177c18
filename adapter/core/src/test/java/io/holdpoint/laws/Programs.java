package io.holdpoint.laws;

import io.holdpoint.laws.Program.Arguments;
import io.holdpoint.laws.Program.Fault;
import io.holdpoint.laws.Program.Id;
import io.holdpoint.laws.Program.Input;
import io.holdpoint.laws.Program.Move;
import io.holdpoint.laws.Program.Proposed;
import io.holdpoint.laws.Program.Reply;
import io.holdpoint.laws.Program.Said;
import io.holdpoint.laws.Program.Tweak;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Makes programs up. The first of every choice is the simplest, so that a program that fails shrinks towards it. */
final class Programs {

    private Programs() {}

    static Arbitrary<Program> withoutFaults(Shape... shapes) {
        return of(Arbitraries.just(Optional.empty()), shapes);
    }

    static Arbitrary<Program> withFaults(Shape... shapes) {
        return of(fault().optional(0.5), shapes);
    }

    private static Arbitrary<Program> of(Arbitrary<Optional<Fault>> fault, Shape... shapes) {
        Arbitrary<Move> move = Combinators.combine(minutes(), Arbitraries.of(0, 1), input(), fault)
                .as(Move::new);
        return Combinators.combine(
                        Arbitraries.of(shapes),
                        said().list().ofMaxSize(12),
                        move.list().ofMinSize(1).ofMaxSize(12),
                        Arbitraries.of(false, true))
                .as(Program::new);
    }

    private static Arbitrary<Said> said() {
        Arbitrary<Said> calls = Combinators.combine(
                        proposed().list().ofMinSize(1).ofMaxSize(8), Arbitraries.of(false, true))
                .as(Said.Calls::new);
        return Arbitraries.frequencyOf(
                Tuple.of(6, calls),
                Tuple.of(3, Arbitraries.of(new Said.Text())),
                Tuple.of(1, Arbitraries.of(new Said.Down())));
    }

    private static Arbitrary<Proposed> proposed() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(6, "send"),
                                Tuple.of(6, "search"),
                                Tuple.of(2, "put"),
                                Tuple.of(2, "delete"),
                                Tuple.of(2, "explode"),
                                Tuple.of(2, "look"),
                                Tuple.of(1, "fail"),
                                Tuple.of(2, "ask"),
                                Tuple.of(2, "book"),
                                Tuple.of(2, "flaky")),
                        Arbitraries.frequency(
                                Tuple.of(12, Id.OWN),
                                Tuple.of(2, Id.NULL),
                                Tuple.of(1, Id.BLANK),
                                Tuple.of(3, Id.REPEATED)),
                        Arbitraries.frequency(
                                Tuple.of(30, Arguments.VALID),
                                Tuple.of(1, Arguments.CUT),
                                Tuple.of(1, Arguments.ARRAY),
                                Tuple.of(1, Arguments.TWICE),
                                Tuple.of(1, Arguments.TRAILING),
                                Tuple.of(1, Arguments.NULL)))
                .as(Proposed::new);
    }

    private static Arbitrary<Integer> minutes() {
        return Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(3, 1), Tuple.of(1, 40), Tuple.of(1, 90));
    }

    private static Arbitrary<Input> input() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.of(new Input.Say())),
                Tuple.of(1, Arbitraries.of(new Input.Nothing())),
                Tuple.of(2, Arbitraries.of(new Input.Again())),
                Tuple.of(8, answer()),
                Tuple.of(1, stale()),
                Tuple.of(2, replace()),
                Tuple.of(2, Arbitraries.of(new Input.Revoke())),
                Tuple.of(2, Arbitraries.of(new Input.Cancel())));
    }

    private static Arbitrary<Input> answer() {
        return Combinators.combine(
                        reply().list().ofMinSize(1).ofMaxSize(4),
                        Arbitraries.frequency(
                                Tuple.of(12, Tweak.NOTHING),
                                Tuple.of(1, Tweak.PARTIAL),
                                Tuple.of(1, Tweak.TWICE),
                                Tuple.of(1, Tweak.UNKNOWN)),
                        Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true)))
                .as(Input.Answer::new);
    }

    private static Arbitrary<Input> replace() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 9), Arbitraries.of(false, true), Arbitraries.of(false, true))
                .as(Input.Replace::new);
    }

    private static Arbitrary<Input> stale() {
        return Combinators.combine(Arbitraries.integers().between(0, 9), reply())
                .as(Input.Stale::new);
    }

    private static Arbitrary<Reply> reply() {
        return Arbitraries.frequency(
                Tuple.of(9, Reply.APPROVE),
                Tuple.of(6, Reply.REMEMBER),
                Tuple.of(3, Reply.EDIT),
                Tuple.of(3, Reply.DENY),
                Tuple.of(4, Reply.CANCEL),
                Tuple.of(1, Reply.MALFORMED));
    }

    private static Arbitrary<Fault> fault() {
        Arbitrary<Input> meanwhile = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.of(new Input.Say())),
                Tuple.of(1, Arbitraries.of(new Input.Nothing())),
                Tuple.of(2, Arbitraries.of(new Input.Again())),
                Tuple.of(1, replace()),
                Tuple.of(3, answer()));
        return Arbitraries.of(Fault.Place.values()).flatMap(place -> Combinators.combine(
                        Arbitraries.integers().between(1, place.most),
                        Arbitraries.of(List.of(Fault.Kind.values())),
                        meanwhile)
                .as((at, kind, input) -> new Fault(place, at, kind, input)));
    }
}
