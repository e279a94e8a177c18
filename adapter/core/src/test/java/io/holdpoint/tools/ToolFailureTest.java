package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools and their error handlers that do their worst. */
class ToolFailureTest {

    private final ScriptedModel model = new ScriptedModel();
    private final AtomicInteger entered = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void anExecutorThatThrowsAnErrorFailsTheRunAndIsNotEnteredAgain(Shape shape) {
        model.calls(call("c1", "breakDown", "{}")).says("It broke.");
        ToolSpecification tool = ToolSpecification.builder().name("breakDown").build();
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.tools(Map.of(tool, (request, memoryId) -> {
                            entered.incrementAndGet();
                            throw new StackOverflowError("too deep");
                        })))
                .build();

        RunResult failed = agent.send("t", "Go");
        RunResult repeated = agent.resume("t");

        assertThat(((RunResult.Failed) failed).cause().orElseThrow()).hasStackTraceContaining("too deep");
        assertThat(repeated).isInstanceOf(RunResult.Completed.class);
        assertThat(entered).hasValue(1);
        assertThat(model.lastResult("c1")).contains("breakDown", "failed", "too deep");
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void anErrorHandlerThatThrowsIsAskedOnceAndFailsTheRun(Shape shape) {
        AtomicInteger asked = new AtomicInteger();
        model.calls(call("c1", "explode", "{\"why\":\"test\"}")).says("It failed.");
        OfficeTools tools = new OfficeTools();
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.toolExecutionErrorHandler((error, context) -> {
                            asked.incrementAndGet();
                            throw new IllegalArgumentException("not handled");
                        }))
                .tools(tools)
                .build();
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();

        RunResult failed = agent.resume("t", approval);
        RunResult repeated = agent.resume("t", approval);

        assertThat(((RunResult.Failed) failed).cause().orElseThrow()).hasMessage("not handled");
        assertThat(repeated).isInstanceOf(RunResult.Completed.class);
        assertThat(asked).hasValue(1);
        assertThat(tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void whatAnErrorHandlerMakesOfAFailureIsTheResult(Shape shape) {
        model.calls(call("c1", "explode", "{\"why\":\"test\"}")).says("It failed.");
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.toolExecutionErrorHandler(
                                (error, context) -> ToolErrorHandlerResult.text("handled " + error.getMessage())))
                .tools(new OfficeTools())
                .build();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.lastResult("c1")).isEqualTo("handled boom: test");
    }

    /** The result's event has no place for it. */
    @Test
    @Logs("Tool 'broken' execution failed")
    void aRunWithAFailedCallEndsWithASnapshotThatSaysSo() {
        Bench bench = new Bench(builder -> builder.tools(new Broken()));
        bench.model.calls(call("c1", "broken", "{}"), call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.model.says("Sorry.").says("Hello.");

        RecordingSink failed = bench.say("Break");
        RecordingSink fine = bench.say("Hi");

        assertThat(failed.types()).endsWith("MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(failed.all(MessagesSnapshotEvent.class).get(0).messages())
                .filteredOn(Message.Tool.class::isInstance)
                .extracting(message -> ((Message.Tool) message).error() != null)
                .containsExactly(true, false);
        assertThat(fine.types()).doesNotContain("MESSAGES_SNAPSHOT");
    }

    /** Returns what cannot be written as JSON, as an entity with a way back to itself. */
    static final class Entities {

        static final class Payment {
            public final Payment itself = this;
        }

        private final AtomicInteger entered;

        Entities(AtomicInteger entered) {
            this.entered = entered;
        }

        @Tool
        @RequiresApproval
        Payment pay(int amount) {
            entered.incrementAndGet();
            return new Payment();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Logs("The result of the tool * cannot be written")
    void aCallWhoseResultCannotBeWrittenHasRunAllTheSame(Shape shape) {
        model.calls(call("c1", "pay", "{\"amount\":5}")).says("Paid.");
        Holdpoint agent = shape.builder(model).tools(new Entities(entered)).build();

        RunResult result = agent.resume("t", agent.send("t", "Go").approval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(entered).hasValue(1);
        assertThat(agent.auditTrail("t", 0, 10))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.EXECUTED)
                .doesNotContain(AuditEvent.Kind.FAILED);
        assertThat(model.lastResult("c1"))
                .contains("\"pay\" was executed", "Do not repeat")
                .doesNotContain("failed");
    }

    /** A class of what a tool has returned is missing. */
    static final class Detached {

        public String getPayer() {
            throw new NoClassDefFoundError("Payer");
        }
    }

    /** Tools that work. */
    final class Working {

        @Tool
        @RequiresApproval
        Detached pay(int amount) {
            entered.incrementAndGet();
            return new Detached();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Logs("The result of the tool * cannot be written")
    void norIsItAFailureThatTheResultCannotBeWrittenForAnError(Shape shape) {
        model.calls(call("c1", "pay", "{\"amount\":5}")).says("Paid.");
        Holdpoint agent = shape.builder(model).tools(new Working()).build();

        RunResult result = agent.resume("t", agent.send("t", "Go").approval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(entered).hasValue(1);
        assertThat(model.lastResult("c1"))
                .contains("\"pay\" was executed", "Do not repeat")
                .doesNotContain("failed");
    }

    /** A tool that needs no approval. */
    static final class Broken {
        @Tool("Always fails")
        public String broken() {
            throw new IllegalStateException("out of order");
        }
    }
}
