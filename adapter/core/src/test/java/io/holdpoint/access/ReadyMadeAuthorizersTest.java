package io.holdpoint.access;

import static io.holdpoint.ApprovalAuthorizer.OWNER;
import static io.holdpoint.ApprovalAuthorizer.anyOf;
import static io.holdpoint.ApprovalAuthorizer.fourEyes;
import static io.holdpoint.ApprovalAuthorizer.role;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads on which somebody else than their owner decides. */
@Logs({"Run * on thread * failed", "The authorizer failed for"})
class ReadyMadeAuthorizersTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller BOSS = Caller.of("boss", "approver");
    private static final Caller EVE = Caller.of("eve", "intern");

    private Bench bench = new Bench();

    private PendingInterrupt held(ApprovalAuthorizer authorizer, Caller owner) {
        bench = new Bench(builder -> builder.approvalAuthorizer(authorizer));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().as(owner).send(THREAD, "Go");
        return bench.agent().as(owner).pending(THREAD).get(0);
    }

    private void approves(Caller who, PendingInterrupt mail) {
        bench.model.says("Done.");
        assertThat(bench.agent().as(who).resume(THREAD, mail.asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.store
                        .findBatch(THREAD, Store.By.INTERRUPT, mail.id())
                        .orElseThrow()
                        .calls()
                        .get(0)
                        .answers()
                        .get(0)
                        .answeredBy())
                .isEqualTo(who.id());
    }

    private void fails(ErrorCode code, Caller who, RunAgentInput input) {
        Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();
        if (code == ErrorCode.THREAD_NOT_FOUND) {
            assertThat(bench.agent().as(who).resume(THREAD, input.resume()))
                    .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                            .isEqualTo(code));
        } else {
            bench.agent().as(who).run(input, sink).join();
            assertThat(sink.errorCode()).isEqualTo(code.name());
        }
        assertThat(bench.everything()).isEqualTo(before);
    }

    private void cannotApprove(ErrorCode code, Caller who, PendingInterrupt mail) {
        fails(code, who, bench.answers(mail.asApproval().approve()));
    }

    @Test
    void theOwnerDecidesByDefault() {
        approves(ADA, held(OWNER, ADA));
    }

    @Test
    void whoHasTheRoleDecidesAndNobodyElse() {
        PendingInterrupt mail = held(role("approver"), ADA);

        cannotApprove(ErrorCode.INTERRUPT_FORBIDDEN, ADA, mail);
        cannotApprove(ErrorCode.THREAD_NOT_FOUND, EVE, mail);
        approves(BOSS, mail);
    }

    @Test
    void anOwnerWithTheRoleDecides() {
        approves(BOSS, held(role("approver"), BOSS));
    }

    @Test
    void withFourEyesTheRoleIsNotEnoughForOnesOwn() {
        PendingInterrupt mail = held(fourEyes(role("approver")), BOSS);

        cannotApprove(ErrorCode.INTERRUPT_FORBIDDEN, BOSS, mail);
        cannotApprove(ErrorCode.THREAD_NOT_FOUND, EVE, mail);
        approves(Caller.of("second", "approver"), mail);
    }

    @Test
    void withFourEyesTheOwnerCanLetGo() {
        PendingInterrupt mail = held(fourEyes(role("approver")), ADA);
        bench.model.says("Fine.");

        assertThat(bench.agent().as(ADA).resume(THREAD, mail.cancel())).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void fourEyesOpenNoThreadToAnybody() {
        PendingInterrupt mail = held(fourEyes(OWNER), ADA);

        cannotApprove(ErrorCode.INTERRUPT_FORBIDDEN, ADA, mail);
        cannotApprove(ErrorCode.THREAD_NOT_FOUND, BOSS, mail);
    }

    @Test
    void anyOfThemMayAllow() {
        ApprovalAuthorizer ownerOrApprover = anyOf(OWNER, role("approver"));

        approves(ADA, held(ownerOrApprover, ADA));
        approves(BOSS, held(ownerOrApprover, ADA));
        cannotApprove(ErrorCode.THREAD_NOT_FOUND, EVE, held(ownerOrApprover, ADA));
    }

    @Test
    void noneAllowsNothing() {
        cannotApprove(ErrorCode.INTERRUPT_FORBIDDEN, ADA, held(anyOf(), ADA));
    }

    @Test
    void anAccessCheckThatThrowsLetsOnlyTheOwnerIn() {
        PendingInterrupt mail = held(
                new ApprovalAuthorizer() {
                    @Override
                    public boolean mayDecide(ApprovalAuthorizer.Request request) {
                        return true;
                    }

                    @Override
                    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                        throw new IllegalStateException("directory down");
                    }
                },
                ADA);

        assertThat(bench.agent().as(BOSS).pending(THREAD)).isEmpty();
        cannotApprove(ErrorCode.THREAD_NOT_FOUND, BOSS, mail);
        approves(ADA, mail);
    }

    private static boolean mayDecide(Interrupt asked) {
        return asked.metadata().path("langchain4j").path("mayDecide").booleanValue();
    }

    @Test
    void whoMayAnswerSeesTheThreadAndItsInterrupts() {
        PendingInterrupt mail = held(role("approver"), ADA);
        RecordingSink sink = new RecordingSink();

        bench.agent().as(BOSS).run(bench.input(), sink).join();

        assertThat(sink.types()).isEqualTo(Bench.PRESENTED);
        assertThat(sink.interrupts()).extracting(Interrupt::id).containsExactly(mail.id());
        assertThat(sink.interrupts()).allMatch(ReadyMadeAuthorizersTest::mayDecide);
        assertThat(bench.agent().as(BOSS).pending(THREAD).get(0).interrupt())
                .matches(ReadyMadeAuthorizersTest::mayDecide);
        assertThat(mail.interrupt()).matches(asked -> !mayDecide(asked));
    }

    @Test
    void whoMayAnswerCannotSaySomething() {
        PendingInterrupt mail = held(role("approver"), ADA);

        fails(ErrorCode.INTERRUPT_FORBIDDEN, BOSS, bench.input(user("u2", "Pay me")));
        fails(
                ErrorCode.INTERRUPT_FORBIDDEN,
                BOSS,
                bench.input(user("u2", "Pay me")).withResume(List.of(mail.cancel())));
        fails(
                ErrorCode.INTERRUPT_FORBIDDEN,
                BOSS,
                bench.input(user("u2", "Pay me"))
                        .withResume(List.of(mail.asApproval().approve())));
    }

    @Test
    void messagesThatTheThreadHasAreNothingNew() {
        PendingInterrupt mail = held(role("approver"), ADA);
        bench.model.says("Done.");
        Message[] all = bench.transcript().toArray(Message[]::new);
        RecordingSink sink = new RecordingSink();

        bench.agent()
                .as(BOSS)
                .run(bench.input(all).withResume(List.of(mail.asApproval().approve())), sink)
                .join();

        assertThat(sink.text()).isEqualTo("Done.");
    }

    @Test
    void theStateOfWhoMayAnswerDoesNotCount() {
        PendingInterrupt mail = held(role("approver"), ADA);
        bench.model.says("Done.");
        RecordingSink sink = new RecordingSink();

        bench.agent()
                .as(BOSS)
                .run(
                        bench.answers(mail.asApproval().approve())
                                .withState(AguiCodec.mapper().createObjectNode().put("hacked", true)),
                        sink)
                .join();

        assertThat(sink.text()).isEqualTo("Done.");
        assertThat(bench.store.find(THREAD).orElseThrow().state()).isEmpty();
    }

    @Test
    void whoOnlyLooksDoesNotRunAFailedTurnAgain() {
        bench = new Bench(builder -> builder.approvalAuthorizer(role("approver")));
        bench.model.fails(new IllegalStateException("model down"));
        bench.agent().as(ADA).send(THREAD, "Go");
        RecordingSink sink = new RecordingSink();

        bench.agent().as(BOSS).run(bench.input(), sink).join();

        assertThat(sink.types()).isEqualTo(Bench.PRESENTED);
        bench.model.says("Hello.");
        assertThat(bench.agent().as(ADA).resume(THREAD)).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void whoAnsweredCanGoOnAfterTheModelFailed() {
        PendingInterrupt mail = held(role("approver"), ADA);
        bench.model.fails(new IllegalStateException("model down"));
        assertThat(bench.agent().as(BOSS).resume(THREAD, mail.asApproval().approve()))
                .isInstanceOf(RunResult.Failed.class);
        bench.model.says("Done.");

        assertThat(bench.agent().as(BOSS).resume(THREAD, mail.asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }
}
