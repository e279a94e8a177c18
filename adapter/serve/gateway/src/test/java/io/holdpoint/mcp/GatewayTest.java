package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gateway between the SDK's client and a server of its own, both over pipes. */
class GatewayTest {

    private static final String HELD = "Not run yet";
    private static final String ALL = "servers: { notes: { command: notes, timeout: PT30S } }\nwait: PT0S\npolicies: ";

    private final Store store = new InMemoryStore();
    private final Notes notes = new Notes();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now.get();
        }
    };
    private final List<AutoCloseable> opened = new ArrayList<>();

    private McpGateway open(String yaml) {
        return open(yaml, store);
    }

    private McpGateway open(String yaml, Store kept) {
        GatewayConfig config = ConfigReader.read("gateway.yml", yaml, Map.of());
        McpGateway gateway = new McpGateway(config, kept, "Ask grace.", clock, server -> notes::start);
        opened.add(0, gateway);
        return gateway;
    }

    private Assistant assistant(McpGateway gateway, String... named) {
        opened.add(0, new Assistant(gateway, named));
        return (Assistant) opened.get(0);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private static List<AskedQuestion> questions(McpGateway gateway) {
        return Follow.of(gateway.agent().as(Caller.of("grace")))
                .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 50)
                .items();
    }

    private static Decided decide(McpGateway gateway, Function<PendingInterrupt.Approval, ResumeEntry> answer) {
        AskedQuestion asked = questions(gateway).get(0);
        return decide(gateway, asked, answer.apply((PendingInterrupt.Approval) asked.interrupt()));
    }

    private static Decided decide(McpGateway gateway, AskedQuestion asked, ResumeEntry answer) {
        Decided decided = gateway.agent().as(Caller.of("grace")).decide(asked.threadId(), answer);
        if (decided instanceof Decided.Runs runs) {
            runs.result().join();
        }
        return decided;
    }

    @Test
    void moreCallsThanMayWaitAreToldAtOnceThatTheyAreHeld() throws Exception {
        McpGateway gateway = open(ALL.replace("PT0S", "PT1H") + "[ { tools: '*' } ]");
        Assistant[] two = {assistant(gateway), assistant(gateway, "other")};
        ExecutorService callers = Executors.newCachedThreadPool();
        opened.add(callers::shutdownNow);
        List<CompletableFuture<String>> said = IntStream.rangeClosed(0, HeldCalls.MOST_WAITING)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> two[i % 2].says("write", "w" + i), callers))
                .toList();

        assertThat(CompletableFuture.anyOf(said.toArray(CompletableFuture[]::new))
                        .get(60, TimeUnit.SECONDS))
                .asString()
                .contains(HELD);
        assertThat(said.stream().filter(CompletableFuture::isDone)).hasSize(1);
    }

    @Test
    void whatNobodyHasToApproveIsPassedOn() {
        Assistant assistant = assistant(open(ALL + "[ { tools: '*', when: not readOnly } ]"));

        assertThat(assistant.says("read", "a")).isEqualTo("wrote a");
        assertThat(assistant.says("read", "a")).isEqualTo("wrote a");
        assertThat(notes.written).containsExactly("read a", "read a");
    }

    @Test
    void aHeldCallIsStoredBeforeItIsAnsweredAndRunsOnceWhenSomebodyHasApproved() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        CallToolResult held = assistant.call("write", "a");
        assertThat(Assistant.text(held)).startsWith(HELD).contains("question int_", "Ask grace.");
        assertThat(held.isError()).isTrue();
        assertThat(questions(gateway)).hasSize(1);
        assertThat(assistant.says("write", "a")).startsWith(HELD);
        assertThat(questions(gateway)).hasSize(1);
        assertThat(notes.written).isEmpty();

        decide(gateway, PendingInterrupt.Approval::approve);
        assertThat(notes.written).containsExactly("write a");
        assertThat(assistant.says("write", "a")).endsWith("wrote a");
        assertThat(assistant.says("write", "a"))
                .contains("has not been made again")
                .endsWith("wrote a");
        assertThat(notes.written).containsExactly("write a");
    }

    @Test
    void otherArgumentsAreAnotherCall() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        assistant.call("write", "b");
        assertThat(questions(gateway)).hasSize(2);
    }

    @Test
    void whatWasDeniedDoesNotRun() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        decide(gateway, question -> question.deny("not today"));
        CallToolResult denied = assistant.call("write", "a");
        assertThat(Assistant.text(denied)).contains("not today");
        assertThat(denied.isError()).isTrue();
        assertThat(notes.written).isEmpty();
    }

    @Test
    void whatWasEditedRunsAsItWasEditedAndTheAssistantLearnsOfIt() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write, editable: [text] } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        decide(gateway, question -> question.edit("text", "b"));
        assertThat(assistant.says("write", "a")).contains("\"b\"").endsWith("wrote b");
        assertThat(notes.written).containsExactly("write b");
    }

    @Test
    void annotationsOnlyTighten() {
        McpGateway gateway = open(ALL + "[ { tools: '*', approval: none } ]");
        Assistant assistant = assistant(gateway);

        assertThat(assistant.says("erase", "a")).startsWith(HELD);
        assertThat(assistant.says("pay", "a")).startsWith(HELD);
        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");
    }

    @Test
    void theStrictestPolicyCounts() {
        Assistant assistant = assistant(open(ALL
                + "[ { tools: '*', approval: none }, { tools: notes.wr* }, { tools: notes.write, approval: none } ]"));

        assertThat(assistant.says("write", "a")).startsWith(HELD);
    }

    @Test
    void whatNoPolicyNamesIsAskedAbout() {
        assertThat(assistant(open(ALL + "[ { tools: other.*, approval: none } ]"))
                        .says("read", "a"))
                .startsWith(HELD);
    }

    @Test
    void noAssistantDecidesWhateverAServerTellsIt() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        AskedQuestion asked = questions(gateway).get(0);
        Decided refused = gateway.agent()
                .as(Caller.of(asked.owner()))
                .decide(asked.threadId(), ((PendingInterrupt.Approval) asked.interrupt()).approve());
        assertThat(refused).isInstanceOf(Decided.Refused.class);
        assertThat(assistant.client.listTools().tools())
                .extracting(Tool::name)
                .containsExactlyInAnyOrder("read", "write", "erase", "pay");
        assertThat(notes.written).isEmpty();
    }

    @Test
    void theUserOfAnAssistantDecidesByAFormIfTheConfigurationSaysSo() {
        McpGateway gateway = open(ALL.replace("PT0S", "PT20S") + "[ { tools: notes.write } ]\nelicit: true");
        List<String> choices = new ArrayList<>(List.of("approve", "deny"));
        Assistant assistant = new Assistant(gateway, client -> client.capabilities(
                        ClientCapabilities.builder().elicitation().build())
                .elicitation(form -> ElicitResult.builder(ElicitResult.Action.ACCEPT)
                        .content(Map.of("decision", choices.remove(0)))
                        .build()));
        opened.add(0, assistant);

        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");
        assertThat(assistant.call("write", "b").isError()).isTrue();
        assertThat(notes.written).containsExactly("write a");
    }

    private Assistant withForms(McpGateway gateway) {
        Assistant assistant = new Assistant(gateway, client -> client.capabilities(
                        ClientCapabilities.builder().elicitation().build())
                .elicitation(
                        form -> ElicitResult.builder(ElicitResult.Action.CANCEL).build()));
        opened.add(0, assistant);
        return assistant;
    }

    @Test
    void withoutThatAndWhereThePageKnowsItsPeopleNoFormIsShown() {
        String people = "page: { people: { grace: { token: token-of-grace-0123 } } }";

        for (String more : List.of("", "elicit: true\n" + people, "elicit: true")) {
            Assistant assistant = withForms(open(ALL + "[ { tools: notes.write } ]\n" + more));
            assertThat(assistant.says("write", "a")).startsWith(HELD);
            assertThat(String.join("\n", assistant.told).contains("elicitation/create"))
                    .isEqualTo(more.equals("elicit: true"));
        }
    }

    @Test
    void aCallThatIsMadeAgainOpensNoSecondFormWhileTheFirstIsOpen() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]\nelicit: true");
        CompletableFuture<ElicitResult> answer = new CompletableFuture<>();
        Assistant assistant = new Assistant(gateway, client -> client.capabilities(
                        ClientCapabilities.builder().elicitation().build())
                .elicitation(form -> answer.join()));
        opened.add(0, assistant);

        assertThat(assistant.says("write", "a")).startsWith(HELD);
        assertThat(assistant.says("write", "a")).startsWith(HELD);
        assertThat(assistant.says("write", "b")).startsWith(HELD);
        assertThat(assistant.says("write", "c".repeat(5_000))).startsWith(HELD); // longer than a form shows

        assertThat(assistant.told)
                .filteredOn(message -> message.contains("elicitation/create"))
                .hasSize(2);
        answer.complete(ElicitResult.builder(ElicitResult.Action.CANCEL).build());
    }

    @Test
    void toolsOfOneNameHaveThatOfTheirServerToo() {
        Assistant assistant = assistant(
                open(
                        "servers: { one: { command: one }, two: { command: two } }\npolicies: [ { tools: '*', approval: none } ]"));

        assertThat(assistant.client.listTools().tools())
                .extracting(Tool::name)
                .contains("one_write", "two_write")
                .doesNotContain("write");
        assertThat(assistant.says("two_write", "a")).isEqualTo("wrote a");
    }

    @Test
    void whatAClientReadsNamesTheToolAsTheClientDoes() {
        McpGateway gateway = open(
                "servers: { one: { command: one }, two: { command: two } }\nwait: PT0S\npolicies: [ { tools: '*' } ]");
        Assistant assistant = assistant(gateway);
        List<String> told = new ArrayList<>();

        told.add(assistant.says("two_write", "a"));
        decide(gateway, question -> question.deny("not today"));
        told.add(assistant.says("two_write", "a"));
        assistant.says("two_write", "b");
        decide(gateway, question -> question.edit("text", "c"));
        told.add(assistant.says("two_write", "b"));
        told.add(Assistant.text(
                assistant.client.callTool(CallToolRequest.builder("two_write").build())));

        assertThat(told)
                .allSatisfy(text -> assertThat(text).contains("\"two_write\"").doesNotContain("two.write"));
        assertThat(told.get(1)).contains("not today");
        assertThat(told.get(2)).contains("\"c\"").endsWith("wrote c");
    }

    @Test
    void noServerCallsAToolAsThatOfAnotherOneIsCalled() {
        List<UpstreamTool> tools = List.of(
                new UpstreamTool("evil", notes.tool("one_write", null, Map.of()).tool()),
                new UpstreamTool("evil", notes.tool("write", null, Map.of()).tool()),
                new UpstreamTool("one", notes.tool("write", null, Map.of()).tool()));

        assertThat(Clients.named(tools))
                .hasSize(3)
                .extractingByKey("one_write")
                .extracting(UpstreamTool::server)
                .isEqualTo("one");
    }

    @Test
    void aToolThatCallsItselfReadOnlyAndDestructiveIsNotReadOnly() throws Exception {
        McpGateway gateway = open(ALL + "[ { tools: '*', when: not readOnly, expiresAfter: P1D } ]");
        Assistant assistant = assistant(gateway);
        ToolAnnotations both = ToolAnnotations.builder()
                .readOnlyHint(true)
                .destructiveHint(true)
                .build();
        notes.server.addTool(notes.tool("both", both, Map.of()));
        assertThat(assistant.changes.poll(60, TimeUnit.SECONDS)).isNotNull();

        assertThat(assistant.says("both", "a")).startsWith(HELD);
        assertThat(questions(gateway).get(0).interrupt().interrupt().expiresAt())
                .isNotNull();
    }

    @Test
    void aChangedListIsPassedOn() throws Exception {
        McpGateway gateway = open(ALL + "[ { tools: '*', approval: none } ]");
        Assistant assistant = assistant(gateway);

        notes.server.addTool(notes.tool("append", null, Map.of()));
        List<Tool> changed = assistant.changes.poll(60, TimeUnit.SECONDS);
        assertThat(changed).extracting(Tool::name).contains("append");
        assertThat(assistant.says("append", "a")).isEqualTo("wrote a");
    }

    @Test
    void aToolThatIsGoneWhenSomebodyApprovesDoesNotRun() throws Exception {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        notes.server.removeTool("write");
        assistant.changes.poll(60, TimeUnit.SECONDS);
        decide(gateway, PendingInterrupt.Approval::approve);
        assertThat(notes.written).isEmpty();
    }

    @Test
    void aServerThatDoesNotAnswerLeavesAQuestionAboutWhatBecameOfTheCall() {
        McpGateway gateway = open(ALL.replace("PT30S", "PT1S") + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        notes.line.delivered = lines -> List.of(); // the answer is lost
        decide(gateway, PendingInterrupt.Approval::approve);

        AskedQuestion asked = questions(gateway).get(0);
        assertThat(asked.interrupt()).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(asked.interrupt().message()).contains("no answer within 1 seconds");
        assertThat(assistant.says("write", "a")).startsWith(HELD);
        decide(gateway, asked, ((PendingInterrupt.UnknownOutcome) asked.interrupt()).done("it is there"));
        assertThat(assistant.says("write", "a")).contains("it is there");
        assertThat(notes.written).containsExactly("write a");
    }

    @Test
    void aServerThatAnswersNothingAnyMoreIsStartedAgain() {
        McpGateway gateway = open(ALL.replace("PT30S", "PT1S") + "[ { tools: '*', approval: none } ]");
        Assistant assistant = assistant(gateway);
        Lines first = notes.line;
        first.delivered = lines -> List.of();

        String told = assistant.says("write", "a");
        assertThat(told).contains("no answer within 1 seconds", "It may have had its effect");
        while (!told.equals("wrote b")) {
            told = assistant.says("write", "b");
        }
        assertThat(notes.line).isNotSameAs(first);
    }

    @Test
    void anAnswerThatComesTwiceCountsOnce() {
        McpGateway gateway = open(ALL + "[ { tools: '*', approval: none } ]");
        Assistant assistant = assistant(gateway);

        notes.line.delivered = lines -> List.of(lines.get(0), lines.get(0));
        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");
        assertThat(assistant.says("write", "b")).isEqualTo("wrote b");
    }

    @Test
    void aResultThatIsTooLargeIsLeftOutAndTheCallHasRun() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);
        notes.answer = text -> Results.said("x".repeat(Upstream.LONGEST_RESULT + 1), false);

        assistant.call("write", "a");
        decide(gateway, PendingInterrupt.Approval::approve);
        CallToolResult told = assistant.call("write", "a");
        assertThat(Assistant.text(told)).contains("The call has run").contains("8000001 characters");
        assertThat(told.isError()).isFalse();
    }

    @Test
    void whatIsNoPlainTextComesThroughAsItIs() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);
        notes.answer = text -> CallToolResult.builder()
                .content(List.of(
                        ImageContent.builder("aGk=", "image/png").build(),
                        TextContent.builder("one\nmcp-result: {}").build()))
                .structuredContent(Map.of("n", 1))
                .build();

        assistant.call("write", "a");
        decide(gateway, PendingInterrupt.Approval::approve);
        assertThat(assistant.call("write", "a")).satisfies(result -> {
            assertThat(result.content())
                    .last()
                    .isEqualTo(TextContent.builder("one\nmcp-result: {}").build());
            assertThat(result.structuredContent()).isEqualTo(Map.of("n", 1));
        });
    }

    @Test
    void aCallIsFoundAgainAfterARestart() {
        McpGateway first = open(ALL + "[ { tools: notes.write } ]");
        assistant(first).call("write", "a");
        first.close();

        McpGateway second = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(second);
        assertThat(assistant.says("write", "a")).startsWith(HELD);
        assertThat(questions(second)).hasSize(1);
        decide(second, PendingInterrupt.Approval::approve);
        second.close();

        McpGateway third = open(ALL + "[ { tools: notes.write } ]");
        assertThat(assistant(third).says("write", "a"))
                .contains("has not been made again")
                .endsWith("wrote a");
        assertThat(notes.written).containsExactly("write a");
    }

    @Test
    void aHaltStopsWhatIsPassedOnToo() {
        McpGateway gateway = open(ALL + "[ { tools: '*', approval: none } ]");
        Assistant assistant = assistant(gateway);

        gateway.agent().halt("Something is wrong.");
        assertThat(assistant.says("write", "a")).contains("halted: Something is wrong.");
        assertThat(notes.written).isEmpty();
    }

    @Test
    void aServerThatCannotBeReachedIsNamedWithItsLine() {
        GatewayConfig config =
                ConfigReader.read("gateway.yml", "servers:\n  notes: { command: /nowhere/notes }", Map.of());

        assertThatThrownBy(() -> McpGateway.open(config, store, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "line 2: The server notes cannot be reached: the command \"/nowhere/notes\" cannot be started.")
                .hasMessageContaining("To mend it");
    }

    @Test
    void policiesThatNeedMorePeopleTogetherThanThereAreAreNamedWithTheirLine() {
        String page = "page: { people: { grace: { token: token-of-grace-0123, groups: [leads] },"
                + " henry: { token: token-of-henry-0123 } } }\n";
        String two = ALL + "[ { tools: 'notes.*', approvals: 2 },\n { tools: %s, group: leads } ]\n" + page;

        assertThatThrownBy(() -> open(two.formatted("notes.write")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "line 4: notes.write, with all policies for it, needs 2 of the people and 1 of the group leads,"
                                + " 3 different people, and the page knows 2. Add them: page: { people: { grace: { token:"
                                + " ${GRACES_TOKEN}, groups: [...] } } }");
        assertThatThrownBy(() -> open(ALL + "[ { tools: b, approvals: 2 } ]"))
                .hasMessageContaining("the policy for \"b\" needs 2 of the people");
        assertThatThrownBy(() -> open(ALL + "[ { tools: b, group: leads } ]"))
                .hasMessageContaining("needs 1 of the group leads, and the page knows 0");
        open(two.replace("'notes.*'", "notes.write").formatted("notes.read"));
        open(two.formatted("notes.write").replace("henry:", "ada: { token: token-of-ada-012345 }, henry:"));
    }

    private static ResumeEntry remembered(PendingInterrupt.Approval question, String scope) {
        ObjectNode answer =
                JsonNodeFactory.instance.objectNode().put("approved", true).put("remember", scope);
        return question.answer(answer);
    }

    @Test
    void anApprovalIsRememberedForTheSameCallIfThePolicySaysSo() {
        McpGateway gateway = open(ALL + "[ { tools: notes.write, remember: { for: PT10M } } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        decide(gateway, question -> remembered(question, "same_call"));
        assertThat(assistant.says("write", "a")).endsWith("wrote a");
        now.updateAndGet(before -> before.plus(Duration.ofMinutes(3)));
        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");
        assertThat(assistant.says("write", "b")).startsWith(HELD);
        assertThat(notes.written).containsExactly("write a", "write a");
    }

    @Test
    void anApprovalIsRememberedForCallsWithTheSameArguments() {
        McpGateway gateway = open(ALL + "[ { tools: '*', remember: { for: PT10M, same: [text], calls: 1 } } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        decide(gateway, question -> remembered(question, "within"));
        CallToolRequest more = CallToolRequest.builder("write")
                .arguments(Map.of("text", "a", "n", 1))
                .build();
        assertThat(Assistant.text(assistant.client.callTool(more))).isEqualTo("wrote a");
        CallToolRequest beyond = CallToolRequest.builder("write")
                .arguments(Map.of("text", "a", "n", 2))
                .build();
        assertThat(Assistant.text(assistant.client.callTool(beyond))).startsWith(HELD);
        assertThat(assistant.says("write", "b")).startsWith(HELD);
    }

    @Test
    void nothingIsRememberedWhereTheServerSaysThatAPersonIsAsked() {
        McpGateway gateway = open(ALL + "[ { tools: '*', remember: { for: PT10M } } ]");

        for (String tool : List.of("erase", "pay")) {
            assistant(gateway).call(tool, "a");
            PendingInterrupt asked = questions(gateway).get(0).interrupt();
            assertThat(asked.interrupt()
                            .responseSchema()
                            .at("/properties/remember")
                            .isMissingNode())
                    .as(tool)
                    .isTrue();
            decide(gateway, PendingInterrupt.Approval::deny);
        }
    }

    @Test
    void aToolWhoseArgumentsChangeAfterSomebodyWasAskedDoesNotRun() throws Exception {
        McpGateway gateway = open(ALL + "[ { tools: notes.write } ]");
        Assistant assistant = assistant(gateway);

        assistant.call("write", "a");
        notes.line.delivered = lines -> lines.stream()
                .map(line -> line.replace("\"text\":{\"type\":\"string\"}", "\"text\":{\"type\":\"integer\"}"))
                .toList();
        notes.server.addTool(notes.tool("another", null, Map.of()));
        assertThat(assistant.changes.poll(60, TimeUnit.SECONDS)).isNotNull();
        decide(gateway, PendingInterrupt.Approval::approve);

        assertThat(notes.written).isEmpty();
        assertThat(assistant.call("write", "a").isError()).isTrue();
    }

    @Test
    void anEditableArgumentThatAToolDoesNotHaveIsNamedWithItsLine() {
        assertThatThrownBy(() -> open(ALL + "[ { tools: notes.write, editable: [content] } ]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 3: editable names \"content\", but the arguments of notes.write are [text]."
                        + " To mend it: name one of these, or other tools");
    }
}
