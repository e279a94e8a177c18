package io.holdpoint.store.jdbc;

import static io.holdpoint.internal.gate.ToolArguments.sha256;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.Holdpoint;
import io.holdpoint.store.DailyTokens;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What does not fit together in the tables is found. */
@Logs("* cannot be read and counts as absent")
class ConsistencyTest {

    /** The arguments as the transcript has them, which run. */
    private static final String OTHER_AMOUNT = "REPLACE(body, '{\\\"amount\\\":2', '{\\\"amount\\\":9')";

    /** A number that the writer of JSON writes, and its reader refuses. */
    private static final String UNREADABLE = "'{\"a\":1.0E+2147483648}'";

    static List<Supplier<TestDatabase>> databases() {
        return Dialects.databases();
    }

    /** Statements that damage a thread which is held after a finished batch, and what is found of each. */
    static Stream<Arguments> damages() {
        List<String[]> damages = List.of(
                new String[] {"DELETE FROM holdpoint_batch WHERE finished = FALSE", "works on batch"},
                new String[] {"UPDATE holdpoint_thread SET batch_id = NULL", "does not work on its unfinished batch"},
                new String[] {"UPDATE holdpoint_batch SET finished = TRUE", "is not what its calls say"},
                new String[] {"UPDATE holdpoint_batch SET version = 0", "is not what its calls say"},
                new String[] {"UPDATE holdpoint_batch SET asked_at = NULL", "is not what its calls say"},
                new String[] {"UPDATE holdpoint_batch SET state = 'FORETOLD'", "it is UNKNOWN at version"},
                new String[] {"UPDATE holdpoint_batch SET state = 'ANSWERED'", "is not what its calls say"},
                new String[] {"DELETE FROM holdpoint_call", "of thread t cannot be read"},
                new String[] {"UPDATE holdpoint_call SET body = " + UNREADABLE, "of thread t cannot be read"},
                new String[] {"DELETE FROM holdpoint_batch WHERE finished = FALSE", "which is not there"},
                new String[] {
                    "UPDATE holdpoint_message SET body = " + OTHER_AMOUNT,
                    "the call c2 has other arguments than its hash says"
                },
                new String[] {
                    "DELETE FROM holdpoint_message WHERE message_id IN (SELECT message_id FROM holdpoint_batch)",
                    "of thread t cannot be read"
                },
                new String[] {
                    replaced("body", "\"args\":null", "\"args\":{\"amount\":9,\"to\":\"Bob\"}"),
                    "the call c2 is not what its question int_"
                },
                new String[] {
                    "UPDATE holdpoint_batch SET body = REPLACE(body, '" + sha256("{\"amount\":2,\"to\":\"Bob\"}")
                            + "', '"
                            + sha256("{\"amount\":9,\"to\":\"Bob\"}") + "'); UPDATE holdpoint_message SET body = "
                            + OTHER_AMOUNT,
                    "the call c2 is not what its question int_"
                },
                new String[] {
                    replaced("body", "\"attempts\":[{", "\"attempts\":[{\"arguments\":\"{\\\"amount\\\":9}\","),
                    "the call c1 was attempted with other arguments, which nobody has edited"
                },
                new String[] {
                    replaced("body", "\"approved\":true", "\"approved\":false"),
                    "is not what was stored when it was decided"
                },
                new String[] {
                    "UPDATE holdpoint_audit SET detail = REPLACE(detail, '\"sha256\":\"', '\"sha256\":\"0')",
                    "is not what was stored when it was decided"
                },
                new String[] {"DELETE FROM holdpoint_fact WHERE kind = 'INTERRUPT'", "which the thread never did"},
                new String[] {"DELETE FROM holdpoint_fact WHERE kind = 'INTERRUPT'", "none of its interrupts"},
                new String[] {"DELETE FROM holdpoint_fact WHERE kind = 'INTERRUPT'", "which is not indexed"},
                new String[] {
                    "DELETE FROM holdpoint_fact WHERE kind = 'TOOL_CALL'", "the tool call c2, which is not indexed"
                },
                new String[] {
                    "DELETE FROM holdpoint_fact WHERE kind = 'TOOL_CALL'",
                    "call c1 was proposed, which the thread does not have"
                },
                new String[] {"DELETE FROM holdpoint_thread", "There is no thread t for its batch"},
                new String[] {"DELETE FROM holdpoint_thread", "There is no thread t for its message"},
                new String[] {"UPDATE holdpoint_thread SET turn = " + UNREADABLE, "The turn of thread t cannot be read"
                },
                new String[] {
                    "UPDATE holdpoint_thread SET state = " + UNREADABLE, "The state of thread t cannot be read"
                },
                new String[] {"UPDATE holdpoint_batch SET body = " + UNREADABLE, "of thread t cannot be read"},
                new String[] {"UPDATE holdpoint_message SET body = " + UNREADABLE, "Message"},
                new String[] {
                    "UPDATE holdpoint_audit SET detail = " + UNREADABLE, "in the audit trail of thread t cannot be"
                },
                new String[] {
                    "UPDATE holdpoint_audit SET kind = 'FORETOLD'", "of a kind that is not known here: FORETOLD"
                },
                new String[] {
                    "INSERT INTO holdpoint_chat_message (memory_id, position, body) VALUES ('t', 1, '{}')",
                    "The chat memory t cannot be read"
                },
                new String[] {
                    "INSERT INTO holdpoint_chat_message (memory_id, position, body) VALUES ('t', 1, '{}')",
                    "There is no chat memory t for its message"
                },
                new String[] {
                    "INSERT INTO holdpoint_fact (agent, thread_id, kind, name, value) VALUES ('', 't', 'GRANT', 'g', '{')",
                    "Grant g of thread t cannot be read"
                },
                new String[] {
                    "UPDATE holdpoint_fact SET value = '99' WHERE kind = 'SCHEMA'", "The tables are of version 99"
                },
                new String[] {
                    "ALTER TABLE holdpoint_message RENAME TO gone", "The database cannot read holdpoint_message"
                });
        return databases().stream().flatMap(kind -> damages.stream().map(each -> Arguments.of(kind, each[0], each[1])));
    }

    private static String replaced(String of, String text, String by) {
        return "UPDATE holdpoint_call SET body = REPLACE(" + of + ", '" + text + "', '" + by + "')";
    }

    private static Store held(TestDatabase database) {
        return held(database.dataSource());
    }

    private static Store held(DataSource dataSource) {
        Store store = JdbcStore.create(dataSource);
        Bench bench = new Bench();
        Holdpoint agent = bench.another(builder -> builder.store(store));
        bench.model
                .calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"))
                .says("Done.")
                .calls(call("c2", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"));
        agent.send(Bench.THREAD, "Pay");
        agent.resume(
                Bench.THREAD, agent.pending(Bench.THREAD).get(0).asApproval().approve());
        agent.send(Bench.THREAD, "Pay again");
        store.acquire(
                "other",
                "r",
                "ada",
                bench.clock.instant(),
                bench.clock.instant().plusSeconds(30));
        return store;
    }

    @ParameterizedTest
    @MethodSource("databases")
    void nothingIsFoundInWhatRunsHaveWritten(Supplier<TestDatabase> kind) {
        try (TestDatabase database = kind.get()) {
            assertThat(held(database).check()).isEmpty();
        }
    }

    /** The place of their tokens is too long for a key, and does not say any more in the table whose it is. */
    @ParameterizedTest
    @MethodSource("databases")
    void nothingIsFoundInTheTokensOfACallerWithALongName(Supplier<TestDatabase> kind) {
        try (TestDatabase database = kind.get()) {
            Store store = held(database);
            Instant now = Instant.parse("2026-01-01T00:00:00Z");
            Store.Lease lease =
                    store.acquire("t", "r2", "ada", now, now.plusSeconds(30)).orElseThrow();
            String caller = "\u0639".repeat(40);
            store.commit(lease, DailyTokens.spent(caller, LocalDate.EPOCH, 7), now);

            assertThat(DailyTokens.of(store, caller, LocalDate.EPOCH)).isEqualTo(7);
            assertThat(store.check()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("damages")
    void everyDamageIsFound(Supplier<TestDatabase> kind, String damage, String finding) {
        try (TestDatabase database = kind.get()) {
            Store store = held(database);

            for (String statement : damage.split("; ")) {
                database.execute(statement);
            }

            assertThat(store.check())
                    .anySatisfy(sentence -> assertThat(sentence).contains(finding));
        }
    }

    @Test
    void aCounterBehindItsRowsIsFound() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            Store store = held(database);

            database.execute("UPDATE sqlite_sequence SET seq = 1");

            assertThat(store.check()).hasSize(3).allSatisfy(sentence -> assertThat(sentence)
                    .startsWith("The counter of")
                    .contains("behind its row"));
        }
    }

    @Test
    void aLeaseAheadOfTheCounterIsFoundWhereItCounts() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            Store store = held(database);

            database.execute("UPDATE holdpoint_lease SET epoch = 1000000");

            assertThat(store.check()).singleElement().asString().contains("holdpoint_lease.epoch stands at");
        }
    }

    @Test
    @Tag("deep")
    void aSequenceBehindItsRowsIsFound() {
        try (TestDatabase database = TestDatabase.postgres()) {
            Store store = held(database);

            database.execute("ALTER TABLE holdpoint_audit ALTER COLUMN id RESTART WITH 1");
            database.execute("INSERT INTO holdpoint_audit (at, agent, thread_id, run_id, caller, kind, detail)"
                    + " OVERRIDING SYSTEM VALUE SELECT at, agent, thread_id, run_id, caller, 'CLAIMED', detail"
                    + " FROM holdpoint_audit WHERE FALSE");

            assertThat(store.check()).singleElement().asString().contains("holdpoint_audit.id");
        }
    }

    /** Such a login may not look at the counters, and needs no more for anything else. */
    @Test
    @Tag("deep")
    void aLoginThatMayOnlyReadAndWriteRowsFindsNothing() {
        String role = "app_" + UUID.randomUUID().toString().replace("-", "");
        try (TestDatabase database = TestDatabase.postgres()) {
            JdbcStore.create(database.dataSource());
            String schema = database.url().replaceAll(".*currentSchema=", "");
            database.execute("CREATE ROLE " + role + " LOGIN");
            database.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
            database.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + role);
            HikariConfig login = new HikariConfig();
            login.setJdbcUrl(database.url().replace("user=postgres", "user=" + role));
            try (HikariDataSource pool = new HikariDataSource(login)) {
                Store store = held(pool);
                Instant now = Instant.now();
                store.halt(Optional.of(new Store.Halt("", now, "ada", "why")), List.of());
                assertThat(store.halt(Optional.empty(), List.of())).isTrue();
                for (Store.Old old : Store.Old.values()) {
                    store.purge(old, now.minusSeconds(1), 100);
                }

                assertThat(store.check()).isEmpty();
            } finally {
                database.execute("DROP OWNED BY " + role);
            }
        }
    }

    /** More than one page of each. */
    @ParameterizedTest
    @MethodSource("databases")
    void everyPageIsRead(Supplier<TestDatabase> kind) {
        try (TestDatabase database = kind.get()) {
            Store store = held(database);
            List<String> rows = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                rows.add("('', 't', 'm%04d', '{}')".formatted(i));
            }
            database.execute("INSERT INTO holdpoint_message (agent, thread_id, message_id, body) VALUES "
                    + String.join(",", rows));

            assertThat(store.check()).hasSize(Store.MAX_FINDINGS);

            database.execute("DELETE FROM holdpoint_message WHERE message_id < 'm1099' AND message_id > 'm0'");
            assertThat(store.check()).singleElement().asString().startsWith("Message m1099 of thread t");
        }
    }
}
