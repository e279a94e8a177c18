package io.holdpoint.demo.model;

import java.util.Optional;

/** What a task wants next. */
sealed interface Step {

    /** The call to make; empty if there is none. */
    Optional<Call> proposal();

    /** Where the task stands, in words. */
    String report();

    /** To call a tool. */
    record Propose(Call call) implements Step {

        @Override
        public Optional<Call> proposal() {
            return Optional.of(call);
        }

        @Override
        public String report() {
            return "I'll " + call.todo() + ".";
        }
    }

    /** Nothing more: its call was answered. */
    record Done(Call call, Outcome outcome) implements Step {

        @Override
        public Optional<Call> proposal() {
            return Optional.empty();
        }

        @Override
        public String report() {
            return Report.of(call, outcome);
        }
    }

    /** Nothing more: the user said something, and what, as a sentence. */
    record Answered(String report) implements Step {

        @Override
        public Optional<Call> proposal() {
            return Optional.empty();
        }
    }

    /** Nothing more: it cannot be done, and why, as a sentence. */
    record Stuck(String report) implements Step {

        @Override
        public Optional<Call> proposal() {
            return Optional.empty();
        }
    }
}
