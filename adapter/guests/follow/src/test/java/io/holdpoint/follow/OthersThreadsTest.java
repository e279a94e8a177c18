package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.TestDatabase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing of another agent's threads on the same store is shown, nor of another owner's where everybody has a {@code t} of their own. */
class OthersThreadsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller BOB = Caller.of("bob");
    private static final Caller BOSS = Caller.of("boss", "boss");

    private final TestDatabase database = TestDatabase.sqlite();
    private final Store store = JdbcStore.create(database.dataSource());
    private final Bench bench = new Bench(builder -> builder.userScopedThreadIds(true)
            .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("boss"))));

    @AfterEach
    void close() {
        assertThat(store.check()).isEmpty();
        database.close();
    }

    private Holdpoint node(String name, ScriptedModel model) {
        return bench.another(builder ->
                builder.name(name).store(store).streamingChatModel(model).userScopedThreadIds(false));
    }

    private void held() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().as(ADA).send("t", "Go");
    }

    private RecordingSink history(Caller caller, String threadId) {
        RecordingSink sink = new RecordingSink();
        Follow.of(bench.agent().as(caller)).history(threadId, "h", sink).join();
        return sink;
    }

    private static String thread(RecordingSink sink) {
        RunEvent.Finished finished = (RunEvent.Finished) sink.last();
        assertThat(sink.all(RunEvent.Started.class).get(0).threadId()).isEqualTo(finished.threadId());
        return finished.threadId();
    }

    @Test
    void aThreadOfAnotherAgentDoesNotExist() {
        node("sandbox", new ScriptedModel().calls(call("c1", "sendEmail", MAIL)))
                .send("t", "Go");
        Follow other = Follow.of(node("live", new ScriptedModel()));

        RecordingSink history = new RecordingSink();
        other.history("t", "r", history).join();

        assertThat(history.all(MessagesSnapshotEvent.class).get(0).messages()).isEmpty();
        assertThat(other.inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 10).items())
                .isEmpty();
    }

    @Test
    void pagesOfAnInboxHaveTheAgentsOwnThreadsOnly() {
        for (String name : List.of("a", "b")) {
            for (String thread : List.of("1", "2", "3")) {
                ScriptedModel model = new ScriptedModel();
                model.calls(call("c1", "sendEmail", MAIL));
                node(name, model).send(name + thread, "Pay");
            }
        }
        Holdpoint agent = node("b", new ScriptedModel());

        Inbox first = Follow.of(agent).inbox(Inbox.Scope.OWN, Optional.empty(), 2);
        Inbox second = Follow.of(agent).inbox(Inbox.Scope.ACCESSIBLE, first.next(), 2);

        assertThat(first.items()).extracting(AskedQuestion::threadId).containsExactly("b1", "b2");
        assertThat(second.items()).extracting(AskedQuestion::threadId).containsExactly("b3");
        assertThat(second.next()).isEmpty();
    }

    @Test
    void theNameOfAnAgentIsNotShown() {
        for (String name : List.of("sandbox", "")) {
            Holdpoint agent = node(name, new ScriptedModel().calls(call("c1", "sendEmail", MAIL)));
            agent.send("t", "Go");

            assertThat(Follow.of(agent)
                            .inbox(Inbox.Scope.OWN, Optional.empty(), 10)
                            .items())
                    .extracting(AskedQuestion::threadId)
                    .containsExactly("t");
        }
    }

    @Test
    void whoMayDecideSeesTheOwnerInTheId() {
        held();

        assertThat(Follow.of(bench.agent().as(BOSS)).inbox().items())
                .extracting(AskedQuestion::threadId)
                .containsExactly("@ada:t");
        assertThat(Follow.of(bench.agent().as(ADA)).inbox().items())
                .extracting(AskedQuestion::threadId)
                .containsExactly("t");
        assertThat(thread(history(ADA, "t"))).isEqualTo("t");
        assertThat(thread(history(BOSS, "@ada:t"))).isEqualTo("@ada:t");
    }

    /** Somebody else's thread and none look alike. */
    @ParameterizedTest
    @ValueSource(strings = {"@ada:t", "@ada:none", "@zoe:t"})
    void anIdOfSomebodyElseIsNone(String id) {
        held();
        RecordingSink followed = new RecordingSink();
        Follow.of(bench.agent().as(BOB)).follow(id, "r", followed).join();

        for (RecordingSink sink : List.of(followed, history(BOB, id))) {
            assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEmpty();
            assertThat(sink.interrupts()).isEmpty();
        }
    }
}
