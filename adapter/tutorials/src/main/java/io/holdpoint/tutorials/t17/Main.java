package io.holdpoint.tutorials.t17;

import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.javalin.Javalin;
import io.javalin.http.staticfiles.Location;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tutorial 17: the model writes a document beside the chat, and a person confirms it before it is published. */
public final class Main {

    private Main() {}

    // readme
    interface Assistant {

        @SystemMessage("""
                To write a document, call openDocument. Answer its result with one message: the text of the document and nothing else,
                and a call of closeDocument. If that was denied, begin again with openDocument and the next version.""")
        TokenStream chat(String message);
    }
    // end

    public static void main(String[] args) throws IOException {
        Javalin server = start(8080, Duration.ofMillis(150), System.out);
        writeNotice(server.port(), System.out);
        System.out.println("Open http://127.0.0.1:8080/#notice. Enter ends the server.");
        System.in.read();
        server.stop();
    }

    public static void run(PrintStream out) {
        Javalin server = start(0, Duration.ZERO, out);
        try {
            writeNotice(server.port(), out);
        } finally {
            server.stop();
        }
    }

    static Javalin start(int port, Duration pauseOfModel, PrintStream out) {
        Store store = new InMemoryStore();
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(new NoticeModel(pauseOfModel))
                .store(store)
                .tools(new Documents(store, out))
                .build();
        return Javalin.create(config -> {
                    config.registerPlugin(
                            new AgUiPlugin(agui -> agui.agent(agent).path("/agent")));
                    config.staticFiles.add("/io/holdpoint/tutorials/t17/page", Location.CLASSPATH);
                })
                .start("127.0.0.1", port);
    }

    private static void writeNotice(int port, PrintStream out) {
        AguiClient client = AguiClient.builder(URI.create("http://127.0.0.1:" + port + "/agent"))
                .build();
        out.println("You:       Write a notice about the pool");
        List<Message> request =
                List.of(new Message.User("message-1", MessageContent.text("Write a notice about the pool")));
        Approval first =
                show(client, RunAgentInput.of("notice", "run-1", request), out).orElseThrow();

        out.println("You deny:  Say when it opens again.");
        ResumeEntry toTheFirst = first.deny("Say when it opens again.");
        Approval second = show(client, answer("run-2", toTheFirst), out).orElseThrow();

        out.println("You approve.");
        ResumeEntry toTheSecond = second.approve();
        show(client, answer("run-3", toTheSecond), out);
    }

    private static RunAgentInput answer(String runId, ResumeEntry answer) {
        return RunAgentInput.of("notice", runId, List.of()).withResume(List.of(answer));
    }

    /** Shows a run as the page does, and returns its question. */
    private static Optional<Approval> show(AguiClient client, RunAgentInput input, PrintStream out) {
        AtomicBoolean isOpen = new AtomicBoolean();
        AguiClient.Run run = client.run(input, event -> {
            if (event instanceof TextMessageEvent.Start) {
                out.print(isOpen.get() ? "Document:  " : "Chat:      ");
            } else if (event instanceof TextMessageEvent.Content piece) {
                out.print(piece.delta());
            } else if (event instanceof TextMessageEvent.End) {
                out.println();
            } else if (event instanceof ToolCallEvent.Start call) {
                isOpen.set(call.toolCallName().equals("openDocument"));
            }
        });
        if (run.end().join() instanceof RunEvent.Finished finished
                && finished.outcome() instanceof RunFinishedOutcome.Interrupted held
                && PendingInterrupt.of(held.interrupts().get(0)) instanceof Approval approval) {
            out.println("Held:      " + approval.message());
            return Optional.of(approval);
        }
        return Optional.empty();
    }
}
