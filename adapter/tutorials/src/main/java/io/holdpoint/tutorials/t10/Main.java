package io.holdpoint.tutorials.t10;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.logging.LogManager;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Tutorial 10: a Spring Boot application, and the requests of a customer and of a reviewer. */
public final class Main {

    private final URI endpoint;
    private final PrintStream out;

    private Main(URI endpoint, PrintStream out) {
        this.endpoint = endpoint;
        this.out = out;
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        LogManager.getLogManager().reset(); // Tomcat's lines are no part of the story
        try (ConfigurableApplicationContext application =
                SpringApplication.run(SupportApplication.class, "--server.port=0", "--spring.main.banner-mode=off")) {
            ScriptedModel model = application.getBean(ScriptedModel.class);
            model.calls(ScriptedModel.call("call_1", "cancelBooking", "{\"bookingNumber\":\"MS-777\"}"))
                    .answers(request -> AiMessage.from(model.lastResult("call_1")));
            application.getBean(BookingTools.class).printTo(out);
            int port = ((ServletWebServerApplicationContext) application)
                    .getWebServer()
                    .getPort();
            new Main(URI.create("http://127.0.0.1:" + port + "/agent"), out).story();
        }
    }

    private void story() {
        // readme
        RunAgentInput request = RunAgentInput.of(
                "thread-1", "run-1", List.of(new Message.User("m1", MessageContent.text("Please cancel MS-777"))));
        RunEvent.Finished held = (RunEvent.Finished) post("ada", request);
        Interrupt question =
                ((RunFinishedOutcome.Interrupted) held.outcome()).interrupts().get(0);
        out.println("Held:           " + question.message());

        RunAgentInput approval = RunAgentInput.of("thread-1", "run-2", List.of())
                .withResume(List.of(PendingInterrupt.of(question).asApproval().approve()));
        out.println("Ada approves:   " + ((RunEvent.Error) post("ada", approval)).code());
        out.println("Grace approves:");
        post("grace", approval);
        // end
    }

    private Event.Terminal post(String user, RunAgentInput input) {
        String password = user.substring(0, 1);
        String credentials =
                Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return AguiClient.builder(endpoint)
                .header("Authorization", "Basic " + credentials)
                .build()
                .run(input, this::show)
                .end()
                .join();
    }

    private void show(Event event) {
        if (event instanceof TextMessageEvent.Content text) {
            out.println("  Model was told: " + text.delta());
        }
    }
}
