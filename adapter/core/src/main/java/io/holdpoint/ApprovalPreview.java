package io.holdpoint;

/**
 * Computes what the reviewer should see of a call before it runs: the rows it would affect, a difference, a price, a risk.
 * For {@link RequiresApproval#preview()} and {@link ToolPolicy#preview}.
 *
 * <p>Asked once, when the question about a call is made, and only for calls that somebody is asked about; not again when the
 * question is presented again or the arguments are edited. What it gives goes to the client as
 * {@code metadata.langchain4j.preview} of the interrupt, next to the arguments, and is stored with the question. If it
 * throws, gives {@code null}, or gives what cannot be written as JSON or is too large, the call is held all the same, and
 * {@code metadata.langchain4j.previewError} says so in its place, without details; those are logged.
 *
 * <p>Must be thread-safe and without effects, and should be quick: the run waits for it.
 */
@FunctionalInterface
public interface ApprovalPreview {

    /** Longest preview, in characters of its JSON. */
    int MAX_LENGTH = 100_000;

    /**
     * Looks at a call.
     *
     * @param call what the model proposes, a copy
     * @return anything that Jackson writes as JSON without modules: a record, a map, a list, a text, a number, a
     *     {@code JsonNode}; at most {@value #MAX_LENGTH} characters, nested at most 100 levels deep
     */
    Object preview(ProposedCall call);

    /** No preview. The default of {@link RequiresApproval#preview()}; is never asked. */
    final class None implements ApprovalPreview {

        /** Created where an annotation says nothing else. */
        public None() {}

        @Override
        public Object preview(ProposedCall call) {
            throw new UnsupportedOperationException("there is no preview of " + call.toolName());
        }
    }
}
