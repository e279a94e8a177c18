package io.holdpoint.readme;

// readme
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.Map;
import java.util.Scanner;

public final class Main {

    interface Assistant {
        String chat(String message);
    }

    static final class MailTools {

        @Tool("Send an email")
        @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
        String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
            System.out.println("Sent to " + to + ": " + subject + ". " + body); // your way to send mail
            return "sent";
        }
    }

    public static void main(String[] args) {
        ScriptedModel model = new ScriptedModel(); // needs no key; in its place any ChatModel of LangChain4j
        model.calls("sendEmail", Map.of("to", "ada@example.com", "subject", "Hi", "body", "See you on Friday."))
                .answers(request -> AiMessage.from("I was told: " + model.lastResult("call_1")));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new MailTools())
                .build();

        RunResult result = agent.send("thread-1", "Write to Ada");
        PendingInterrupt.Approval question = result.approval(); // nothing has run
        System.out.println(question.message() + " (y/n)"); // Send email to "ada@example.com" with subject 'Hi'?

        boolean yes = new Scanner(System.in).nextLine().equals("y");
        result = agent.resume("thread-1", yes ? question.approve() : question.deny("not today"));
        System.out.println(result.orThrow().text());
    }
}
// end
