package io.holdpoint.access;

import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A chat memory does not know whose it is: what it holds on a thread that the store does not know is nobody's to read. */
@Logs({
    "Run * on thread * failed",
    "The chat memory of the thread * holds a conversation*Tell the store whose it is*a memory of its own."
})
class UnownedMemoryTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller EVE = Caller.of("eve");

    private final Bench bench = new Bench();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(
                builder -> custom.apply(builder.store(new InMemoryStore()).chatMemoryProvider(id -> memory)));
    }

    private static void doesNotExist(RunResult result) {
        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND);
            assertThat(failed.message()).isEqualTo("There is no such thread.");
        });
    }

    @Test
    void aMemoryThatOutlivedItsThreadIsNotReadToAStranger() {
        bench.model.says("Hi.");
        agent(builder -> builder).as(ADA).send(THREAD, "My secret is 42");
        List<ChatMessage> before = memory.messages();

        doesNotExist(agent(builder -> builder).as(EVE).send(THREAD, "What was said?"));

        assertThat(bench.model.requests()).hasSize(1);
        assertThat(memory.messages()).isEqualTo(before);
    }

    @Test
    void itIsToldApartNeitherFromAThreadOfSomebodyElseNorFromNone() {
        Holdpoint agent = agent(builder -> builder);
        RecordingSink ofNone = new RecordingSink();
        agent.as(EVE).run(RunAgentInput.of(THREAD, "r", List.of()), ofNone).join();
        memory.add(UserMessage.from("My secret is 42"));
        bench.model.says("Hi.");
        bench.agent().as(ADA).send(THREAD, "Mine");

        RecordingSink seen = new RecordingSink();
        agent.as(EVE).run(RunAgentInput.of(THREAD, "r", List.of()), seen).join();

        assertThat(seen.events()).isEqualTo(ofNone.events());
        assertThat(agent.as(EVE).send(THREAD, "Hi").failure().orElseThrow().message())
                .isEqualTo(bench.agent()
                        .as(EVE)
                        .send(THREAD, "Hi")
                        .failure()
                        .orElseThrow()
                        .message());
    }

    @Test
    void whoIsRefusedDoesNotKeepTheThread() {
        memory.add(UserMessage.from("My secret is 42"));
        bench.model.says("Hi.");
        Holdpoint agent = agent(builder -> builder);
        doesNotExist(agent.as(EVE).send(THREAD, "What was said?"));

        memory.clear();

        assertThat(agent.as(ADA).send(THREAD, "Hello")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void anApplicationTellsTheStoreWhoseItsMemoriesAre() {
        memory.set(UserMessage.from("I am Ada"), AiMessage.from("Hello, Ada."));
        bench.model.says("You are Ada.");
        InMemoryStore store = Bench.owned(new InMemoryStore(), THREAD, ADA);
        Holdpoint agent = agent(builder -> builder.store(store));

        doesNotExist(agent.as(EVE).send(THREAD, "What was said?"));
        RunResult result = agent.as(ADA).send(THREAD, "Who am I?");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.model.lastMessages()).hasSize(3);
    }

    @Test
    void instructionsAloneAreNoConversation() {
        memory.add(SystemMessage.from("Be brief."));
        bench.model.says("Hi.");

        assertThat(agent(builder -> builder).send(THREAD, "Hello")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void whatAThreadStartsWithEntersItsMemoryOnlyWhenItHasAnOwner() {
        DownAtFirst store = new DownAtFirst();
        Holdpoint agent = bench.another(builder -> builder.store(store).chatMemoryProvider(id -> memory));
        RunAgentInput input =
                RunAgentInput.of(THREAD, "r1", List.of(user("m1", "My secret is 42"), user("m2", "Hello")));
        bench.model.says("Hi.");

        assertThat(agent.as(ADA).run(input, event -> {}).join()).isInstanceOf(RunResult.Failed.class);
        assertThat(memory.messages()).isEmpty();
        agent.as(EVE).send(THREAD, "What was said?");

        assertThat(bench.model.lastMessages().toString()).doesNotContain("secret");
    }

    @Test
    void aThreadOfWhichNothingButItsOwnerIsKnownIsStillSeeded() {
        bench.store.commit(lease(), Commit.empty(), bench.clock.instant());
        Message.Assistant answer = new Message.Assistant("a1", "Two", List.of());
        bench.model.says("Hi.");

        bench.run(bench.input(user("m1", "One"), answer, user("m2", "Three")));

        assertThat(bench.memory())
                .containsExactly(
                        UserMessage.from("One"),
                        AiMessage.from("Two"),
                        UserMessage.from("Three"),
                        AiMessage.from("Hi."));
    }

    private Lease lease() {
        Instant now = bench.clock.instant();
        Lease lease = bench.store
                .acquire(THREAD, "r0", Caller.ANONYMOUS.id(), now, now.plusSeconds(1))
                .orElseThrow();
        bench.clock.advance(java.time.Duration.ofSeconds(2));
        return lease;
    }

    /** A store whose first commit fails. */
    private static final class DownAtFirst extends ForwardingStore {

        private final InMemoryStore store = new InMemoryStore();
        private boolean up;

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            if (!up) {
                up = true;
                throw new IllegalStateException("down");
            }
            super.commit(lease, commit, now);
        }
    }
}
