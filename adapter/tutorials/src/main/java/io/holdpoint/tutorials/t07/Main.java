package io.holdpoint.tutorials.t07;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import javax.sql.DataSource;

/** Tutorial 7: the first process asks and ends, the second one answers, on two nodes. */
public final class Main {

    private static final String THREAD = "thread-1";

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        @Tool("Transfer money")
        @RequiresApproval(message = "Transfer {{amount}} euros to {{to}}?")
        String transfer(String to, int amount) {
            out.println("  (transfer runs: " + to + ", " + amount + ")");
            return "transferred";
        }
    }

    public static void main(String[] args) {
        run(args.length > 0 ? args[0] : "jdbc:sqlite:tutorial-07.db", System.out);
    }

    public static void run(String url, PrintStream out) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        try (HikariDataSource database = new HikariDataSource(config)) {
            JdbcStore.create(database);
            RunResult now = node(database, new ScriptedModel(), out).resume(THREAD);
            if (now.interrupts().isEmpty()) {
                ask(database, out);
            } else {
                answer(now.interrupts().get(0), database, out);
            }
        }
    }

    // readme
    private static Holdpoint node(DataSource database, ChatModel model, PrintStream out) {
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database);
        return Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .store(JdbcStore.create(database))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(50)
                        .chatMemoryStore(memories)
                        .build())
                .build();
    }
    // end

    // readme
    private static void ask(DataSource database, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "transfer", "{\"to\":\"Bob\",\"amount\":200}"));
        RunResult result = node(database, model, out).send(THREAD, "Pay Bob 200 euros");
        out.println("Held: " + result.approval().message());
        out.println("This process ends. Start it again.");
    }
    // end

    // readme
    private static void answer(PendingInterrupt question, DataSource database, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.answers(request -> AiMessage.from("Bob has his money."));
        Holdpoint one = node(database, model, out);
        Holdpoint another = node(database, new ScriptedModel(), out);

        out.println("Found: " + question.message());
        ResumeEntry answer = question instanceof PendingInterrupt.UnknownOutcome cutOff
                ? cutOff.done("The bank has the transfer.")
                : question.asApproval().approve();
        out.println("One node: " + one.resume(THREAD, answer).orThrow().text());
        out.println("Another node, the same answer: "
                + another.resume(THREAD, answer).text());
    }
    // end
}
