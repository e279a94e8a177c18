package io.holdpoint.tutorials.t01;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/** Tutorial 1: a first approval in plain Java. */
public final class Main {

    private Main() {}

    // readme
    interface Assistant {

        String chat(String message);
    }

    static final class MailTools {

        private final PrintStream out;

        MailTools(PrintStream out) {
            this.out = out;
        }

        @Tool("Send an email")
        @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
        String sendEmail(String to, String subject, String body) {
            out.println("  (sendEmail runs: " + to + ", " + subject + ", " + body + ")");
            return "sent to " + to;
        }
    }
    // end

    public static void main(String[] args) {
        run(System.in, System.out);
    }

    public static void run(InputStream in, PrintStream out) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model())
                .tools(new MailTools(out))
                .build();
        // end

        // readme
        out.println("You:   Write to Ada");
        RunResult result = agent.send("thread-1", "Write to Ada");

        PendingInterrupt.Approval question = result.approval();
        out.println("Held:  " + question.message() + " (y/n)");
        boolean yes = new Scanner(in, StandardCharsets.UTF_8).nextLine().equals("y");

        result = agent.resume("thread-1", yes ? question.approve() : question.deny("not today"));
        out.println("Agent: " + result.orThrow().text());
        // end
    }

    /** A model that proposes one email, and then repeats what it was told about it. */
    private static ChatModel model() {
        ScriptedModel model = new ScriptedModel();
        return model.calls(ScriptedModel.call(
                        "call_1",
                        "sendEmail",
                        "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"See you on Friday.\"}"))
                .answers(request -> AiMessage.from("I was told: " + model.lastResult("call_1")));
    }
}
