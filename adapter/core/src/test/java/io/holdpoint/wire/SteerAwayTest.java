package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** New messages while something is undecided or unfinished. */
@Logs({"Run * on thread * failed", "The batch * could not be continued"})
class SteerAwayTest {

    private final Bench bench = new Bench();

    private void holdDelete() {
        bench.model.calls(
                call("c1", "deleteRecords", "{\"table\":\"users\"}"),
                call("c2", "searchContacts", "{\"query\":\"Ada\"}"));
        bench.say("Go");
    }

    @Test
    void cancellingAllWithANewMessageRunsNothingAndAsksTheModelOnce() {
        holdDelete();
        bench.model.says("As you like.");

        RecordingSink sink = bench.resumeAndSay("Stop", bench.pending(0).cancel());

        assertThat(sink.text()).isEqualTo("As you like.");
        assertThat(sink.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::toolCallId)
                .containsExactly("c1", "c2");
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.requests()).hasSize(2);
        assertThat(bench.model.lastResult("c1")).contains("was not executed");
    }

    @Test
    void theNewMessageFollowsTheResultsInMemoryAndTranscript() {
        holdDelete();
        bench.model.says("As you like.");

        bench.resumeAndSay("Stop", bench.pending(0).cancel());

        assertThat(bench.memory())
                .extracting(ChatMessage::type)
                .containsExactly(
                        ChatMessageType.USER,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.AI,
                        ChatMessageType.USER,
                        ChatMessageType.AI);
        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "tool", "tool", "user", "assistant");
    }

    @Test
    void aBareNewMessageIsHeardOnceEveryInterruptHasExpired() {
        holdDelete();
        bench.clock.advance(Duration.ofHours(1));
        bench.model.says("Hello.");

        RecordingSink sink = bench.say("Hi");

        assertThat(sink.text()).isEqualTo("Hello.");
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("expired");
    }

    @Test
    void answersAndANewMessageInOneInputBothHappen() {
        holdDelete();
        bench.model.says("Deleted.").says("Hello.");

        RecordingSink sink =
                bench.resumeAndSay("Hi", bench.pending(0).asApproval().approve());

        assertThat(sink.text()).isEqualTo("Deleted.Hello.");
        assertThat(bench.tools.effects()).hasSize(2);
        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "tool", "tool", "assistant", "user", "assistant");
    }

    @Test
    void aMessageThatWasNotHeardBecauseTheContinuationHoldsIsNewWhenSentAgain() {
        holdDelete();
        bench.model.calls(call("c3", "sendEmail", MAIL)).says("Fine.");
        RecordingSink held =
                bench.resumeAndSay("Hi", bench.pending(0).asApproval().approve());
        assertThat(held.interrupts()).hasSize(1);
        assertThat(bench.transcript()).extracting(Message::id).doesNotContain("Hi");

        RecordingSink heard = bench.resumeAndSay("Hi", bench.pending(0).cancel());

        assertThat(heard.text()).isEqualTo("Fine.");
        assertThat(bench.transcript()).extracting(Message::id).containsOnlyOnce("Hi");
    }

    /** A client that keeps its own order has the unheard message before what the server said meanwhile. */
    @Test
    void aMessageThatWasNotHeardIsNewAlsoBeforeMessagesThatTheServerKnows() {
        holdDelete();
        bench.model.calls(call("c3", "sendEmail", MAIL)).says("Fine.");
        List<Message> before = bench.transcript();
        bench.resumeAndSay("Hi", bench.pending(0).asApproval().approve());
        List<Message> all = bench.transcript();
        List<Message> theirs = new java.util.ArrayList<>(before);
        theirs.add(user("Hi", "Hi"));
        theirs.addAll(all.subList(before.size(), all.size()));

        RecordingSink heard = bench.run(bench.input(theirs.toArray(Message[]::new))
                .withResume(List.of(bench.pending(0).cancel())));

        assertThat(heard.text()).isEqualTo("Fine.");
        assertThat(bench.model
                        .lastMessages()
                        .get(bench.model.lastMessages().size() - 1)
                        .toString())
                .contains("\"Hi\"");
    }

    @Test
    void aNewMessageAfterAFailedResumeFindsTheResultsInMemory() {
        holdDelete();
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        bench.model.fails(new IllegalStateException("down")).says("Hello.");
        assertThat(bench.resume(approval).errorCode()).isEqualTo("RUN_FAILED");

        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
        assertThat(bench.model.lastResult("c1")).isEqualTo("deleted from users");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void theSameAnswersAndMessageAgainRunTheTurnThatFailedBehindTheAnswers() {
        holdDelete();
        ResumeEntry approval = bench.pending(0).asApproval().approve();
        bench.model.says("Deleted.").fails(new IllegalStateException("down")).says("Hello.");
        assertThat(bench.resumeAndSay("Hi", approval).errorCode()).isEqualTo("RUN_FAILED");

        assertThat(bench.resumeAndSay("Hi", approval).text()).isEqualTo("Hello.");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void approvalsGivenToAChoiceOfAMethodThatThrowsDoNotHoldUpANewMessage() {
        AtomicBoolean broken = new AtomicBoolean();
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .method(turn -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return "chat";
                })
                .streamingChatModel(model)
                .tools(bench.tools)
                .build();
        model.calls(call("c1", "sendEmail", MAIL));
        agent.send("x", "Go");
        ResumeEntry approval = agent.pending("x").get(0).asApproval().approve();
        broken.set(true);
        assertThat(agent.resume("x", approval)).isInstanceOf(RunResult.Failed.class);
        assertThat(agent.send("x", "One")).isInstanceOf(RunResult.Failed.class);
        broken.set(false);
        model.says("Hello.");

        assertThat(agent.send("x", "Two")).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed");
    }
}
