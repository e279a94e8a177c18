package io.holdpoint.laws;

import static io.holdpoint.Audience.role;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Three voters, an edit, a denial, a cancellation and the end of the time in every order, on two agents over one store, each with the
 * card of this moment or with one that is stale: after every move the thread is as a few lines say that it must be.
 */
class InterleavedVotesTest {

    private static final Caller ADA = Caller.of("ada");

    private enum Move {
        GRACE_APPROVES,
        HEIDI_APPROVES,
        IRIS_APPROVES,
        HEIDI_EDITS,
        IRIS_DENIES,
        ADA_CANCELS,
        TIME_IS_UP;

        Caller caller() {
            String name = name().split("_")[0].toLowerCase(Locale.ROOT);
            return name.equals("ada") ? ADA : Caller.of(name, "treasury");
        }
    }

    private static final int EVERY = Integer.getInteger("holdpoint.votes.every", Depth.of(10, 3));
    private static final int PART = Depth.ALL ? new Random().nextInt(EVERY) : 0;
    private static final int ORDERS_OF_A_BENCH = 100;

    private static Bench bench;
    private static List<Holdpoint> nodes;
    private static int orders;

    private final String thread = "order " + orders;
    private final int before;

    // what must be
    private final Set<String> voices = new HashSet<>();
    private String to = "ada@example.com";
    private boolean open = true;
    private boolean hasExpired;
    private final List<String> effects = new ArrayList<>();

    InterleavedVotesTest() {
        if (orders++ % ORDERS_OF_A_BENCH == 0) { // to build agents takes as long as an order
            bench = new Bench();
            nodes = List.of(node(), node());
        }
        before = bench.tools.effects().size();
    }

    private static Holdpoint node() {
        return bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .toolPolicies(ToolPolicy.named("sendEmail")
                        .approvals(Approvals.of(2).by(role("treasury")))
                        .timeline(Timeline.expiresAfter(Duration.ofHours(2)).remind(Duration.ofHours(1)))));
    }

    private static AiMessage says(ChatRequest request) {
        List<ChatMessage> said = request.messages();
        return said.get(said.size() - 1) instanceof UserMessage
                ? AiMessage.from(call("c1", "sendEmail", MAIL))
                : AiMessage.from("Done.");
    }

    @Provide
    Arbitrary<List<Move>> orders() {
        return Arbitraries.shuffle(Move.values())
                .filter(moves -> Math.floorMod(moves.toString().hashCode(), EVERY) == PART);
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyOrderEndsAsItMust(@ForAll("orders") List<Move> moves) {
        new InterleavedVotesTest().play(moves, new Random(moves.toString().hashCode()));
    }

    private void play(List<Move> moves, Random random) {
        while (bench.model.left() < 2) {
            bench.model.answers(InterleavedVotesTest::says);
        }
        Approval first = nodes.get(0).as(ADA).send(thread, "Go").approvals().get(0);
        for (int i = 0; i < moves.size(); i++) {
            int at = random.nextInt(2);
            Holdpoint node = nodes.get(at);
            Caller caller = moves.get(i).caller();
            List<PendingInterrupt> seen = node.as(caller).pending(thread);
            Approval card =
                    random.nextBoolean() || seen.isEmpty() ? first : seen.get(0).asApproval();
            boolean fits = open && seen.get(0).id().equals(card.id());
            Decided decided = make(moves.get(i), node.as(caller), card, fits);
            if (decided instanceof Decided.Refused) {
                assertThat(fits).as("%s", decided).isFalse();
            }
            check(moves.subList(0, i + 1), nodes.get(1 - at));
        }
    }

    /** Makes a move, and notes what must follow from it. */
    private Decided make(Move move, Holdpoint agent, Approval card, boolean fits) {
        return switch (move) {
            case GRACE_APPROVES, HEIDI_APPROVES, IRIS_APPROVES -> {
                if (fits) {
                    voices.add(move.caller().id());
                    closes(voices.size() == 2, voices.size() == 2);
                }
                yield agent.decide(thread, card.approve());
            }
            case HEIDI_EDITS -> {
                if (fits) {
                    voices.clear();
                    voices.add("heidi");
                    to = "bob@example.com";
                }
                yield agent.decide(
                        thread, card.approveWith(Map.of("to", "bob@example.com", "subject", "Hi", "body", "Hello")));
            }
            case IRIS_DENIES -> {
                closes(fits, false);
                yield agent.decide(thread, card.deny());
            }
            case ADA_CANCELS -> {
                closes(open, false);
                agent.cancel(thread);
                yield new Decided.Waits(List.of());
            }
            case TIME_IS_UP -> {
                hasExpired = open;
                closes(open, false);
                bench.clock.advance(Duration.ofHours(2));
                nodes.forEach(Holdpoint::actOnTime);
                yield new Decided.Waits(List.of());
            }
        };
    }

    private void closes(boolean closes, boolean runs) {
        if (closes) {
            open = false;
        }
        if (runs) {
            effects.add("sendEmail " + to + "|Hi|Hello");
        }
    }

    private void check(List<Move> moves, Holdpoint other) {
        List<String> all = bench.tools.effects();
        assertThat(all.subList(before, all.size())).as("%s", moves).isEqualTo(effects);
        List<PendingInterrupt> pending = other.as(ADA).pending(thread);
        assertThat(pending).as("%s", moves).hasSize(open ? 1 : 0);
        if (open) {
            assertThat(pending.get(0).arguments().path("to").asText()).isEqualTo(to);
            assertThat(pending.get(0)
                            .interrupt()
                            .metadata()
                            .at("/langchain4j/approvals/have")
                            .findValuesAsText("by"))
                    .containsExactlyInAnyOrderElementsOf(voices);
        }
        TrailRules.check(bench.store, thread);
        List<AuditEvent> trail = bench.store.auditTrail(thread, 0, 100);
        assertThat(trail)
                .as("%s", moves)
                .filteredOn(event -> event.kind() == Kind.EXPIRED)
                .hasSize(hasExpired ? 1 : 0);
        List<AuditEvent> decided = trail.stream()
                .filter(event -> event.kind() == Kind.DECIDED && event.detail().has("voices"))
                .toList();
        assertThat(decided).as("%s", moves).hasSize(effects.size());
        decided.forEach(event -> assertThat(event.detail().path("voices"))
                .extracting(name -> name.asText())
                .containsExactlyInAnyOrderElementsOf(voices));
    }
}
