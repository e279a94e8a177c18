package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Compares what a call runs with what people were shown of it: whoever changes one in the database does not change all. */
final class ShownArguments {

    private ShownArguments() {}

    /** One clause for each thing that does not fit, about the call. */
    static List<String> contradictions(Call call) {
        List<String> found = new ArrayList<>();
        if (!StoredText.sha256(call.arguments()).equals(call.proposal().argumentsSha256())) {
            found.add("has other arguments than its hash says");
        }
        Set<String> known = new HashSet<>();
        known.add(call.proposal().argumentsSha256());
        boolean mayBeEdited = false;
        for (Call.Attempt attempt : call.attempts()) {
            known.add(StoredText.sha256(attempt.arguments()));
        }
        for (Call.Asked asked : call.asked()) {
            JsonNode shown = shown(asked.question());
            String sha256 = shown.path("argsSha256").asText();
            boolean mustBeKnown = shown.has("argsSha256") && !(mayBeEdited && shown.has("editedBy"));
            if (mustBeKnown && !known.contains(sha256) || !isOf(sha256, shown)) {
                found.add("is not what its question "
                        + asked.question().interrupt().id() + " shows");
            }
            mayBeEdited |= asked.answer()
                    .map(Answer::payload)
                    .filter(ShownArguments::mayEdit)
                    .isPresent();
        }
        if (!mayBeEdited
                && call.attempts().stream()
                        .anyMatch(attempt -> !attempt.arguments().equals(call.arguments()))) {
            found.add("was attempted with other arguments, which nobody has edited");
        }
        return found;
    }

    /** An answer may bring other arguments: it has an object in it then. */
    private static boolean mayEdit(JsonNode payload) {
        for (JsonNode member : payload) {
            if (member.isObject()) {
                return true;
            }
        }
        return false;
    }

    /** The description of this call in a question's metadata: a question of another agent describes its own call, too. */
    private static JsonNode shown(Question question) {
        ObjectNode metadata = question.interrupt().metadata();
        JsonNode langchain4j = metadata == null ? MissingNode.getInstance() : metadata.path("langchain4j");
        return Objects.requireNonNullElse(langchain4j.get("delegatedBy"), langchain4j);
    }

    private static boolean isOf(String sha256, JsonNode shown) {
        return !(shown.get("args") instanceof ObjectNode args)
                || StoredText.sha256(AguiCodec.write(args)).equals(sha256);
    }
}
