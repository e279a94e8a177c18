package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People edit and approve what an agent in a tool asks, one after another: it runs as the last one has seen it. */
class EditedInsideTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private final ScriptedModel clerkModel = new ScriptedModel();
    private int balance = 100;
    private Store store = bench.store;

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(
                int amount,
                @P(value = "the currency", defaultValue = "EUR") String currency,
                @P(value = "a second recipient", required = false) String copyTo) {
            effects.add("pay " + amount + " " + currency + " " + copyTo);
            return "paid";
        }
    }

    /** Shows what is in the account. */
    private final class Balance implements Rule {

        @Override
        public String name() {
            return "balance";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Say.remark(AguiCodec.mapper().createObjectNode().put("is", balance));
        }
    }

    private Holdpoint boss(boolean outside, boolean inside) {
        return boss(outside, inside, new Bank(), "pay", "{\"amount\":5}");
    }

    private Holdpoint boss(boolean outside, boolean inside, Object tools, String tool, String arguments) {
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Pay\"}")).says("All done.");
        clerkModel.calls(call("i1", tool, arguments)).says("Paid.");
        Holdpoint boss = node(outside, inside, tools);
        boss.as(Caller.of("ada")).send(THREAD, "Pay");
        return boss;
    }

    private Holdpoint node(boolean outside, boolean inside, Object tools) {
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = bench.another(builder -> builder.streamingChatModel(clerkModel)
                .name("clerk")
                .store(store)
                .approvalAuthorizer(inside ? ApprovalAuthorizer.fourEyes(treasurer) : treasurer)
                .tools(tools)
                .rules(new Balance()));
        return bench.another(builder -> builder.store(store)
                .approvalAuthorizer(outside ? ApprovalAuthorizer.fourEyes(treasurer) : treasurer)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk)));
    }

    private static PendingInterrupt.Approval asked(Holdpoint person) {
        return person.pending(THREAD).get(0).asApproval();
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void whatALaterEditHasTakenOutDoesNotRun(boolean outside, boolean inside) {
        Holdpoint boss = boss(outside, inside);
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        Holdpoint ivan = boss.as(Caller.of("ivan", "treasurer"));

        grace.resume(THREAD, asked(grace).approveWith(Map.of("amount", 9, "currency", "USD", "copyTo", "mallory")));
        heidi.resume(THREAD, asked(heidi).approveWith(Map.of("amount", 7)));
        PendingInterrupt.Approval last = asked(ivan);
        assertThat(last.arguments()).hasToString("{\"amount\":7,\"currency\":\"EUR\"}");
        ivan.resume(THREAD, last.approve());

        assertThat(effects).containsExactly("pay 7 EUR null");
    }

    /** Some clients send all arguments back with each approval. */
    @ParameterizedTest
    @CsvSource({"true, false", "true, true"})
    void anApprovalThatSendsTheArgumentsBackIsNoEditInsideEither(boolean outside, boolean inside) {
        Holdpoint boss = boss(outside, inside);
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        grace.resume(THREAD, asked(grace).approveWith(Map.of("amount", 9)));

        heidi.resume(THREAD, asked(heidi).approveWith(Map.of("amount", 9, "currency", "EUR")));

        assertThat(effects).containsExactly("pay 9 EUR null");
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void theSameNumberInOtherDigitsHasNotChangedInside(boolean outside, boolean inside) {
        Holdpoint boss = boss(outside, inside);
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        grace.resume(THREAD, asked(grace).approveWith(Map.of("amount", 9.0)));

        heidi.resume(THREAD, asked(heidi).approve());

        assertThat(effects).containsExactly("pay 9 EUR null");
    }

    /** Has a field that LangChain4j does not tell the model of. */
    static class Shared {

        int share = 1;
    }

    static final class Order extends Shared {

        String item = "";
    }

    final class Shop {

        @Tool
        @RequiresApproval
        String order(Order x) {
            effects.add(x.item + " " + x.share);
            return "ordered";
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void whatTheOtherToolFillsInIsShownBeforeItRuns(boolean outside, boolean inside) {
        Holdpoint boss = boss(outside, inside, new Shop(), "order", "{\"x\":{\"item\":\"a\",\"share\":5}}");
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        grace.resume(THREAD, asked(grace).approveWith(Map.of("x", Map.of("item", "b"))));
        PendingInterrupt.Approval last = asked(heidi);
        heidi.resume(THREAD, last.approve());
        if (effects.isEmpty()) {
            last = asked(heidi);
            heidi.resume(THREAD, last.approve());
        }

        assertThat(last.arguments()).hasToString("{\"x\":{\"item\":\"b\",\"share\":1}}");
        assertThat(effects).containsExactly("b 1");
    }

    /** The edit arrives at the other agent together with the approval, and its question shows what holds then. */
    @Test
    void anApprovalOfAnEditIsNoneOfWhatTheOtherAgentHasToSayOfItByThen() {
        Holdpoint boss = boss(true, false);
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        grace.resume(THREAD, asked(grace).approveWith(Map.of("amount", 9)));
        PendingInterrupt.Approval edited = asked(heidi);
        assertThat(balance(edited)).isEqualTo(100);
        balance = 3;

        heidi.resume(THREAD, edited.approve());

        assertThat(effects).as("nobody has seen this balance").isEmpty();
        PendingInterrupt.Approval again = asked(heidi);
        assertThat(balance(again)).isEqualTo(3);
        assertThat(edited.message()).doesNotContain("was not taken");
        assertThat(again.message()).endsWith("(What it shows has changed, so the approval was not taken.)");
        assertThat(again.editedBy()).contains("grace");
        assertThat(again.arguments()).hasToString("{\"amount\":9,\"currency\":\"EUR\"}");
        heidi.resume(THREAD, again.approve());
        assertThat(effects).containsExactly("pay 9 EUR null");
    }

    /** Refuses one commit, or all from then on. */
    private final class RefusingStore extends ForwardingStore {

        private final boolean forGood;
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

        RefusingStore(boolean forGood) {
            this.forGood = forGood;
        }

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Store.Lease lease, Commit commit, Instant now) {
            if (left.getAndDecrement() == 0) {
                left.set(forGood ? 0 : Integer.MAX_VALUE);
                throw new StoreException("refused", new IllegalStateException("no connection"));
            }
            super.commit(lease, commit, now);
        }
    }

    /** What was decided here are two commits of the other agent: that of the edit, and that of its approval. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true", "3, true"})
    @Logs("*")
    void nobodyIsAskedAgainAboutAnEditThatHasArrivedWithoutItsApproval(int commits, boolean forGood) {
        RefusingStore refusing = new RefusingStore(forGood);
        store = refusing;
        Holdpoint first = boss(true, false);
        Holdpoint grace = first.as(Caller.of("grace", "treasurer"));
        Holdpoint heidi = first.as(Caller.of("heidi", "treasurer"));
        grace.resume(THREAD, asked(grace).approveWith(Map.of("amount", 9)));
        PendingInterrupt.Approval edited = asked(heidi);
        refusing.left.set(commits);

        heidi.resume(THREAD, edited.approve());

        assertThat(effects).isEmpty();
        store = bench.store;
        Holdpoint next = node(true, false, new Bank()).as(Caller.of("ada"));
        bench.clock.advance(Duration.ofMinutes(11));
        next.actOnTime();
        assertThat(next.pending(THREAD)).isEmpty();
        next.resume(THREAD);
        assertThat(effects).containsExactly("pay 9 EUR null");
    }

    private static int balance(PendingInterrupt.Approval question) {
        return question.interrupt().metadata().at("/langchain4j/balance/is").asInt();
    }
}
