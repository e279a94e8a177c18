package io.holdpoint.tutorials.t18;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Tutorial 18: a rule of your own. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(Map<String, Integer> paid, PrintStream out) {

        @Tool("Pay somebody")
        String pay(String recipient, int amount) {
            out.println("  (pay runs: " + recipient + ", " + amount + ")");
            paid.merge(recipient, amount, Integer::sum);
            return "paid";
        }
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        Map<String, Integer> paid = new HashMap<>(Map.of("Bob", 100));
        Set<String> blocked = new HashSet<>();
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(paid, out))
                .rules(new NewRecipients(paid, blocked))
                .build();
        // end

        // readme
        model.calls(call("call_1", "pay", "{\"recipient\":\"Bob\",\"amount\":70}"))
                .says("Bob has it.");
        out.println("Agent:   " + agent.send("thread-1", "Pay Bob 70").text());
        // end

        // readme
        model.calls(call("call_2", "pay", "{\"recipient\":\"Mallory\",\"amount\":5000}"));
        PendingInterrupt.Approval question =
                agent.send("thread-1", "Pay Mallory 5000").approval();
        out.println("Asked:   " + question.message());
        out.println("Because: "
                + question.interrupt()
                        .metadata()
                        .at("/langchain4j/newRecipient/reason")
                        .asText());
        // end

        // readme
        RunResult.Failed refused = (RunResult.Failed) agent.resume("thread-1", question.approve());
        out.println("Refused: " + refused.message().replaceFirst(".* was not taken: ", ""));

        model.says("Mallory has 900.");
        RunResult edited =
                agent.resume("thread-1", question.approveWith(Map.of("recipient", "Mallory", "amount", 900)));
        out.println("Agent:   " + edited.text());
        // end

        // readme
        blocked.add("Mallory");
        model.calls(call("call_3", "pay", "{\"recipient\":\"Mallory\",\"amount\":10}"))
                .says("That did not work.");
        out.println("Agent:   " + agent.send("thread-1", "Pay Mallory 10").text());
        out.println("Told:    " + model.lastResult("call_3"));
        // end
    }
}
