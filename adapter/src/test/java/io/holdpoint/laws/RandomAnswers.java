package io.holdpoint.laws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Makes up answers, and knows which effect each may have. */
final class RandomAnswers {

    private static final List<String> MALFORMED = List.of(
            "null",
            "true",
            "[]",
            "\"true\"",
            "{}",
            "{\"approved\":\"true\"}",
            "{\"approved\":1}",
            "{\"approved\":null}",
            "{\"__proto__\":{\"approved\":true}}",
            "{\"approved\":true,\"editedArgs\":[]}",
            "{\"approved\":true,\"editedArgs\":{\"evil\":1}}");

    /** An answer and the effect that it permits. */
    record Permit(ResumeEntry entry, Optional<String> effect) {}

    private final Random random;
    private final RandomModel numbers;

    RandomAnswers(Random random, RandomModel numbers) {
        this.random = random;
        this.numbers = numbers;
    }

    Permit valid(PendingInterrupt asked) {
        int choice = random.nextInt(100);
        if (choice < 45) {
            return new Permit(asked.approve(), Optional.of(effect(asked.toolName(), asked.arguments())));
        }
        if (choice < 60 && !asked.toolName().equals("deleteRecords")) {
            ObjectNode edited = edit(asked);
            return new Permit(asked.approveWith(edited), Optional.of(effect(asked.toolName(), edited)));
        }
        return new Permit(choice < 85 ? asked.deny("no") : asked.cancel(), Optional.empty());
    }

    Permit malformed(PendingInterrupt asked) {
        return new Permit(
                ResumeEntry.resolved(asked.id(), json(MALFORMED.get(random.nextInt(MALFORMED.size())))),
                Optional.empty());
    }

    private ObjectNode edit(PendingInterrupt asked) {
        ObjectNode edited = asked.arguments();
        String field = asked.toolName().equals("explode") ? "why" : "to";
        return edited.put(field, "e" + numbers.nextNumber());
    }

    /** What the office tools write down. */
    static String effect(String tool, ObjectNode args) {
        return tool + " "
                + switch (tool) {
                    case "sendEmail" -> text(args, "to") + "|" + text(args, "subject") + "|" + text(args, "body");
                    case "transferMoney" -> text(args, "amount") + "|" + text(args, "to");
                    case "deleteRecords" -> text(args, "table");
                    case "explode" -> text(args, "why");
                    case "searchContacts" -> text(args, "query");
                    default -> throw new AssertionError(tool);
                };
    }

    private static String text(ObjectNode args, String field) {
        return args.path(field).asText();
    }

    static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
