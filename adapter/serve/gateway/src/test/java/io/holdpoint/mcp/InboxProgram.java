package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that serves the inbox of grace over standard input and output: two payments wait for her, which a file then has. */
final class InboxProgram {

    private final Path file;

    private InboxProgram(Path file) {
        this.file = file;
    }

    @Tool
    @RequiresApproval(message = "Pay {{to}}?")
    String pay(String to) throws IOException {
        Files.write(file, List.of(to), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return "paid " + to;
    }

    public static void main(String[] args) throws InterruptedException {
        Holdpoint agent = Holdpoint.builder(McpGateway.NoModel.class)
                .chatModel(new ChatModel() {})
                .tools(new InboxProgram(Path.of(args[0])))
                .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                .build();
        for (String to : List.of("Bob", "Eve")) {
            agent.as(Caller.of("ada"))
                    .propose(
                            "t" + to,
                            "pay",
                            JsonNodeFactory.instance.objectNode().put("to", to),
                            "p");
        }
        McpInbox.of(agent, context -> Caller.of("grace", "boss"))
                .page(URI.create("https://people.example/"))
                .serve(System.in, System.out);
        new CountDownLatch(1).await();
    }

    /** What starts it from any folder. */
    static List<String> command(Path file) {
        List<String> command = new ArrayList<>(DyingServer.command(file));
        String classes = Stream.of(command.get(3).split(File.pathSeparator))
                .map(path -> Path.of(path).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        command.set(3, classes);
        command.set(4, InboxProgram.class.getName());
        return command;
    }
}
