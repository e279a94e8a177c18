package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A hash over what was asked of whom, what rules have shown of the call, and who has answered what. */
final class DecisionHash {

    /** Votes and arguments have their own places. */
    private static final Set<String> ELSEWHERE = Set.of("approvals", "args");

    private DecisionHash() {}

    static String of(Question question, Optional<Answer> answer, List<Answer> votes) {
        StringBuilder all = new StringBuilder(256).append(question.kind());
        add(all, question.interrupt().id());
        ObjectNode metadata = question.interrupt().metadata();
        if (metadata != null) {
            JsonNode ours = metadata.path("langchain4j");
            add(all, ours.path("approvals").path("needed"));
            add(all, ours.path("approvals").path("groups"));
            for (Map.Entry<String, JsonNode> part : ours.properties()) {
                if (part.getValue().isObject() && !ELSEWHERE.contains(part.getKey())) { // what rules have shown
                    add(all, part.getKey());
                    add(all, part.getValue());
                }
            }
        }
        for (Answer vote : votes) {
            add(all, vote);
        }
        if (answer.isPresent()) {
            add(all.append('!'), answer.get());
        }
        return HexFormat.of().formatHex(JsonValues.sha256(all.toString()));
    }

    /** Roles are not among it: when the last vote comes, they are those of then. */
    private static void add(StringBuilder all, Answer answer) {
        all.append(answer.how()).append(answer.answeredAt());
        add(all, answer.answeredBy());
        add(all, answer.via() == null ? "" : answer.via());
        if (answer.payload() != null) {
            add(all, answer.payload());
        }
    }

    /** A number counts by its value: some stores give it back in other digits. */
    private static void add(StringBuilder all, JsonNode node) {
        if (node.isObject()) {
            all.append('{');
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                add(all, field.getKey());
                add(all, field.getValue());
            }
            all.append('}');
        } else if (node.isArray()) {
            all.append('[');
            for (JsonNode each : node) {
                add(all, each);
            }
            all.append(']');
        } else if (node.isNumber() && Double.isFinite(node.doubleValue())) {
            add(
                    all.append('n'),
                    new BigDecimal(node.asText()).stripTrailingZeros().toString());
        } else {
            add(all.append(node.getNodeType().ordinal()), node.asText());
        }
    }

    private static void add(StringBuilder all, String part) {
        all.append(part.length()).append(':').append(part);
    }
}
