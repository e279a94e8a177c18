package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * Writes one line of JSON for each call that people have decided about, as examples to test an agent with: {@code
 * DecisionExport.of(store, "support").writeTo(file, since)}. It reads the audit trail and the transcripts and changes nothing:
 *
 * <pre>
 * {"toolCallId": "...", "tool": "pay", "proposed": {...}, "request": "Pay Acme", "decidedAt": "...", "verdict": "approved", "reason"?: "...",
 *  "opinion"?: {"concern": "none"}, "final"?: {...}}
 * </pre>
 *
 * {@code verdict} is {@code approved}, {@code edited}, {@code denied}, {@code answered} (in place of the tool), {@code cancelled} or {@code
 * expired}; {@code final} are the arguments that the tool got. Arguments are redacted as in the trail; where they are, the user's words, which
 * may quote them, are left out too. The line does not name who decided. Immutable.
 */
public final class DecisionExport {

    static final String APPROVED = "approved";
    static final String EDITED = "edited";

    private final Store store;

    private DecisionExport(Store store, String agent) {
        this.store = store.of(agent);
    }

    /** Begins an export of the decisions of the agent of that name, which is empty for one without a name. */
    public static DecisionExport of(Store store, String agent) {
        return new DecisionExport(store, agent);
    }

    /**
     * Writes the calls that were decided about since then, and says how many: each when it has its result, those without one last. It
     * keeps only calls without a result in memory.
     *
     * @throws IOException if {@code lines} does
     */
    public int writeTo(Appendable lines, Instant since) throws IOException {
        int[] written = new int[1];
        try {
            PastCall.readAll(store, call -> {
                if (call.decision != null && !call.decision.at().isBefore(since)) {
                    write(call, call.decision, lines);
                    written[0]++;
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return written[0];
    }

    private void write(PastCall call, AuditEvent decision, Appendable lines) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("toolCallId", call.toolCallId())
                .put("tool", call.tool());
        copy(call.proposed.detail(), "arguments", json, "proposed");
        if (call.isWhole()) {
            json.put("request", words(decision.threadId(), call.toolCallId()));
        }
        json.put("decidedAt", decision.at().toString())
                .put("verdict", call.verdict().orElseThrow());
        copy(decision.detail().path("payload"), "reason", json, "reason");
        copy(call.held, "secondOpinion", json, "opinion");
        copy(call.claim, "arguments", json, "final");
        try {
            lines.append(RecordJson.write(json)).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.get(name));
        }
    }

    /** The user's message before the call; empty if the transcript does not have it any more. */
    private String words(String threadId, String toolCallId) {
        String words = "";
        for (Message message : store.transcript(threadId)) {
            if (message instanceof Message.User user) {
                words = user.content().asText();
            } else if (message instanceof Message.Assistant assistant
                    && assistant.toolCalls().stream().anyMatch(call -> call.id().equals(toolCallId))) {
                return words;
            }
        }
        return "";
    }
}
