package io.holdpoint.propose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestLog;
import io.holdpoint.testing.UnexpectedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever two nodes, people and clients do, and wherever a node dies: nothing runs unapproved, nothing twice, nothing is lost. */
@Logs({
    "Run * on thread * failed",
    "Run * could not be started",
    "Lease* could not be given back",
    "Lease of thread * *",
    "Looking at what is due failed*",
    "What is due on thread * *",
    "The batch * could not be continued",
    "Purging failed"
})
class ProposalLawsTest {

    private static final int CALLS = 3;

    /** What somebody does next. */
    enum What {
        PROPOSE,
        APPROVE,
        EDIT,
        DENY,
        FORGE,
        CANCEL,
        DIE,
        TIME,
        HALT,
        RELEASE
    }

    /** A move about one of the calls, at one of the nodes, which dies after so many commits if it is to die. */
    record Move(What what, int call, int node, int commits) {}

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    private static TestDatabase database;

    @BeforeContainer
    static void begin() {
        TestLog.keep();
        database = TestDatabase.sqlite();
    }

    @AfterContainer
    static void end() {
        database.close();
        UnexpectedLog.check(TestLog.release(), Stream.of(ProposalLawsTest.class));
    }

    @Provide
    Arbitrary<List<Move>> moves() {
        return Combinators.combine(
                        Arbitraries.of(What.values()),
                        Arbitraries.integers().between(0, CALLS - 1),
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.integers().between(1, 4))
                .as(Move::new)
                .list()
                .ofMinSize(4)
                .ofMaxSize(14);
    }

    @Property(seed = "44", tries = 150, edgeCases = EdgeCasesMode.NONE)
    void nothingRunsUnapprovedOrTwiceInMemory(@ForAll("moves") List<Move> moves) {
        new History(new InMemoryStore()).takes(moves);
    }

    @Property(seed = "45", tries = 25, edgeCases = EdgeCasesMode.NONE)
    void nothingRunsUnapprovedOrTwiceOnSqlite(@ForAll("moves") List<Move> moves) {
        new History(JdbcStore.create(database.dataSource()).of("agent-" + moves.hashCode())).takes(moves);
    }

    /** The even calls need a person, the others do not. Each has a thread of its own. */
    private static final class History {

        private final Store store;
        private final VirtualClock clock = new VirtualClock();
        private final List<MortalStore> ways = new ArrayList<>();
        private final List<Holdpoint> nodes = new ArrayList<>();
        private final List<String> effects = new ArrayList<>();
        private final Set<String> allowed = new TreeSet<>();
        private final InMemoryChatMemoryStore memories = new InMemoryChatMemoryStore();

        History(Store store) {
            this.store = store;
            start(0);
            start(1);
        }

        final class Bank {

            @Tool
            @RequiresApproval
            String pay(int amount) {
                effects.add("pay " + amount);
                return "paid " + amount;
            }

            @Tool
            String look(int amount) {
                effects.add("look " + amount);
                return "seen " + amount;
            }
        }

        private void start(int node) {
            MortalStore way = new MortalStore(store);
            Holdpoint agent = Holdpoint.builder(Assistant.class)
                    .streamingChatModel(new ScriptedModel())
                    .tools(new Bank())
                    .store(way)
                    .clock(clock)
                    .executor(Runnable::run)
                    .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                            .id(id)
                            .maxMessages(10)
                            .chatMemoryStore(memories)
                            .build())
                    .build();
            if (ways.size() > node) {
                ways.set(node, way);
                nodes.set(node, agent);
            } else {
                ways.add(way);
                nodes.add(agent);
            }
        }

        private static boolean isGated(int call) {
            return call % 2 == 0;
        }

        private static String thread(int call) {
            return "t" + call;
        }

        private Proposal propose(int call, Holdpoint node) {
            ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("amount", call);
            return node.propose(thread(call), isGated(call) ? "pay" : "look", arguments, "p" + call);
        }

        private void answer(int call, Holdpoint node, What what) {
            for (PendingInterrupt open : node.pending(thread(call))) {
                if (open instanceof PendingInterrupt.Approval question) {
                    ResumeEntry given =
                            switch (what) {
                                case APPROVE -> question.approve();
                                case EDIT -> question.edit("amount", call + 100);
                                case FORGE ->
                                    ResumeEntry.resolved(
                                            question.interrupt().id(),
                                            JsonNodeFactory.instance
                                                    .objectNode()
                                                    .put("approved", "yes"));
                                default -> question.deny("no");
                            };
                    if (what == What.APPROVE || what == What.EDIT) {
                        allowed.add("pay " + (what == What.EDIT ? call + 100 : call));
                    }
                    Decided decided = node.decide(thread(call), given);
                    assertThat(what != What.FORGE || decided instanceof Decided.Refused)
                            .isTrue();
                } else {
                    PendingInterrupt.UnknownOutcome question = (PendingInterrupt.UnknownOutcome) open;
                    boolean done = effects.stream()
                            .anyMatch(effect -> effect.endsWith(" " + call) || effect.endsWith(" " + (call + 100)));
                    node.decide(thread(call), done ? question.done() : question.retry());
                }
            }
        }

        private void takes(Move move) {
            Holdpoint node = nodes.get(move.node());
            switch (move.what()) {
                case PROPOSE -> {
                    allowUngated(move.call());
                    propose(move.call(), node);
                }
                case APPROVE, EDIT, DENY, FORGE -> answer(move.call(), node, move.what());
                case CANCEL -> node.cancel(thread(move.call()));
                case DIE -> ways.get(move.node()).dieAfter(move.commits());
                case HALT -> node.halt("an incident");
                case RELEASE -> node.release("over");
                case TIME -> {
                    clock.advance(Duration.ofMinutes(11));
                    node.actOnTime();
                }
            }
        }

        private void allowUngated(int call) {
            if (!isGated(call)) {
                allowed.add("look " + call);
            }
        }

        void takes(List<Move> moves) {
            for (Move move : moves) {
                try {
                    takes(move);
                } catch (RunRejectedException e) {
                    assertThat(e.code()).isNotNull();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("the node is dead");
                    start(move.node());
                }
                lawsHold();
            }
            comesToItsEnd();
        }

        private void lawsHold() {
            assertThat(effects).doesNotHaveDuplicates();
            assertThat(allowed).containsAll(effects);
        }

        /** Every server is back, and people answer what they are asked. */
        private void comesToItsEnd() {
            start(0);
            Holdpoint node = nodes.get(0);
            node.release("over");
            clock.advance(Duration.ofMinutes(11));
            node.actOnTime();
            for (int call = 0; call < CALLS; call++) {
                allowUngated(call);
                Proposal proposal = propose(call, node);
                for (int i = 0; i < 3 && !proposal.isOver(); i++) {
                    answer(call, node, What.APPROVE);
                    proposal = propose(call, node);
                }
                lawsHold();
                assertThat(proposal.isOver()).as(() -> "the proposal is stuck").isTrue();
                String effect = (isGated(call) ? "pay " : "look ")
                        + proposal.arguments().path("amount").asInt();
                assertThat(effects.contains(effect)).isEqualTo(proposal.state() == Proposal.State.EXECUTED);
                assertThat(Optional.ofNullable(propose(call, node).state())).contains(proposal.state());
            }
            assertThat(store.check()).isEmpty();
        }
    }
}
