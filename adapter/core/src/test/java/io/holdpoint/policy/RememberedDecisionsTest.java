package io.holdpoint.policy;

import static io.holdpoint.store.Grant.Scope.SAME_CALL;
import static io.holdpoint.store.Grant.Scope.TOOL;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An approval may say that calls like it need not be asked about for a while. */
@Logs({"The chat memory of thread t was not kept*"})
class RememberedDecisionsTest {

    static final class Office {

        private final List<String> effects = new ArrayList<>();

        @Tool
        @RequiresApproval(
                remember = {SAME_CALL, TOOL},
                rememberFor = "PT30M")
        public String mail(String to, String text) {
            effects.add("mail " + to + "|" + text);
            return "sent";
        }

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Office office = new Office();
    private final Store store = new InMemoryStore();
    private final VirtualClock clock = new VirtualClock();
    private int calls;

    @AfterEach
    void theTrailTellsAWellFormedStory() {
        TrailRules.check(store, "t");
    }

    private HoldpointBuilder<?> builder(Shape shape) {
        return shape.builder(model).tools(office).store(store).clock(clock);
    }

    private Holdpoint agent() {
        return builder(Shape.BLOCKING).build();
    }

    private RunResult proposes(Holdpoint agent, String tool, String arguments) {
        model.calls(call("c" + ++calls, tool, arguments)).says("Well.");
        return agent.send("t", "go");
    }

    private RunResult mail(Holdpoint agent, String to) {
        return proposes(agent, "mail", "{\"to\":\"" + to + "\",\"text\":\"Hi\"}");
    }

    /** Approves a mail to Ada, and has that remembered. */
    private Holdpoint remembering(Holdpoint agent, Grant.Scope scope) {
        mail(agent, "ada");
        agent.resume("t", agent.pending("t").get(0).asApproval().approveAndRemember(scope));
        assertThat(agent.grants("t")).hasSize(1);
        return agent;
    }

    private static void isAsked(RunResult result) {
        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
    }

    private static void isNotAsked(RunResult result) {
        assertThat(result).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void aRememberedToolIsNotAskedAboutAgain(Shape shape) {
        Holdpoint agent = remembering(builder(shape).build(), TOOL);

        isNotAsked(mail(agent, "bob"));

        assertThat(office.effects).containsExactly("mail ada|Hi", "mail bob|Hi");
    }

    @Test
    void aRememberedCallIsNotAskedAboutAgainAndAnotherOneIs() {
        Holdpoint agent = remembering(agent(), SAME_CALL);

        isNotAsked(proposes(agent, "mail", "{\"text\" : \"Hi\", \"to\":\"ada\"}"));
        isAsked(mail(agent, "bob"));
    }

    /** A policy that remembers nothing asks beside the one that remembers: what it has denied ends the decision too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDenialEndsWhatIsRememberedWhateverPolicyHasAsked(boolean several) {
        ToolPolicy strict = ToolPolicy.named("mail")
                .when(mail -> ApprovalVerdict.requireApprovalIf(
                        mail.argument("to", String.class).equals(Optional.of("eve"))));
        Holdpoint agent = remembering(
                builder(Shape.BLOCKING)
                        .toolPolicies(several ? strict.approvals(Approvals.of(2)) : strict)
                        .approvalAuthorizer(ApprovalAuthorizer.role("staff"))
                        .build()
                        .as(Caller.of("ada", "staff")),
                TOOL);
        isAsked(mail(agent, "eve"));

        agent.resume("t", agent.pending("t").get(0).asApproval().deny("No."));

        assertThat(agent.grants("t")).isEmpty();
        isAsked(mail(agent, "bob"));
    }

    @ParameterizedTest
    @EnumSource(names = {"SAME_CALL", "TOOL"})
    void aDenialInTheSameListStandsAgainstWhatIsRememberedBesideIt(Grant.Scope scope) {
        Holdpoint agent = agent();
        String ada = "{\"to\":\"ada\",\"text\":\"Hi\"}";
        model.calls(call("a1", "mail", ada), call("a2", "mail", scope == TOOL ? ada.replace("ada", "bob") : ada))
                .says("Well.");
        agent.send("t", "go");

        agent.resume(
                "t",
                agent.pending("t").get(0).asApproval().approveAndRemember(scope),
                agent.pending("t").get(1).asApproval().deny("No."));

        assertThat(office.effects).containsExactly("mail ada|Hi");
        assertThat(agent.grants("t")).isEmpty();
        isAsked(mail(agent, scope == TOOL ? "bob" : "ada"));
    }

    @Test
    void anotherToolIsAskedAbout() {
        isAsked(proposes(remembering(agent(), TOOL), "pay", "{\"amount\":1}"));
    }

    @Test
    void anotherThreadIsAskedAbout() {
        Holdpoint agent = remembering(agent(), TOOL);
        model.calls(call("c", "mail", "{\"to\":\"ada\",\"text\":\"Hi\"}"));

        isAsked(agent.send("t2", "go"));
    }

    @Test
    void aPlainApprovalIsNotRemembered() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        isAsked(mail(agent, "ada"));
        assertThat(agent.grants("t")).isEmpty();
    }

    @Test
    void aDenialThatSaysRememberRemembersNothing() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        PendingInterrupt asked = agent.pending("t").get(0);
        agent.resume("t", asked.answer(json("{\"approved\":false,\"remember\":\"tool\",\"rememberMinutes\":-1}")));

        assertThat(agent.grants("t")).isEmpty();
        assertThat(office.effects).isEmpty();
    }

    @Test
    void itEndsAfterTheLongestTimeAndTheQuestionSaysSo() {
        Holdpoint agent = remembering(agent(), TOOL);
        String id = agent.grants("t").get(0).id();
        clock.advance(Duration.ofMinutes(30).minusNanos(1));
        isNotAsked(mail(agent, "bob"));
        clock.advance(Duration.ofNanos(1));

        RunResult.Interrupted held = (RunResult.Interrupted) mail(agent, "cyd");

        assertThat(agent.grants("t")).isEmpty();
        assertThat(held.interrupts()
                        .get(0)
                        .interrupt()
                        .metadata()
                        .path("langchain4j")
                        .path("unusedGrant"))
                .isEqualTo(json("{\"id\":\"" + id + "\",\"why\":\"expired\"}"));
    }

    @Test
    void aQuestionThatIsAskedBecauseADecisionHasExpiredHasItsTimelineTold() {
        Holdpoint agent = remembering(
                builder(Shape.BLOCKING)
                        .toolPolicies(ToolPolicy.named("mail")
                                .remember(Duration.ofMinutes(30), TOOL)
                                .timeline(Timeline.expiresAfter(Duration.ofHours(2))
                                        .remind(Duration.ofHours(1))))
                        .build(),
                TOOL);
        clock.advance(Duration.ofMinutes(30));

        RunResult.Interrupted held = (RunResult.Interrupted) mail(agent, "cyd");

        JsonNode said = held.interrupts().get(0).interrupt().metadata().path("langchain4j");
        assertThat(said.at("/unusedGrant/why").asText()).isEqualTo("expired");
        assertThat(said.path("timeline")).hasSize(2);
        clock.advance(Duration.ofHours(1));
        assertThat(agent.actOnTime()).isEqualTo(1);
    }

    @Test
    void thePersonMayChooseAShorterTime() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        agent.resume("t", agent.pending("t").get(0).asApproval().approveAndRemember(TOOL, 10));
        clock.advance(Duration.ofMinutes(10));

        isAsked(mail(agent, "bob"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"remember\":\"all\"                           ; /remember",
                "\"remember\":\"TOOL\"                          ; /remember",
                "\"remember\":true                              ; /remember",
                "\"remember\":[\"tool\"]                        ; /remember",
                "\"remember\":\"tool\",\"rememberMinutes\":31   ; /rememberMinutes",
                "\"remember\":\"tool\",\"rememberMinutes\":0    ; /rememberMinutes",
                "\"remember\":\"tool\",\"rememberMinutes\":1.5  ; /rememberMinutes",
                "\"remember\":\"tool\",\"rememberMinutes\":\"5\"; /rememberMinutes"
            })
    void whatWasNotOfferedIsRefusedAndTheInterruptStaysOpen(String said, String where) {
        Holdpoint agent = agent();
        mail(agent, "ada");
        PendingInterrupt asked = agent.pending("t").get(0);

        RunResult result = agent.resume("t", asked.answer(json("{\"approved\":true," + said + "}")));

        assertThat(((RunResult.Failed) result).code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(((RunResult.Failed) result).message()).contains(where);
        assertThat(agent.pending("t")).containsExactly(asked);
        assertThat(agent.grants("t")).isEmpty();
        assertThat(office.effects).isEmpty();
    }

    @Test
    void aToolThatDoesNotAllowItDoesNotOfferItAndRefusesIt() {
        Holdpoint agent = agent();
        proposes(agent, "pay", "{\"amount\":1}");
        PendingInterrupt asked = agent.pending("t").get(0);
        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();

        RunResult result = agent.resume("t", asked.asApproval().approveAndRemember(TOOL));

        assertThat(((RunResult.Failed) result).message()).contains("/remember", "leave remember out");
        assertThat(office.effects).isEmpty();
    }

    @Test
    void absentMeansTheSameAsNull() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        PendingInterrupt asked = agent.pending("t").get(0);

        isNotAsked(agent.resume(
                "t", asked.answer(json("{\"approved\":true,\"remember\":null,\"rememberMinutes\":null}"))));
        assertThat(agent.grants("t")).isEmpty();
    }

    @Test
    void anEditedApprovalIsRememberedForWhatWasExecuted() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        PendingInterrupt asked = agent.pending("t").get(0);
        agent.resume(
                "t",
                asked.answer(
                        json(
                                "{\"approved\":true,\"editedArgs\":{\"to\":\"bob\",\"text\":\"Hi\"},\"remember\":\"same_call\"}")));

        isNotAsked(mail(agent, "bob"));
        isAsked(mail(agent, "ada"));
        assertThat(office.effects).containsExactly("mail bob|Hi", "mail bob|Hi");
    }

    @Test
    void theSameAnswerAgainRemembersNothingTwiceAndNothingThatWasRevoked() {
        Holdpoint agent = agent();
        mail(agent, "ada");
        var answer = agent.pending("t").get(0).asApproval().approveAndRemember(TOOL);
        agent.resume("t", answer);
        Grant given = agent.grants("t").get(0);

        agent.resume("t", answer);
        assertThat(agent.grants("t")).containsExactly(given);
        agent.revoke("t", given.id());
        agent.resume("t", answer);

        assertThat(agent.grants("t")).isEmpty();
        isAsked(mail(agent, "bob"));
    }

    @Test
    void aConditionThatDeniesIsAskedFirst() {
        Holdpoint agent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("mail")
                        .when(proposed ->
                                proposed.argument("to", String.class).orElse("").equals("eve")
                                        ? ApprovalVerdict.deny("not to her")
                                        : ApprovalVerdict.allow()))
                .build();
        remembering(agent, TOOL);

        isNotAsked(mail(agent, "eve"));

        assertThat(office.effects).containsExactly("mail ada|Hi");
        assertThat(model.lastResult("c2")).contains("was not executed", "not to her");
    }

    @Test
    void ofSeveralThatAskAllMustAllowIt() {
        Holdpoint agent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("mail")
                        .when(proposed -> ApprovalVerdict.requireApprovalIf(
                                proposed.argument("to", String.class).orElse("").equals("all"))))
                .build();
        remembering(agent, TOOL);

        isNotAsked(mail(agent, "bob"));
        RunResult.Interrupted held = (RunResult.Interrupted) mail(agent, "all");

        assertThat(held.interrupts()
                        .get(0)
                        .interrupt()
                        .responseSchema()
                        .path("properties")
                        .has("remember"))
                .isFalse();
    }

    @Test
    void theShorterTimeAndTheCommonScopesCount() {
        Holdpoint agent = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("mail").remember(Duration.ofMinutes(5), SAME_CALL))
                .build();
        mail(agent, "ada");
        var offered = agent.pending("t").get(0).interrupt().responseSchema().path("properties");

        assertThat(offered.path("remember").path("enum")).isEqualTo(json("[\"same_call\"]"));
        assertThat(offered.path("rememberMinutes").path("maximum").asInt()).isEqualTo(5);
    }

    @Test
    void aPolicyThatCameLaterCutsShortWhatWasRemembered() {
        remembering(agent(), TOOL);
        clock.advance(Duration.ofMinutes(5));
        Holdpoint stricter = builder(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("mail").remember(Duration.ofMinutes(5), TOOL))
                .build();

        isAsked(mail(stricter, "bob"));
    }

    static final class ChangedOffice {

        @Tool
        @RequiresApproval(remember = TOOL)
        public String mail(String to, String text, @P(value = "urgent", required = false) Boolean urgent) {
            throw new AssertionError("nobody approved this tool");
        }
    }

    @Test
    void aToolThatHasChangedIsAskedAboutAgain() {
        remembering(agent(), TOOL);
        Holdpoint later = Shape.BLOCKING
                .builder(model)
                .tools(new ChangedOffice())
                .store(store)
                .clock(clock)
                .build();

        RunResult.Interrupted held = (RunResult.Interrupted) mail(later, "bob");

        assertThat(held.interrupts().get(0).interrupt().metadata().toString()).contains("tool_changed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMarkThatComesLaterEndsIt(boolean destructive) {
        remembering(agent(), TOOL);
        ToolPolicy policy = ToolPolicy.named("mail");
        Holdpoint later = builder(Shape.BLOCKING)
                .toolPolicies(destructive ? policy.reversibility(Reversibility.IRREVERSIBLE) : policy)
                .build();

        isAsked(mail(later, "bob"));
    }

    @Test
    void aRememberedDecisionIsRevokedAtOnceAndOnlyOnce() {
        Holdpoint agent = remembering(agent(), TOOL);
        String id = agent.grants("t").get(0).id();

        assertThat(agent.revoke("t", "grant_unknown")).isFalse();
        assertThat(agent.revoke("t2", id)).isFalse();
        assertThat(agent.revoke("t", id)).isTrue();
        assertThat(agent.revoke("t", id)).isFalse();

        assertThat(agent.grants("t")).isEmpty();
        isAsked(mail(agent, "bob"));
    }

    @ParameterizedTest
    @CsvSource({"revoked", "expired"})
    void aCallThatWasLetThroughAndWaitedForAnotherOneIsLookedAtAgain(String end) {
        Holdpoint agent = remembering(agent(), TOOL);
        model.calls(call("x1", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"), call("x2", "pay", "{\"amount\":1}"))
                .says("Well.");
        isAsked(agent.send("t", "go"));
        assertThat(agent.pending("t")).hasSize(1);
        if (end.equals("revoked")) {
            agent.revoke("t", agent.grants("t").get(0).id());
        } else {
            clock.advance(Duration.ofMinutes(30));
        }

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(office.effects).containsExactly("mail ada|Hi", "pay 1");
        assertThat(model.lastResult("x1")).contains("was not executed", "nobody was asked");
    }

    @Test
    void aCallThatWasLetThroughByOneDecisionDoesNotRunByAnother() {
        Holdpoint agent = agent();
        model.calls(
                        call("m1", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"),
                        call("m2", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"))
                .says("Well.");
        agent.send("t", "go");
        agent.resume(
                "t",
                agent.pending("t").get(0).asApproval().approveAndRemember(SAME_CALL),
                agent.pending("t").get(1).asApproval().approveAndRemember(TOOL));
        model.calls(call("x1", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"), call("x2", "pay", "{\"amount\":1}"))
                .says("Well.");
        agent.send("t", "go");
        Batch held = store.find("t").orElseThrow().batch().orElseThrow();
        agent.revoke("t", String.valueOf(held.call("x1").orElseThrow().grantId()));
        assertThat(agent.grants("t")).hasSize(1);

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(office.effects).containsExactly("mail bob|Hi", "mail bob|Hi", "pay 1");
        assertThat(model.lastResult("x1")).contains("was not executed", "nobody was asked");
    }

    @Test
    void aCallThatWasLetThroughAndWaitedRunsIfTheDecisionStillStands() {
        Holdpoint agent = remembering(agent(), TOOL);
        model.calls(call("x1", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"), call("x2", "pay", "{\"amount\":1}"))
                .says("Well.");
        isAsked(agent.send("t", "go"));

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(office.effects).containsExactly("mail ada|Hi", "mail bob|Hi", "pay 1");
    }

    @Test
    void aDecisionThatIsRevokedWhileTheBatchRunsLetsNothingMoreThrough() {
        Holdpoint agent = remembering(agent(), TOOL);
        String id = agent.grants("t").get(0).id();
        model.calls(
                        call("x1", "mail", "{\"to\":\"bob\",\"text\":\"Hi\"}"),
                        call("x2", "mail", "{\"to\":\"cyd\",\"text\":\"Hi\"}"))
                .says("Well.");
        Holdpoint busy = builder(Shape.BLOCKING)
                .observers(RunObserver.ofTrail(event -> {
                    if (event.kind() == AuditEvent.Kind.CLAIMED) {
                        agent.revoke("t", id);
                    }
                }))
                .build();

        isNotAsked(busy.send("t", "go"));

        assertThat(office.effects).containsExactly("mail ada|Hi", "mail bob|Hi");
        assertThat(model.lastResult("x2")).contains("was not executed");
    }

    @Test
    void aThreadRemembersOnlySoMuch() {
        Holdpoint agent = agent();
        for (int i = 0; i < Grant.MAX_PER_THREAD; i++) {
            mail(agent, "nr" + i);
            agent.resume("t", agent.pending("t").get(0).asApproval().approveAndRemember(SAME_CALL));
        }
        mail(agent, "ada");
        PendingInterrupt asked = agent.pending("t").get(0);

        RunResult tooMany = agent.resume("t", asked.asApproval().approveAndRemember(SAME_CALL));
        assertThat(((RunResult.Failed) tooMany).code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(agent.pending("t")).containsExactly(asked);

        clock.advance(Duration.ofMinutes(30));
        isNotAsked(agent.resume("t", asked.asApproval().approveAndRemember(SAME_CALL)));
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
