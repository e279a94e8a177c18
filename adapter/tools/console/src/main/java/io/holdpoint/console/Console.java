package io.holdpoint.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.agui.client.AguiClientException;
import io.holdpoint.agui.client.Transcript;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/**
 * Chats with an AG-UI server, and puts its interrupts to the person at the terminal:
 *
 * <pre>{@code
 * java -jar holdpoint-console.jar --url http://127.0.0.1:8080/agent [--token TOKEN] [--thread ID]
 * }</pre>
 *
 * <p>Lines may be piped in: messages, and the answers to what is asked ({@code deny too much} gives a reason). A line {@code /cancel} stops what the thread is at,
 * {@code /quit} ends the program. It exits with 0 if all went well, with 1 if the last run failed, with 2 if it was called
 * wrongly, and with 3 if the input ended while a question was open.
 */
public final class Console {

    static final int OK = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;
    static final int UNANSWERED = 3;

    private static final String USAGE =
            "Usage: holdpoint-console --url http://host:port/agent [--token TOKEN] [--thread ID]";

    private static final String HELP = """

            Chats with an AG-UI server, and puts its interrupts to you.
              --url     the server's endpoint
              --token   a bearer token to send
              --thread  the conversation to go on with; a new one without it
            Type a message, or /cancel to stop what the thread is at, or /quit. Lines may be piped in; a reason stands on the line of
            its denial then: deny too much.""";

    private final AguiClient client;
    private final String threadId;
    private final Terminal terminal;
    private final Transcript transcript = new Transcript();
    private List<Interrupt> open = List.of();
    private boolean failed;

    private Console(AguiClient client, String threadId, Terminal terminal) {
        this.client = client;
        this.threadId = threadId;
        this.terminal = terminal;
    }

    /** Runs the program, see {@link Console}. */
    public static void main(String[] arguments) {
        boolean interactive = System.console() != null;
        Charset charset = interactive ? System.console().charset() : StandardCharsets.UTF_8;
        System.exit(run(
                arguments,
                new BufferedReader(new InputStreamReader(System.in, charset)),
                new PrintStream(System.out, true, charset),
                interactive));
    }

    static int run(String[] arguments, BufferedReader in, PrintStream out, boolean interactive) {
        Map<String, String> options = new HashMap<>();
        if (arguments.length > 0 && List.of("--help", "-h").contains(arguments[0])) {
            out.println(USAGE + HELP);
            return OK;
        }
        for (int i = 0; i < arguments.length; i += 2) {
            if (!List.of("--url", "--token", "--thread").contains(arguments[i]) || i + 1 == arguments.length) {
                out.println("Not understood: " + arguments[i] + "\n" + USAGE);
                return MISUSED;
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        AguiClient.Builder client;
        try {
            client = AguiClient.builder(URI.create(options.getOrDefault("--url", "")));
        } catch (IllegalArgumentException e) {
            out.println("--url: " + e.getMessage() + "\n" + USAGE);
            return MISUSED;
        }
        if (options.containsKey("--token")) {
            client.header("Authorization", "Bearer " + options.get("--token"));
        }
        String threadId = options.getOrDefault("--thread", "console-" + UUID.randomUUID());
        Terminal terminal = new Terminal(in, out, interactive);
        Console console = new Console(client.build(), threadId, terminal);
        if (options.containsKey("--thread")) {
            console.look();
        }
        return console.chat();
    }

    /** Shows what the thread waits for, if the server can say so. */
    private void look() {
        try {
            end(client.history(threadId, false, transcript::accept).end().join());
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof AguiClientException refused) || refused.status() != 404) {
                terminal.line("! " + e.getCause().getMessage());
            }
        }
    }

    private int chat() {
        while (true) {
            if (!open.isEmpty()) {
                Optional<List<ResumeEntry>> answers = answers();
                if (answers.isEmpty()) {
                    terminal.line("! " + open.size() + " question(s) of thread " + threadId + " are still open.");
                    return UNANSWERED;
                }
                run(input().withResume(answers.get()));
                continue;
            }
            Optional<String> said = terminal.ask("> ");
            if (said.isEmpty() || said.get().equals("/quit")) {
                return failed ? FAILED : OK;
            }
            if (said.get().equals("/cancel")) {
                cancel();
            } else if (!said.get().isBlank()) {
                transcript.add(new Message.User("msg_" + UUID.randomUUID(), MessageContent.text(said.get())));
                run(input());
            }
        }
    }

    private Optional<List<ResumeEntry>> answers() {
        List<ResumeEntry> answers = new ArrayList<>();
        for (Interrupt interrupt : open) {
            Optional<ResumeEntry> answer = new Card(terminal, interrupt).ask();
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            answers.add(answer.get());
        }
        return Optional.of(answers);
    }

    private void cancel() {
        try {
            terminal.line(client.cancel(threadId).join() ? "(cancelled)" : "(nothing to cancel)");
        } catch (CompletionException e) {
            terminal.line("! " + e.getCause().getMessage());
        }
    }

    /** It may have missed what others said on the thread, which must not be replaced for that. */
    private RunAgentInput input() {
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").putNull("replaces");
        return RunAgentInput.of(threadId, "run_" + UUID.randomUUID(), transcript.messages())
                .withForwardedProps(forwarded);
    }

    private void run(RunAgentInput input) {
        List<Interrupt> before = open;
        open = List.of();
        try {
            Event.Terminal end = client.run(input, this::show).end().join();
            end(end);
            if (end instanceof RunEvent.Error) {
                open = input.resume().isEmpty() ? List.of() : before; // a refused answer leaves its questions open
            }
        } catch (CompletionException e) {
            failed = true;
            open = input.resume().isEmpty() ? List.of() : before;
            terminal.line("! " + e.getCause().getMessage());
        }
    }

    private void end(Event.Terminal end) {
        terminal.endLine();
        failed = end instanceof RunEvent.Error;
        if (end instanceof RunEvent.Error error) {
            terminal.line("! " + (error.code() == null ? "" : error.code() + ": ") + error.message());
        } else if (end instanceof RunEvent.Finished finished) {
            open = finished.outcome() instanceof RunFinishedOutcome.Interrupted held ? held.interrupts() : List.of();
            if (finished.outcome() instanceof RunFinishedOutcome.Cancelled) {
                terminal.line("(stopped)");
            }
        }
    }

    private void show(Event event) {
        transcript.accept(event);
        if (event instanceof TextMessageEvent.Content text) {
            terminal.piece(text.delta());
        } else if (event instanceof TextMessageEvent.Chunk text && text.delta() != null) {
            terminal.piece(text.delta());
        } else if (event instanceof TextMessageEvent.End) {
            terminal.endLine();
        } else if (event instanceof ToolCallEvent.Start call) {
            terminal.line("* " + call.toolCallName());
        } else if (event instanceof ToolCallEvent.Result result
                && result.content() instanceof MessageContent.Text text) {
            terminal.line("= " + text.text());
        } else if (event instanceof FreeEvent.Custom custom) {
            terminal.line("~ " + custom.name() + " " + custom.value());
        }
    }
}
