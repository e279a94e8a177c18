package io.holdpoint;

/**
 * Decides per call whether a person has to be asked: by its arguments, by its caller, by the state of the thread. Used by
 * {@link RequiresApproval#when()} and {@link ToolPolicy#when}.
 *
 * <p>Evaluated when the model proposes the call, before anything of its message runs; again when a call that was allowed
 * runs in a later run, and with the edited arguments when a person has edited them (then only a denial counts, because the
 * person has approved). A condition that throws, or answers {@code null}, never means "allow": a person is asked. Must be
 * thread-safe, quick, and without effects.
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
