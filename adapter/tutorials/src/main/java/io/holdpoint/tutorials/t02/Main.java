package io.holdpoint.tutorials.t02;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Tutorial 2: the agent over HTTP, with a page. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    static final class BookingTools {

        private final PrintStream out;

        BookingTools(PrintStream out) {
            this.out = out;
        }

        @Tool("Cancel a booking")
        @RequiresApproval(message = "Cancel booking {{number}}?")
        String cancelBooking(String number) {
            out.println("  (cancelBooking runs: " + number + ")");
            return "booking " + number + " is cancelled";
        }
    }

    public static void main(String[] args) throws IOException {
        Javalin server = start(8080, System.out);
        System.out.println("Open http://127.0.0.1:8080 and say: Cancel booking MS-777");
        System.out.println("Enter ends the server.");
        System.in.read();
        server.stop();
    }

    // readme
    public static Javalin start(int port, PrintStream out) {
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(new BookingModel())
                .tools(new BookingTools(out))
                .build();
        return Javalin.create(config -> {
                    config.registerPlugin(
                            new AgUiPlugin(agui -> agui.agent(agent).path("/agent")));
                    config.routes.get("/", context -> context.html(page()));
                })
                .start("127.0.0.1", port);
    }
    // end

    private static String page() {
        try (InputStream page = Main.class.getResourceAsStream("page.html")) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
