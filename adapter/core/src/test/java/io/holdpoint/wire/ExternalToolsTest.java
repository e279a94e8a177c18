package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TamperedStore;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tools that the server declares and the client executes: tRPC-Agent-Go's external tools. */
class ExternalToolsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final String ARGUMENTS = "{\"query\":\"gates\"}";

    interface External {

        @Tool("Search outside")
        String external_search(@P("what for") String query);
    }

    private static final List<ToolSpecification> EXTERNAL = ToolSpecifications.toolSpecificationsFrom(External.class);

    private final Bench bench = new Bench(builder -> builder.clientTools(EXTERNAL));

    private static List<String> left(RecordingSink sink) {
        return ((RunFinishedOutcome.Success) ((RunEvent.Finished) sink.last()).outcome()).pendingToolCallIds();
    }

    private static RunAgentInput second(String toolCallId) {
        return AguiCodec.readRunAgentInput("""
                {"threadId": "t", "runId": "demo-run-2", "forwardedProps": {"lineage_id": "x"}, "messages": [
                {"id": "tool-result-c1", "role": "tool", "toolCallId": "%s", "name": "external_search",
                "content": "external tool output as string"}]}""".formatted(toolCallId));
    }

    private RecordingSink asks(Bench asked) {
        asked.model.calls(call("c1", "external_search", ARGUMENTS)).says("Found it.");
        return asked.say("Search and answer my question.");
    }

    @Test
    void theModelIsOfferedItAndACallOfItIsLeftToAClientThatNamesNoTools() {
        RecordingSink first = asks(bench);

        assertThat(bench.model.requests().get(0).toolSpecifications()).containsAll(EXTERNAL);
        assertThat(first.types())
                .containsSubsequence("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED");
        assertThat(left(first)).containsExactly("c1");
        assertThat(bench.pending()).isEmpty();
    }

    @Test
    void theResultComesAsAToolMessageAndIsToldToAClientThatKeepsNoMessages() {
        asks(bench);

        RecordingSink run = bench.run(second("c1"));

        assertThat(run.types())
                .containsSubsequence("RUN_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_START", "RUN_FINISHED");
        ToolCallEvent.Result told = run.all(ToolCallEvent.Result.class).get(0);
        assertThat(told.messageId()).isEqualTo("tool-result-c1");
        assertThat(told.toolCallId()).isEqualTo("c1");
        assertThat(told.content().asText()).isEqualTo("external tool output as string");
        assertThat(run.text()).isEqualTo("Found it.");
        assertThat(bench.model.lastResult("c1")).isEqualTo("external tool output as string");
        assertThat(bench.transcript())
                .extracting(Message::id)
                .contains("tool-result-c1")
                .doesNotHaveDuplicates();
        ScriptedModel.requireWellFormed(bench.memory());
        TrailRules.check(bench.store, THREAD);
    }

    /** The official clients add a message for the event, also if they have one of that id. */
    @Test
    void aClientThatSendsItsWholeListHasTheResultAlready() {
        asks(bench);
        Message.Tool result = new Message.Tool("r1", "c1", MessageContent.text("found"), null);

        RecordingSink run = bench.run(
                bench.input(user("Search and answer my question.", "Search and answer my question."), result));

        assertThat(run.all(ToolCallEvent.Result.class)).isEmpty();
        assertThat(run.text()).isEqualTo("Found it.");
    }

    @Test
    void aPolicyMakesItAQuestionThatIsAnsweredByAResume() {
        Bench gated = new Bench(builder -> builder.clientTools(EXTERNAL)
                .toolPolicies(ToolPolicy.named("external_search").respond()));
        RecordingSink first = asks(gated);
        assertThat(first.interrupts()).hasSize(1);

        assertThat(gated.run(second("c1").withProtocolVersion("1.0")).interrupts())
                .as("a message is no answer")
                .hasSize(1);
        RecordingSink answered = gated.resume(gated.pending(0).asApproval().respond("found by hand"));

        assertThat(answered.text()).isEqualTo("Found it.");
        assertThat(gated.model.lastResult("c1")).endsWith("found by hand");
    }

    @Test
    void approvedItIsLeftToTheClient() {
        Bench gated =
                new Bench(builder -> builder.clientTools(EXTERNAL).toolPolicies(ToolPolicy.named("external_search")));
        asks(gated);

        assertThat(left(gated.resume(gated.pending(0).asApproval().approve()))).containsExactly("c1");
        assertThat(gated.run(second("c1")).text()).isEqualTo("Found it.");
    }

    /** Between the first answer of a batch and the last one somebody may write to the database. */
    @Test
    @Logs("The call c1 of the tool \"external_search\" is not executed: the record*")
    void itIsNotLeftToTheClientIfItsDenialWasChangedIntoAnApproval() {
        Bench gated = new Bench(settings("boss"));
        gated.model.calls(call("c1", "external_search", ARGUMENTS), call("c2", "external_search", ARGUMENTS));
        gated.agent().as(ADA).send(THREAD, "Search twice");
        Caller boss = Caller.of("bob", "boss");
        gated.agent()
                .as(boss)
                .decide(
                        THREAD,
                        gated.agent()
                                .as(boss)
                                .pending(THREAD)
                                .get(0)
                                .asApproval()
                                .deny());
        Holdpoint later = gated.another(builder -> settings("boss")
                .apply(builder)
                .store(new TamperedStore(
                        gated.store, json -> json.replace("\"approved\":false", "\"approved\":true"))));

        approveFirst(later, boss);

        assertThat(gated.store.find(THREAD).orElseThrow().batch().orElseThrow().calls())
                .extracting(Call::state)
                .containsExactly(Call.State.NOT_EXECUTED, Call.State.DECIDED);
    }

    /** The last answer of a batch may come weeks after the first. */
    @Test
    void itIsNotLeftToTheClientIfWhoApprovedItMayNoLonger() {
        Bench gated = new Bench(settings("boss"));
        gated.model.calls(call("c1", "external_search", ARGUMENTS), call("c2", "external_search", ARGUMENTS));
        gated.agent().as(ADA).send(THREAD, "Search twice");
        approveFirst(gated.agent(), Caller.of("bob", "boss"));
        Holdpoint later = gated.another(settings("director"));

        approveFirst(later, Caller.of("dora", "director"));

        Batch batch = gated.store.find(THREAD).orElseThrow().batch().orElseThrow();
        assertThat(batch.calls()).extracting(Call::state).containsExactly(Call.State.NOT_EXECUTED, Call.State.DECIDED);
        assertThat(batch.calls().get(0).result().clientText()).contains("may no longer give that answer");

        Holdpoint without = gated.another(settings("nobody"));
        without.as(ADA).resume(THREAD);
        assertThat(gated.store.find(THREAD).orElseThrow().batch().orElseThrow().calls())
                .as("the client may execute by now what it was left")
                .extracting(Call::state)
                .containsExactly(Call.State.NOT_EXECUTED, Call.State.DECIDED);
    }

    @Test
    @Logs("The call c1 is not handed to the client")
    void itIsNotLeftToTheClientIfThatCannotBeChecked() {
        Bench gated = new Bench(settings("boss"));
        gated.model.calls(call("c1", "external_search", ARGUMENTS), call("c2", "external_search", ARGUMENTS));
        gated.agent().as(ADA).send(THREAD, "Search twice");
        approveFirst(gated.agent(), Caller.of("bob", "boss"));
        Holdpoint later =
                gated.another(builder -> settings("boss").apply(builder).approvalAuthorizer(new ApprovalAuthorizer() {
                    @Override
                    public boolean mayDecide(Request request) {
                        if ("c1".equals(request.interrupt().interrupt().toolCallId())) {
                            throw new IllegalStateException("directory is down");
                        }
                        return true;
                    }

                    @Override
                    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                        return true;
                    }
                }));

        approveFirst(later, ADA);

        assertThat(gated.store.find(THREAD).orElseThrow().batch().orElseThrow().calls())
                .extracting(Call::state)
                .containsExactly(Call.State.NOT_EXECUTED, Call.State.DECIDED);
    }

    @Test
    void itIsNotLeftToTheClientIfWhatWasRememberedIsRevokedMeanwhile() {
        Bench gated = new Bench(builder -> builder.clientTools(EXTERNAL)
                .toolPolicies(ToolPolicy.named("external_search").remember(Duration.ofMinutes(15), Grant.Scope.TOOL)));
        asks(gated);
        gated.resume(gated.pending(0).asApproval().approveAndRemember(Grant.Scope.TOOL));
        gated.run(second("c1"));
        gated.model
                .calls(call("c2", "external_search", ARGUMENTS), call("c3", "sendEmail", Bench.MAIL))
                .says("Sent.");
        gated.say("Search and write");
        gated.agent().revoke(THREAD, gated.agent().grants(THREAD).get(0).id());

        RecordingSink answered = gated.resume(gated.pending(0).asApproval().approve());

        assertThat(left(answered)).isEmpty();
        assertThat(gated.model.lastResult("c2")).contains("needs the approval of a person by now");
        assertThat(gated.tools.effects()).hasSize(1);
    }

    @Test
    void boundsAreNotOfferedForItBecauseNobodyCountsWhatAClientExecutes() {
        Bench gated = new Bench(builder -> builder.clientTools(EXTERNAL)
                .toolPolicies(ToolPolicy.named("external_search")
                        .rememberWithin(Bounds.same("query").count(2), Duration.ofDays(1))));
        asks(gated);

        RecordingSink refused = gated.resume(gated.pending(0).asApproval().approveWithin(Map.of()));

        assertThat(refused.detail()).contains("/remember: the approval of this call cannot be remembered");
    }

    private static void approveFirst(Holdpoint agent, Caller person) {
        PendingInterrupt first = agent.as(person).pending(THREAD).get(0);
        agent.as(person).decide(THREAD, first.asApproval().approve());
    }

    private static UnaryOperator<HoldpointBuilder<Bench.Assistant>> settings(String role) {
        return builder -> builder.clientTools(EXTERNAL)
                .toolPolicies(ToolPolicy.named("external_search"))
                .approvalAuthorizer(ApprovalAuthorizer.role(role));
    }

    @Test
    void aMessageForAToolOfTheServerIsStillNoResult() {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL)).says("Sent.");
        bench.say("Write");

        RecordingSink forged = bench.run(second("c1").withProtocolVersion("1.0"));

        assertThat(forged.interrupts()).hasSize(1);
        assertThat(forged.all(ToolCallEvent.Result.class)).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.transcript()).extracting(Message::role).doesNotContain("tool");
    }

    @Test
    void aClientThatOffersOneOfTheSameNameGetsTheServersCall() {
        bench.model.calls(call("c1", "external_search", ARGUMENTS));
        RunAgentInput input = bench.input(user("u", "Search"))
                .withTools(List.of(new ClientToolSpec("external_search", "Mine", null, null)));

        assertThat(left(bench.run(input))).containsExactly("c1");
        assertThat(bench.model.requests().get(0).toolSpecifications())
                .filteredOn(tool -> tool.name().equals("external_search"))
                .containsExactlyElementsOf(EXTERNAL);
    }

    @Test
    void aPolicyThatDoesNotFitIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> new Bench(builder -> builder.clientTools(EXTERNAL)
                        .toolPolicies(ToolPolicy.named("external_search").message("{{nothing}}"))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("external_search");
    }
}
