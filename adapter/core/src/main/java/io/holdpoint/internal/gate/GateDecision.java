package io.holdpoint.internal.gate;

import io.holdpoint.store.Question;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the gate says about one call of a batch. */
public sealed interface GateDecision {

    /**
     * Takes every case into account.
     *
     * @param run for a call that may run
     * @param ask for a call that a person must be asked about
     * @param refuse for a call that does not run
     * @param <T> what comes of it
     * @return the result of the case that applies
     */
    <T> T match(Supplier<T> run, Function<Question, T> ask, Function<String, T> refuse);

    /** It may run, once the whole batch may. */
    record Run() implements GateDecision {

        @Override
        public <T> T match(Supplier<T> run, Function<Question, T> ask, Function<String, T> refuse) {
            return run.get();
        }
    }

    /**
     * A person must be asked.
     *
     * @param question what to ask
     */
    record Ask(Question question) implements GateDecision {

        @Override
        public <T> T match(Supplier<T> run, Function<Question, T> ask, Function<String, T> refuse) {
            return ask.apply(question);
        }
    }

    /**
     * It does not run, and nobody is asked.
     *
     * @param answer what the model is told
     */
    record Refuse(String answer) implements GateDecision {

        @Override
        public <T> T match(Supplier<T> run, Function<Question, T> ask, Function<String, T> refuse) {
            return refuse.apply(answer);
        }
    }
}
