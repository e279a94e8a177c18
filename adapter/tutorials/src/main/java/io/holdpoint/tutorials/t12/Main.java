package io.holdpoint.tutorials.t12;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agents.LocalAgent;
import io.holdpoint.agents.RemoteAgent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.test.ScriptedModel;
import io.javalin.Javalin;
import java.io.PrintStream;
import java.net.URI;
import java.util.Map;

/** Tutorial 12: an agent behind an agent, and a remote one. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    // readme
    record Accounts(PrintStream out) {

        @Tool("Refund an order")
        @RequiresApproval(message = "Refund {{euros}} euros for order {{order}}?")
        String refund(String order, int euros) {
            out.println("  (refund runs: " + order + ", " + euros + ")");
            return euros + " euros are refunded";
        }
    }

    record Warehouse(PrintStream out) {

        @Tool("Fetch a parcel")
        @RequiresApproval(message = "Fetch the parcel of order {{order}} on {{day}}?")
        String fetch(String order, String day) {
            out.println("  (fetch runs, on the other server: " + order + ", " + day + ")");
            return "the parcel is fetched on " + day;
        }
    }
    // end

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        // readme
        Holdpoint accounts = Holdpoint.builder(Assistant.class)
                .chatModel(model("refund", "{\"order\":\"4711\",\"euros\":30}"))
                .tools(new Accounts(out))
                .build();
        // end

        Javalin server = warehouse(out);
        try {
            Holdpoint desk = desk(accounts, server.port());
            complain(desk, out);
        } finally {
            server.stop();
        }
    }

    // readme
    private static Javalin warehouse(PrintStream out) {
        Holdpoint warehouse = Holdpoint.builder(Assistant.class)
                .chatModel(model("fetch", "{\"order\":\"4711\",\"day\":\"Monday\"}"))
                .tools(new Warehouse(out))
                .build();
        return Javalin.create(config -> config.registerPlugin(
                        new AgUiPlugin(agui -> agui.agent(warehouse).path("/agent"))))
                .start("127.0.0.1", 0);
    }
    // end

    // readme
    private static Holdpoint desk(Holdpoint accounts, int port) {
        AguiClient warehouse = AguiClient.builder(URI.create("http://127.0.0.1:" + port + "/agent"))
                .build();
        return Holdpoint.builder(Assistant.class)
                .chatModel(deskModel())
                .toolProviders(
                        LocalAgent.of("accounts", "Refunds orders", accounts),
                        RemoteAgent.of("warehouse", "Fetches and sends parcels", warehouse)
                                .holdpointRoutes())
                .build();
    }
    // end

    private static void complain(Holdpoint desk, PrintStream out) {
        // readme
        out.println("You:   Order 4711 arrived broken");
        RunResult result = desk.send("thread-1", "Order 4711 arrived broken");
        while (!result.interrupts().isEmpty()) {
            PendingInterrupt question = result.interrupts().get(0);
            out.println("Held:  " + question.message());
            result = desk.resume("thread-1", yes(question));
        }
        out.println("Agent: " + result.orThrow().text());
        // end
    }

    // readme
    private static ResumeEntry yes(PendingInterrupt question) {
        if (question instanceof PendingInterrupt.Approval approval) {
            return approval.approve();
        }
        return question instanceof PendingInterrupt.Input form
                ? form.answer(Map.of("approved", true))
                : question.cancel();
    }
    // end

    /** The model of an agent with one tool, which it calls at once. */
    private static ChatModel model(String tool, String arguments) {
        ScriptedModel model = new ScriptedModel();
        return model.calls(call("call_1", tool, arguments))
                .answers(request -> AiMessage.from("Done: " + model.lastResult("call_1")));
    }

    /** The model of the desk: it gives each of the two a task, and repeats what they answer. */
    private static ChatModel deskModel() {
        ScriptedModel model = new ScriptedModel();
        return model.calls(call("call_1", "accounts", "{\"task\":\"Refund order 4711\"}"))
                .calls(call("call_2", "warehouse", "{\"task\":\"Fetch the parcel of order 4711\"}"))
                .answers(request ->
                        AiMessage.from(model.lastResult("call_1") + ". " + model.lastResult("call_2") + "."));
    }
}
