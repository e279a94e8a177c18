package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that share nothing do not disturb each other, whichever isolation the application's pool or the server asks for. */
@Tag("deep")
class IsolationTest {

    private static final int CLIENTS = 8;
    private static final int CYCLES = Integer.getInteger("holdpoint.cycles", 250);

    private final TestDatabase database = TestDatabase.postgres();

    @ParameterizedTest
    @CsvSource({
        "'', read committed",
        "TRANSACTION_REPEATABLE_READ, read committed",
        "TRANSACTION_SERIALIZABLE, read committed",
        "'', serializable"
    })
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noRunOfManyFails(String ofPool, String ofServer) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                database.url() + "&options=-c%20default_transaction_isolation=" + ofServer.replace(" ", "%5C%20"));
        config.setTransactionIsolation(ofPool.isEmpty() ? null : ofPool);
        allHoldAndApprove(config);
    }

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noRunOfManyFailsOnThreeConnectionsThatPgBouncerGivesToOneTransactionAfterTheOther() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(database, 3)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(bouncer.url() + "&prepareThreshold=0");
            config.setInitializationFailTimeout(60_000); // it has just been started
            allHoldAndApprove(config);
        }
    }

    private void allHoldAndApprove(HikariConfig config) {
        config.setMaximumPoolSize(CLIENTS);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcStore store = JdbcStore.create(pool);
            JdbcChatMemoryStore memories = JdbcChatMemoryStore.open(pool);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                String name = "client-" + client;
                all.add(CompletableFuture.runAsync(() -> holdAndApprove(name, store, memories), clients));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            clients.shutdownNow();
            database.close();
        }
    }

    /** By an ALTER ROLE, or on the server that has taken over. A trigger stands for the conflict. */
    @Test
    void aLevelThatBecomesStricterLaterIsSetBack() {
        AtomicBoolean strict = new AtomicBoolean();
        try {
            JdbcStore store = JdbcStore.create(ConnectionSource.of(() -> {
                Connection connection = database.dataSource().getConnection();
                if (strict.get()) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SET default_transaction_isolation = 'serializable'");
                    }
                }
                return connection;
            }));
            database.execute("CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    + " IF current_setting('transaction_isolation') <> 'read committed' THEN"
                    + " RAISE 'could not serialize access' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$");
            database.execute(
                    "CREATE TRIGGER conflict BEFORE INSERT ON holdpoint_lease FOR EACH ROW EXECUTE FUNCTION conflict()");
            strict.set(true);

            assertThat(store.acquire("t", "r", "ada", Instant.EPOCH, Instant.EPOCH.plusSeconds(30)))
                    .isPresent();
        } finally {
            database.close();
        }
    }

    private static void holdAndApprove(String client, JdbcStore store, JdbcChatMemoryStore memories) {
        Bench bench =
                new Bench(builder -> builder.store(store).chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(10)
                        .chatMemoryStore(memories)
                        .build()));
        for (int cycle = 0; cycle < CYCLES / CLIENTS; cycle++) {
            String threadId = client + "-" + cycle;
            bench.model.calls(call(threadId, "sendEmail", Bench.MAIL)).says("Done.");

            RunResult held = bench.agent().send(threadId, "Write");
            assertThat(held).isInstanceOf(RunResult.Interrupted.class);
            RunResult done = bench.agent()
                    .resume(
                            threadId,
                            ((RunResult.Interrupted) held)
                                    .interrupts()
                                    .get(0)
                                    .asApproval()
                                    .approve());

            assertThat(done).isInstanceOf(RunResult.Completed.class);
        }
    }
}
