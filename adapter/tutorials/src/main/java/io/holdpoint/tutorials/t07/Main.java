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
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.util.List;
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
            if (node(database, new ScriptedModel(), out).pending(THREAD).isEmpty()) {
                ask(database, out);
            } else {
                answer(database, out);
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
        out.println("Held: " + result.approvals().get(0).message());
        out.println("This process ends. Start it again.");
    }
    // end

    // readme
    private static void answer(DataSource database, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.answers(request -> AiMessage.from("Bob has his money."));
        Holdpoint one = node(database, model, out);
        Holdpoint another = node(database, new ScriptedModel(), out);

        List<PendingInterrupt> found = one.pending(THREAD);
        out.println("Found: " + found.get(0).message());
        out.println("One node: "
                + one.resume(THREAD, found.get(0).asApproval().approve()).text());

        RunResult again = another.resume(THREAD, found.get(0).asApproval().approve());
        out.println("Another node, the same answer: " + again.text());
    }
    // end
}
