package io.holdpoint.tutorials.t03;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.Map;

/** Tutorial 3: edits that a reviewer can make, and those they cannot. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        // readme
        @Tool("Pay an invoice")
        @RequiresApproval(
                message = "Pay {{amount}} euros to {{to}}?",
                editable = {"amount", "reference"})
        String pay(String to, @DecimalMin("0.01") @DecimalMax("1000") BigDecimal amount, String reference) {
            out.println("  (pay runs: " + to + ", " + amount + ", " + reference + ")");
            return "paid " + amount;
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"to\":\"Bob\",\"amount\":500,\"reference\":\"Invoice 7\"}"))
                .answers(request -> AiMessage.from(model.lastResult("call_1")));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .build();

        RunResult result = agent.send("thread-1", "Pay Bob's invoice");
        PendingInterrupt.Approval question = result.approval();
        out.println("Held:    " + question.message());

        // readme
        ResumeEntry anotherPayee = question.approveWith(Map.of("to", "Eve", "amount", 500, "reference", "Invoice 7"));
        answer(agent, anotherPayee, out);

        ResumeEntry tooMuch = question.approveWith(Map.of("amount", 5000, "reference", "Invoice 7"));
        answer(agent, tooMuch, out);

        out.println("Open:    " + agent.pending("thread-1").get(0).message());
        ResumeEntry less = question.approveWith(Map.of("amount", 450, "reference", "Invoice 7, less 10%"));
        answer(agent, less, out);
        // end
    }

    private static void answer(Holdpoint agent, ResumeEntry answer, PrintStream out) {
        RunResult result = agent.resume("thread-1", answer);
        result.failure()
                .ifPresentOrElse(
                        failed -> out.println("Refused: " + failed.code() + "\n         "
                                + failed.message().replaceAll("int_\\w+", "int_...")),
                        () -> out.println("Model:   " + result.text()));
    }
}
