package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an AI Service can do besides, it can do when it is held. */
class ServiceFeaturesTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final List<Object> received = new ArrayList<>();

    /** A weather report. */
    public record Report(String city, int degrees) {}

    interface Assistant {
        Report report(@UserMessage List<Content> message);

        String with(@UserMessage List<Content> message, InvocationParameters parameters);
    }

    /** A tool that wants to know everything. */
    public final class Curious {

        @Tool
        @RequiresApproval
        public String ask(
                String what, @ToolMemoryId Object memoryId, ToolCallContext context, InvocationParameters parameters) {
            received.add(memoryId);
            received.add(context);
            received.add(parameters.<Caller>get(UserTurn.CALLER).id());
            return what;
        }
    }

    private HoldpointBuilder<Assistant> builder(String method) {
        return Holdpoint.builder(Assistant.class).method(method).chatModel(model);
    }

    @ParameterizedTest
    @EnumSource
    void theSystemMessageIsThereOnceBeforeAndAfterAHold(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = shape.builder(model, service -> service.systemMessageProvider(id -> "Thread " + id))
                .tools(tools)
                .build();

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.requests()).hasSize(2).allSatisfy(request -> assertThat(
                        request.messages().stream().filter(SystemMessage.class::isInstance))
                .hasSize(1));
    }

    @Test
    void aToolGetsThreadCallAndInvocationParameters() {
        model.calls(call("c1", "ask", "{\"what\":\"x\"}")).says("Done.");
        Holdpoint agent = builder("with").tools(new Curious()).build().as(Caller.of("ada"));
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(received.get(0)).isEqualTo("t");
        assertThat(received.get(1)).isInstanceOfSatisfying(ToolCallContext.class, context -> {
            assertThat(context.threadId()).isEqualTo("t");
            assertThat(context.toolCallId()).isEqualTo("c1");
        });
        assertThat(received.get(2)).isEqualTo("ada");
    }

    @Test
    void anObjectIsReturnedAfterAHold() {
        model.calls(call("c1", "sendEmail", MAIL)).says("{\"city\":\"Graz\",\"degrees\":21}");
        Holdpoint agent = builder("report").tools(tools).build();
        agent.send("t", "Go");
        String asked = model.lastMessages().toString();

        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(((RunResult.Completed) done).value()).isEqualTo(new Report("Graz", 21));
        assertThat(asked).contains("degrees");
        assertThat(model.lastMessages().stream().filter(dev.langchain4j.data.message.UserMessage.class::isInstance))
                .singleElement()
                .satisfies(message -> assertThat(asked).contains(message.toString()));
    }

    /** As LangChain4j reads it: with dates, and without accessors. */
    public static final class Visit {
        private String who;
        private LocalDate day;
    }

    interface Secretary {
        Visit visit(String message);

        LocalDate day(String message);

        boolean agrees(String message);
    }

    private RunResult says(String method, String text, RecordingSink sink) {
        model.says(text);
        return Holdpoint.builder(Secretary.class)
                .method(method)
                .chatModel(model)
                .build()
                .run(RunAgentInput.of("t", "r", List.of(Bench.user("u", "Go"))), sink)
                .join();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "visit | {\"who\":\"Ada\",\"day\":\"2026-12-24\"} | {\"who\":\"Ada\",\"day\":\"2026-12-24\"}",
                "day | 2026-12-24 | \"2026-12-24\"",
                "agrees | true | true"
            })
    void clientsGetWhateverLangChain4jMakesOfTheModelsWords(String method, String text, String result) {
        RecordingSink sink = new RecordingSink();

        says(method, text, sink);

        assertThat(((RunEvent.Finished) sink.last()).result()).hasToString(result);
    }

    @Test
    void aPrimitiveTypeIsTheReturnTypeOfItsMethod() {
        RunResult result = says("agrees", "true", new RecordingSink());

        assertThat(result.value(boolean.class)).contains(true);
        assertThat(result.value(Boolean.class)).contains(true);
    }
}
