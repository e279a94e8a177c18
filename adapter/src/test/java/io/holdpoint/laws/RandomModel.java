package io.holdpoint.laws;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.testing.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up what the model says. Every call carries a number of its own, so that its effect can be told apart. */
final class RandomModel {

    private static final List<String> MALFORMED =
            List.of("{\"to\":", "[]", "{\"query\":\"a\",\"query\":\"b\"}", "{} x", "null");

    private final Random random;
    private int numbers;
    private boolean calm;

    RandomModel(Random random) {
        this.random = random;
    }

    int nextNumber() {
        return ++numbers;
    }

    /** From now on the model only talks. */
    void calmDown() {
        calm = true;
    }

    void fill(ScriptedModel model, int answers) {
        for (int i = 0; i < answers; i++) {
            model.answers(request -> next());
        }
    }

    private AiMessage next() {
        int choice = calm ? 99 : random.nextInt(100);
        if (choice < 12) {
            throw new IllegalStateException("the provider is down");
        }
        if (choice < 60) {
            List<ToolExecutionRequest> calls = new ArrayList<>();
            int size = 1 + random.nextInt(8);
            for (int i = 0; i < size; i++) {
                calls.add(call());
            }
            return random.nextBoolean() ? AiMessage.from(calls) : AiMessage.from("Let me see.", calls);
        }
        return AiMessage.from("Said " + nextNumber() + ".");
    }

    private ToolExecutionRequest call() {
        String n = "n" + nextNumber();
        int choice = random.nextInt(100);
        if (choice < 1) {
            return of("noSuchTool", "{}");
        }
        if (choice < 8) {
            return of(random.nextBoolean() ? "sendEmail" : "searchContacts", pick(MALFORMED));
        }
        if (choice < 45) {
            return of("searchContacts", "{\"query\":\"" + n + "\"}");
        }
        if (choice < 65) {
            return of("sendEmail", "{\"to\":\"" + n + "\",\"subject\":\"s\",\"body\":\"b\"}");
        }
        if (choice < 80) {
            return of("transferMoney", "{\"amount\":" + numbers + ",\"to\":\"" + n + "\"}");
        }
        return choice < 90
                ? of("deleteRecords", "{\"table\":\"" + n + "\"}")
                : of("explode", "{\"why\":\"" + n + "\"}");
    }

    private ToolExecutionRequest of(String tool, String arguments) {
        int choice = random.nextInt(100);
        String id = "call " + nextNumber() + "/ü";
        if (choice < 15) {
            id = null;
        } else if (choice < 30) {
            id = "again";
        } else if (choice < 35) {
            id = " ";
        }
        return ScriptedModel.call(id, tool, arguments);
    }

    <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
