package io.holdpoint.tutorials.t05;

import static io.holdpoint.test.ScriptedModel.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.AsksUser;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.util.List;

/** Tutorial 5: the model asks the user, and so does a tool. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    // readme
    record Guest(String name, int age, boolean vegetarian) {}

    interface Questions {

        @Tool("Ask the user who is coming")
        @AsksUser(message = "Who is the guest on {{day}}?")
        Guest askForGuest(@P("the day of the visit") String day);

        @Tool("Ask the user for a yes or a no")
        @AsksUser(message = "Please confirm: {{question}}")
        boolean confirm(@P("a yes-or-no question") String question);
    }
    // end

    static final class Kitchen {

        // readme
        @Tool("Order a menu")
        String orderMenu(String day, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                ObjectNode schema = AguiCodec.mapper().createObjectNode();
                schema.putArray("enum").add("red").add("white").add("none");
                throw call.interrupt(ToolInterrupt.of("acme:wine", "Which wine with the menu on " + day + "?")
                        .schema(schema));
            }
            return "menu ordered, wine: " + call.resumed().get().asText();
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(call("call_1", "askForGuest", "{\"day\":\"Friday\"}"))
                .calls(call("call_2", "confirm", "{\"question\":\"May I write to the guest?\"}"))
                .calls(call("call_3", "orderMenu", "{\"day\":\"Friday\"}"))
                .answers(request -> AiMessage.from(model.lastResult("call_1") + " | " + model.lastResult("call_2")
                        + " | " + model.lastResult("call_3")));
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .questions(Questions.class)
                .tools(new Kitchen())
                .build();
        // end

        // readme
        PendingInterrupt.Input form = ask(agent.send("thread-1", "Prepare Friday"), out);
        out.println("  fields: " + form.interrupt().responseSchema().path("required"));

        RunResult wrong = agent.resume("thread-1", form.answer(List.of("Ada")));
        out.println("  not a guest: " + wrong.failure().orElseThrow().code());

        PendingInterrupt.Input confirmation =
                ask(agent.resume("thread-1", form.answer(new Guest("Ada", 36, true))), out);
        PendingInterrupt.Input wine = ask(agent.resume("thread-1", confirmation.answer(false)), out);
        RunResult result = agent.resume("thread-1", wine.answer("red"));
        out.println("Model was told: " + result.orThrow().text());
        // end
    }

    private static PendingInterrupt.Input ask(RunResult result, PrintStream out) {
        PendingInterrupt.Input question = result.orThrow().interrupts().get(0).asInput();
        out.println("Asked (" + question.reason() + "): " + question.message());
        return question;
    }
}
