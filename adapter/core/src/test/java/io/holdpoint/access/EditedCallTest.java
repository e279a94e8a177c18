package io.holdpoint.access;

import static io.holdpoint.store.Grant.Scope.SAME_CALL;
import static io.holdpoint.store.Grant.Scope.TOOL;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TrailRules;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With four eyes, whoever edits a call proposes another one: two people have seen the arguments with which it runs. */
class EditedCallTest {

    private static final ApprovalAuthorizer FOUR_EYES =
            ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("approver"));
    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HEIDI = Caller.of("heidi", "approver");
    private static final Caller EVE = Caller.of("eve");
    private static final Map<String, Object> TO_GRACE = Map.of("amount", 9999, "to", "Grace");

    private final List<String> effects = new ArrayList<>();
    private boolean broken;

    /** A tool whose question has everything that is made of the arguments. */
    public final class Bank {

        @Tool
        @RequiresApproval(
                message = "Pay {{amount}} to {{to}}?",
                remember = {SAME_CALL, TOOL},
                expiresAfter = "PT1H")
        public String pay(BigDecimal amount, String to) {
            effects.add("pay " + amount + " " + to);
            if (broken) {
                throw new IllegalStateException("out of money");
            }
            return "paid";
        }

        @Tool
        public String lend(BigDecimal amount, String to) {
            effects.add("lend " + amount + " " + to);
            return "lent";
        }
    }

    /** Shows something that is made of the arguments. */
    private record Rest() implements Rule {

        @Override
        public String name() {
            return "rest";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Say.remark(JsonNodeFactory.instance
                    .objectNode()
                    .put("left", 10_000 - call.arguments().path("amount").asInt()));
        }
    }

    private final Bench bench = new Bench();
    private Holdpoint agent = agent(bench.store, FOUR_EYES);

    private Holdpoint agent(Store store, ApprovalAuthorizer authorizer) {
        return bench.another(builder -> builder.store(store)
                .tools(new Bank())
                .approvalAuthorizer(authorizer)
                .toolPolicies(ToolPolicy.named("pay")
                        .rules(new Rest())
                        .remember(Duration.ofMinutes(15), SAME_CALL, TOOL)
                        .askOnFailure()));
    }

    @BeforeEach
    void holds() {
        bench.model.calls(call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}"));
    }

    private Approval asked(Caller caller) {
        List<PendingInterrupt> pending = agent.as(caller).pending(THREAD);
        assertThat(pending).hasSize(1);
        return pending.get(0).asApproval();
    }

    private RunResult resume(Caller caller, ResumeEntry answer) {
        return agent.as(caller).resume(THREAD, answer);
    }

    private Approval editedBy(Caller caller, Map<String, Object> arguments) {
        RunResult result = resume(caller, asked(caller).approveWith(arguments));
        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(result.interrupts()).hasSize(1);
        return result.interrupts().get(0).asApproval();
    }

    private void forbidden(Caller caller, ResumeEntry answer) {
        assertThat(resume(caller, answer).failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN);
    }

    private List<AuditEvent> trail() {
        TrailRules.check(bench.store, THREAD);
        return bench.store.auditTrail(THREAD, 0, 1_000);
    }

    /** A client that reads numbers as JavaScript does sends all arguments back with an approval. */
    @Test
    void theSameNumberInOtherDigitsIsNoEditAndLeavesVotesAlone() {
        Holdpoint two = bench.another(builder -> builder.tools(new Bank())
                .approvalAuthorizer(FOUR_EYES)
                .toolPolicies(ToolPolicy.named("lend").approvals(Approvals.of(2))));
        two.as(ADA).send(THREAD, "Pay");
        bench.model
                .calls(call("c1", "lend", "{\"amount\":20.0,\"to\":\"Bob\"}"))
                .says("Done.");
        Approval asked = two.as(ADA).send("u", "Lend").approval();

        two.as(GRACE).decide("u", asked.approve());
        two.as(HEIDI).decide("u", asked.approveWith(Map.of("amount", 20, "to", "Bob")));

        assertThat(effects).containsExactly("lend 20.0 Bob");
    }

    @Test
    void anEditDoesNotRunButIsAskedAboutWithTheEditedArguments() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        Approval first = asked(GRACE);

        Approval second = editedBy(GRACE, TO_GRACE);

        assertThat(effects).isEmpty();
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(second.interrupt().toolCallId()).isEqualTo("c1");
        assertThat(second.message())
                .isEqualTo(
                        "grace has edited this call (amount: 500 → 9999; to: \"Bob\" → \"Grace\"). Pay 9999 to \"Grace\"?");
        assertThat(second.arguments().toString()).isEqualTo("{\"amount\":9999,\"to\":\"Grace\"}");
        assertThat(second.interrupt().metadata().at("/langchain4j/rest/left").asInt())
                .isEqualTo(1);
        assertThat(second.editedBy()).contains("grace");
        assertThat(second.interrupt().responseSchema())
                .isEqualTo(first.interrupt().responseSchema());
        assertThat(first.editedBy()).isEmpty();
        JsonNode before = second.interrupt().metadata().at("/langchain4j/editedFrom");
        assertThat(before.path("args")).isEqualTo(first.interrupt().metadata().at("/langchain4j/args"));
        assertThat(before.path("argsSha256"))
                .isEqualTo(first.interrupt().metadata().at("/langchain4j/argsSha256"));
        assertThat(before.path("at").asText()).isEqualTo(bench.clock.instant().toString());
        assertThat(before.has("approvals")).isFalse();
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void whoEditedCannotApproveItAndTheOwnerCan() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        forbidden(ADA, asked(ADA).approve());
        Approval edited = editedBy(GRACE, TO_GRACE);
        forbidden(GRACE, edited.approve());
        forbidden(GRACE, edited.approveWith(TO_GRACE));
        assertThat(resume(EVE, edited.approve()).failure().orElseThrow().code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
        assertThat(effects).isEmpty();
        bench.model.says("Paid.");

        assertThat(resume(ADA, edited.approve())).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).containsExactly("pay 9999 Grace");
        assertThat(bench.model.lastResult("c1")).contains("a person edited the arguments", "9999");
    }

    @Test
    void whoEditedCanTakeItBack() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        Approval edited = editedBy(GRACE, TO_GRACE);
        bench.model.says("As you like.");

        assertThat(resume(GRACE, edited.deny("a mistake")).text()).isEqualTo("As you like.");

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("a mistake");
    }

    /** A page may send its whole form, whatever its person chose. */
    @Test
    void aCancelledQuestionIsNoEditWhateverItsAnswerBrings() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        Approval asked = asked(GRACE);
        ResumeEntry form = asked.approveWith(TO_GRACE);
        ResumeEntry cancelled =
                new ResumeEntry(asked.id(), ResumeEntry.Status.CANCELLED, form.payload(), form.metadata());
        bench.model.says("Cancelled.");

        assertThat(resume(GRACE, cancelled).text()).isEqualTo("Cancelled.");

        assertThat(agent.as(GRACE).pending(THREAD)).isEmpty();
        assertThat(effects).isEmpty();
    }

    @Test
    void anotherApproverCanAndTheTrailTellsItAll() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        Approval edited = editedBy(GRACE, TO_GRACE);
        bench.model.says("Paid.");

        resume(HEIDI, edited.approve("fine"));

        assertThat(effects).containsExactly("pay 9999 Grace");
        assertThat(trail())
                .extracting(AuditEvent::kind)
                .containsSubsequence(
                        Kind.PROPOSED, Kind.HELD, Kind.DECIDED, Kind.HELD, Kind.DECIDED, Kind.CLAIMED, Kind.EXECUTED);
        List<AuditEvent> decided =
                trail().stream().filter(event -> event.kind() == Kind.DECIDED).toList();
        assertThat(decided).extracting(AuditEvent::caller).containsExactly("grace", "heidi");
        assertThat(decided.get(0).detail().at("/payload/editedArgs/amount").asInt())
                .isEqualTo(9999);
        AuditEvent asked = trail().stream()
                .filter(event -> event.interruptId().filter(edited.id()::equals).isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(asked.kind()).isEqualTo(Kind.HELD);
        assertThat(asked.detail().path("editedBy").asText()).isEqualTo("grace");
        assertThat(asked.detail().at("/arguments/amount").asInt()).isEqualTo(9999);
        assertThat(asked.detail().path("argumentsSha256").asText())
                .isEqualTo(edited.interrupt()
                        .metadata()
                        .at("/langchain4j/argsSha256")
                        .asText());
    }

    @Test
    void aSecondEditBeginsAgain() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        editedBy(GRACE, TO_GRACE);

        Approval third = editedBy(HEIDI, Map.of("amount", 5, "to", "Heidi"));

        assertThat(third.interrupt()
                        .metadata()
                        .at("/langchain4j/editedFrom/args/amount")
                        .asInt())
                .isEqualTo(9999);

        forbidden(HEIDI, third.approve());
        Approval fourth = editedBy(ADA, Map.of("amount", 6, "to", "Ada"));
        forbidden(ADA, fourth.approve());
        assertThat(effects).isEmpty();
        bench.model.says("Paid.");
        resume(GRACE, fourth.approve());
        assertThat(effects).containsExactly("pay 6 Ada");
        trail();
    }

    @Test
    void anEditThatChangesNothingRuns() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        bench.model.says("Paid.");

        assertThat(resume(GRACE, asked(GRACE).approveWith(Map.of("to", "Bob", "amount", 500))))
                .isInstanceOf(RunResult.Completed.class);

        assertThat(effects).containsExactly("pay 500 Bob");
    }

    @Test
    void theSameAnswerAgainShowsTheNewQuestionAndChangesNothing() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        ResumeEntry edit = asked(GRACE).approveWith(TO_GRACE);
        RunResult first = resume(GRACE, edit);
        var before = bench.everything();

        RunResult again = resume(GRACE, edit);

        assertThat(again).isEqualTo(first);
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(resume(
                                HEIDI,
                                ResumeEntry.resolved(
                                        edit.interruptId(),
                                        asked(HEIDI).approve().payload()))
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("is settled: answered by grace");
    }

    @Test
    void anApprovalThatBecameAQuestionIsNotRemembered() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        ObjectNode payload = (ObjectNode) asked(GRACE).approveWith(TO_GRACE).payload();
        RunResult result = resume(GRACE, ResumeEntry.resolved(asked(GRACE).id(), payload.put("remember", "tool")));
        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(agent.as(ADA).grants(THREAD)).isEmpty();
        bench.model.says("Paid.");

        resume(HEIDI, asked(HEIDI).approveAndRemember(TOOL));

        assertThat(agent.as(ADA).grants(THREAD)).extracting(Grant::grantedBy).containsExactly("heidi");
    }

    @Test
    void whatIsRememberedOfAnEditIsTheEditedCallAndNotTheOneThatTheModelProposed() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        editedBy(GRACE, TO_GRACE);
        bench.model.calls(
                call("c2", "pay", "{\"amount\":9999,\"to\":\"Grace\"}"),
                call("c3", "pay", "{\"amount\":500,\"to\":\"Bob\"}"));

        resume(HEIDI, asked(HEIDI).approveAndRemember(SAME_CALL));

        assertThat(effects).containsExactly("pay 9999 Grace");
        assertThat(asked(HEIDI).interrupt().toolCallId()).isEqualTo("c3");
        bench.model.says("Paid.");
        resume(HEIDI, asked(HEIDI).deny());
        assertThat(effects).containsExactly("pay 9999 Grace", "pay 9999 Grace");
    }

    @Test
    void aDenialEndsWhatIsRememberedOfTheArgumentsThatWereDenied() {
        bench.model.says("Paid.").calls(call("c2", "pay", "{\"amount\":9999,\"to\":\"Grace\"}"));
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        resume(GRACE, asked(GRACE).approveAndRemember(SAME_CALL));
        bench.model.says("Well.");
        agent.as(ADA).send(THREAD, "Pay Grace");
        resume(HEIDI, asked(HEIDI).approveWith(Map.of("amount", 500, "to", "Bob")));

        resume(GRACE, asked(GRACE).deny("No more."));

        assertThat(agent.as(ADA).grants(THREAD)).isEmpty();
        bench.model.calls(call("c3", "pay", "{\"amount\":500,\"to\":\"Bob\"}"));
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        assertThat(asked(GRACE).interrupt().toolCallId()).isEqualTo("c3");
        assertThat(effects).containsExactly("pay 500 Bob");
    }

    @Test
    void theTimeToAnswerBeginsAnew() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        bench.clock.advance(Duration.ofMinutes(50));
        Approval edited = editedBy(GRACE, TO_GRACE);
        bench.clock.advance(Duration.ofMinutes(59));
        bench.model.says("Paid.");

        assertThat(resume(ADA, edited.approve())).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deny", "cancel"})
    void otherCallsThatWereDecidedRunWhenTheEditIsSettled(String how) {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        bench.model.says("Fine.");
        resume(ADA, asked(ADA).cancel());
        bench.model.calls(
                call("c2", "pay", "{\"amount\":1,\"to\":\"Ada\"}"),
                call("c3", "pay", "{\"amount\":2,\"to\":\"Bob\"}"),
                call("c4", "searchContacts", "{\"query\":\"Bob\"}"));
        agent.as(ADA).send(THREAD, "Pay both");
        List<PendingInterrupt> open = agent.as(GRACE).pending(THREAD);
        agent.as(GRACE)
                .resume(
                        THREAD,
                        open.get(0).asApproval().approve(),
                        open.get(1).asApproval().approveWith(TO_GRACE));
        assertThat(effects).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        bench.model.says("Well.");

        resume(
                HEIDI,
                how.equals("cancel") ? asked(HEIDI).cancel() : asked(HEIDI).deny());

        assertThat(effects).containsExactly("pay 1 Ada");
        assertThat(bench.tools.effects()).containsExactly("searchContacts Bob");
        assertThat(bench.model.lastResult("c3")).contains("was not executed");
        trail();
    }

    @Test
    @Logs("Tool 'pay' execution failed")
    void aFailedCallIsNotTriedAgainWithEditsThatOnePersonHasSeen() {
        broken = true;
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        resume(GRACE, asked(GRACE).approve());
        PendingInterrupt failed = agent.as(GRACE).pending(THREAD).get(0);
        broken = false;

        PendingInterrupt edited = resume(GRACE, failed.asFailure().retryWith(TO_GRACE))
                .interrupts()
                .get(0);

        assertThat(effects).containsExactly("pay 500 Bob");
        assertThat(edited.asFailure().error()).contains("out of money");
        assertThat(edited.message()).startsWith("grace has edited this call (");
        assertThat(edited.arguments().path("amount").asInt()).isEqualTo(9999);
        forbidden(GRACE, edited.asFailure().retry());
        bench.model.says("Paid.");
        resume(ADA, edited.asFailure().retry());
        assertThat(effects).containsExactly("pay 500 Bob", "pay 9999 Grace");
        trail();
    }

    @Test
    void aMessageThatCameWithTheEditWaitsForItsSettlement() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        agent = agent(bench.store, request -> {
            request.askAboutEdits();
            return true;
        });
        RunAgentInput input = bench.answers(asked(ADA).approveWith(TO_GRACE))
                .withMessages(List.of(Bench.user("And then?", "And then?")));
        RecordingSink sink = new RecordingSink();

        agent.as(ADA).run(input, sink).join();

        assertThat(sink.interrupts()).hasSize(1);
        assertThat(bench.transcript()).extracting("id").doesNotContain("And then?");
        forbidden(ADA, asked(ADA).approve());
        assertThat(effects).isEmpty();
    }

    @Test
    void aClientFromBefore10GetsTheNewQuestionWithItsCallStreamed() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        RecordingSink sink = new RecordingSink();

        agent.as(GRACE)
                .run(bench.answers(asked(GRACE).approveWith(TO_GRACE)).withProtocolVersion(null), sink)
                .join();

        assertThat(sink.all(ToolCallEvent.Start.class)).hasSize(1);
        assertThat(sink.interrupts()
                        .get(0)
                        .metadata()
                        .at("/langchain4j/editedBy")
                        .asText())
                .isEqualTo("grace");
    }

    /** An application with two kinds of tools has to. */
    @Test
    void whoeverDelegatesToFourEyesLosesNothingOfThem() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        agent = agent(bench.store, new ApprovalAuthorizer() {
            @Override
            public boolean mayDecide(Request request) {
                return (request.toolName().equals("pay") ? FOUR_EYES : OWNER).mayDecide(request);
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return FOUR_EYES.mayAccess(caller, threadId, ownerId);
            }
        });

        assertThat(editedBy(GRACE, TO_GRACE).editedBy()).contains("grace");
        forbidden(GRACE, asked(GRACE).approve());

        assertThat(effects).isEmpty();
    }

    @Test
    void withoutFourEyesAnEditRunsAndWithEitherOfTwoAuthorizersTheMoreGenerousCounts() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        agent = agent(bench.store, ApprovalAuthorizer.anyOf(FOUR_EYES, request -> request.caller()
                .id()
                .equals("heidi")));
        assertThat(editedBy(GRACE, TO_GRACE).editedBy()).contains("grace");
        bench.model.says("Paid.");

        resume(HEIDI, asked(GRACE).approveWith(Map.of("amount", 7, "to", "Heidi")));

        assertThat(effects).containsExactly("pay 7 Heidi");
    }

    @Test
    @Logs("The authorizer failed for grace: its edits are asked about")
    void anAuthorizerThatFailsHasNotSaidThatAnEditMayRun() {
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        agent = agent(bench.store, new ApprovalAuthorizer() {
            private boolean isDown;

            @Override
            public boolean mayDecide(Request request) {
                if (isDown) {
                    throw new IllegalStateException("directory is down");
                }
                isDown =
                        request.approves() && request.arguments().path("amount").asInt() == 9999;
                return true;
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return true;
            }
        });

        editedBy(GRACE, TO_GRACE);

        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverIsAnsweredTwoPeopleHaveAskedForOrApprovedWhatRuns(int seed) {
        Random random = new Random(seed);
        List<Caller> people = List.of(ADA, GRACE, HEIDI, EVE);
        agent.as(ADA).send(THREAD, "Pay Bob 500");
        Map<String, Set<String>> said = new HashMap<>();
        said.computeIfAbsent("pay 500 Bob", none -> new HashSet<>()).add("ada");
        bench.model.says("Well.");
        for (int i = 0; i < 40 && !agent.as(ADA).pending(THREAD).isEmpty(); i++) {
            Caller caller = people.get(random.nextInt(people.size()));
            Approval question = asked(ADA);
            ObjectNode arguments = question.arguments();
            boolean edits = random.nextInt(4) > 0;
            if (edits) {
                arguments.put("amount", 500 + random.nextInt(2));
            }
            ResumeEntry answer = random.nextInt(12) == 0
                    ? question.deny()
                    : edits ? question.approveWith(arguments) : question.approve();

            RunResult result = resume(caller, answer);

            if (result.failure().isEmpty()) {
                String effect = "pay " + arguments.path("amount").asText() + " "
                        + arguments.path("to").asText();
                said.computeIfAbsent(effect, none -> new HashSet<>()).add(caller.id());
            }
        }
        assertThat(effects).hasSizeLessThanOrEqualTo(1);
        for (String effect : effects) {
            assertThat(said.get(effect)).as(effect).hasSizeGreaterThan(1);
        }
        trail();
    }

    @Test
    void anotherNodeOnADatabaseGoesOnAlsoWhereItDoesNotKnowTheToolYet() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            Store store = JdbcStore.create(database.dataSource());
            agent = agent(store, FOUR_EYES);
            agent.as(ADA).send(THREAD, "Pay Bob 500");
            agent = agent(store, FOUR_EYES);

            Approval edited = editedBy(GRACE, Map.of("amount", new BigDecimal("0.10"), "to", "Grace"));
            agent = agent(store, FOUR_EYES);
            bench.model.says("Paid.");
            resume(HEIDI, edited.approve());

            assertThat(effects).containsExactly("pay 0.10 Grace");
            assertThat(store.check()).isEmpty();
        }
    }
}
