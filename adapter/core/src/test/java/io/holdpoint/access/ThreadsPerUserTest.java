package io.holdpoint.access;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner is part of a thread's id: everybody has a {@code t} of their own. */
class ThreadsPerUserTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller BOB = Caller.of("bob");
    private static final Caller BOSS = Caller.of("boss", "boss");

    private final List<String> seen = new ArrayList<>();
    private final Bench bench = new Bench(builder -> builder.userScopedThreadIds(true)
            .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("boss")))
            .tools(new Object() {
                @Tool
                String where(@ToolMemoryId String thread) {
                    seen.add(thread);
                    return thread;
                }
            }));

    private Holdpoint as(Caller caller) {
        return bench.agent().as(caller);
    }

    private void held(Caller caller, String thread) {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        assertThat(as(caller).send(thread, "Go")).isInstanceOf(RunResult.Interrupted.class);
    }

    private static RecordingSink run(Holdpoint agent, RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        agent.run(input, sink).join();
        return sink;
    }

    private static String thread(RecordingSink sink) {
        RunEvent.Finished finished = (RunEvent.Finished) sink.last();
        assertThat(sink.all(RunEvent.Started.class).get(0).threadId()).isEqualTo(finished.threadId());
        return finished.threadId();
    }

    @Test
    void twoUsersHaveTwoThreadsOfOneId() {
        held(ADA, "t");
        bench.model.says("Hello, Bob.");

        RecordingSink sink = run(as(BOB), RunAgentInput.of("t", "r", List.of(Bench.user("u1", "Hi"))));

        assertThat(sink.text()).isEqualTo("Hello, Bob.");
        assertThat(thread(sink)).isEqualTo("t");
        assertThat(as(BOB).pending("t")).isEmpty();
        assertThat(as(ADA).pending("t")).hasSize(1);
        bench.model.says("Sent.");
        assertThat(as(ADA).resume("t", as(ADA).pending("t").get(0).asApproval().approve())
                        .text())
                .isEqualTo("Sent.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void whoMayDecideSeesTheOwnerInTheId() {
        held(ADA, "t");
        assertThat(as(BOSS).pending("t")).isEmpty();
        PendingInterrupt.Approval question = as(BOSS).pending("@ada:t").get(0).asApproval();
        bench.model.says("Sent.");

        RecordingSink sink =
                run(as(BOSS), RunAgentInput.of("@ada:t", "r", List.of()).withResume(List.of(question.approve())));

        assertThat(thread(sink)).isEqualTo("@ada:t");
        assertThat(sink.text()).isEqualTo("Sent.");
        assertThat(as(ADA).pending("t")).isEmpty();
    }

    @Test
    void anOwnerWhoIsAskedAgainSeesNoOwnerEither() {
        held(ADA, "t");
        RunAgentInput bad = RunAgentInput.of("t", "r", List.of())
                .withResume(List.of(ResumeEntry.resolved(
                        as(ADA).pending("t").get(0).interrupt().id(), TextNode.valueOf("yes"))));

        RecordingSink sink = run(as(ADA), bad.withProtocolVersion(null));

        assertThat(sink.interrupts()).hasSize(1);
        assertThat(thread(sink)).isEqualTo("t");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void toolsGetAnIdThatOnlyOneThreadHas() {
        for (Caller caller : List.of(ADA, BOB)) {
            bench.model.calls(call("c1", "where", "{}")).says("There.");
            as(caller).send("t", "Where?");
        }

        assertThat(seen).containsExactly("@ada:t", "@bob:t");
    }

    /** Somebody else's thread and none look alike, and nobody can start a thread in another one's name. */
    @ParameterizedTest
    @ValueSource(strings = {"@ada:t", "@ada:none", "@zoe:t"})
    void anIdOfSomebodyElseIsNone(String id) {
        held(ADA, "t");
        List<Message> said = List.of(Bench.user("u1", "Mine"));

        for (RunAgentInput input : List.of(
                RunAgentInput.of(id, "r", said),
                RunAgentInput.of(id, "r", List.of()),
                RunAgentInput.of(id, "r", List.of()).withResume(List.of(ResumeEntry.cancelled("int_1"))))) {
            RunRejectedException rejected = catchThrowableOfType(RunRejectedException.class, () -> run(as(BOB), input));
            assertThat(rejected.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
        }
        assertThat(as(BOB).pending(id)).isEmpty();
        assertThat(as(BOB).cancel(id)).isFalse();
    }

    @Test
    void ownersWhoseNamesLookAlikeAreNotMistaken() {
        List<Caller> callers =
                List.of(Caller.of("a:b"), Caller.of("a%3Ab"), Caller.of("a"), Caller.of("@a"), Caller.of("a%253Ab"));
        List<String> ids = List.of("t", "b:t", "@a:t", "%", ":", "@", "@:t", "@a%3ab:t", "@a%b:t");
        for (Caller caller : callers) {
            for (String id : ids) {
                if (!id.equals("@a:t") || caller.id().equals("a")) {
                    bench.model.says(caller.id() + id);
                    assertThat(as(caller).send(id, "Hi").text()).isEqualTo(caller.id() + id);
                    assertThat(bench.model.lastMessages()).hasSize(1 + (id.equals("@a:t") ? 2 : 0));
                }
            }
        }
    }

    @Test
    void anIdThatIsTooLongWithItsOwnerIsRefused() {
        RunRejectedException rejected = catchThrowableOfType(
                RunRejectedException.class,
                () -> run(as(ADA), RunAgentInput.of("x".repeat(255), "r", List.of(Bench.user("u", "Hi")))));

        assertThat(rejected.code()).isEqualTo(ErrorCode.INPUT_INVALID);
        assertThat(rejected).hasMessageContaining("at most 250 characters");
    }

    interface Numbered {
        String chat(@MemoryId Long id, @UserMessage String text);
    }

    @Test
    void aMemoryIdThatIsNoTextCannotKeepTheOwner() {
        assertThatThrownBy(() -> Holdpoint.builder(Numbered.class)
                        .chatModel(bench.model)
                        .userScopedThreadIds(true)
                        .build())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("userScopedThreadIds");
    }
}
