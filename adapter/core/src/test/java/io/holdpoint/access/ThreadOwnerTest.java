package io.holdpoint.access;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.RecordingSink;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A thread belongs to the caller that started it; for everybody else it does not exist. */
class ThreadOwnerTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller EVE = Caller.of("eve");

    private final Bench bench = new Bench();
    private final Holdpoint ada = bench.agent().as(ADA);
    private final Holdpoint eve = bench.agent().as(EVE);

    private PendingInterrupt held() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        ada.send(THREAD, "Go");
        return ada.pending(THREAD).get(0);
    }

    private static RunRejectedException rejected(Holdpoint agent, RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        RunRejectedException rejected = catchThrowableOfType(RunRejectedException.class, () -> agent.run(input, sink));
        assertThat(sink.events()).isEmpty();
        return rejected;
    }

    /** What somebody hears who answers on a thread that nobody ever started. */
    private RunRejectedException nowhere() {
        return rejected(
                eve, RunAgentInput.of("nowhere", "r", List.of()).withResume(List.of(ResumeEntry.cancelled("int_x"))));
    }

    private void doesNotExistForEve(RunAgentInput input) {
        Everything before = bench.everything();
        RunRejectedException rejected = rejected(eve, input);
        assertThat(rejected.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
        assertThat(rejected).hasMessage(nowhere().getMessage());
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void theCallerThatStartsAThreadOwnsIt() {
        held();

        assertThat(bench.store.find(THREAD))
                .hasValueSatisfying(thread -> assertThat(thread.owner()).isEqualTo("ada"));
    }

    @Test
    void anAgentThatWasNotToldWorksForEverybody() {
        bench.model.says("Hello.");
        bench.say("Hi");

        assertThat(bench.store.find(THREAD))
                .hasValueSatisfying(thread -> assertThat(thread.owner()).isEqualTo("anonymous"));
    }

    @Test
    void anotherCallerCannotApprove() {
        doesNotExistForEve(bench.answers(held().asApproval().approve()));

        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void anotherCallerCannotCancel() {
        doesNotExistForEve(bench.answers(held().cancel()));

        assertThat(ada.pending(THREAD)).hasSize(1);
    }

    @Test
    void anotherCallerCannotSteerAway() {
        doesNotExistForEve(bench.input(user("u2", "Pay me instead")).withResume(List.of(held().cancel())));
    }

    @Test
    void anotherCallerCannotSaySomething() {
        held();

        doesNotExistForEve(bench.input(user("u2", "Hi")));
    }

    @Test
    void anotherCallerSeesWhatAThreadThatDoesNotExistHas() {
        held();
        Everything before = bench.everything();
        RecordingSink nowhere = new RecordingSink();
        RecordingSink here = new RecordingSink();

        eve.run(RunAgentInput.of("nowhere", "r", List.of()), nowhere).join();
        eve.run(RunAgentInput.of(THREAD, "r", List.of()), here).join();

        assertThat(here.types()).isEqualTo(Bench.PRESENTED);
        assertThat(here.events().toString().replace("threadId=" + THREAD, "threadId=nowhere"))
                .isEqualTo(nowhere.events().toString());
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void anotherCallerLearnsNothingFromAGuessedInterrupt() {
        held();

        doesNotExistForEve(bench.answers(ResumeEntry.cancelled("int_guessed")));
    }

    @Test
    void anotherCallerFindsNothingPending() {
        held();

        assertThat(eve.pending(THREAD)).isEmpty();
        assertThat(bench.agent().pending(THREAD)).isEmpty();
    }

    @Test
    void theJavaApiSaysTheSameAsForAThreadThatDoesNotExist() {
        PendingInterrupt mail = held();

        assertThat(eve.resume(THREAD, mail.asApproval().approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
                    assertThat(failed.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
                    assertThat(failed.message()).isEqualTo(nowhere().getMessage());
                });
        assertThat(eve.send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.THREAD_NOT_FOUND));
    }

    @Test
    void theOwnerGoesOnAsIfNothingHadHappened() {
        PendingInterrupt mail = held();
        eve.resume(THREAD, mail.cancel());
        bench.model.says("Done.");

        assertThat(ada.resume(THREAD, mail.asApproval().approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void anInterruptOfAnotherThreadIsUnknownOnOnesOwn() {
        PendingInterrupt mail = held();
        bench.model.says("Hello.");
        eve.send("eves", "Hi");

        assertThat(eve.resume("eves", mail.asApproval().approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_UNKNOWN));
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void anotherCallerIsNotToldThatARunIsActive() {
        held();
        bench.model.answers(request -> {
            doesNotExistForEve(bench.input(user("u2", "Hi")));
            return AiMessage.from("Done.");
        });

        assertThat(ada.resume(THREAD, ada.pending(THREAD).get(0).asApproval().deny()))
                .isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void theFirstRunOfAThreadKeepsOthersOutBeforeItEnds() {
        bench.model.answers(request -> {
            doesNotExistForEve(bench.input(user("u2", "Hi")));
            return AiMessage.from("Done.");
        });

        assertThat(ada.send(THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void ofTwoCallersThatStartAThreadAtOnceTheSecondIsKeptOut() {
        Overtaken store = new Overtaken();
        Bench raced = new Bench(builder -> builder.store(store));
        raced.model.says("Hello, Ada.").says("Hello again, Ada.");
        store.meanwhile = () -> raced.agent().as(ADA).send(THREAD, "Hi");

        RunRejectedException late = rejected(raced.agent().as(EVE), raced.input(user("u2", "Hi")));

        assertThat(late.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
        assertThat(store.find(THREAD))
                .hasValueSatisfying(thread -> assertThat(thread.owner()).isEqualTo("ada"));
        assertThat(raced.agent().as(ADA).send(THREAD, "And?")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void anIdThatCannotBeOneIsNotLookedUp() {
        assertThat(bench.agent().pending("a\u0000b")).isEmpty();
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> bench.agent().send("a\u0000b", "Hi")))
                .hasMessageContaining("threadId");
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> bench.agent().resume("", ResumeEntry.cancelled("i"))))
                .hasMessageContaining("threadId");
    }

    /** A store in which somebody else is quicker, once. */
    private static final class Overtaken extends ForwardingStore {

        private final InMemoryStore store = new InMemoryStore();
        private Runnable meanwhile = () -> {};

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            return super.acquire(threadId, runId, caller, now, until);
        }
    }
}
