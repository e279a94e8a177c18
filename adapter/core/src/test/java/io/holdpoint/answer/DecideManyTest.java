package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Decision;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers to questions of many threads in one list: each is judged alone, and only what was shown is decided. */
class DecideManyTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HEIDI = Caller.of("heidi", "approver");
    private static final Caller EVE = Caller.of("eve");
    private static final ApprovalAuthorizer APPROVERS =
            ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver"));

    private final Bench bench = new Bench(builder -> builder.approvalAuthorizer(APPROVERS));
    private final Holdpoint agent = bench.agent();

    private Approval held(Holdpoint holding, String threadId) {
        bench.model.calls(call("call-" + threadId, "sendEmail", Bench.MAIL));
        return holding.as(ADA).send(threadId, "Write to Ada").approvals().get(0);
    }

    private static Decision decision(String threadId, Approval seen, ResumeEntry answer) {
        return Decision.of(new AskedQuestion(threadId, "ada", seen, Instant.EPOCH, false), answer);
    }

    private static List<Object> told(List<Decided> decided) {
        return decided.stream()
                .map(each -> each instanceof Decided.Refused refused ? (Object) refused.code() : each.getClass())
                .toList();
    }

    @Test
    void eachIsJudgedAloneAndWhatIsRefusedIsNamedByItsCode() {
        Approval one = held(agent, "t1");
        Approval two = held(agent, "t2");
        Approval three = held(agent, "t3");
        Approval four = held(agent, "t4");
        bench.model.says("Done.").says("Done.").says("Done.");
        agent.as(GRACE).decide("t3", three.deny());

        List<Decided> decided = agent.as(GRACE)
                .decide(List.of(
                        decision("t1", one, one.approve()),
                        decision("t2", two, two.answer(TextNode.valueOf("yes"))),
                        decision("t3", three, three.approve()),
                        decision("t9", one, one.approve()),
                        decision("no\nid", one, one.approve()),
                        decision("t4", one, one.approve()),
                        decision("t4", four, four.approve())));

        assertThat(told(decided))
                .containsExactly(
                        Decided.Runs.class,
                        ErrorCode.INTERRUPT_PAYLOAD_INVALID,
                        ErrorCode.INTERRUPT_ALREADY_RESOLVED,
                        ErrorCode.THREAD_NOT_FOUND,
                        ErrorCode.INPUT_INVALID,
                        ErrorCode.INTERRUPT_UNKNOWN,
                        Decided.Runs.class);
        assertThat(bench.tools.effects()).hasSize(2);
        assertThat(agent.as(ADA).pending("t2")).hasSize(1);
    }

    @Test
    void theRightIsThatOfOneAnswer() {
        Approval one = held(agent, "t1");

        assertThat(told(agent.as(EVE).decide(List.of(decision("t1", one, one.approve())))))
                .containsExactly(ErrorCode.THREAD_NOT_FOUND);
        assertThat(agent.as(ADA).pending("t1")).hasSize(1);
    }

    /** Whoever may not see a thread does not learn from what an answer gets whether there is one, what it asks, or how it was decided. */
    @Test
    void whatSomebodyMayNotSeeIsAnsweredAsIfItWereNotThere() {
        Approval open = held(agent, "t1");
        Approval settled = held(agent, "t2");
        bench.model.says("Done.");
        ((Decided.Runs) agent.as(GRACE).decide("t2", settled.deny())).result().join();

        for (Approval asked : List.of(open, settled)) {
            for (ResumeEntry answer :
                    List.of(asked.approve(), asked.deny("no"), asked.cancel(), asked.answer(TextNode.valueOf("yes")))) {
                List<String> told = List.of("t1", "t2", "t9").stream()
                        .map(thread -> refusal(agent.as(EVE)
                                        .decide(List.of(decision(thread, asked, answer)))
                                        .get(0))
                                .replace(thread, "t"))
                        .toList();
                assertThat(told).containsOnly(told.get(0));
                assertThat(refusal(agent.as(EVE).decide("t1", answer)).replace("t1", "t"))
                        .isEqualTo(refusal(agent.as(EVE).decide("t9", answer)).replace("t9", "t"));
            }
        }
    }

    private static String refusal(Decided decided) {
        return ((Decided.Refused) decided).code() + " " + ((Decided.Refused) decided).message();
    }

    @Test
    void whatIsNotAsItWasShownIsNotDecided() {
        Approval asked = held(agent, "t1");
        Interrupt was = asked.interrupt().copy();
        Objects.requireNonNull(was.metadata()).withObject("/langchain4j/args").put("to", "eve@example.com");
        Approval other = PendingInterrupt.of(was).asApproval();
        bench.model.says("Done.");

        assertThat(told(agent.as(GRACE).decide(List.of(decision("t1", other, asked.approve())))))
                .containsExactly(ErrorCode.INTERRUPT_CHANGED);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(told(agent.as(GRACE).decide(List.of(decision("t1", asked, asked.approve())))))
                .containsExactly(Decided.Runs.class);
    }

    /** In the words of the draft an answer need not name its question, or names it in its payload. */
    @Test
    void anAnswerThatDoesNotNameItsQuestionIsHeldToWhatWasShownAsWell() {
        Approval asked = held(agent, "t1");
        Approval other = held(agent, "t2");
        ResumeEntry unnamed = ResumeEntry.resolved("", asked.approve().payload());
        ResumeEntry inItsPayload = ResumeEntry.resolved(
                "",
                AguiCodec.mapper()
                        .createObjectNode()
                        .set(asked.id(), asked.approve().payload()));
        bench.model.says("Done.");

        for (ResumeEntry answer : List.of(unnamed, inItsPayload)) {
            assertThat(told(agent.as(GRACE).decide(List.of(decision("t1", other, answer)))))
                    .containsExactly(ErrorCode.INTERRUPT_CHANGED);
        }
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(told(agent.as(GRACE).decide(List.of(decision("t1", asked, unnamed)))))
                .containsExactly(Decided.Runs.class);
    }

    @Test
    void anAnswerThatIsStoredMayBeGivenAgain() {
        Approval asked = held(agent, "t1");
        bench.model.says("Done.");
        List<Decision> same = List.of(decision("t1", asked, asked.approve()));

        agent.as(GRACE).decide(same);

        assertThat(told(agent.as(GRACE).decide(same))).containsExactly(Decided.Runs.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void withoutAFingerprintTheAnswerCountsAsByItself() {
        Approval asked = held(agent, "t1");
        bench.model.says("Done.");

        assertThat(told(agent.as(GRACE).decide(List.of(new Decision("t1", asked.approve(), Optional.empty())))))
                .containsExactly(Decided.Runs.class);
    }

    @Test
    void votesAndReadersChangeNoFingerprintAndAnEditIsAnotherQuestion() {
        Holdpoint ofTwo = bench.another(builder -> builder.approvalAuthorizer(APPROVERS)
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("approver")))));
        Approval seen = held(ofTwo, "t1");
        String asGraceSees = ofTwo.as(GRACE).pending("t1").get(0).fingerprint();
        ofTwo.as(GRACE).decide("t1", seen.approve());

        assertThat(ofTwo.as(HEIDI).pending("t1").get(0).fingerprint())
                .isEqualTo(seen.fingerprint())
                .isEqualTo(asGraceSees)
                .hasSize(64);

        ofTwo.as(GRACE).decide("t1", seen.edit("subject", "Other"));
        assertThat(told(ofTwo.as(HEIDI).decide(List.of(decision("t1", seen, seen.approve())))))
                .containsExactly(ErrorCode.INTERRUPT_ALREADY_RESOLVED);
        assertThat(ofTwo.as(HEIDI).pending("t1").get(0).fingerprint()).isNotEqualTo(asGraceSees);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    @Logs("An answer on thread t1 could not be looked at: io.holdpoint.store.StoreException*")
    void aStoreThatFailsForOneHidesNothingOfTheOthers() {
        Approval one = held(agent, "t1");
        Approval two = held(agent, "t2");
        bench.model.says("Done.");
        Store failing = new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public Optional<ThreadRecord> find(String threadId) {
                if (threadId.equals("t1")) {
                    throw new StoreException("gone", null);
                }
                return super.find(threadId);
            }
        };
        Holdpoint other = bench.another(builder -> builder.store(failing).approvalAuthorizer(APPROVERS));

        assertThat(told(other.as(GRACE)
                        .decide(List.of(decision("t1", one, one.approve()), decision("t2", two, two.approve())))))
                .containsExactly(ErrorCode.RUN_FAILED, Decided.Runs.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    /** A server has so many threads only for all its callers. */
    @Test
    void aListWaitsForOneRunThatIsAtWorkAndNotForEach() {
        List<Decision> decisions = new ArrayList<>();
        for (String thread : List.of("t1", "t2", "t3")) {
            Approval asked = held(agent, thread);
            decisions.add(decision(thread, asked, asked.approve()));
            Instant now = bench.clock.instant();
            assertThat(bench.store.acquire(thread, "busy", "ada", now, now.plusSeconds(60)))
                    .isPresent();
        }
        AtomicInteger attempts = new AtomicInteger();
        Store counting = new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
                attempts.incrementAndGet();
                return super.acquire(threadId, runId, caller, now, until);
            }
        };
        Holdpoint other = bench.another(builder -> builder.store(counting).approvalAuthorizer(APPROVERS));
        attempts.set(0);

        assertThat(told(other.as(GRACE).decide(decisions)))
                .containsExactly(ErrorCode.RUN_IN_PROGRESS, ErrorCode.RUN_IN_PROGRESS, ErrorCode.RUN_IN_PROGRESS);
        assertThat(attempts).hasValue(27);
    }

    @Test
    void thePersonIsAskedForOnce() {
        Approval one = held(agent, "t1");
        Approval two = held(agent, "t2");
        bench.model.says("Done.").says("Done.");
        AtomicInteger asked = new AtomicInteger();
        Holdpoint present = agent.as(() -> {
            asked.incrementAndGet();
            return GRACE;
        });

        present.decide(List.of(decision("t1", one, one.deny()), decision("t2", two, two.deny())));

        assertThat(asked).hasValue(1);
    }

    @Test
    void aListThatIsTooLongDecidesNothing() {
        Approval one = held(agent, "t1");
        List<Decision> many = Collections.nCopies(Decision.MAX + 1, decision("t1", one, one.approve()));

        assertThatThrownBy(() -> agent.as(GRACE).decide(many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("201 decisions, and at most 200");
        assertThat(agent.as(ADA).pending("t1")).hasSize(1);
    }

    @Test
    void aListWithAGapDecidesNothing() {
        Approval one = held(agent, "t1");

        assertThatThrownBy(() -> agent.as(GRACE).decide(Arrays.asList(decision("t1", one, one.approve()), null)))
                .isInstanceOf(NullPointerException.class);
        assertThat(agent.as(ADA).pending("t1")).hasSize(1);
    }
}
