package io.holdpoint;

/**
 * Computes a preview of a call for the reviewer before it runs: the rows it would affect, a difference, a price, a risk. Used
 * by {@link RequiresApproval#preview()} and {@link ToolPolicy#preview}.
 *
 * <p>It is called once, when the question about a call is made, and only for calls that a person is asked about; not again when
 * the question is presented again or the arguments are edited. The preview goes to the client as
 * {@code metadata.langchain4j.preview} of the interrupt, next to the arguments, and is stored with the question. If it throws,
 * returns {@code null}, or returns a value that is too large or cannot be written as JSON, the call is held all the same, and
 * {@code metadata.langchain4j.previewError} reports the failure in its place, without details; the details are logged.
 *
 * <p>Must be thread-safe and without effects, and should be quick: the run waits for it.
 */
@FunctionalInterface
public interface ApprovalPreview {

    /** Longest preview, in characters of its JSON. */
    int MAX_LENGTH = 100_000;

    /**
     * Computes the preview of a call.
     *
     * @param call the call that the model proposes; a copy
     * @return anything that Jackson writes as JSON without modules: a record, a map, a list, a text, a number, a
     *     {@code JsonNode}; at most {@value #MAX_LENGTH} characters, nested at most 100 levels deep
     */
    Object preview(ProposedCall call);

    /** Stands for no preview: the default of {@link RequiresApproval#preview()}, which is never called. */
    final class None implements ApprovalPreview {

        /** Creates the preview of an annotation that names none. */
        public None() {}

        @Override
        public Object preview(ProposedCall call) {
            throw new UnsupportedOperationException("there is no preview of " + call.toolName());
        }
    }
}
