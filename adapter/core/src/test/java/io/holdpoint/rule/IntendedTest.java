package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TrailRules;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is approved before it is proposed runs as often as was approved, and never by what a rule alone says. */
class IntendedTest {

    private static final String FIVE = "{\"amount\":5}";

    private final List<String> effects = new ArrayList<>();
    private final List<ApprovalVerdict> outlooks = new ArrayList<>();
    private final Bench bench = new Bench();
    private boolean broken;

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval
        String announce(int amount, int times) {
            effects.add("announce");
            if (broken) {
                throw new IllegalStateException("no line");
            }
            return "noted";
        }

        @Tool
        @RequiresApproval(remember = Grant.Scope.SAME_CALL)
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        @RequiresApproval(reversibility = Reversibility.IRREVERSIBLE)
        String delete(int amount) {
            effects.add("delete " + amount);
            return "deleted";
        }

        @Tool
        String look(int amount) {
            return "seen";
        }
    }

    /** An announcement is about the amount and the next higher one. */
    private class Announced implements Rule {

        @Override
        public String name() {
            return "announced";
        }

        @Override
        public boolean concerns(ToolSpecification tool, java.util.Optional<Reversibility> known) {
            return tool.name().equals("announce");
        }

        @Override
        public Say onProposal(Proposal proposal) {
            ObjectNode tools = JsonNodeFactory.instance.objectNode();
            for (String tool : List.of("pay", "delete", "look", "other", "show")) {
                ObjectNode five = JsonNodeFactory.instance.objectNode().put("amount", 5);
                Outlook outlook = proposal.outlook().apply(new Intended(tool, five, 2, ""));
                outlooks.add(outlook.verdict());
                tools.put(tool, outlook.toolSha256());
            }
            return Say.remark(tools);
        }

        @Override
        public List<Intended> intended(ProposedCall call, JsonNode shown) {
            int amount = call.argument("amount", Integer.class).orElseThrow();
            ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("amount", amount);
            int times = call.argument("times", Integer.class).orElseThrow();
            return List.of(
                    new Intended("pay", arguments, times, shown.path("pay").asText()),
                    new Intended(
                            "pay",
                            arguments.put("amount", amount + 1),
                            times,
                            shown.path("pay").asText()),
                    new Intended(
                            "delete", arguments, times, shown.path("delete").asText()),
                    new Intended("look", arguments, times, shown.path("look").asText()),
                    new Intended("other", arguments, times, shown.path("other").asText()),
                    new Intended("show", arguments, times, shown.path("show").asText()));
        }
    }

    private Holdpoint agent(Store store, Rule rule) {
        return bench.another(builder -> builder.tools(new Bank())
                .clientTools(List.of(ToolSpecification.builder()
                        .name("show")
                        .parameters(JsonObjectSchema.builder()
                                .addIntegerProperty("amount")
                                .build())
                        .build()))
                .toolPolicies(
                        ToolPolicy.named("announce").askOnFailure(),
                        ToolPolicy.named("show").remember(Duration.ofMinutes(5), Grant.Scope.SAME_CALL))
                .rules(rule)
                .store(store));
    }

    private final Holdpoint agent = agent(bench.store, new Announced());

    private Approval announced(Holdpoint by, int amount, int times) {
        bench.model.calls(call("a" + amount, "announce", "{\"amount\":%d,\"times\":%d}".formatted(amount, times)));
        return by.send(THREAD, "Go").approvals().get(0);
    }

    private void approved(Holdpoint by, int amount, int times) {
        Approval asked = announced(by, amount, times);
        bench.model.says("Done.");
        assertThat(by.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);
        TrailRules.check(bench.store, THREAD);
    }

    private List<PendingInterrupt> proposed(Holdpoint by, ToolExecutionRequest request) {
        int left = bench.model.left();
        bench.model.calls(request).says("Done.");
        List<PendingInterrupt> asked = by.send(THREAD, "On").interrupts();
        assertThat(bench.model.left()).isEqualTo(asked.isEmpty() ? left : left + 1);
        return asked;
    }

    @Test
    void onlyCallsWhosePolicyRemembersTheSameCallRunByIt() {
        approved(agent, 5, 1);

        assertThat(agent.grants(THREAD))
                .extracting(grant -> grant.approved().toolName())
                .containsExactly("pay", "pay");
        assertThat(proposed(agent, call("p1", "pay", FIVE))).isEmpty();
        assertThat(proposed(agent, call("p2", "pay", FIVE))).as("once").hasSize(1);
        assertThat(effects).containsExactly("announce", "pay 5");
    }

    @Test
    void aRuleIsToldBeforehandWhatWouldBecomeOfACall() {
        approved(agent, 5, 1);

        assertThat(outlooks)
                .containsExactly(
                        ApprovalVerdict.allow(),
                        ApprovalVerdict.requireApproval("it cannot be taken back"),
                        ApprovalVerdict.allow(),
                        ApprovalVerdict.deny("there is no tool \"other\""),
                        ApprovalVerdict.requireApproval());
    }

    @Test
    @Logs("The rule \"announced\" failed on an approved call of announce, which allows no later one")
    void aRuleThatFailsAllowsNothing() {
        Holdpoint failing = agent(bench.store, new Announced() {

            @Override
            public List<Intended> intended(ProposedCall call, JsonNode shown) {
                throw new IllegalStateException("out of order");
            }
        });
        approved(failing, 5, 1);

        assertThat(failing.grants(THREAD)).isEmpty();
        assertThat(effects).containsExactly("announce");
    }

    @Test
    void aToolThatHasChangedSinceTheListWasShownIsAskedAbout() {
        Approval asked = announced(agent, 5, 1);
        Holdpoint later = bench.another(builder -> builder.tools(new Bank())
                .toolPolicies(
                        ToolPolicy.named("announce").askOnFailure(),
                        ToolPolicy.named("pay")
                                .message("Pay {{amount}} thousand?")
                                .remember(Duration.ofMinutes(5), Grant.Scope.SAME_CALL))
                .rules(new Announced())
                .store(bench.store));
        bench.model.says("Done.");
        assertThat(later.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);

        assertThat(later.grants(THREAD)).isEmpty();
        assertThat(effects).containsExactly("announce");
    }

    static Stream<Throwable> failuresOfAStore() {
        return Stream.of(new StoreException("away"), new IOException("away"), new NoClassDefFoundError("away"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfAStore")
    @Logs("Calls that were approved with \"announce\" are asked about")
    void aResultIsKeptThoughTheStoreCannotSayWhetherThereIsRoom(Throwable failure) {
        AtomicBoolean away = new AtomicBoolean();
        Store failing = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<Fact> facts(String kind, String place) {
                if (away.get() && effects.contains("announce")) {
                    throw Unchecked.<RuntimeException>of(failure);
                }
                return super.facts(kind, place);
            }
        };
        Holdpoint by = agent(failing, new Announced());
        Approval asked = announced(by, 5, 1);
        away.set(true);
        bench.model.says("Done.");

        assertThat(by.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);
        away.set(false);
        assertThat(agent.grants(THREAD)).isEmpty();
        assertThat(effects).containsExactly("announce");
    }

    @Test
    @Logs("2 calls that were approved with \"announce\" are asked about: the thread has no room*")
    void allAreRememberedOrNone() {
        for (int i = 0; i < Grant.MAX_PER_THREAD / 2 - 1; i++) {
            approved(agent, i * 10, 1);
        }
        PendingInterrupt one = proposed(agent, call("one", "pay", FIVE)).get(0);
        agent.resume(THREAD, one.asApproval().approveAndRemember(Grant.Scope.SAME_CALL));
        assertThat(agent.grants(THREAD)).hasSize(Grant.MAX_PER_THREAD - 1);

        approved(agent, 9_000, 1);

        assertThat(agent.grants(THREAD)).hasSize(Grant.MAX_PER_THREAD - 1);
        assertThat(bench.model.lastResult("a9000")).contains("cannot be remembered here. People are asked about each");
        assertThat(proposed(agent, call("p1", "pay", "{\"amount\":9000}"))).hasSize(1);
    }

    /** Where the gate's look was too early, the claim counts. */
    @Test
    void twoServersCannotExceedTheCount() {
        Holdpoint early = agent(
                new ForwardingStore() {
                    private int looks;

                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public List<Fact> facts(String kind, String place) {
                        List<Fact> known = super.facts(kind, place);
                        return ++looks > 2
                                ? known
                                : known.stream().map(IntendedTest::unused).toList();
                    }
                },
                new Announced());
        approved(agent, 5, 1);
        assertThat(proposed(agent, call("p1", "pay", FIVE))).isEmpty();
        bench.model.calls(call("p2", "pay", FIVE)).says("Done.");

        early.send(THREAD, "On");

        assertThat(effects).containsExactly("announce", "pay 5");
    }

    private static Fact unused(Fact fact) {
        ObjectNode grant = (ObjectNode) RecordJson.read(fact.value(), JsonNode.class);
        grant.remove("uses");
        return new Fact(fact.key(), fact.endsAt(), RecordJson.write(grant));
    }

    /** The question about a failed call asks whether to try again, which is no approval of a list. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Logs("Tool 'announce' execution failed, of which the model is told")
    void whatRunsAfterAFailureAllowsNothing(boolean edited) {
        broken = true;
        Approval asked = announced(agent, 5, 1);
        PendingInterrupt.Failure failed = (PendingInterrupt.Failure)
                agent.resume(THREAD, asked.approve()).interrupts().get(0);
        broken = false;
        bench.model.says("Done.");
        agent.resume(THREAD, edited ? failed.retryWith(java.util.Map.of("amount", 7, "times", 1)) : failed.retry());

        assertThat(effects).containsExactly("announce", "announce");
        assertThat(agent.grants(THREAD)).isEmpty();
    }

    static Stream<Arguments> everyCommit() {
        FailingStore store = new FailingStore(0, FailingStore.When.BEFORE_WRITING);
        new IntendedTest().conversation(store);
        return Stream.of(FailingStore.When.values())
                .flatMap(when ->
                        Stream.iterate(1, n -> n <= store.commits(), n -> n + 1).map(n -> Arguments.of(when, n)));
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    @Logs("Run * on thread * failed")
    void aFailingStoreNeverMakesThemTwiceNorSomeOfThem(FailingStore.When when, int failing) {
        FailingStore store = new FailingStore(failing, when);
        conversation(store);

        int granted = Grant.of(store, THREAD).size();
        assertThat(granted).isIn(0, effects.contains("announce") ? 2 : 0);
        assertThat(effects.stream().filter("announce"::equals)).hasSizeLessThanOrEqualTo(1);
        assertThat(effects.stream().filter("pay 5"::equals)).hasSizeLessThanOrEqualTo(1);
        TrailRules.check(store, THREAD);
    }

    private void conversation(FailingStore store) {
        Collections.nCopies(40, 0).forEach(any -> bench.model.answers(IntendedTest::answer));
        Holdpoint by = agent(store, new Announced());
        RunAgentInput first = RunAgentInput.of(THREAD, "r1", List.of(said("m1")));
        repeat(by, first);
        RunAgentInput second = RunAgentInput.of(THREAD, "r2", List.of(said("m1")));
        repeat(
                by,
                second.withResume(List.of(by.pending(THREAD).get(0).asApproval().approve())));
        for (List<PendingInterrupt> open = by.pending(THREAD); !open.isEmpty(); open = by.pending(THREAD)) {
            repeat(by, second.withResume(open.stream().map(IntendedTest::end).toList()));
        }
    }

    private static ResumeEntry end(PendingInterrupt asked) {
        return asked instanceof PendingInterrupt.UnknownOutcome unknown ? unknown.done() : asked.cancel();
    }

    private static Message said(String id) {
        return new Message.User(id, MessageContent.text("Go"));
    }

    private static void repeat(Holdpoint by, RunAgentInput input) {
        RunResult last = null;
        for (int attempt = 0; attempt < 4; attempt++) {
            last = by.run(input, new RecordingSink()).join();
            if (!(last instanceof RunResult.Failed)) {
                return;
            }
        }
        throw new AssertionError("the thread is stuck: " + last);
    }

    /** An announcement, then the call twice, of which one was announced. */
    private static AiMessage answer(ChatRequest request) {
        String said = request.messages().toString();
        if (!said.contains("\"a5\"") && !said.contains("id = a5")) {
            return AiMessage.from(call("a5", "announce", "{\"amount\":5,\"times\":1}"));
        }
        return said.contains("p1")
                ? AiMessage.from("Done.")
                : AiMessage.from(call("p1", "pay", FIVE), call("p2", "pay", FIVE));
    }
}
