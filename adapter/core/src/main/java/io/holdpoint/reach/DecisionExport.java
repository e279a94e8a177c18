package io.holdpoint.reach;

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

    /**
     * Begins an export.
     *
     * @param agent its name, empty for one without a name
     */
    public static DecisionExport of(Store store, String agent) {
        return new DecisionExport(store, agent);
    }

    /**
     * Writes the calls that were decided about since then, in the order in which they were proposed, and says how many.
     *
     * @throws IOException if {@code lines} does
     */
    public int writeTo(Appendable lines, Instant since) throws IOException {
        Map<List<String>, ObjectNode> calls = new LinkedHashMap<>();
        List<Fed> page = store.feed(agent, 0, PAGE);
        while (!page.isEmpty()) {
            page.forEach(fed -> read(fed.event(), calls));
            page = store.feed(agent, page.get(page.size() - 1).position(), PAGE);
        }
        int written = 0;
        for (ObjectNode line : calls.values()) {
            if (line.has("verdict")
                    && !Instant.parse(line.path("decidedAt").asText()).isBefore(since)) {
                lines.append(RecordJson.write(line)).append('\n');
                written++;
            }
        }
        return written;
    }

    private void read(AuditEvent event, Map<List<String>, ObjectNode> calls) {
        List<String> key = List.of(event.threadId(), event.toolCallId().orElse(""));
        ObjectNode detail = event.detail();
        if (event.kind() == AuditEvent.Kind.PROPOSED) {
            calls.put(
                    key,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("toolCallId", key.get(1))
                            .put("tool", event.toolName().orElse(""))
                            .setAll(Map.of("proposed", detail)));
            return;
        }
        ObjectNode line = calls.get(key);
        if (line == null) {
            return;
        }
        switch (event.kind()) {
            case HELD -> copy(detail, "secondOpinion", line, "opinion");
            case DECIDED -> decided(event, detail, line);
            case EXPIRED -> decided(event, "expired", line);
            case CLAIMED -> {
                if (!line.has("final")) {
                    copy(detail.has("arguments") ? detail : proposal(line), "arguments", line, "final");
                }
            }
            default -> {} // nothing that people have decided
        }
    }

    /** The proposal with its arguments, also if the line has had these on their own since the decision. */
    private static JsonNode proposal(ObjectNode line) {
        JsonNode proposed = line.path("proposed");
        return !line.has("verdict") || proposed.isMissingNode()
                ? proposed
                : JsonNodeFactory.instance.objectNode().set("arguments", proposed);
    }

    private static String verdict(ObjectNode detail, JsonNode payload) {
        if (ApprovalForm.approves(payload)) {
            return detail.path("edited").booleanValue() ? "edited" : "approved";
        }
        boolean isAnswered = payload.has(ApprovalForm.RESPONSE) || payload.has(ApprovalForm.RESPONSE + "Withheld");
        return isAnswered ? "answered" : "denied";
    }

    /** The first answer that says whether the call may run. */
    private void decided(AuditEvent event, ObjectNode detail, ObjectNode line) {
        JsonNode payload = detail.path("payload");
        if (!detail.path("how").asText().equals("RESOLVED")) {
            decided(event, "cancelled", line);
        } else if (ApprovalForm.isVerdict(payload) && !line.has("verdict")) {
            decided(event, verdict(detail, payload), line);
            copy(payload, "reason", line, "reason");
        }
    }

    private void decided(AuditEvent event, String verdict, ObjectNode line) {
        if (line.has("verdict") || !line.path("proposed").has("argumentsSha256")) {
            return;
        }
        JsonNode proposal = line.path("proposed");
        JsonNode arguments = proposal.path("arguments");
        boolean isWhole = arguments instanceof ObjectNode whole
                && ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(whole)))
                        .equals(proposal.path("argumentsSha256").asText());
        line.remove("proposed");
        copy(proposal, "arguments", line, "proposed");
        if (isWhole) {
            line.put("request", words(event.threadId(), line.path("toolCallId").asText()));
        }
        line.put("decidedAt", event.at().toString()).put("verdict", verdict);
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.get(name));
        }
    }

    /** The user's message before the call; empty if the transcript no longer has it. */
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
