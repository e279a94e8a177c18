package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The main job, over every shape of AI Service, with sequential and concurrent tools. */
@Logs({"Run * on thread * failed", "Tool '*' execution failed"})
class HoldAndResumeTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    interface Streaming {
        TokenStream chat(@UserMessage List<Content> message);
    }

    interface Blocking {
        String chat(@UserMessage List<Content> message);
    }

    interface WithResult {
        Result<String> chat(@UserMessage List<Content> message);
    }

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    /** Builds an agent around one shape of AI Service. */
    interface Shape {
        HoldpointBuilder<?> builder();
    }

    static Stream<Named<Shape>> shapes() {
        return Stream.of(
                Named.of("TokenStream", () -> Holdpoint.builder(Streaming.class)),
                Named.of("TokenStream, concurrent tools", () -> Holdpoint.builder(Streaming.class)
                        .aiService(service -> service.executeToolsConcurrently())),
                Named.of("String", () -> Holdpoint.builder(Blocking.class)),
                Named.of("Result<String>, concurrent tools", () -> Holdpoint.builder(WithResult.class)
                        .aiService(service -> service.executeToolsConcurrently())));
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder()
                .chatModel(model)
                .streamingChatModel(model)
                .tools(tools)
                .build();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void nothingRunsUntilApprovedAndThenOnce(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);

        RunResult held = agent.send("t", "Write to Ada");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
        assertThat(tools.effects()).isEmpty();
        PendingInterrupt pending = agent.pending("t").get(0);
        assertThat(pending.message()).isEqualTo("Send email to \"ada@example.com\" with subject 'Hi'?");

        RunResult done = agent.resume("t", pending.asApproval().approve());

        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(((RunResult.Completed) done).text()).isEqualTo("Done.");
        assertThat(tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(model.requests()).hasSize(2);
        assertThat(model.lastResult("c1")).isEqualTo("sent to ada@example.com");
        assertThat(agent.pending("t")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void mixedAnswersAndUngatedSiblingsKeepTheModelsOrder(Shape shape) {
        model.saysAndCalls(
                        "On it.",
                        call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                        call("c2", "sendEmail", MAIL),
                        call("c3", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"),
                        call("c4", "deleteRecords", "{\"table\":\"users\"}"))
                .says("Finished.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Do it all");
        assertThat(tools.effects()).isEmpty();
        List<PendingInterrupt> pending = agent.pending("t");
        assertThat(pending)
                .extracting(PendingInterrupt::toolName)
                .containsExactly("sendEmail", "transferMoney", "deleteRecords");

        RunResult done = agent.resume(
                "t",
                pending.get(0)
                        .asApproval()
                        .approveWith(Map.of("to", "bob@example.com", "subject", "Hi", "body", "Edited")),
                pending.get(1).asApproval().deny("too much"),
                pending.get(2).cancel());

        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects())
                .containsExactlyInAnyOrder("searchContacts Ada", "sendEmail bob@example.com|Hi|Edited");
        assertThat(model.lastResult("c1")).isEqualTo("ada@example.com");
        assertThat(model.lastResult("c2"))
                .contains("edited the arguments")
                .contains("bob@example.com")
                .endsWith("sent to bob@example.com");
        assertThat(model.lastResult("c3")).contains("was not executed", "declined", "\"too much\"", "Do not repeat");
        assertThat(model.lastResult("c4")).contains("was not executed", "Nobody answered");
        assertThat(model.lastMessages().toString()).containsSubsequence("c1", "c2", "c3", "c4");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aResumedRunMayHoldAgain(Shape shape) {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c2", "sendEmail", MAIL))
                .calls(call("c3", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"))
                .says("All done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        assertThat(tools.effects()).containsExactly("searchContacts Ada");
        RunResult second =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(second).isInstanceOf(RunResult.Interrupted.class);
        assertThat(tools.effects()).hasSize(2);
        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(3);
        assertThat(model.requests()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aToolThatFailsAfterApprovalIsTheCallsOneResult(Shape shape) {
        model.calls(call("c1", "explode", "{\"why\":\"test\"}")).says("It failed.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(tools.effects()).containsExactly("explode test");
        assertThat(model.lastResult("c1")).isEqualTo("boom: test");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theSameAnswerAgainExecutesNothing(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();
        agent.resume("t", approval);

        RunResult again = agent.resume("t", approval);

        assertThat(again).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(1);
        assertThat(model.requests()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void whenTheModelFailsAfterTheToolRanTheSameAnswerGoesOnWithoutTheTool(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL))
                .fails(new IllegalStateException("provider down"))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();

        RunResult failed = agent.resume("t", approval);
        assertThat(failed).isInstanceOf(RunResult.Failed.class);
        assertThat(tools.effects()).hasSize(1);
        RunResult done = agent.resume("t", approval);

        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(1);
        assertThat(model.lastResult("c1")).isEqualTo("sent to ada@example.com");
    }

    /** The official client would have it twice. */
    @ParameterizedTest
    @MethodSource("shapes")
    void aResultThatAFailedRunAnnouncedComesAgainWithTheSnapshotOnly(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL))
                .fails(new IllegalStateException("provider down"))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        RunAgentInput answer = RunAgentInput.of("t", "r2", List.of())
                .withResume(List.of(agent.pending("t").get(0).asApproval().approve()));

        RecordingSink failed = new RecordingSink();
        agent.run(answer, failed).join();
        RecordingSink again = new RecordingSink();
        agent.run(answer, again).join();

        assertThat(failed.all(ToolCallEvent.Result.class)).hasSize(1);
        assertThat(again.all(ToolCallEvent.Result.class)).isEmpty();
        assertThat(again.all(MessagesSnapshotEvent.class)).singleElement().satisfies(snapshot -> assertThat(
                        snapshot.messages())
                .extracting(Message::id)
                .contains(failed.all(ToolCallEvent.Result.class).get(0).messageId())
                .doesNotHaveDuplicates());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aTurnThatFailedAtOnceIsRunAgainFromItsMessage(Shape shape) {
        model.fails(new IllegalStateException("provider down")).says("Hello.");
        Holdpoint agent = agent(shape);
        assertThat(agent.send("t", "Hi there")).isInstanceOf(RunResult.Failed.class);

        RunResult done = agent.resume("t");

        assertThat(((RunResult.Completed) done).text()).isEqualTo("Hello.");
        assertThat(model.lastMessages()).hasSize(1);
    }
}
