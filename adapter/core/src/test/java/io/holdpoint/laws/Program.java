package io.holdpoint.laws;

import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A made-up conversation and everything that goes wrong in it. Data only, so that it can be made smaller.
 *
 * @param shape of the AI Service
 * @param model what it says, one after another; afterwards it only talks
 * @param moves what clients do, one after another
 * @param steersAway whether the thread is freed in a single input at the end
 */
record Program(Shape shape, List<Said> model, List<Move> moves, boolean steersAway) {

    /** What the model says. */
    sealed interface Said {

        /** A message with tool calls. */
        record Calls(List<Proposed> calls, boolean text) implements Said {}

        /** A message without. */
        record Text() implements Said {}

        /** Nothing: the provider fails. */
        record Down() implements Said {}
    }

    /** A call; its argument is a number of its own, so that its effect can be told apart. */
    record Proposed(String tool, Id id, Arguments arguments) {}

    /** The id that a model gives to a call. */
    enum Id {
        OWN,
        NULL,
        BLANK,
        REPEATED
    }

    /** The arguments that a model gives to a call. */
    enum Arguments {
        VALID,
        CUT,
        ARRAY,
        TWICE,
        TRAILING,
        NULL
    }

    /**
     * What a client does.
     *
     * @param minutes that have passed before
     * @param node which of the two takes it
     * @param input what it sends
     * @param fault what goes wrong, if anything
     */
    record Move(int minutes, int node, Input input, Optional<Fault> fault) {}

    /** What a client sends. */
    sealed interface Input {

        /** A new message. */
        record Say() implements Input {}

        /** Neither an answer nor anything new. */
        record Nothing() implements Input {}

        /** What was sent last. */
        record Again() implements Input {}

        /** Nothing is sent: everything that was remembered is taken back. */
        record Revoke() implements Input {}

        /** Nothing is sent: what waits is cancelled. */
        record Cancel() implements Input {}

        /** A new message takes the place of an earlier one, or an answer is asked for again; by name, or by what is shown. */
        record Replace(int which, boolean named, boolean say) implements Input {}

        /** Answers to all that is open, the replies being used in turn. */
        record Answer(List<Reply> replies, Tweak tweak, boolean say) implements Input {}

        /** An answer to any interrupt that there ever was. */
        record Stale(int which, Reply reply) implements Input {}
    }

    /**
     * One answer. Of a call with unknown outcome: run it again, it is done, it is not done, let go. To a tool's own question:
     * yes, another yes, no, let go. Of a failure: try it again, with other arguments, give up, let go.
     */
    enum Reply {
        APPROVE,
        /** Approves, and does not want to be asked about the tool for a while. */
        REMEMBER,
        EDIT,
        DENY,
        CANCEL,
        MALFORMED
    }

    /** What is wrong with a list of answers. */
    enum Tweak {
        NOTHING,
        PARTIAL,
        TWICE,
        UNKNOWN
    }

    /**
     * What goes wrong in a run.
     *
     * @param place the accesses that count
     * @param at the how manieth of them it is, counting before and after each
     * @param kind what it is
     * @param meanwhile what another client sends to the other node, if it is about that
     */
    record Fault(Place place, int at, Kind kind, Input meanwhile) {

        /** An access to what is outside of the process. */
        enum Place {
            ANYWHERE(90),
            COMMIT(20),
            TOOL(8),
            MEMORY(20);

            final int most;

            Place(int most) {
                this.most = most;
            }

            boolean has(String access) {
                return this == ANYWHERE || access.contains(name().toLowerCase(Locale.ROOT));
            }
        }

        /** What goes wrong. */
        enum Kind {
            /** The access fails, once. */
            FAILS,
            /** The process ends; its lease stays. */
            DIES,
            /** Somebody else sends something at this moment. */
            MEANWHILE,
            /** The process pauses until its lease has ended, and somebody else takes over; then it goes on. */
            OVERTAKEN
        }
    }
}
