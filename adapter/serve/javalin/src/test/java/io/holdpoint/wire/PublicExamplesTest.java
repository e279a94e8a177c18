package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.AsksUser;
import io.holdpoint.Caller;
import io.holdpoint.InputMedia;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JSON of the public documents about interrupts, letter for letter: inputs are posted to a server, events are read. The
 * copies in {@code examples} name the documents. The ids in the answers are those of the documents' servers; the
 * agent takes each for the interrupt that stands in its place here. Genkit's page on interrupts has no JSON.
 */
class PublicExamplesTest {

    private static final Pattern BLOCK = Pattern.compile("## (.+?)\n\n```json\n(.+?)\n```", Pattern.DOTALL);

    interface Filing {
        @Tool
        @AsksUser(message = "Please provide the quarterly filing details.")
        Details filingDetails();

        record Details(Quarter quarter, int year, BigDecimal revenue) {}

        enum Quarter {
            Q1,
            Q2,
            Q3,
            Q4
        }
    }

    /** The ids of the open interrupts by those of the documents. */
    private final Map<String, String> ids = new HashMap<>();

    private final Bench bench = new Bench(builder -> builder.questions(Filing.class)
            .client(client -> client.inputMedia(InputMedia.ALL))
            .interceptors(Interceptor.ofInput(this::withIdsOfHere)));
    private final TestServer server = new TestServer(bench.agent(), agui -> {});

    @AfterEach
    void stop() {
        server.close();
    }

    private RunAgentInput withIdsOfHere(Caller caller, RunAgentInput input) {
        return input.withResume(input.resume().stream()
                .map(entry -> new ResumeEntry(
                        ids.getOrDefault(entry.interruptId(), entry.interruptId()),
                        entry.status(),
                        entry.payload(),
                        entry.metadata()))
                .toList());
    }

    private static Map<String, String> examples(String document) {
        try (InputStream file = PublicExamplesTest.class.getResourceAsStream("/examples/" + document + ".md")) {
            Map<String, String> found = new LinkedHashMap<>();
            for (MatchResult block : BLOCK.matcher(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .toList()) {
                found.put(block.group(1), block.group(2));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String example(String document, String name) {
        return examples(document).get(name);
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private static List<Interrupt> asked(Event event) {
        return ((RunFinishedOutcome.Interrupted) ((RunEvent.Finished) event).outcome()).interrupts();
    }

    private static Event last(List<Event> events) {
        return events.get(events.size() - 1);
    }

    private static List<Event> events(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        List<Event> events = TestServer.events(response);
        StreamRules.check(events);
        return events;
    }

    /** Lets the model propose the calls that a document's event asks about, in the same thread and run. */
    private List<Interrupt> hold(RunEvent.Finished document, ToolExecutionRequest... calls) {
        bench.model.calls(calls).says("Done.");
        List<Interrupt> here =
                asked(last(events(server.post("{\"threadId\":\"" + document.threadId() + "\",\"runId\":\""
                        + document.runId() + "\",\"messages\":[{\"role\":\"user\",\"content\":\"Go\"}]}"))));
        List<Interrupt> there = asked(document);
        assertThat(here).hasSameSizeAs(there);
        for (int i = 0; i < here.size(); i++) {
            ids.put(there.get(i).id(), here.get(i).id());
        }
        return here;
    }

    private static RunEvent.Finished read(String event) {
        return (RunEvent.Finished) AguiCodec.readEvent(event);
    }

    private static void succeeds(List<Event> events) {
        assertThat(((RunEvent.Finished) last(events)).outcome()).isEqualTo(RunFinishedOutcome.success());
    }

    private static ToolExecutionRequest mail(String id, String to, String subject, String body) {
        return call(id, "sendEmail", AguiCodec.write(Map.of("to", to, "subject", subject, "body", body)));
    }

    // --- AG-UI, Concepts: Interrupts

    @ParameterizedTest
    @ValueSource(strings = {"approval asked", "edit asked", "parallel asked", "form asked"})
    void anEventOfTheSpecificationIsReadAndWrittenAsItStands(String name) {
        JsonNode event = json(example("ag-ui-interrupts", name));

        assertThat(json(AguiCodec.write(AguiCodec.readEvent(event.toString())))).isEqualTo(event);
    }

    @Test
    void theSpecificationsApprovalExecutesTheCallAgainstItsId() {
        RunEvent.Finished document = read(example("ag-ui-interrupts", "approval asked"));
        Interrupt here = hold(document, mail("tc-001", "a@b.com", "Hi", "…")).get(0);
        assertThat(here.reason()).isEqualTo(asked(document).get(0).reason());
        assertThat(here.toolCallId()).isEqualTo(asked(document).get(0).toolCallId());

        List<Event> events = events(server.post(example("ag-ui-interrupts", "approval given")));

        assertThat(events)
                .noneMatch(ToolCallEvent.Start.class::isInstance)
                .filteredOn(ToolCallEvent.Result.class::isInstance)
                .singleElement()
                .satisfies(result -> assertThat(result.toolCallId()).isEqualTo("tc-001"));
        succeeds(events);
        assertThat(bench.tools.effects()).containsExactly("sendEmail a@b.com|Hi|…");
    }

    @Test
    void theSpecificationsSchemaForEditsIsTheFormOfHere() {
        JsonNode schema = json(example("ag-ui-interrupts", "schema"));

        ObjectNode here = hold(
                        read(example("ag-ui-interrupts", "edit asked")), mail("tc-42", "a@b.com", "Hi", "Hi there"))
                .get(0)
                .responseSchema();

        assertThat(here.at("/properties/approved/type")).isEqualTo(schema.at("/properties/approved/type"));
        assertThat(here.at("/properties/editedArgs/type")).isEqualTo(schema.at("/properties/editedArgs/type"));
        assertThat(here.path("required")).isEqualTo(schema.path("required"));
    }

    @Test
    void theSpecificationsEditIsWhatRuns() {
        hold(read(example("ag-ui-interrupts", "edit asked")), mail("tc-42", "a@b.com", "Hi", "Hi there"));

        succeeds(events(server.post(example("ag-ui-interrupts", "edit given"))));

        assertThat(bench.tools.effects()).containsExactly("sendEmail a@b.com|Hi|Hi (revised per my note)");
    }

    @Test
    void ofTheSpecificationsParallelInterruptsTwoAreApprovedAndOneIsCancelled() {
        hold(
                read(example("ag-ui-interrupts", "parallel asked")),
                mail("tc-a", "x@y.com", "Hi", ""),
                mail("tc-b", "y@z.com", "Hi", ""),
                mail("tc-c", "z@w.com", "Hi", ""));

        succeeds(events(server.post(example("ag-ui-interrupts", "parallel given"))));

        assertThat(bench.tools.effects()).containsExactly("sendEmail x@y.com|Hi|", "sendEmail y@z.com|Hi|");
        assertThat(bench.model.lastResult("tc-c")).contains("was not executed");
    }

    @Test
    void theSpecificationsFormIsFilledIn() {
        RunEvent.Finished document = read(example("ag-ui-interrupts", "form asked"));
        Interrupt here = hold(document, call("c1", "filingDetails", "{}")).get(0);
        assertThat(here.reason()).isEqualTo(asked(document).get(0).reason());
        assertThat(here.message()).isEqualTo(asked(document).get(0).message());

        succeeds(events(server.post(example("ag-ui-interrupts", "form given"))));

        assertThat(json(bench.model.lastResult("c1")))
                .isEqualTo(json(example("ag-ui-interrupts", "form given")).at("/resume/0/payload"));
    }

    // --- the draft before it

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "complex"})
    void anEventOfTheDraftIsReadWithAllThatItSays(String name) {
        JsonNode event = json(example("ag-ui-interrupts-draft", name + " asked"));

        Interrupt asked = asked(AguiCodec.readEvent(event.toString())).get(0);

        assertThat(asked.id()).isEqualTo(event.at("/interrupt/id").asText());
        JsonNode proposal = event.at("/interrupt/payload/proposal");
        if (proposal.isMissingNode()) {
            assertThat(asked.reason()).isEqualTo(event.at("/interrupt/reason").asText());
        } else {
            PendingInterrupt approval = PendingInterrupt.of(asked);
            assertThat(approval).isInstanceOf(PendingInterrupt.Approval.class);
            assertThat(approval.toolName()).isEqualTo(proposal.path("tool").asText());
            assertThat(approval.arguments()).isEqualTo(proposal.path("args"));
        }
        assertThat(AguiCodec.toTree(asked).findValues("query")).isEqualTo(event.findValues("query"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"V1_0", "BEFORE_1_0", "INTERRUPTS_DRAFT"})
    void theDraftsApprovalExecutesTheCallWhateverTheEndpointSpeaks(Dialect spoken) {
        hold(read(example("ag-ui-interrupts-draft", "minimal asked")), mail("c1", "a@b.com", "Hi", "…"));

        try (TestServer endpoint = new TestServer(bench.agent(), agui -> agui.dialect(spoken))) {
            succeeds(TestServer.events(endpoint.post(example("ag-ui-interrupts-draft", "minimal given"))));
        }

        assertThat(bench.tools.effects()).containsExactly("sendEmail a@b.com|Hi|…");
    }

    @Test
    void theDraftsModificationsAreEditsOfTheArguments() {
        hold(
                read(example("ag-ui-interrupts-draft", "complex asked")),
                call("c1", "deleteRecords", "{\"table\":\"users\"}"));

        List<Event> events = TestServer.events(server.post(example("ag-ui-interrupts-draft", "complex given")));

        assertThat(asked(last(events)).get(0).message())
                .contains("was not taken", "the arguments of this call cannot be edited");
        assertThat(bench.tools.effects()).isEmpty();
    }

    // --- Microsoft's plan for .NET

    @ParameterizedTest
    @ValueSource(strings = {"function approval", "user input"})
    void anInterruptOfTheNetPlanIsReadWithAllThatItSays(String name) {
        String interrupt = example("dotnet-ag-ui-interrupts", name);

        Interrupt asked = asked(AguiCodec.readEvent("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\","
                        + "\"outcome\":\"interrupt\",\"interrupt\":" + interrupt + "}"))
                .get(0);

        assertThat(asked.id()).isEqualTo(json(interrupt).path("id").asText());
        assertThat(PendingInterrupt.of(asked))
                .isInstanceOf(
                        json(interrupt).at("/payload/functionName").isMissingNode()
                                ? PendingInterrupt.Input.class
                                : PendingInterrupt.Approval.class);
        json(interrupt).path("payload").forEach(value -> assertThat(AguiCodec.write(asked))
                .contains(value.isTextual() ? value.textValue() : value.toString()));
    }

    // --- tRPC-Agent-Go's guide

    private HttpResponse<String> post(String path, String body) {
        return server.send(server.request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void theGuidesMinimalRequestStartsARunAndShowsItsHistory() {
        bench.model.says("Hello Alice");

        succeeds(events(server.post(example("trpc-agent-go-ag-ui", "minimal request"))));

        assertThat(bench.model.lastMessages()).last().isEqualTo(UserMessage.from("hello"));
        assertThat(post("/agent/history", example("trpc-agent-go-ag-ui", "minimal request"))
                        .body())
                .contains("Hello Alice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"image by url", "image by data"})
    void theGuidesImagesReachTheModel(String name) {
        bench.model.says("A picture.");

        succeeds(events(server.post(example("trpc-agent-go-ag-ui", name))));

        assertThat(((UserMessage) bench.model.lastMessages().get(0)).contents())
                .hasSize(2)
                .last()
                .isInstanceOf(ImageContent.class);
    }

    @Test
    void theGuidesCancelStopsTheRunAndFindsNoneAfterwards() {
        String cancel = example("trpc-agent-go-ag-ui", "cancel");
        bench.model.answers(request -> {
            assertThat(post("/agent/cancel", cancel).statusCode()).isEqualTo(200);
            return AiMessage.from("Too late");
        });

        assertThat(server.post(example("trpc-agent-go-ag-ui", "minimal request"))
                        .body())
                .contains("RUN_FINISHED")
                .doesNotContain("outcome");
        assertThat(post("/agent/cancel", cancel).statusCode()).isEqualTo(404);
    }

    /** The guide leaves out an id that AG-UI requires, and that its own server sends. */
    @ParameterizedTest
    @ValueSource(strings = {"node start", "node complete", "node error", "node interrupt", "resume ack"})
    void anActivityOfTheGuideIsReadOnceItHasItsId(String name) {
        ObjectNode event = (ObjectNode) json(example("trpc-agent-go-ag-ui", name));
        if (!event.has("messageId")) {
            assertThatThrownBy(() -> AguiCodec.readEvent(event.toString())).hasMessage("messageId: required, a string");
            event.put("messageId", "m");
        }

        assertThat(json(AguiCodec.write(AguiCodec.readEvent(event.toString())))).isEqualTo(event);
    }

    @Test
    void theGuidesRequestsOfAnExternalToolAreTaken() {
        bench.model.says("Nothing to search.");

        succeeds(events(server.post(example("trpc-agent-go-ag-ui", "external tool, first request"))));
        succeeds(events(server.post(example("trpc-agent-go-ag-ui", "external tool, second request"))));
    }
}
