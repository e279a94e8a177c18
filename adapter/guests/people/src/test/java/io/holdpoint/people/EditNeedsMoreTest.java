package io.holdpoint.people;

import static io.holdpoint.Audience.role;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.TestDatabase;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit does not get a call past a policy that asks only about calls as it was edited. */
class EditNeedsMoreTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller DORA = Caller.of("dora", "approver", "director");
    private static final Caller DAN = Caller.of("dan", "approver", "director");
    private static final Caller EVE = Caller.of("eve", "approver", "director");
    private static final ApprovalCondition IS_LARGE = call -> ApprovalVerdict.requireApprovalIf(
            call.arguments().path("amount").decimalValue().compareTo(BigDecimal.valueOf(1_000)) > 0);
    private static final ToolPolicy ALWAYS = ToolPolicy.named("pay").decideByLink();
    private static final ToolPolicy LARGE = ToolPolicy.named("pay").when(IS_LARGE);
    private static final ToolPolicy BY_DIRECTORS =
            LARGE.approvals(Approvals.of(2).by(role("director")));

    private final Bench bench = new Bench();
    private final List<String> paid = new ArrayList<>();

    /** Pays. */
    final class Bank {

        @Tool
        String pay(BigDecimal amount, String to) {
            paid.add(amount + " to " + to);
            return "paid";
        }
    }

    /** Pays, always asked about. */
    final class MarkedBank {

        @Tool
        @RequiresApproval
        String pay(BigDecimal amount, String to) {
            return new Bank().pay(amount, to);
        }
    }

    private Holdpoint agent(Store store, ToolPolicy... policies) {
        return agent(store, builder -> builder.tools(new Bank()).toolPolicies(policies));
    }

    private Holdpoint agent(Store store, UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.store(store)
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(person -> Stream.of(GRACE, DORA, DAN, EVE)
                        .filter(each -> each.id().equals(person))
                        .findFirst())));
    }

    private Approval held(Holdpoint agent) {
        bench.model.calls(call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}"));
        Approval asked = agent.as(ADA).send(THREAD, "Pay Bob").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private static Approval open(Holdpoint agent, Caller caller) {
        return agent.as(caller).pending(THREAD).get(0).asApproval();
    }

    private static void waits(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Waits.class);
    }

    private static void forbidden(Decided decided) {
        assertThat(decided).isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN));
    }

    private static RunResult runs(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Runs.class);
        return ((Decided.Runs) decided).result().join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEditForWhichAPolicyWantsOthersIsAskedOfThem(boolean inDatabase) {
        Store store = inDatabase ? JdbcStore.create(TestDatabase.sqlite().dataSource()) : bench.store;
        Holdpoint agent = agent(store, ALWAYS, BY_DIRECTORS);

        waits(agent.as(GRACE).decide(THREAD, held(agent).edit("amount", 5_000)));

        Approval edited = open(agent, GRACE);
        assertThat(edited.editedBy()).contains("grace");
        assertThat(edited.interrupt().metadata().at("/langchain4j/approvals"))
                .hasToString("{\"needed\":2,\"groups\":[{\"needed\":2,\"audience\":\"director\"}],\"have\":[]}");
        forbidden(agent.as(GRACE).decide(THREAD, edited.approve()));
        waits(agent.as(DORA).decide(THREAD, edited.approve()));
        assertThat(paid).isEmpty();
        runs(agent.as(DAN).decide(THREAD, edited.approve()));
        assertThat(paid).containsExactly("5000 to Bob");
    }

    @Test
    void whoBelongsToThemHasOneVoiceByTheEdit() {
        Holdpoint agent = agent(bench.store, ALWAYS, BY_DIRECTORS);

        waits(agent.as(DORA).decide(THREAD, held(agent).edit("amount", 5_000)));

        assertThat(paid).isEmpty();
        runs(agent.as(DAN).decide(THREAD, open(agent, DAN).approve()));
        assertThat(paid).containsExactly("5000 to Bob");
    }

    @Test
    void anEditIsNoVoiceOfWhoeverMayNotApproveIt() {
        ApprovalAuthorizer approver = ApprovalAuthorizer.role("approver");
        ApprovalAuthorizer editsUnasked = new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(Request request) {
                String id = request.caller().id();
                return approver.mayDecide(request)
                        && request.interrupt().editedBy().filter(id::equals).isEmpty();
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return approver.mayAccess(caller, threadId, ownerId);
            }
        };
        Holdpoint agent = agent(bench.store, builder -> builder.tools(new Bank())
                .approvalAuthorizer(editsUnasked)
                .toolPolicies(ALWAYS, BY_DIRECTORS));

        waits(agent.as(DORA).decide(THREAD, held(agent).edit("amount", 5_000)));

        assertThat(open(agent, DAN).interrupt().metadata().at("/langchain4j/approvals/have"))
                .isEmpty();
        waits(agent.as(DAN).decide(THREAD, open(agent, DAN).approve()));
        assertThat(paid).isEmpty();
        runs(agent.as(EVE).decide(THREAD, open(agent, EVE).approve()));
        assertThat(paid).containsExactly("5000 to Bob");
    }

    @Test
    void anEditAboutWhichNoOtherPolicyAsksRuns() {
        Holdpoint agent = agent(bench.store, ALWAYS, BY_DIRECTORS);

        runs(agent.as(GRACE).decide(THREAD, held(agent).edit("amount", 900)));

        assertThat(paid).containsExactly("900 to Bob");
    }

    @Test
    void whoeverIsAllThatItNeedsIsNotAskedAgain() {
        Holdpoint agent =
                agent(bench.store, ALWAYS, LARGE.approvals(Approvals.of(1).by(role("director"))));

        runs(agent.as(DORA).decide(THREAD, held(agent).edit("amount", 5_000)));

        assertThat(paid).containsExactly("5000 to Bob");
    }

    @Test
    void anEditDoesNotGetPastAValueThatIsToBeRepeated() {
        Holdpoint agent = agent(bench.store, ALWAYS, LARGE.rules(Confirmation.of("to")));

        waits(agent.as(GRACE).decide(THREAD, held(agent).edit("amount", 5_000)));

        Approval edited = open(agent, DORA);
        assertThat(agent.as(DORA).decide(THREAD, edited.approve())).isInstanceOf(Decided.Refused.class);
        assertThat(paid).isEmpty();
        runs(agent.as(DORA).decide(THREAD, edited.with(edited.approve(), "confirm", "Bob")));
        assertThat(paid).containsExactly("5000 to Bob");
    }

    @Test
    void whoDecidesAloneRepeatsTheValueOfTheirOwnEdit() {
        Holdpoint agent = bench.another(builder ->
                builder.tools(new Bank()).toolPolicies(ToolPolicy.named("pay"), LARGE.rules(Confirmation.of("to"))));

        waits(agent.as(ADA).decide(THREAD, held(agent).edit("amount", 5_000)));

        Approval edited = open(agent, ADA);
        assertThat(agent.as(ADA).decide(THREAD, edited.approve())).isInstanceOf(Decided.Refused.class);
        assertThat(paid).isEmpty();
        runs(agent.as(ADA).decide(THREAD, edited.with(edited.approve(), "confirm", "Bob")));
        assertThat(paid).containsExactly("5000 to Bob");
    }

    /** The tool that runs has no policy of large payments; the one of a provider has, and no process has looked at it. */
    @Test
    void aPolicyOfAnotherToolOfTheNameCountsAfterARestart() {
        ToolSpecification other = ToolService.findTools(new Bank()).get(0).toolSpecification().toBuilder()
                .metadata(Map.of("origin", "bank"))
                .build();
        ToolProvider provider = new DynamicTools(List.of(AiServiceTool.builder()
                .toolSpecification(other)
                .toolExecutor((request, memoryId) -> "other")
                .build()));
        ToolPolicy ofOther = ToolPolicy.where(tool -> tool.metadata().containsKey("origin"))
                .when(IS_LARGE)
                .approvals(Approvals.of(2).by(role("director")));
        Supplier<Holdpoint> started = () -> agent(bench.store, builder -> builder.tools(new MarkedBank())
                .toolProviders(provider)
                .toolPolicies(ofOther));
        bench.model
                .calls(call("c0", "searchContacts", "{\"query\":\"Bob\"}"))
                .calls(call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}"))
                .says("Done.");
        Approval asked =
                started.get().as(ADA).send(THREAD, "Pay Bob").approvals().get(0);

        runs(started.get().as(GRACE).decide(THREAD, asked.edit("amount", 5_000)));

        assertThat(paid).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("other people have to approve");
    }

    @Test
    void aPolicyThatComesBeforeTheCallRunsIsAskedAgain() {
        Holdpoint before = agent(bench.store, ALWAYS);
        bench.model
                .calls(
                        call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}"),
                        call("c2", "pay", "{\"amount\":1,\"to\":\"Bob\"}"))
                .says("Done.");
        List<Approval> asked = before.as(ADA).send(THREAD, "Pay Bob").approvals();
        waits(before.as(GRACE).decide(THREAD, asked.get(0).edit("amount", 5_000)));

        runs(agent(bench.store, ALWAYS, BY_DIRECTORS)
                .as(GRACE)
                .decide(THREAD, asked.get(1).approve()));

        assertThat(paid).containsExactly("1 to Bob");
        assertThat(bench.model.lastResult("c1")).contains("was not executed", "other people have to approve");
    }
}
