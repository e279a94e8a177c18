package io.holdpoint;

/**
 * Decides per call whether a person has to be asked: by its arguments, by its caller, by the state of the thread. Used by
 * {@link RequiresApproval#when()} and {@link ToolPolicy#when}.
 *
 * <p>Evaluated when the call is proposed, before anything of its message runs, and again, with the arguments that would run, before a later
 * run executes it: then a denial counts, and that a person has to be asked only of a call that nobody was asked about, or whose edit needs
 * more than its editor. A condition that throws, or answers {@code null}, never means "allow": a person is asked. Must be thread-safe, quick,
 * and without effects.
 */
@FunctionalInterface
public interface ApprovalCondition {

    /** Decides about a call: it may run, needs approval, or is denied. */
    ApprovalVerdict evaluate(ProposedCall call);

    /** Asks about every call. The default. */
    final class Always implements ApprovalCondition {

        /** Creates the condition of an annotation that names none. */
        public Always() {}

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return ApprovalVerdict.requireApproval();
        }
    }
}
