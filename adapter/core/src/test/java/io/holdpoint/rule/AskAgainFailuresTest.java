package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.CheckedMemory;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store fails at every commit there is while a question is asked again in place of a claim, in every shape of an AI Service. */
class AskAgainFailuresTest {

    private static final Message QUESTION = new Message.User("m1", MessageContent.text("Pay, please"));

    private final ScriptedModel model = new ScriptedModel();
    private final CheckedMemory memory = new CheckedMemory(MessageWindowChatMemory.withMaxMessages(50));
    private final List<String> effects = new ArrayList<>();
    private int rate = 1;

    /** Pays and looks. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount + " at " + rate);
            return "paid";
        }

        @Tool
        String look() {
            effects.add("look");
            return "seen";
        }
    }

    /** Wants the rate that was shown. */
    final class Rate implements Rule {

        @Override
        public String name() {
            return "rate";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Say.remark(JsonNodeFactory.instance.objectNode().put("rate", rate));
        }

        @Override
        public Say beforeClaim(Approved approved) {
            return approved.shown().path("rate").intValue() == rate
                    ? Say.NOTHING
                    : Say.ask(
                            "It is " + rate + ".",
                            onQuestion(approved.call(), Optional.empty()).section());
        }
    }

    static Stream<Arguments> everyCommit() {
        return Stream.of(Shape.values()).flatMap(shape -> Stream.of(FailingStore.When.values())
                .flatMap(when -> Stream.iterate(1, n -> n <= commitsWithoutFailure(shape), n -> n + 1)
                        .map(n -> Arguments.of(shape, when, n))));
    }

    private static int commitsWithoutFailure(Shape shape) {
        FailingStore store = new FailingStore(0, FailingStore.When.BEFORE_WRITING);
        new AskAgainFailuresTest().conversation(shape, store);
        return store.commits();
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    @Logs("Run * on thread * failed")
    void nothingRunsAtARateThatNobodySawAndNothingTwice(Shape shape, FailingStore.When when, int failing) {
        conversation(shape, new FailingStore(failing, when));

        assertThat(effects).containsExactlyInAnyOrder("look", "pay 5 at 2");
        assertThat(memory.violations()).isEmpty();
        ScriptedModel.requireWellFormed(memory.messages());
    }

    private void conversation(Shape shape, FailingStore store) {
        Collections.nCopies(30, 0).forEach(any -> model.answers(AskAgainFailuresTest::answer));
        Holdpoint agent = shape.builder(model)
                .tools(new Bank())
                .rules(new Rate())
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
        repeat(agent, RunAgentInput.of("t", "r1", List.of(QUESTION)));
        Approval first = agent.pending("t").get(0).asApproval();
        rate = 2;
        answer(agent, "r2", first.approve());
        for (int more = 0; !agent.pending("t").isEmpty(); more++) {
            assertThat(more).isLessThan(4);
            repeat(
                    agent,
                    RunAgentInput.of("t", "r3" + more, List.of(QUESTION))
                            .withResume(agent.pending("t").stream()
                                    .map(this::whatHappened)
                                    .toList()));
        }
    }

    private ResumeEntry whatHappened(PendingInterrupt open) {
        if (open instanceof Approval question) {
            return question.approve();
        }
        PendingInterrupt.UnknownOutcome lost = (PendingInterrupt.UnknownOutcome) open;
        boolean ran = effects.stream().anyMatch(effect -> effect.startsWith(lost.toolName()));
        return ran ? lost.done() : lost.retry();
    }

    private void answer(Holdpoint agent, String run, ResumeEntry answer) {
        repeat(agent, RunAgentInput.of("t", run, List.of(QUESTION)).withResume(List.of(answer)));
    }

    private void repeat(Holdpoint agent, RunAgentInput input) {
        List<RunResult> failures = new ArrayList<>();
        for (int attempt = 0; attempt < 4; attempt++) {
            RunResult result = agent.run(input, new RecordingSink()).join();
            if (!(result instanceof RunResult.Failed)) {
                return;
            }
            failures.add(result);
        }
        throw new AssertionError("the thread is stuck: " + failures);
    }

    private static AiMessage answer(ChatRequest request) {
        boolean asked = request.messages().stream().noneMatch(ToolExecutionResultMessage.class::isInstance);
        return asked
                ? AiMessage.from(List.of(call("l", "look", "{}"), call("p", "pay", "{\"amount\":5}")))
                : AiMessage.from("Done.");
    }
}
