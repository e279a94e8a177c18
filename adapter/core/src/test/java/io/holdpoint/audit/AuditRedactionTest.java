package io.holdpoint.audit;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a redactor takes out of arguments is nowhere in the audit trail, and nothing gets around it. */
@Logs({
    "The redactor failed",
    "Tool '*' execution failed",
    "A call of the tool * was refused to the model because of its arguments"
})
class AuditRedactionTest {

    private static final String SECRET = "4111-1111";
    private static final String MAIL = "{\"to\":\"ada\",\"subject\":\"Hi\",\"body\":\"" + SECRET + "\"}";

    private final List<AuditEvent> heard = new ArrayList<>();

    private Bench bench(ArgumentRedactor redactor) {
        return new Bench(builder -> builder.argumentRedactor(redactor)
                .observers(RunObserver.ofTrail(heard::add))
                .aiService(service -> service.hallucinatedToolNameStrategy(
                        request -> ToolExecutionResultMessage.from(request, "no tool for " + request.arguments()))));
    }

    private static JsonNode withoutBody(String toolName, ObjectNode arguments) {
        return arguments.has("body") ? arguments.put("body", "***") : arguments;
    }

    private static List<AuditEvent> trail(Bench bench) {
        return bench.agent().auditTrail(THREAD, 0, 100);
    }

    private static JsonNode detail(Bench bench, Kind kind) {
        return trail(bench).stream()
                .filter(event -> event.kind() == kind)
                .findFirst()
                .orElseThrow()
                .detail();
    }

    private void noSecret(Bench bench) {
        assertThat(trail(bench).toString()).doesNotContain(SECRET);
        assertThat(heard).isEqualTo(trail(bench));
    }

    @Test
    void proposedEditedAndExecutedArgumentsAreRedacted() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");

        bench.resume(
                bench.pending(0).asApproval().approveWith(Map.of("to", "bob", "subject", "Hi", "body", SECRET + "!")));

        noSecret(bench);
        assertThat(detail(bench, Kind.PROPOSED).path("arguments").path("body").asText())
                .isEqualTo("***");
        assertThat(detail(bench, Kind.PROPOSED).path("arguments").path("to").asText())
                .isEqualTo("ada");
        assertThat(detail(bench, Kind.DECIDED).at("/payload/editedArgs/body").asText())
                .isEqualTo("***");
        assertThat(detail(bench, Kind.CLAIMED).at("/arguments/body").asText()).isEqualTo("***");
        assertThat(bench.tools.effects()).containsExactly("sendEmail bob|Hi|" + SECRET + "!");
        assertThat(bench.memory().toString()).contains(SECRET);
    }

    /** Tools that a person is asked about while they run, in whose place a person answers, and that fail. */
    public static final class Cashier {

        @Tool
        public String charge(String body, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.inputRequired("PIN?", JsonNodeFactory.instance.objectNode()));
            }
            throw new IllegalStateException("card " + body + " was refused");
        }

        @Tool
        public String relay(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.inputRequired("Which card?", JsonNodeFactory.instance.objectNode())
                    .answerIsResult());
        }

        @Tool
        @RequiresApproval(respond = true)
        public String card() {
            return "none";
        }
    }

    private Bench cashier() {
        return new Bench(builder -> builder.argumentRedactor(AuditRedactionTest::withoutBody)
                .tools(new Cashier())
                .toolPolicies(ToolPolicy.named("charge").withoutApproval().askOnFailure())
                .toolPolicies(ToolPolicy.named("charge")
                        .when(call -> call.arguments().path("body").asText().endsWith("!")
                                ? ApprovalVerdict.deny("not " + call.arguments().path("body"))
                                : ApprovalVerdict.allow()))
                .observers(RunObserver.ofTrail(heard::add)));
    }

    private Bench refused() {
        Bench bench = cashier();
        bench.model.calls(call("c", "charge", "{\"body\":\"" + SECRET + "\"}")).says("Oh.");
        bench.say("Charge it");
        bench.resume(bench.pending(0).asInput().answer(SECRET));
        assertThat(bench.pending(0).interrupt().metadata().toString()).contains(SECRET);
        return bench;
    }

    @Test
    void whatAToolIsToldIsNotKeptNorTheErrorThatSomebodyGaveUpOn() {
        Bench bench = refused();

        bench.resume(bench.pending(0).asFailure().giveUp("no"));

        noSecret(bench);
        assertThat(detail(bench, Kind.DECIDED).path("payloadWithheld").asText()).contains("tool");
        assertThat(detail(bench, Kind.FAILED)).isEmpty();
        assertThat(bench.model.lastResult("c")).contains(SECRET);
    }

    @ParameterizedTest
    @CsvSource({"charge, '{\"body\":\"x\"}'", "relay, {}"})
    void whatAToolIsToldInPlaceOfAnAnswerIsNotKeptEither(String tool, String arguments) {
        Bench bench = cashier();
        bench.model.calls(call("c", tool, arguments)).says("Oh.");
        bench.say("Charge it");

        bench.resume(bench.pending(0).asInput().answer(Map.of("approved", false, "reason", "not " + SECRET)));

        noSecret(bench);
        assertThat(detail(bench, Kind.DECIDED).has("payloadWithheld")).isTrue();
        assertThat(bench.model.lastResult("c")).contains("not " + SECRET);
    }

    @Test
    void editsOfWhatIsTriedAgainAreRedactedAndWhyTheyAreDeniedIsNotKept() {
        Bench bench = refused();

        bench.resume(bench.pending(0).asFailure().retryWith(Map.of("body", SECRET + "!")));

        noSecret(bench);
        assertThat(trail(bench).stream()
                        .filter(event -> event.kind() == Kind.DECIDED)
                        .map(event ->
                                event.detail().at("/payload/editedArgs/body").asText()))
                .contains("***");
        assertThat(bench.model.lastResult("c")).contains(SECRET + "!");
    }

    @Test
    void anAnswerThatIsTheResultIsNotKept() {
        Bench bench = cashier();
        bench.model.calls(call("r", "relay", "{}")).says("Thanks.");
        bench.say("Ask me");

        bench.resume(bench.pending(0).asInput().answer(SECRET));

        noSecret(bench);
        assertThat(bench.model.lastResult("r")).isEqualTo(SECRET);
    }

    @Test
    void whatAPersonSaysInPlaceOfAToolIsNotKept() {
        Bench bench = cashier();
        bench.model.calls(call("r", "card", "{}")).says("Thanks.");
        bench.say("Which card?");

        bench.resume(bench.pending(0).asApproval().respond(SECRET));

        noSecret(bench);
        assertThat(detail(bench, Kind.DECIDED).at("/payload/responseWithheld").asText())
                .contains("result");
        assertThat(bench.model.lastResult("r")).contains(SECRET);
    }

    @Test
    void aRedactorThatThrowsLeavesNothingOfTheArguments() {
        Bench bench = bench((tool, arguments) -> {
            throw new StackOverflowError("redactor");
        });
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");

        bench.resume(bench.pending(0).asApproval().approveWith(Map.of("to", "bob", "subject", "Hi", "body", SECRET)));

        noSecret(bench);
        assertThat(trail(bench).toString()).doesNotContain("\"ada\"").doesNotContain("\"bob\"");
        assertThat(detail(bench, Kind.PROPOSED).path("argumentsWithheld").asText())
                .isEqualTo("the redactor failed");
        assertThat(detail(bench, Kind.DECIDED).at("/payload/editedArgsWithheld").asText())
                .isEqualTo("the redactor failed");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway")
    void aRedactorThatGivesNothingLeavesNothing() {
        Bench bench = bench((tool, arguments) -> null);
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");

        bench.say("Write to Ada");

        noSecret(bench);
        assertThat(detail(bench, Kind.PROPOSED).has("argumentsWithheld")).isTrue();
    }

    @Test
    void aRedactorMayGiveAnyJson() {
        Bench bench = bench((tool, arguments) -> TextNode.valueOf("secret of " + tool));
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");

        bench.say("Write to Ada");

        assertThat(detail(bench, Kind.PROPOSED).path("arguments").textValue()).isEqualTo("secret of sendEmail");
    }

    @Test
    void argumentsThatAreNoObjectDoNotLeak() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model
                .calls(call("m", "sendEmail", "{\"body\":" + SECRET + "}"), call("n", "sendEmail", MAIL + SECRET))
                .says("Oh.");

        bench.say("Write to Ada");

        noSecret(bench);
        assertThat(trail(bench)).hasSize(4);
        assertThat(detail(bench, Kind.PROPOSED).path("argumentsWithheld").asText())
                .isEqualTo("they are not one JSON object");
    }

    @Test
    void argumentsForAToolThatDoesNotExistAreRedacted() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model.calls(call("n", "noSuchTool", MAIL)).says("Oh.");

        bench.say("Write to Ada");

        noSecret(bench);
        assertThat(trail(bench)).extracting(AuditEvent::kind).containsExactly(Kind.PROPOSED, Kind.NOT_EXECUTED);
    }

    @Test
    void anErrorThatQuotesArgumentsDoesNotLeak() {
        Bench bench = bench((tool, arguments) -> arguments.removeAll());
        bench.model.calls(call("x", "explode", "{\"why\":\"" + SECRET + "\"}")).says("Oh.");
        bench.say("Explode");

        bench.resume(bench.pending(0).asApproval().approve());

        noSecret(bench);
        assertThat(detail(bench, Kind.FAILED)).isEmpty();
    }

    @Test
    void whyACallWasDeclinedIsKept() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");

        bench.resume(bench.pending(0).asApproval().deny("no"));

        assertThat(detail(bench, Kind.NOT_EXECUTED).path("error").asText()).contains("declined");
    }

    @Test
    void editsThatDoNotCountAreKeptAsRedactedAsThoseThatDo() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");
        ObjectNode payload = (ObjectNode) bench.pending(0)
                .asApproval()
                .approveWith(Map.of("to", "bob", "body", SECRET))
                .payload();

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), payload.put("approved", false)));

        noSecret(bench);
        JsonNode kept = detail(bench, Kind.DECIDED).at("/payload/editedArgs");
        assertThat(kept.path("to").asText()).isEqualTo("bob");
        assertThat(kept.path("body").asText()).isEqualTo("***");
    }

    @Test
    void editsThatAreNoArgumentsAtAllAreNotKept() {
        Bench bench = bench(AuditRedactionTest::withoutBody);
        bench.model.calls(call("m", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");
        ObjectNode denial = (ObjectNode) bench.pending(0).asApproval().deny().payload();

        bench.resume(ResumeEntry.resolved(bench.pending(0).id(), denial.put("editedArgs", SECRET)));

        noSecret(bench);
        assertThat(detail(bench, Kind.DECIDED).at("/payload/editedArgsWithheld").asText())
                .contains("not one JSON object");
    }
}
