package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.TimeStep;
import io.holdpoint.store.TurnRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TrailRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A newer library finds older tables. Two steps exist for this test only, as resources of it: one adds a column, the other
 * fails in its second statement.
 */
class MigrationTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    static List<Supplier<TestDatabase>> databases() {
        return List.of(TestDatabase::sqlite, TestDatabase::postgres);
    }

    private static List<String> with(String... more) {
        List<String> steps = new ArrayList<>(Schema.STEPS);
        steps.addAll(List.of(more));
        return steps;
    }

    @ParameterizedTest
    @MethodSource("databases")
    void chatMemoriesOfVersionOneAreReadAsTheyWere(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            Schema.create(database.dataSource(), Schema.STEPS.subList(0, 1));
            List<ChatMessage> odd = List.of(
                    SystemMessage.from("Be brief."),
                    UserMessage.from("a\0b\ud83d \u00e9\ud83d\ude00\u2028\\u0041 \"'"),
                    AiMessage.from(ToolExecutionRequest.builder()
                            .id("c1")
                            .name("pay")
                            .arguments("{\"amount\":12345678901234567890.10}")
                            .build()));
            for (Map.Entry<String, String> memory : Map.of(
                            "odd", RecordJson.toAscii(ChatMessageSerializer.messagesToJson(odd)),
                            "none", "[]",
                            "damaged", "[{\"type\":")
                    .entrySet()) {
                database.execute("INSERT INTO holdpoint_chat_memory (memory_id, messages) VALUES ('" + memory.getKey()
                        + "', '" + memory.getValue().replace("'", "''") + "')");
            }

            JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());

            assertThat(memories.getMessages("odd")).isEqualTo(odd);
            assertThat(memories.getMessages("none")).isEmpty();
            assertThatThrownBy(() -> memories.getMessages("damaged")).isInstanceOf(RuntimeException.class);
            memories.updateMessages("odd", odd.subList(0, 1));
            memories.updateMessages("damaged", odd);
            assertThat(memories.getMessages("odd")).isEqualTo(odd.subList(0, 1));
            assertThat(memories.getMessages("damaged")).isEqualTo(odd);
            assertThat(JdbcStore.open(database.dataSource()).check()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void olderTablesAreUpgradedAndKeepWhatTheyHold(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            JdbcStore store = JdbcStore.create(database.dataSource());
            Lease lease =
                    store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
            store.commit(lease, Commit.empty().append(List.of(new Message.User("u1", MessageContent.text("Hi")))), NOW);

            Schema.create(database.dataSource(), with("-adds"));

            database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'");
            assertThat(store.transcript("t")).hasSize(1);
            assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("version " + (Schema.STEPS.size() + 1))
                    .hasMessageContaining("newer library");
        }
    }

    /** The tools that were there when {@code records-4.sql} was written. */
    static final class Office {

        private final List<String> effects = new ArrayList<>();

        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, idempotent = true)
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid " + amount;
        }

        @Tool
        @RequiresApproval(expiresAfter = "P2D")
        public String send(String to) {
            effects.add("send " + to);
            return "sent to " + to;
        }

        @Tool
        public String look(String what) {
            effects.add("look " + what);
            return "seen " + what;
        }
    }

    /**
     * {@code records-4.sql} was written by version 4, the last before timelines: a remembered approval, calls that have run, and a message
     * of the model of which one call is asked about.
     */
    @ParameterizedTest
    @MethodSource("databases")
    void whatTheVersionBeforeTimelinesHasWrittenIsReadAndGoesOn(Supplier<TestDatabase> databases) throws IOException {
        try (TestDatabase database = databases.get();
                InputStream records =
                        Objects.requireNonNull(MigrationTest.class.getResourceAsStream("records-4.sql"))) {
            Schema.create(database.dataSource(), Schema.STEPS.subList(0, 4));
            new String(records.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(database::execute);

            JdbcStore store = JdbcStore.create(database.dataSource());

            assertThat(store.check()).isEmpty();
            Bench bench = new Bench();
            Office office = new Office();
            Holdpoint agent = bench.another(builder -> builder.tools(office)
                    .store(store)
                    .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                            .id(id)
                            .maxMessages(100)
                            .chatMemoryStore(JdbcChatMemoryStore.open(database.dataSource()))
                            .build()));
            assertThat(agent.actOnTime()).isZero();
            assertThat(agent.grants("t")).hasSize(1);
            bench.model.says("Done.");
            assertThat(agent.resume("t", agent.pending("t").get(0).asApproval().approve()))
                    .isInstanceOf(RunResult.Completed.class);
            assertThat(office.effects).containsExactly("pay 33", "send ada\u00e9", "look sky");
            assertThat(store.check()).isEmpty();
            TrailRules.check(store, "t");
        }
    }

    /** It writes no time. */
    @ParameterizedTest
    @MethodSource("databases")
    void whatANodeOfTheVersionBeforeAsksIsNotDue(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            JdbcStore store = JdbcStore.create(database.dataSource());
            for (String thread : List.of("asked", "t")) {
                Lease lease = store.acquire(thread, "r", "ada", NOW, NOW.plusSeconds(1))
                        .orElseThrow();
                store.commit(lease, Commit.of(due(thread)), NOW);
            }
            assertThat(store.threads(Wanted.DUE, "", Place.FIRST, NOW, 9)).hasSize(2);

            database.execute("UPDATE holdpoint_batch SET due_at = NULL WHERE thread_id = 'asked'");

            assertThat(store.threads(Wanted.DUE, "", Place.FIRST, NOW, 9)).containsExactly(new Place(NOW, "t"));
        }
    }

    static Batch due(String threadId) {
        Interrupt interrupt = new Interrupt("i", "tool_call", null, null, null, null, null);
        Question question = new Question(
                Question.Kind.APPROVAL, interrupt, NOW, null, List.of(new TimeStep(NOW, TimeStep.Kind.REMIND, null)));
        Call.Proposal proposal =
                new Call.Proposal("tool", "{}", StoredText.sha256("{}"), "tool-hash", false, false, null);
        return Batch.of(
                "b",
                threadId,
                new TurnRecord("u1", "{}"),
                new Batch.ModelMessage("m", "{}"),
                List.of(Call.pending("c", proposal, "result").heldBy(question)));
    }

    /** As docs/operate/upgrading.md says: the first six statements of the script, without a lock that writers wait for. */
    @Test
    void theIndexesOfVersionSixMayBeBuiltBeforehandWhileNodesWork() throws Exception {
        try (TestDatabase database = TestDatabase.postgres();
                TestDatabase other = TestDatabase.postgres();
                InputStream script =
                        Objects.requireNonNull(MigrationTest.class.getResourceAsStream("schema-postgresql-6.sql"))) {
            Schema.create(database.dataSource(), Schema.STEPS.subList(0, 5));
            String[] statements = new String(script.readAllBytes(), StandardCharsets.UTF_8).split(";\\R");
            for (String statement : List.of(statements).subList(0, 6)) {
                assertThat(statement).contains("CREATE INDEX IF NOT EXISTS");
                database.execute(statement.replace("CREATE INDEX", "CREATE INDEX CONCURRENTLY"));
            }

            JdbcStore.create(database.dataSource());

            JdbcStore.create(other.dataSource());
            assertThat(SchemaContract.indexes(database)).isEqualTo(SchemaContract.indexes(other));
            assertThat(List.of(statements).subList(statements.length - 6, statements.length))
                    .allMatch(statement -> statement.contains("\nDROP INDEX IF EXISTS"));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void anUpgradeThatFailsChangesNothing(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            JdbcStore.create(database.dataSource());

            assertThatThrownBy(() -> Schema.create(database.dataSource(), with("-adds", "-fails")))
                    .isInstanceOf(StoreException.class);

            JdbcStore.create(database.dataSource());
            assertThatThrownBy(() -> database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
