package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.CheckedMemory;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tool that does not exist, beside one that must be approved. */
class HallucinatedToolTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final CheckedMemory memory = new CheckedMemory(MessageWindowChatMemory.withMaxMessages(20));

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void byDefaultItFailsTheRunBeforeAnythingIsHeldAndTheThreadGoesOn(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL), call("c2", "teleport", "{}")).says("Hello.");
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();

        assertThat(agent.send("t", "Go")).isInstanceOf(RunResult.Failed.class);
        assertThat(agent.pending("t")).isEmpty();
        assertThat(memory.messages()).hasSize(1);
        assertThat(agent.send("t", "Hello?")).isInstanceOf(RunResult.Completed.class);
        assertThat(memory.violations()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStrategyAnswersOnceAndTheSiblingIsHeld(Shape shape) {
        AtomicInteger asked = new AtomicInteger();
        model.calls(call("c1", "sendEmail", MAIL), call("c2", "teleport", "{}")).says("Done.");
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.hallucinatedToolNameStrategy(request -> {
                            asked.incrementAndGet();
                            return ToolExecutionResultMessage.from(request, "There is no " + request.name());
                        }))
                .tools(tools)
                .build();
        agent.send("t", "Go");
        assertThat(agent.pending("t")).hasSize(1);

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(asked).hasValue(1);
        assertThat(model.lastResult("c2")).isEqualTo("There is no teleport");
        assertThat(tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatIsGoneWhenItIsApprovedIsToldToTheModel(Shape shape) {
        AtomicInteger runs = new AtomicInteger();
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = shape.builder(model, service -> {})
                .toolProviders(request -> {
                    boolean first = runs.incrementAndGet() == 1;
                    return ToolProviderResult.builder()
                            .addAll(first ? ToolService.findTools(tools) : List.of())
                            .build();
                })
                .build();
        agent.send("t", "Go");

        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).contains("was not executed", "is not offered now");
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void approvingForEverDoesNotOutrunTheRounds(Shape shape) {
        for (int i = 0; i < 10; i++) {
            model.calls(call("c" + i, "sendEmail", MAIL));
        }
        Holdpoint agent = shape.builder(model, service -> service.maxToolCallingRoundTrips(3))
                .tools(tools)
                .build();
        RunResult result = agent.send("t", "Go");
        while (result instanceof RunResult.Interrupted held) {
            result = agent.resume("t", held.interrupts().get(0).asApproval().approve());
        }

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(
                        failed.cause().orElseThrow())
                .hasMessageContaining("maxToolCallingRoundTrips"));
        assertThat(tools.effects()).hasSize(3);
    }
}
