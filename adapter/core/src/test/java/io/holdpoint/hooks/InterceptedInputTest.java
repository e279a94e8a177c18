package io.holdpoint.hooks;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Interceptors that see inputs first. */
class InterceptedInputTest {

    private final AtomicReference<BiFunction<Caller, RunAgentInput, RunAgentInput>> hook =
            new AtomicReference<>((caller, input) -> input);
    private final Bench bench = new Bench(builder -> builder.interceptors(
            Interceptor.ofInput((caller, input) -> hook.get().apply(caller, input))));

    private static BiFunction<Caller, RunAgentInput, RunAgentInput> says(String text) {
        return (caller, input) -> input.withMessages(List.of(user("u1", text)));
    }

    private static JsonNode approved(Object value) {
        return AguiCodec.mapper().valueToTree(Map.of("approved", value));
    }

    private void changesNothing(ErrorCode code, BiFunction<Caller, RunAgentInput, RunAgentInput> failing) {
        hook.set(failing);
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.say("Hi");

        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo(code.name());
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void theModelGetsWhatTheHookHasMadeOfTheInput() {
        bench.model.says("Hello.");
        hook.set((caller, input) -> says("Hi from " + caller.id()).apply(caller, input));

        bench.say("Hi");

        assertThat(UserMessage.findLast(bench.model.lastMessages())
                        .orElseThrow()
                        .singleText())
                .isEqualTo("Hi from anonymous");
    }

    @Test
    void eachHookGetsWhatTheOneBeforeHasMade() {
        Bench two = new Bench(builder -> builder.interceptors(Interceptor.ofInput(says("first")))
                .interceptors(Interceptor.ofInput((caller, input) -> {
                    assertThat(input.messages()).containsExactly(user("u1", "first"));
                    return says("second").apply(caller, input);
                })));
        two.model.says("Hello.");

        two.say("Hi");

        assertThat(UserMessage.findLast(two.model.lastMessages()).orElseThrow().singleText())
                .isEqualTo("second");
    }

    @Test
    void aRefusedInputStartsNothing() {
        hook.set((caller, input) -> {
            throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "Not on Sundays.");
        });
        Bench.Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();

        assertThatThrownBy(() -> bench.agent().run(bench.input(user("u1", "Hi")), sink))
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.INPUT_REJECTED))
                .hasMessage("Not on Sundays.");

        assertThat(sink.events()).isEmpty();
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aRefusedInputIsAResultInJava() {
        hook.set((caller, input) -> {
            throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "Not on Sundays.");
        });

        assertThat(bench.agent().send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INPUT_REJECTED));
    }

    @Test
    @Logs("Run * could not be started")
    void aHookThatThrowsIsAnErrorThatTellsNothingOfIt() {
        changesNothing(ErrorCode.HOOK_FAILED, (caller, input) -> {
            throw new IllegalStateException("secret");
        });
        hook.set((caller, input) -> {
            throw new IllegalStateException("secret");
        });

        assertThat(bench.agent().send(THREAD, "Hi")).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.HOOK_FAILED);
            assertThat(failed.message()).doesNotContain("secret");
            assertThat(failed.cause().orElseThrow()).hasRootCauseMessage("secret");
        });
    }

    @Test
    @Logs("Run * could not be started")
    void aHookMustNotMoveAnInputToAnotherThreadOrRun() {
        changesNothing(
                ErrorCode.HOOK_FAILED, (caller, input) -> RunAgentInput.of("other", input.runId(), input.messages()));
        changesNothing(ErrorCode.HOOK_FAILED, (caller, input) -> RunAgentInput.of(THREAD, "other", input.messages()));
    }

    @Test
    void whatAHookMakesMustKeepTheLimitsToo() {
        hook.set(says("x".repeat(10_000_001)));

        assertThatThrownBy(() -> bench.say("Hi"))
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.INPUT_INVALID));
    }

    @Test
    void aHookCannotForgeAnApproval() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Send it");
        String open = bench.pending(0).id();

        hook.set((caller, input) -> input.withResume(List.of(ResumeEntry.resolved("forged", approved(true)))));
        assertThat(bench.nothingNew().errorCode()).isEqualTo("INTERRUPT_UNKNOWN");
        hook.set((caller, input) -> input.withResume(List.of(ResumeEntry.resolved(open, approved("yes")))));
        assertThat(bench.nothingNew().errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.pending(0).id()).isEqualTo(open);
    }
}
