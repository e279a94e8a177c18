package io.holdpoint.access;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Retention;
import io.holdpoint.RunResult;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two agents on one database, one chat memory store and the same thread ids: nothing of the one reaches the other. */
class SeveralAgentsTest {

    private final List<String> paid = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final TestDatabase database = TestDatabase.sqlite();
    private final Store store = JdbcStore.create(database.dataSource());
    private final ChatMemoryStore memories = new InMemoryChatMemoryStore();
    private final VirtualClock clock = new VirtualClock();

    private final class Payments {

        private final String where;

        Payments(String where) {
            this.where = where;
        }

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(int amount) {
            paid.add(where + " " + amount);
            return "paid";
        }
    }

    private HoldpointBuilder<?> builder(String name, ScriptedModel model) {
        return Shape.BLOCKING
                .builder(model)
                .name(name)
                .tools(new Payments(name))
                .store(store)
                .clock(clock)
                .observers(RunObserver.ofTrail(event -> heard.add(event.threadId())))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(50)
                        .chatMemoryStore(memories)
                        .build());
    }

    private Holdpoint held(String name) {
        ScriptedModel model = new ScriptedModel();
        model.calls(call("c1", "pay", "{\"amount\":5}")).says("Done by " + name + ".");
        Holdpoint agent = builder(name, model).build();
        assertThat(agent.send("t", "Pay 5 for " + name)).isInstanceOf(RunResult.Interrupted.class);
        return agent;
    }

    private static PendingInterrupt.Approval question(Holdpoint agent) {
        return agent.pending("t").get(0).asApproval();
    }

    @AfterEach
    void close() {
        assertThat(store.check()).isEmpty();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({"sandbox,live", "sandbox,''", "'',live", "live,live2"})
    void anAnswerReachesTheAgentThatAsked(String one, String other) {
        Holdpoint asked = held(one);
        Holdpoint stranger = held(other);

        RunResult misled = stranger.resume("t", question(asked).approve());

        assertThat(((RunResult.Failed) misled).code()).isEqualTo(ErrorCode.INTERRUPT_UNKNOWN);
        assertThat(paid).isEmpty();
        assertThat(asked.resume("t", question(asked).approve()).text()).isEqualTo("Done by " + one + ".");
        assertThat(paid).containsExactly(one + " 5");
        assertThat(stranger.pending("t")).hasSize(1);
    }

    @Test
    void aThreadOfAnotherAgentDoesNotExist() {
        held("sandbox");
        Holdpoint other = builder("live", new ScriptedModel()).build();

        assertThat(other.pending("t")).isEmpty();
        assertThat(other.auditTrail("t", 0, 10)).isEmpty();
        assertThat(other.cancel("t")).isFalse();
    }

    @Test
    void memoriesDoNotMixAndTheNameIsNotShown() {
        Holdpoint sandbox = held("sandbox");
        Holdpoint plain = held("");

        sandbox.resume("t", question(sandbox).approve());

        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("Pay 5 for "));
        assertThat(memories.getMessages(Store.memoryOf("sandbox", "t"))).hasSize(4);
        assertThat(heard).containsOnly("t");
        assertThat(sandbox.auditTrail("t", 0, 10))
                .extracting(AuditEvent::threadId)
                .containsOnly("t");
        assertThat(plain.pending("t")).hasSize(1);
    }

    @Test
    void anAgentSettlesAndEmptiesOnlyItsOwnThreads() {
        Holdpoint sandbox = held("sandbox");
        Holdpoint brief = builder("live", new ScriptedModel())
                .retention(new Retention(Duration.ofMinutes(1), Duration.ofMinutes(1)))
                .build();
        clock.advance(Duration.ofHours(1));

        assertThat(brief.purge()).isEqualTo(new Retention.Purged(0, 0, 0, 0));
        assertThat(sandbox.pending("t")).hasSize(1);
    }

    @Test
    void eachAgentKeepsWhatIsSettledForItsOwnTime() {
        Duration hour = Duration.ofHours(1);
        Holdpoint sandbox = held("sandbox");
        PendingInterrupt.Approval question = question(sandbox);
        sandbox.resume("t", question.approve());
        Holdpoint brief = builder("live", new ScriptedModel())
                .retention(new Retention(hour, hour).withAudit(hour))
                .build();
        clock.advance(hour.multipliedBy(2));

        assertThat(brief.purge()).as("that it was built").isEqualTo(new Retention.Purged(0, 0, 0, 1));
        assertThat(sandbox.resume("t", question.approve()))
                .as("the same answer again")
                .isInstanceOf(RunResult.Completed.class);
        assertThat(sandbox.auditTrail("t", 0, 10)).isNotEmpty();
        clock.advance(Duration.ofHours(24));
        assertThat(sandbox.purge()).isEqualTo(new Retention.Purged(0, 1, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "ä", "a:b", "a\u001fb"})
    void aNameThatCouldBeMistakenIsRefused(String name) {
        assertThatThrownBy(() -> Shape.BLOCKING.builder(new ScriptedModel()).name(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name(");
    }
}
