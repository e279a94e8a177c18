package io.holdpoint.tutorials.t19;

import static io.holdpoint.test.ScriptedModel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Tutorial 19: approve the effect. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    /** Says what deleting a customer would do, and what must still hold when it happens. */
    // readme
    record DeleteCustomerEffect(Map<String, Integer> balances) implements Effect {

        @Override
        public Plan plan(ProposedCall call) {
            String id = call.argument("id", String.class).orElse("");
            Integer balance = balances.get(id);
            return Plan.of("Customer " + id + " is deleted, with a balance of " + balance)
                    .holds("balance", balance)
                    .validFor(Duration.ofHours(4));
        }
    }
    // end

    record Customers(Map<String, Integer> balances, PrintStream out) {

        // readme
        @Tool("Delete a customer")
        @RequiresApproval(message = "Delete customer {{id}}?", rules = DeleteCustomerEffect.class)
        String deleteCustomer(String id) {
            out.println("  (deleteCustomer runs: " + id + ")");
            balances.remove(id);
            return "deleted";
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        Map<String, Integer> balances = new HashMap<>(Map.of("C123", 0));
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Customers(balances, out))
                .beans(new DeleteCustomerEffect(balances))
                .build();
        // end

        // readme
        model.calls(call("call_1", "deleteCustomer", "{\"id\":\"C123\"}"));
        PendingInterrupt.Approval question =
                agent.send("thread-1", "Delete C123").approval();
        out.println("Asked:   " + question.message());
        out.println("Plan:    " + effect(question).path("plan").asText());
        // end

        // readme
        balances.put("C123", 50_000);
        PendingInterrupt.Approval again =
                agent.resume("thread-1", question.approve()).approval();
        out.println("Asked:   " + again.message());
        out.println("Plan:    " + effect(again).path("plan").asText());
        out.println("Changed: " + effect(again).path("changed"));
        // end

        // readme
        balances.put("C123", 0);
        PendingInterrupt.Approval last =
                agent.resume("thread-1", again.approve()).approval();
        out.println("Asked:   " + last.message());

        model.says("C123 is gone.");
        out.println("Agent:   " + agent.resume("thread-1", last.approve()).text());
        // end
    }

    // readme
    private static JsonNode effect(PendingInterrupt question) {
        return question.interrupt().metadata().at("/langchain4j/effect");
    }
    // end
}
