package io.holdpoint.tutorials.t22;

import static io.holdpoint.test.ScriptedModel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.IntendedCalls;
import io.holdpoint.store.Grant;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.util.List;

/** Tutorial 22: a plan that is approved once. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        // readme
        @Tool("Call this before you pay more than one invoice, with all payments that you are going to make")
        @RequiresApproval(message = "Make these payments?", rules = IntendedCalls.class)
        String intend(List<IntendedCall> calls) {
            return "The list is approved. Make exactly these calls.";
        }

        @Tool("Pay an invoice")
        @RequiresApproval(
                message = "Pay {{euros}} euros for invoice {{invoice}}?",
                remember = Grant.Scope.SAME_CALL,
                rememberFor = "PT30M")
        String pay(String invoice, int euros) {
            out.println("  (pay runs: " + invoice + ", " + euros + ")");
            return "paid";
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .build();

        // readme
        String list = """
                {"calls": [{"tool": "pay", "arguments": "{\\"invoice\\":\\"R-7\\",\\"euros\\":40}", "times": 1},
                           {"tool": "pay", "arguments": "{\\"invoice\\":\\"R-8\\",\\"euros\\":60}", "times": 1},
                           {"tool": "pay", "arguments": "{\\"invoice\\":\\"R-9\\",\\"euros\\":900}", "times": 1}]}
                """;
        model.calls(call("call_1", "intend", list));
        PendingInterrupt.Approval question =
                agent.send("thread-1", "Pay my invoices").approval();
        out.println("Asked:   " + question.message());
        for (JsonNode each : question.arguments().path("calls")) {
            out.println("         " + each.path("tool").asText() + " "
                    + each.path("arguments").asText());
        }
        // end

        // readme
        ArrayNode two = question.arguments().withArray("calls");
        two.remove(2); // not R-9
        model.calls(call("call_2", "pay", "{\"invoice\":\"R-7\",\"euros\":40}"))
                .calls(call("call_3", "pay", "{\"invoice\":\"R-8\",\"euros\":60}"))
                .calls(call("call_4", "pay", "{\"invoice\":\"R-9\",\"euros\":900}"));
        RunResult later = agent.resume("thread-1", question.edit("calls", two));
        out.println("Asked:   " + later.approval().message());
        // end

        // readme
        model.says("I have paid R-7 and R-8.");
        out.println("Agent:   "
                + agent.resume("thread-1", later.approval().deny("Not yet")).text());
        // end
    }
}
