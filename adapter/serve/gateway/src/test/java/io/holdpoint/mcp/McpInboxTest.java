package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.Proposal;
import io.holdpoint.RequiresApproval;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Terms;
import io.javalin.Javalin;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.modern.server.transport.HttpServletMcpTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** The inbox as an MCP server, with the SDK's client. */
class McpInboxTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "boss");
    private static final Caller EVE = Caller.of("eve");

    private final List<String> paid = new CopyOnWriteArrayList<>();
    private final List<ElicitFormRequest> forms = new CopyOnWriteArrayList<>();
    private final List<McpSyncClient> clients = new ArrayList<>();
    private Optional<Holdpoint> ruled = Optional.empty();
    private final Holdpoint agent = Holdpoint.builder(McpGateway.NoModel.class)
            .chatModel(new ChatModel() {})
            .tools(new Bank())
            .executor(Runnable::run)
            .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
            .build();

    final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{to}}?")
        String pay(String to) {
            paid.add(to);
            return "paid " + to;
        }
    }

    @AfterEach
    void close() {
        clients.forEach(McpSyncClient::close);
        agent.close();
        ruled.ifPresent(Holdpoint::close);
    }

    private McpInbox inbox(Caller user) {
        return McpInbox.of(agent, context -> user);
    }

    private McpSyncClient client(McpInbox inbox, Function<ElicitFormRequest, ElicitResult> user) {
        return client(inbox, ClientCapabilities.builder().elicitation().build(), user);
    }

    private McpSyncClient client(
            McpInbox inbox, ClientCapabilities can, Function<ElicitFormRequest, ElicitResult> user) {
        Lines lines = new Lines().to(inbox::serve);
        McpClient.SyncSpec settings = McpClient.sync(lines)
                .clientInfo(Implementation.builder("assistant", "1").build())
                .jsonSchemaValidator(Results.UNCHECKED)
                .requestTimeout(Duration.ofMinutes(2))
                .initializationTimeout(Duration.ofMinutes(2))
                .capabilities(can);
        if (can.elicitation() != null) {
            settings.elicitation(asked -> {
                forms.add(asked);
                return user.apply(asked);
            });
        }
        McpSyncClient client = settings.build();
        client.initialize();
        clients.add(client);
        return client;
    }

    private static ElicitResult says(String decision) {
        return ElicitResult.builder(ElicitResult.Action.ACCEPT)
                .content(Map.of("decision", decision))
                .build();
    }

    private static ElicitResult asks(ElicitFormRequest form) {
        throw new AssertionError("no form is expected: " + form);
    }

    private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return Assistant.text(client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build()));
    }

    private JsonNode listed(McpSyncClient client) throws Exception {
        return JSON.readTree(call(client, McpInbox.LIST, Map.of())).path("questions");
    }

    private Map<String, Object> held() {
        Proposal held = agent.as(ADA)
                .propose("t", "pay", JsonNodeFactory.instance.objectNode().put("to", "Bob"), "p");
        return Map.of("threadId", "t", "interruptId", held.open().get(0).id());
    }

    private Proposal.State state() {
        return agent.as(ADA).proposal("t", "p").orElseThrow().state();
    }

    @Test
    void whoMayDecideListsShowsAndApprovesByTheForm() throws Exception {
        Map<String, Object> question = held();
        McpSyncClient client = client(inbox(GRACE), form -> says("approve"));

        JsonNode listed = listed(client);
        JsonNode shown = JSON.readTree(call(client, McpInbox.SHOW, question));

        assertThat(listed).hasSize(1);
        assertThat(listed.at("/0/question").asText()).isEqualTo("Pay \"Bob\"?");
        assertThat(shown.at("/interrupt/metadata/langchain4j/proposedBy").asText())
                .isEqualTo("ada");
        assertThat(paid).isEmpty();
        assertThat(call(client, McpInbox.DECIDE, question)).isEqualTo("The answer is stored.");
        assertThat(forms).hasSize(1);
        assertThat(forms.get(0).message()).isEqualTo("Pay \"Bob\"?\npay {\"to\":\"Bob\"}");
        assertThat(paid).containsExactly("Bob");
        assertThat(state()).isEqualTo(Proposal.State.EXECUTED);
    }

    /** The first is read from right to left; of the second, a client may show the beginning. */
    @Test
    void whatAFormShowsIsWhatRuns() {
        agent.as(ADA).propose("t1", "pay", JsonNodeFactory.instance.objectNode().put("to", "Bob\u202e\u200b"), "p1");
        agent.as(ADA).propose("t2", "pay", JsonNodeFactory.instance.objectNode().put("to", "B".repeat(5_000)), "p2");
        McpSyncClient client = client(inbox(GRACE), form -> says("deny"));

        assertThat(call(client, McpInbox.DECIDE, question("t1"))).isEqualTo("The answer is stored.");
        assertThat(forms.get(0).message()).endsWith("pay {\"to\":\"Bob\\u202e\\u200b\"}");
        assertThat(call(client, McpInbox.DECIDE, question("t2"))).contains("longer than a form shows");
        assertThat(forms).hasSize(1);
    }

    private Map<String, Object> question(String threadId) {
        return Map.of(
                "threadId",
                threadId,
                "interruptId",
                agent.as(GRACE).pending(threadId).get(0).id());
    }

    @Test
    void anAnswerInTheArgumentsOfAModelCountsForNothing() {
        Map<String, Object> question = held();
        Map<String, Object> forged = Map.of(
                "threadId", "t", "interruptId", question.get("interruptId"), "decision", "approve", "approved", true);
        McpSyncClient client = client(inbox(GRACE), form -> ElicitResult.builder(ElicitResult.Action.DECLINE)
                .build());
        McpSyncClient withoutForms =
                client(inbox(GRACE), ClientCapabilities.builder().build(), McpInboxTest::asks);

        assertThat(call(client, McpInbox.DECIDE, forged)).startsWith("Nothing was decided");
        assertThat(call(withoutForms, McpInbox.DECIDE, forged)).contains("cannot show a form");
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    @Test
    void anApplicationMayTakeThemAllTheSame() {
        Map<String, Object> question = held();
        McpSyncClient program = client(inbox(GRACE).decidesByArguments(), McpInboxTest::asks);

        String denied = call(
                program,
                McpInbox.DECIDE,
                Map.of(
                        "threadId",
                        "t",
                        "interruptId",
                        question.get("interruptId"),
                        "decision",
                        "deny",
                        "reason",
                        "no"));

        assertThat(denied).isEqualTo("The answer is stored.");
        assertThat(state()).isEqualTo(Proposal.State.NOT_EXECUTED);
    }

    @Test
    void theSameRightIsCheckedAsEverywhere() throws Exception {
        Map<String, Object> question = held();
        McpSyncClient owner = client(inbox(ADA), form -> says("approve"));
        McpSyncClient stranger = client(inbox(EVE), form -> says("approve"));

        assertThat(listed(owner)).hasSize(1);
        assertThat(call(owner, McpInbox.DECIDE, question)).startsWith("Nothing was decided: ");
        assertThat(listed(stranger)).isEmpty();
        assertThat(call(stranger, McpInbox.SHOW, question)).startsWith("No such question");
        assertThat(call(stranger, McpInbox.DECIDE, question)).startsWith("No such question");
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    @Test
    void aReadOnlyInboxHasNoWayToDecide() throws Exception {
        Map<String, Object> question = held();
        McpSyncClient client = client(inbox(GRACE).readOnly(), McpInboxTest::asks);

        assertThat(client.listTools().tools())
                .extracting(io.modelcontextprotocol.spec.McpSchema.Tool::name)
                .containsExactlyInAnyOrder(McpInbox.LIST, McpInbox.SHOW);
        assertThat(listed(client)).hasSize(1);
        assertThat(call(client, McpInbox.SHOW, question)).contains("Pay");
    }

    @Test
    void aQuestionThatSomebodyElseHasAnsweredMeanwhileIsNotDecidedAgain() {
        Map<String, Object> question = held();
        McpSyncClient client = client(inbox(GRACE), form -> {
            agent.as(GRACE)
                    .decide(
                            "t",
                            agent.as(GRACE).pending("t").get(0).asApproval().deny());
            return says("approve");
        });

        assertThat(call(client, McpInbox.DECIDE, question)).startsWith("Nothing was decided: ");
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.NOT_EXECUTED);
    }

    private Map<String, Object> heldByARule(String schema) throws Exception {
        ObjectNode field = (ObjectNode) JSON.readTree(schema.replace('\'', '"'));
        Rule rule = new Rule() {
            @Override
            public String name() {
                return "ticket";
            }

            @Override
            public Terms terms() {
                return Terms.field(field);
            }
        };
        ruled = Optional.of(Holdpoint.builder(McpGateway.NoModel.class)
                .chatModel(new ChatModel() {})
                .tools(new Bank())
                .rules(rule)
                .executor(Runnable::run)
                .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                .build());
        Proposal held = ruled.get()
                .as(ADA)
                .propose("t", "pay", JsonNodeFactory.instance.objectNode().put("to", "Bob"), "p");
        return Map.of("threadId", "t", "interruptId", held.open().get(0).id());
    }

    @Test
    void theFormSaysWhatARuleWantsOfTheValueAsFarAsFormsCan() throws Exception {
        Map<String, Object> question = heldByARule(
                "{'type':'string','title':'Ticket','description':'of the change','minLength':3,'maxLength':5,'pattern':'T.*'}");
        McpSyncClient client = client(McpInbox.of(ruled.orElseThrow(), context -> GRACE), form -> ElicitResult.builder(
                        ElicitResult.Action.ACCEPT)
                .content(Map.of("decision", "approve", "ticket", "T-7"))
                .build());

        assertThat(call(client, McpInbox.DECIDE, question)).isEqualTo("The answer is stored.");
        assertThat(JSON.valueToTree(forms.get(0).requestedSchema()).at("/properties/ticket"))
                .isEqualTo(
                        JSON.readTree(
                                "{\"type\":\"string\",\"title\":\"Ticket\",\"description\":\"of the change\",\"minLength\":3,\"maxLength\":5}"));
        assertThat(paid).containsExactly("Bob");
    }

    @Test
    void aFormIsNotShownThatCannotAskForWhatARuleWants() throws Exception {
        Map<String, Object> question = heldByARule("{'type':'array','items':{'type':'string'}}");
        McpSyncClient client = client(McpInbox.of(ruled.orElseThrow(), context -> GRACE), McpInboxTest::asks);

        assertThat(call(client, McpInbox.DECIDE, question))
                .contains("Nothing was decided", "what a form has no field for");
        assertThat(paid).isEmpty();
    }

    @Test
    void aMissingArgumentIsNamed() {
        McpSyncClient client = client(inbox(GRACE), McpInboxTest::asks);

        assertThat(call(client, McpInbox.SHOW, Map.of("threadId", "t"))).startsWith("interruptId: ");
    }

    /** A client whose first line comes when nobody serves any more: nothing is begun that would read on. */
    @Test
    void aClosedInboxBeginsNoSession() {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<Thread> reader = new AtomicReference<>();
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Integer> over = new CompletableFuture<>();
        InputStream line = new ByteArrayInputStream("{\"method\":\"initialize\"}\n".getBytes(StandardCharsets.UTF_8));
        InputStream late = new InputStream() {
            @Override
            public int read() throws IOException {
                reader.set(Thread.currentThread());
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return line.read();
            }
        };
        Schedulers.onScheduleHook("reader", task -> {
            begun.addAndGet(Thread.currentThread() == reader.get() ? 1 : 0);
            return () -> {
                task.run();
                if (Thread.currentThread() == reader.get()) {
                    over.complete(begun.get());
                }
            };
        });
        try {
            McpInbox inbox = inbox(GRACE);
            inbox.serve(late, OutputStream.nullOutputStream());
            inbox.close();
            closed.countDown();
            assertThat(over).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(0);
        } finally {
            Schedulers.resetOnScheduleHook("reader");
        }
    }

    // --- the card as an MCP App

    private static final String PAGE = "https://people.example/inbox?a=1&b=2";

    /** Whose results a host shows with it: the text is the same for all. */
    @Test
    void theCardIsADocumentForTheFrameOfAnAssistantThatLoadsNothing() throws Exception {
        McpSyncClient client = client(inbox(GRACE).page(URI.create(PAGE)), McpInboxTest::asks);
        NewEraClient newEra = new NewEraClient(inbox(GRACE).page(URI.create(PAGE))::serve);

        JsonNode tools = JSON.valueToTree(client.listTools().tools());
        assertThat(tools.findValuesAsText("resourceUri")).containsExactly("ui://holdpoint/card");
        assertThat(tools).filteredOn(tool -> tool.has("_meta")).singleElement().satisfies(tool -> assertThat(
                        tool.path("name").asText())
                .isEqualTo(McpInbox.SHOW));
        JsonNode listed = JSON.valueToTree(client.listResources().resources());
        JsonNode read = JSON.valueToTree(client.readResource(
                        ReadResourceRequest.builder("ui://holdpoint/card").build()))
                .at("/contents/0");
        assertThat(newEra.ask("tools/list", "cursor", null).path("tools"))
                .hasSize(tools.size())
                .containsAll(tools);
        assertThat(newEra.ask("resources/list", "cursor", null).path("resources"))
                .isEqualTo(listed);
        assertThat(newEra.ask("resources/read", "uri", "ui://holdpoint/card").at("/contents/0"))
                .isEqualTo(read);
        assertThat(newEra.ask("resources/read", "uri", "ui://holdpoint/other")).isNull();

        assertThat(listed).hasSize(1);
        assertThat(read.path("uri")).isEqualTo(listed.at("/0/uri"));
        assertThat(read.path("mimeType").asText()).isEqualTo("text/html;profile=mcp-app");
        assertThat(read.at("/_meta/ui").toString()).isEqualTo("{\"prefersBorder\":false}");
        assertThat(read.path("text").asText())
                .startsWith("<!doctype html>")
                .contains("data-show=\"holdpoint_show\" data-decide=\"holdpoint_decide\" data-page=\""
                        + PAGE.replace("&", "&amp;") + "\"")
                .contains("default-src 'none'; script-src 'unsafe-inline'", "customElements.define('holdpoint-card'")
                .contains("Waiting for you", "Wartet auf Sie")
                .doesNotContain("import(", "import.meta", "<!--", "{script}")
                .doesNotContainPattern("(?m)^import |(?:src|href)=\"")
                .satisfies(html -> assertThat(html.split("</script", -1)).hasSize(2));
    }

    /** As the button does: a call like that of the model. */
    @Test
    void theFrameDecidesNothing() {
        Map<String, Object> question = held();
        McpInbox inbox = inbox(GRACE).page(URI.create(PAGE));
        McpSyncClient withoutForms = client(inbox, ClientCapabilities.builder().build(), McpInboxTest::asks);
        McpSyncClient closed = client(
                inbox, form -> ElicitResult.builder(ElicitResult.Action.CANCEL).build());

        assertThat(call(withoutForms, McpInbox.DECIDE, question))
                .startsWith("Nothing was decided")
                .endsWith("at " + PAGE);
        assertThat(call(closed, McpInbox.DECIDE, question)).startsWith("Nothing was decided");
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    @Test
    void theFrameOfAReadOnlyInboxHasNoButton() {
        McpSyncClient client = client(inbox(GRACE).readOnly(), McpInboxTest::asks);

        assertThat(client.readResource(ReadResourceRequest.builder("ui://holdpoint/card")
                                .build())
                        .toString())
                .contains("data-decide=\"\" data-page=\"\"");
    }

    // --- clients of 2026-07-28

    private static JsonNode decides(
            NewEraClient client, Map<String, Object> question, Optional<JsonNode> asked, String answer)
            throws Exception {
        return client.call(McpInbox.DECIDE, question, asked, answer);
    }

    @Test
    void aClientOfTheNewEraIsAskedByItsResult() throws Exception {
        Map<String, Object> question = held();
        NewEraClient client = new NewEraClient(inbox(GRACE)::serve);

        assertThat(NewEraClient.text(client.call(McpInbox.LIST, Map.of(), Optional.empty(), "")))
                .contains("Pay");
        assertThat(NewEraClient.text(client.call(McpInbox.SHOW, question, Optional.empty(), "")))
                .contains("proposedBy");
        JsonNode asked = decides(client, question, Optional.empty(), "");
        assertThat(asked.path("resultType").asText()).as(asked.toString()).isEqualTo("input_required");
        assertThat(asked.at("/inputRequests/question/params/message").asText())
                .isEqualTo("Pay \"Bob\"?\npay {\"to\":\"Bob\"}");
        assertThat(paid).isEmpty();

        JsonNode told = decides(client, question, Optional.of(asked), NewEraClient.says("approve"));
        assertThat(NewEraClient.text(told)).contains("The answer is stored.");
        assertThat(paid).containsExactly("Bob");
        JsonNode again = decides(client, question, Optional.of(asked), NewEraClient.says("approve"));
        assertThat(NewEraClient.text(again)).contains("No such question");
        assertThat(paid).containsExactly("Bob");
    }

    @Test
    void whatAModelOfTheNewEraSaysCountsForNothing() throws Exception {
        Map<String, Object> forged = new HashMap<>(held());
        forged.putAll(Map.of("decision", "approve", "requestState", "s", "inputResponses", Map.of("question", "yes")));
        NewEraClient client = new NewEraClient(inbox(GRACE)::serve);

        assertThat(decides(client, forged, Optional.empty(), NewEraClient.says("approve"))
                        .path("resultType")
                        .asText())
                .isEqualTo("input_required");
        JsonNode withoutForms = decides(new NewEraClient(client.wire(), "modern", "{}"), forged, Optional.empty(), "");
        assertThat(NewEraClient.text(withoutForms)).contains("cannot show a form");
        NewEraClient readOnly = new NewEraClient(inbox(GRACE).readOnly()::serve);
        assertThat(decides(readOnly, forged, Optional.empty(), NewEraClient.says("approve"))
                        .has("error"))
                .isTrue();
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    @Test
    void anAnswerToAnotherQuestionOrOfSomebodyElseDecidesNothing() throws Exception {
        Map<String, Object> question = held();
        agent.as(ADA).propose("t2", "pay", JsonNodeFactory.instance.objectNode().put("to", "Eve"), "p2");
        NewEraClient client = new NewEraClient(inbox(GRACE)::serve);
        JsonNode asked = decides(client, question, Optional.empty(), "");

        JsonNode other = decides(client, question("t2"), Optional.of(asked), NewEraClient.says("approve"));
        assertThat(other.at("/inputRequests/question/params/message").asText()).contains("Eve");
        NewEraClient owner = new NewEraClient(inbox(ADA)::serve);
        assertThat(decides(owner, question, Optional.of(asked), NewEraClient.says("approve"))
                        .at("/error/message")
                        .asText())
                .contains("requestState");
        JsonNode own = decides(owner, question, Optional.empty(), "");
        assertThat(NewEraClient.text(decides(owner, question, Optional.of(own), NewEraClient.says("approve"))))
                .contains("Nothing was decided: ");
        assertThat(paid).isEmpty();
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    @Test
    void whoClosesTheFormHasDecidedNothing() throws Exception {
        Map<String, Object> question = held();
        NewEraClient client = new NewEraClient(inbox(GRACE)::serve);
        JsonNode asked = decides(client, question, Optional.empty(), "");

        for (String answer : List.of("{\"action\":\"cancel\"}", "{\"action\":\"decline\"}", "{\"action\":7}", "7")) {
            assertThat(decides(client, question, Optional.of(asked), answer).toString())
                    .as(answer)
                    .doesNotContain("The answer is stored");
        }
        assertThat(state()).isEqualTo(Proposal.State.WAITS);
    }

    /** Two nodes have an inbox of the same agent: the form of one is answered at the other. */
    @Test
    void anotherNodeTakesTheAnswer() throws Exception {
        Map<String, Object> question = held();
        JsonNode asked = decides(new NewEraClient(inbox(GRACE)::serve), question, Optional.empty(), "");

        decides(new NewEraClient(inbox(GRACE)::serve), question, Optional.of(asked), NewEraClient.says("approve"));
        assertThat(paid).containsExactly("Bob");
    }

    @Test
    void overHttpClientsOfEitherEraDecide() throws Exception {
        Map<String, Object> question = held();
        HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder()
                .jsonMapper(Results.mapper())
                .mcpEndpoint("/mcp")
                .build();
        HttpServletMcpTransport newEra = HttpServletMcpTransport.builder(
                        inbox(GRACE).serve(transport))
                .jsonMapper(Results.mapper())
                .build();
        Javalin server = Javalin.create(setup -> {
                    setup.startup.showJavalinBanner = false;
                    setup.jetty.modifyServletContextHandler(context -> context.addServlet(
                            new ServletHolder(new HttpServlet() {
                                @Override
                                protected void service(HttpServletRequest request, HttpServletResponse response)
                                        throws ServletException, IOException {
                                    (request.getHeader("Mcp-Method") == null ? transport : newEra)
                                            .service(request, response);
                                }
                            }) {
                                {
                                    setAsyncSupported(true);
                                }
                            },
                            "/mcp"));
                })
                .start("127.0.0.1", 0);
        String address = "http://127.0.0.1:" + server.port();
        try {
            McpSyncClient session = McpClient.sync(HttpClientStreamableHttpTransport.builder(address)
                            .jsonMapper(Results.mapper())
                            .build())
                    .jsonSchemaValidator(Results.UNCHECKED)
                    .build();
            session.initialize();
            clients.add(session);
            assertThat(listed(session)).hasSize(1);

            NewEraClient client = new NewEraClient(address);
            JsonNode asked = decides(client, question, Optional.empty(), "");
            decides(client, question, Optional.of(asked), NewEraClient.says("approve"));
            assertThat(paid).containsExactly("Bob");
        } finally {
            server.stop();
        }
    }
}
