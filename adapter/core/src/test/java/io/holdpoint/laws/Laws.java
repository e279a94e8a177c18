package io.holdpoint.laws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.laws.Client.Expected;
import io.holdpoint.laws.Client.Sent;
import io.holdpoint.laws.World.Everything;
import io.holdpoint.laws.World.ProviderDown;
import io.holdpoint.store.Call;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.StoreConflictException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What has to be true. */
final class Laws {

    private final World world;

    Laws(World world) {
        this.world = world;
    }

    /** Whatever happened. */
    void always() {
        assertThat(world.violations).isEmpty();
        ScriptedModel.requireWellFormed(world.memory());
        assertThat(world.store.transcript(world.threadId))
                .extracting(Message::id)
                .doesNotHaveDuplicates();
        effects();
        heldCallsHaveNotRun();
    }

    /** Unless a node that was overtaken has written late to a memory that is not the store's. */
    void nothingIsRememberedThatWasCut() {
        Set<String> shown =
                world.store.transcript(world.threadId).stream().map(Message::id).collect(Collectors.toSet());
        assertThat(world.memory())
                .filteredOn(message -> message instanceof UserMessage)
                .extracting(message -> ((UserMessage) message).singleText())
                .as("what the model remembers")
                .isSubsetOf(shown);
    }

    /** Whenever nobody writes: the trail and the batch are read one after the other. */
    void trail() {
        TrailRules.check(world.store, world.threadId);
    }

    private void effects() {
        for (String effect : world.effects) {
            int times = Collections.frequency(world.effects, effect);
            if (!LawTools.IDEMPOTENT.contains(effect.substring(0, effect.indexOf(' ')))) {
                assertThat(times)
                        .as("law 5: how often %s happened", effect)
                        .isLessThanOrEqualTo(1 + (int) world.retries(effect));
            }
        }
    }

    private void heldCallsHaveNotRun() {
        Stream<Call> held = world.batch().stream()
                .filter(batch -> !batch.openQuestions().isEmpty())
                .flatMap(batch -> batch.calls().stream())
                .filter(call ->
                        call.state() == Call.State.PENDING && call.attempts().isEmpty());
        assertThat(held.map(call -> Client.effect(call.toolName(), call.arguments())))
                .as("law 3")
                .noneMatch(world.effects::contains);
    }

    /** Law 9. */
    void stream(RecordingSink sink, RunResult result) {
        if (!sink.events().isEmpty()) {
            StreamRules.checkWithAbandoned(sink.events());
        } else {
            assertThat(result).isInstanceOf(RunResult.Failed.class);
        }
    }

    void failsOnlyBecauseOfTheFault(RunResult result) {
        if (result instanceof RunResult.Failed failed && failed.code() == ErrorCode.RUN_FAILED) {
            assertThat(root(failed))
                    .as("why a run with a fault failed")
                    .isInstanceOfAny(
                            Node.Broken.class,
                            ProviderDown.class,
                            LeaseLostException.class,
                            StoreConflictException.class);
        }
    }

    private static Throwable root(RunResult.Failed failed) {
        Throwable cause = failed.cause().orElseThrow();
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** What comes of an input if nothing goes wrong, whatever went wrong before. */
    void outcome(
            Sent sent, RunResult result, Optional<ErrorCode> refused, boolean leasesMayBeHeld, boolean modelFailed) {
        if (refused.filter(ErrorCode.RUN_IN_PROGRESS::equals).isPresent()) {
            assertThat(leasesMayBeHeld).as("a thread without a run is free").isTrue();
            return;
        }
        if (result instanceof RunResult.Failed failed && refused.isEmpty()) {
            assertThat(root(failed)).as("law 10: why %s failed", sent).isInstanceOf(ProviderDown.class);
            assertThat(modelFailed).as("the model failed").isTrue();
            return;
        }
        if (sent.expected() != Expected.EITHER) {
            assertThat(refused.isPresent())
                    .as("refused: %s, %s", refused, sent)
                    .isEqualTo(sent.expected() == Expected.REFUSED);
        }
        boolean askedOnTheWay =
                world.pending().stream().anyMatch(asked -> !asked.reason().equals("tool_call"));
        if (refused.isEmpty() && sent.expected() == Expected.ACCEPTED && !askedOnTheWay) {
            assertThat(world.effects).as("what was approved has happened").containsAll(sent.permits());
        }
        if (result instanceof RunResult.Interrupted held) {
            assertThat(held.interrupts()) // who may decide is not stored
                    .extracting(PendingInterrupt::id, PendingInterrupt::arguments)
                    .isEqualTo(world.pending().stream()
                            .map(asked -> tuple(asked.id(), asked.arguments()))
                            .toList());
        } else if (refused.isEmpty()) {
            assertThat(world.pending()).isEmpty();
        }
    }

    /** Of a run that lost its thread, no late write is kept. */
    void nothingWasWrittenSince(Everything then) {
        Everything now = world.everything();
        assertThat(now.thread()).as("no late write").isEqualTo(then.thread());
        assertThat(now.transcript()).as("no late write").isEqualTo(then.transcript());
    }
}
