package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.InputGuardrail;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The model remembers what the thread shows after a part of it was replaced, whatever the memory has kept. */
class ReplacedMemoryTest {

    private static final String ADA = "{\"query\":\"Ada\"}";

    private final ScriptedModel model = new ScriptedModel();
    private Store store = new InMemoryStore();
    private ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);
    private int runs;

    /** A store of which a commit that cuts fails once, as if the process had died right before it. */
    private static final class DiesBeforeTheCut extends ForwardingStore {

        private final Store store;
        private boolean dead;

        DiesBeforeTheCut(Store store) {
            this.store = store;
        }

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            if (commit.cut().isPresent() && !dead) {
                dead = true;
                throw new IllegalStateException("dead");
            }
            super.commit(lease, commit, now);
        }
    }

    private HoldpointBuilder<?> builder() {
        return Shape.BLOCKING
                .builder(model)
                .tools(new OfficeTools())
                .store(store)
                .chatMemoryProvider(id -> memory);
    }

    private static void talk(ScriptedModel model, Holdpoint agent, String... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            model.says(pairs[i + 1]);
            agent.send("t", pairs[i]);
        }
    }

    /** Edits the user message at a place among those of the transcript. */
    private RunResult edit(Holdpoint agent, int which, String text) {
        String replaced = store.transcript("t").stream()
                .filter(message -> message instanceof Message.User)
                .toList()
                .get(which)
                .id();
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", replaced);
        RunAgentInput input = RunAgentInput.of("t", "edit-" + ++runs, List.of(Bench.user(text, text)))
                .withForwardedProps(forwarded);
        return agent.run(input, event -> {}).join();
    }

    private static List<ChatMessage> said(String... texts) {
        List<ChatMessage> messages = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            messages.add(i % 2 == 0 ? UserMessage.from(texts[i]) : AiMessage.from(texts[i]));
        }
        return messages;
    }

    @Test
    void callsAndResultsBeforeTheEditStay() {
        Holdpoint agent = builder().build();
        model.calls(call("c1", "searchContacts", ADA)).says("1");
        agent.send("t", "One");
        talk(model, agent, "Two", "2", "Three", "3");
        model.says("2b");

        edit(agent, 1, "Two b");

        assertThat(memory.messages()).hasSize(6);
        assertThat(memory.messages().get(2)).isInstanceOf(ToolExecutionResultMessage.class);
        assertThat(memory.messages().subList(3, 6))
                .containsExactly(AiMessage.from("1"), UserMessage.from("Two b"), AiMessage.from("2b"));
    }

    @Test
    void aWindowThatHasEvictedWhatIsBeforeGetsTheTexts() {
        memory = MessageWindowChatMemory.withMaxMessages(4);
        Holdpoint agent = builder().build();
        talk(model, agent, "One", "1", "Two", "2", "Three", "3", "Four", "4");
        model.says("2b");

        edit(agent, 1, "Two b");

        assertThat(model.lastMessages()).isEqualTo(said("One", "1", "Two b"));
    }

    @Test
    void theSystemMessageStaysAndRetrievalMayHaveChangedTheOthers() {
        ContentRetriever retriever = query -> List.of(Content.from("a fact"));
        Holdpoint agent = Shape.BLOCKING
                .builder(model, service -> service.contentRetriever(retriever).systemMessageProvider(id -> "Be brief."))
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
        talk(model, agent, "One", "1", "Two", "2", "Three", "3");
        ChatMessage first = memory.messages().get(1);
        model.says("2b");

        edit(agent, 1, "Two b");

        assertThat(memory.messages())
                .hasSize(5)
                .startsWith(SystemMessage.from("Be brief."), first, AiMessage.from("1"));
        assertThat(memory.messages().get(3).toString()).contains("Two b", "a fact");
    }

    @Test
    void aMemoryThatHasSummarisedWhatIsCutGetsTheTexts() {
        Holdpoint agent = builder().build();
        talk(model, agent, "One", "1", "Two", "2", "Three", "3", "Four", "4");
        List<ChatMessage> summarised = new ArrayList<>(List.of(AiMessage.from("They talked of One, Two and Three.")));
        summarised.addAll(said("Four", "4"));
        memory.set(summarised);
        model.says("3b");

        edit(agent, 2, "Three b");

        assertThat(model.lastMessages()).isEqualTo(said("One", "1", "Two", "2", "Three b"));
    }

    @Test
    void aMemoryThatWasLostGetsTheTexts() {
        talk(model, builder().build(), "One", "1", "Two", "2");
        memory = MessageWindowChatMemory.withMaxMessages(20);
        model.says("2b");

        edit(builder().build(), 1, "Two b");

        assertThat(memory.messages()).isEqualTo(said("One", "1", "Two b", "2b"));
    }

    @Test
    void whatWasInTheMemoryBeforeTheThreadStays() {
        memory.set(said("Zero", "0"));
        Bench.owned(store, "t", Caller.ANONYMOUS);
        Holdpoint agent = builder().build();
        talk(model, agent, "One", "1");
        model.says("1b");

        edit(agent, 0, "One b");

        assertThat(memory.messages()).isEqualTo(said("Zero", "0", "One b", "1b"));
    }

    @Test
    @Logs("Run * on thread * failed")
    void aProcessThatDiesInBetweenLeavesAModelThatHasForgottenTooMuchAndNothingElse() {
        store = new DiesBeforeTheCut(store);
        Holdpoint agent = builder().build();
        talk(model, agent, "One", "1", "Two", "2", "Three", "3", "Four", "4");

        assertThat(edit(agent, 2, "Three b")).isInstanceOf(RunResult.Failed.class);
        assertThat(store.transcript("t")).hasSize(8);
        assertThat(memory.messages()).isEqualTo(said("One", "1", "Two", "2"));
        model.says("3b");
        edit(agent, 2, "Three b");

        assertThat(memory.messages()).isEqualTo(said("One", "1", "Two", "2", "Three b", "3b"));
        assertThat(store.transcript("t")).hasSize(6);
    }

    @Test
    @Logs("Run * on thread * failed")
    void aProcessThatDiesInBetweenCutsAMemoryOfLikeAnswersOnceOnly() {
        store = new DiesBeforeTheCut(store);
        Holdpoint agent = builder().build();
        talk(model, agent, "One", "Done.", "Two", "Done.", "Three", "3");
        edit(agent, 2, "Three b");
        model.says("3b");

        edit(agent, 2, "Three b");

        assertThat(memory.messages()).isEqualTo(said("One", "Done.", "Two", "Done.", "Three b", "3b"));
    }

    @Test
    @Logs("Run * on thread * failed")
    void aMessageThatAGuardrailKeptOutOfTheMemoryTakesNoEarlierTurnWithIt() {
        InputGuardrail polite = new InputGuardrail() {
            @Override
            public InputGuardrailResult validate(UserMessage message) {
                return message.singleText().equals("Three") ? fatal("rude") : success();
            }
        };
        Holdpoint agent = Shape.BLOCKING
                .builder(model, service -> service.inputGuardrails(polite))
                .tools(new OfficeTools())
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
        talk(model, agent, "One", "Done.", "Two", "Done.");
        assertThat(agent.send("t", "Three")).isInstanceOf(RunResult.Failed.class);
        model.says("3b");

        edit(agent, 2, "Three b");

        assertThat(memory.messages()).isEqualTo(said("One", "Done.", "Two", "Done.", "Three b", "3b"));
    }

    static List<Supplier<TestDatabase>> databases() {
        return Depth.ALL ? List.of(TestDatabase::sqlite, TestDatabase::postgres) : List.of(TestDatabase::sqlite);
    }

    @ParameterizedTest
    @MethodSource("databases")
    @Logs("Run * on thread * failed")
    void inOneDatabaseTranscriptAndMemoryAreCutTogetherOrNotAtAll(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            store = JdbcStore.create(database.dataSource());
            JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());
            Holdpoint agent = Shape.BLOCKING
                    .builder(model)
                    .store(store)
                    .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                            .id(id)
                            .maxMessages(20)
                            .chatMemoryStore(memories)
                            .build())
                    .build();
            talk(model, agent, "One", "1", "Two", "2");
            database.execute("ALTER TABLE holdpoint_audit RENAME TO elsewhere");

            assertThat(edit(agent, 1, "Two b")).isInstanceOf(RunResult.Failed.class);
            database.execute("ALTER TABLE elsewhere RENAME TO holdpoint_audit");

            assertThat(memories.getMessages("t")).isEqualTo(said("One", "1", "Two", "2"));
            assertThat(store.transcript("t")).hasSize(4);
            assertThat(store.transcript("t", Store.Range.CUT)).isEmpty();
            model.says("2b");
            assertThat(edit(agent, 1, "Two b")).isInstanceOf(RunResult.Completed.class);
            assertThat(memories.getMessages("t")).isEqualTo(said("One", "1", "Two b", "2b"));
            assertThat(store.transcript("t")).hasSize(4);
            assertThat(store.check()).isEmpty();
        }
    }
}
