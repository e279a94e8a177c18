package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    private static final int PAGE = 500;

    private final Store store;
    private final String agent;

    private DecisionExport(Store store, String agent) {
        this.store = store;
        this.agent = agent;
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
        Map<List<String>, Line> calls = new LinkedHashMap<>();
        int written = 0;
        List<Fed> page = store.feed(agent, 0, PAGE);
        while (!page.isEmpty()) {
            for (Fed fed : page) {
                AuditEvent event = fed.event();
                List<String> key = List.of(event.threadId(), event.toolCallId().orElse(""));
                if (event.kind() == AuditEvent.Kind.PROPOSED) {
                    calls.put(key, new Line(event));
                } else if (calls.containsKey(key)) {
                    calls.get(key).read(event);
                    written += isSettled(event) ? write(calls.remove(key), since, lines) : 0;
                }
            }
            page = store.feed(agent, page.get(page.size() - 1).position(), PAGE);
        }
        for (Line line : calls.values()) {
            written += write(line, since, lines);
        }
        return written;
    }

    private static boolean isSettled(AuditEvent event) {
        return switch (event.kind()) {
            case EXECUTED, FAILED, NOT_EXECUTED -> true;
            default -> false;
        };
    }

    private int write(Line line, Instant since, Appendable lines) throws IOException {
        AuditEvent verdict = line.decision;
        if (verdict == null || verdict.at().isBefore(since)) {
            return 0;
        }
        JsonNode arguments = line.proposal.path("arguments");
        boolean isWhole = arguments instanceof ObjectNode whole
                && ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(whole)))
                        .equals(line.proposal.path("argumentsSha256").asText());
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("toolCallId", line.toolCallId)
                .put("tool", line.tool);
        copy(line.proposal, "arguments", json, "proposed");
        if (isWhole) {
            json.put("request", words(verdict.threadId(), line.toolCallId));
        }
        json.put("decidedAt", verdict.at().toString()).put("verdict", line.verdict());
        copy(verdict.detail().path("payload"), "reason", json, "reason");
        copy(line.held, "secondOpinion", json, "opinion");
        copy(line.claim, "arguments", json, "final");
        lines.append(RecordJson.write(json)).append('\n');
        return 1;
    }

    /** A call, as far as the trail was read. */
    private static final class Line {

        private final String toolCallId;
        private final String tool;
        private final ObjectNode proposal;
        private ObjectNode held = JsonNodeFactory.instance.objectNode();
        private ObjectNode claim = JsonNodeFactory.instance.objectNode();
        private @Nullable AuditEvent decision;
        private boolean edited;
        private boolean entered;

        Line(AuditEvent proposed) {
            this.toolCallId = proposed.toolCallId().orElse("");
            this.tool = proposed.toolName().orElse("");
            this.proposal = proposed.detail();
        }

        /** After the tool was entered, questions are about something else: what came of it, what the tool or an agent in it asks. */
        void read(AuditEvent event) {
            if (entered) {
                return;
            }
            switch (event.kind()) {
                case HELD -> asked(event);
                case DECIDED, EXPIRED -> {
                    boolean decides = !isResolved(event)
                            || ApprovalForm.isVerdict(event.detail().path("payload"));
                    decision = decision == null && decides ? event : decision;
                }
                case CLAIMED -> {
                    claim = event.detail().has("arguments")
                            ? event.detail()
                            : proposal; // it says only what an edit has changed
                    entered = true;
                }
                case EXECUTED, FAILED ->
                    claim = event.detail().path("byClient").booleanValue()
                            ? proposal
                            : claim; // nobody edits a client's
                default -> {} // nothing that people have decided
            }
        }

        /** An edit of one person is decided about by another one. */
        private void asked(AuditEvent event) {
            held = event.detail().has("secondOpinion") ? event.detail() : held;
            if (event.detail().has("editedBy")) {
                decision = null;
                edited = true;
            }
        }

        private static boolean isResolved(AuditEvent event) {
            return event.detail().path("how").asText().equals("RESOLVED");
        }

        String verdict() {
            AuditEvent verdict = Objects.requireNonNull(decision);
            JsonNode payload = verdict.detail().path("payload");
            if (verdict.kind() == AuditEvent.Kind.EXPIRED) {
                return "expired";
            } else if (!isResolved(verdict)) {
                return "cancelled";
            } else if (ApprovalForm.approves(payload)) {
                return edited || verdict.detail().path("edited").booleanValue() ? "edited" : "approved";
            }
            boolean isAnswered = payload.has(ApprovalForm.RESPONSE) || payload.has(ApprovalForm.RESPONSE + "Withheld");
            return isAnswered ? "answered" : "denied";
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
