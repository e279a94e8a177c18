package io.holdpoint;

import java.util.List;
import java.util.Optional;

/**
 * The work that {@link Holdpoint#discard} has removed, as far as index and audit trail tell: the records were not read. Immutable.
 *
 * @param batchId the batch, if there was one
 * @param calls the tool calls that had no result yet; empty also if the audit trail does not tell
 * @param chatMemory whether the thread's chat memory could not be read either, and was cleared
 */
public record Discarded(String threadId, Optional<String> batchId, List<Call> calls, boolean chatMemory) {

    /** A tool call without a result; if the tool was entered, it may have run, and its outcome is unknown. */
    public record Call(String toolCallId, String toolName, boolean mayHaveRun) {}

    /** Copies the list. */
    public Discarded {
        calls = List.copyOf(calls);
    }

    /**
     * Says it in one sentence, for a log or a person, such as {@code "Of thread t the unfinished batch b was removed unread: call c1 of
     * sendEmail, which may have run."}
     */
    public String describe() {
        StringBuilder text = new StringBuilder("Of thread " + threadId + " ")
                .append(batchId.map(id -> "the unfinished batch " + id).orElse("the unfinished turn"))
                .append(" was removed unread");
        String separator = ": ";
        for (Call call : calls) {
            text.append(separator)
                    .append("call ")
                    .append(call.toolCallId())
                    .append(" of ")
                    .append(call.toolName())
                    .append(call.mayHaveRun() ? ", which may have run" : ", which has not run");
            separator = "; ";
        }
        text.append(chatMemory ? ". The chat memory was cleared." : ".");
        return text.toString();
    }
}
