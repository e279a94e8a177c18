package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.RunHandler;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.javalin.Javalin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

final class QuickStart {

    private QuickStart() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .chatMemoryProvider(id ->
                        MessageWindowChatMemory.builder().id(id).maxMessages(50).build())
                .build();
        // end
        return agent;
    }

    interface Writer {
        String chat(String text);

        String summarize(String text);
    }

    static Holdpoint several(ChatModel model) {
        // readme
        Holdpoint agent = Holdpoint.builder(Writer.class) // has chat(String) and summarize(String)
                .chatModel(model)
                .client(client -> client.storedForwardedProps("task"))
                .method(turn -> turn.forwardedProps().path("task").asText().equals("summarize") ? "summarize" : "chat")
                .build();
        // end
        return agent;
    }

    record Conversation(String id, String user) {}

    /** For an agent without a name; for another one, {@code store.of("name")}. */
    static void moved(Store store, Conversation conversation) {
        // readme
        Instant now = Instant.now();
        store.acquire(conversation.id(), "moved", conversation.user(), now, now).ifPresent(lease -> {
            store.commit(lease, Commit.empty(), now);
            store.release(lease);
        });
        // end
    }

    static Holdpoint durable(StreamingChatModel model, Mailer mailer, DataSource dataSource) {
        // readme
        Store store = JdbcStore.create(dataSource);
        ChatMemoryStore memories = JdbcChatMemoryStore.create(dataSource);

        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .store(store)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(50)
                        .chatMemoryStore(memories)
                        .build())
                .build();
        // end
        return agent;
    }

    static Javalin serve(Holdpoint agent, int port) {
        // readme
        Javalin server = Javalin.create(config ->
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent).path("/agent"))));
        server.start("127.0.0.1", port);
        // end
        return server;
    }

    static RunResult askAndApprove(Holdpoint agent) {
        // readme
        RunResult result = agent.send("thread-1", "Write to Ada");
        while (!result.interrupts().isEmpty()) { // an approved call may be followed by another question
            List<ResumeEntry> answers = new ArrayList<>();
            for (PendingInterrupt question : result.interrupts()) {
                System.out.println(question.message()); // Send email to "ada@example.com" with subject 'Hi'?
                answers.add(question.asApproval().approve()); // an exception if it is a question of another kind
            }
            result = agent.resume("thread-1", answers);
        }
        System.out.println(result.orThrow().text()); // an exception with the reason, such as what the provider said
        // end
        return result;
    }

    static RunResult denyAll(Holdpoint agent) {
        // readme
        List<ResumeEntry> answers = new ArrayList<>();
        for (PendingInterrupt question : agent.pending("thread-1")) {
            if (question instanceof PendingInterrupt.Approval call) { // a tool call
                answers.add(call.deny("not today"));
            } else if (question instanceof PendingInterrupt.Failure failure) { // a call that failed
                answers.add(failure.giveUp());
            } else { // an Input: a question; an UnknownOutcome: a call that was running when its server died
                answers.add(question.cancel());
            }
        }
        RunResult result = agent.resume("thread-1", answers);
        // end
        return result;
    }

    static RunResult listen(Holdpoint agent, StringBuilder screen) {
        // readme
        Turn turn = Turn.of("thread-1", "Write to Ada");
        CompletableFuture<RunResult> run = Follow.of(agent).stream(turn, new RunHandler() {
            @Override
            public void onPartialResponse(String partialResponse) {
                screen.append(partialResponse);
            }

            @Override
            public void onToolCallHeld(PendingInterrupt interrupt) {
                screen.append(interrupt.message());
            }
        });
        // end
        return run.join();
    }

    static RunResult approveWithEdits(Holdpoint agent, PendingInterrupt.Approval question) {
        // readme
        ObjectNode arguments = question.arguments();
        arguments.put("subject", "Hello").put("body", "See you on Friday.");
        ResumeEntry answer = question.approveWith(arguments);
        // end
        return agent.resume("thread-1", answer);
    }
}
