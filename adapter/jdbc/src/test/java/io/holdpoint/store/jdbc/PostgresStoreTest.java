package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreConflictException;
import io.holdpoint.store.StoreContractTest;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.TurnRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestLog;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("deep")
class PostgresStoreTest extends StoreContractTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final long WAITING = 4711;

    private final TestDatabase database = TestDatabase.postgres();

    @Override
    protected Store createStore() {
        return JdbcStore.create(database.dataSource());
    }

    /** Fifty claims of 7 at once, on two nodes: fourteen of them fit into 100. On one thread, or on fifty of an owner. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fiftyThreadsOnTwoNodesNeverPassTheSumOfADecision(boolean perOwner) throws Exception {
        List<Store> nodes = List.of(createStore(), createStore());
        List<Store.Lease> leases = IntStream.range(0, perOwner ? 50 : 1)
                .mapToObj(i -> nodes.get(0)
                        .acquire("bounded" + i, "r", "ada", NOW, NOW.plusSeconds(30))
                        .orElseThrow())
                .toList();
        Bounds bounds = Bounds.same("vendor").sum("amount", Duration.ofDays(1));
        String id = perOwner ? Grant.idOfOwner("ada", "g") : "g";
        Grant within = new Grant(
                id,
                Grant.Scope.WITHIN,
                new Grant.Approved("c", "i", "pay", "tool", "arguments", null),
                "ada",
                Set.of(),
                NOW,
                NOW.plusSeconds(600),
                new Grant.Within(
                        perOwner ? bounds.ofOwner() : bounds,
                        JsonNodeFactory.instance.objectNode(),
                        new BigDecimal("100")));
        nodes.get(0).commit(leases.get(0), Commit.empty().grant(List.of(within)), NOW);
        List<CompletableFuture<Boolean>> claims = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(50);
        for (int i = 0; i < 50; i++) {
            Store node = nodes.get(i % 2);
            Store.Lease lease = leases.get(i % leases.size());
            Commit claim = claim(lease, perOwner ? "call" : "call-" + i, id);
            claims.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            start.await();
                            node.commit(lease, claim, NOW);
                            return true;
                        } catch (StoreConflictException e) {
                            return false;
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    threads));
        }
        start.countDown();

        assertThat(claims.stream().filter(CompletableFuture::join)).hasSize(14);
        threads.shutdown();
        assertThat(Grant.of(nodes.get(1), "bounded0", "ada").stream()
                        .flatMap(grant -> grant.uses().stream())
                        .map(Grant.Use::amount)
                        .reduce(BigDecimal::add))
                .contains(new BigDecimal("98"));
    }

    private static Commit claim(Store.Lease lease, String id, String grantId) {
        Call.Proposal proposal =
                new Call.Proposal("pay", "{\"amount\":7}", "hash", "tool", false, false, grantId, null);
        Batch batch = Batch.of(
                id,
                lease.threadId(),
                new TurnRecord("u1", "{}", Set.of(), null),
                new Batch.ModelMessage("assistant-" + id, "{}"),
                List.of(Call.pending(id, proposal, "result-" + id + lease.threadId())));
        Batch settled = batch.claimed(id, new Call.Attempt("r", proposal.arguments(), NOW))
                .settled(id, Call.State.EXECUTED, new Call.Result("{}", "paid", null));
        return Commit.of(batch)
                .with(batch.claimed(id, new Call.Attempt("r", proposal.arguments(), NOW)))
                .with(settled)
                .with(settled.remembered())
                .with(settled.remembered().finished());
    }

    @Test
    void aCommitThatFailsKeepsNothing() {
        Store store = createStore();
        Store.Lease lease =
                store.acquire("late", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        database.execute("CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$"
                + " LANGUAGE plpgsql");
        database.execute("CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON holdpoint_message DEFERRABLE INITIALLY"
                + " DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"); // that is, with the commit
        Commit commit = Commit.empty().append(List.of(new Message.Assistant("a", "Hi", List.of())));

        assertThatThrownBy(() -> store.commit(lease, commit, NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not today");

        assertThat(store.find("late")).isEmpty();
        assertThat(store.transcript("late")).isEmpty();
        database.execute("DROP TRIGGER refused ON holdpoint_message");
        store.commit(lease, commit, NOW);
        assertThat(store.transcript("late")).hasSize(1);
    }

    /** The switch out of band, as docs/operate/crashes-and-shutdown.md has it. */
    @Test
    void anotherRoleOfTheDatabaseHaltsAndReleasesAndCanWriteNothingElse() throws SQLException {
        Store store = createStore();
        String role = "switch_" + UUID.randomUUID().toString().replace("-", "");
        String schema = database.url().replaceAll(".*currentSchema=", "");
        database.execute("CREATE ROLE " + role);
        database.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
        try (Connection other = database.dataSource().getConnection();
                Statement sql = other.createStatement()) {
            sql.execute("SET SESSION AUTHORIZATION " + role);
            String halting = "SELECT holdpoint_halt_agent('*', 'see C:\\users, \u0131')";
            assertThatThrownBy(() -> sql.execute(halting))
                    .as("nobody may that by default")
                    .hasMessageContaining("denied");
            sql.execute("RESET SESSION AUTHORIZATION");
            database.execute("GRANT EXECUTE ON FUNCTION holdpoint_halt_agent, holdpoint_release_agent TO " + role);
            sql.execute("SET SESSION AUTHORIZATION " + role);
            sql.execute(
                    "CREATE TEMP TABLE holdpoint_halt (agent TEXT PRIMARY KEY, reason TEXT)"); // leads nobody astray

            assertThat(says(sql, halting)).isTrue();
            assertThat(says(sql, halting)).as("it is halted already").isFalse();
            assertThat(says(sql, "SELECT holdpoint_halt_agent('support', 'x')")).isTrue();
            sql.execute("DROP TABLE pg_temp.holdpoint_halt");

            Store.Halt halt = store.of("other").halted().orElseThrow();
            assertThat(List.of(halt.agent(), halt.caller(), halt.reason()))
                    .containsExactly("*", role, "see C:\\users, \u0131");
            assertThat(store.auditTrail("", 0, 10)).singleElement().satisfies(event -> {
                assertThat(event.kind()).isEqualTo(AuditEvent.Kind.HALTED);
                assertThat(event.caller()).isEqualTo(role);
                assertThat(event.at()).isEqualTo(halt.since());
                assertThat(event.detail().path("reason").asText()).isEqualTo(halt.reason());
            });
            assertThat(store.of("support").auditTrail("", 0, 10)).hasSize(1);
            assertThatThrownBy(() -> store.acquireOwn("t2", "r", "ada", NOW, NOW.plusSeconds(30)))
                    .isInstanceOf(HaltedException.class);
            for (String refused : List.of(
                    "INSERT INTO holdpoint_audit (at, agent, thread_id, run_id, caller, kind, detail)"
                            + " VALUES (1, '', 't', 'r', 'grace', 'DECIDED', '{}')",
                    "DELETE FROM holdpoint_audit",
                    "INSERT INTO " + schema + ".holdpoint_halt (agent, caller) VALUES ('x', 'grace')",
                    "UPDATE holdpoint_call SET body = body",
                    "SELECT 1 FROM holdpoint_batch")) {
                assertThatThrownBy(() -> sql.execute(refused)).hasMessageContaining("denied");
            }
            for (String reason : List.of("' '", "E'two\\nlines'", "NULL")) {
                assertThatThrownBy(() -> sql.execute("SELECT holdpoint_halt_agent('third', " + reason + ")"))
                        .hasMessageContaining("the reason must be one line of text");
            }

            assertThat(says(sql, "SELECT holdpoint_release_agent('*', 'fixed')"))
                    .isTrue();
            assertThat(says(sql, "SELECT holdpoint_release_agent('*', 'fixed')"))
                    .isFalse();
            sql.execute("RESET SESSION AUTHORIZATION");
        }
        assertThat(store.of("other").halted()).isEmpty();
        assertThat(store.of("support").halted()).isPresent();
        assertThat(store.auditTrail("", 0, 10))
                .extracting(AuditEvent::kind)
                .containsExactly(AuditEvent.Kind.HALTED, AuditEvent.Kind.RELEASED);
        database.execute("DROP OWNED BY " + role);
        database.execute("DROP ROLE " + role);
    }

    private static boolean says(Statement sql, String query) throws SQLException {
        try (ResultSet answer = sql.executeQuery(query)) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    /** So that a node can compare its clock with it. */
    @Test
    void theTimeOfTheDatabaseIsKnown() {
        Instant before = Instant.now().minusSeconds(3_600); // of the same machine
        assertThat(createStore().time().orElseThrow()).isBetween(before, before.plusSeconds(7_200));
    }

    /** The claim's statement begins before the halt is committed, and would not see it if it did not wait. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aClaimThatBeginsWhileAHaltIsBeingWrittenIsRefused() throws Exception {
        Store store = createStore();
        Claim started = claim(store);
        CompletableFuture<Void> claim;
        try (Connection own = database.dataSource().getConnection()) {
            own.setAutoCommit(false);
            Sql sql = new Sql(own, SqlDialect.POSTGRESQL, "", false);
            sql.update("INSERT INTO holdpoint_halt (agent) VALUES ('')");
            claim = CompletableFuture.runAsync(started::commit);
            while (!isWaiting(sql)) {
                Thread.onSpinWait();
            }
            own.commit();
        }

        assertThatThrownBy(claim::get).hasCauseInstanceOf(HaltedException.class);
    }

    /** A trigger keeps the claim from its commit. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aHaltWaitsForAClaimThatHasBegun() throws Exception {
        Store store = createStore();
        Claim started = claim(store);
        database.execute("CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN PERFORM pg_advisory_xact_lock(" + WAITING
                + "); RETURN NEW; END $$ LANGUAGE plpgsql");
        database.execute("CREATE TRIGGER waits BEFORE UPDATE ON holdpoint_call FOR EACH ROW EXECUTE FUNCTION wait()");
        CompletableFuture<Void> claim;
        CompletableFuture<Boolean> halt;
        try (Connection own = database.dataSource().getConnection()) {
            own.setAutoCommit(false);
            Sql sql = new Sql(own, SqlDialect.POSTGRESQL, "", false);
            sql.list("SELECT pg_advisory_xact_lock(" + WAITING + ")", row -> true);
            claim = CompletableFuture.runAsync(started::commit);
            while (!sql.exists("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
                Thread.onSpinWait();
            }
            halt = CompletableFuture.supplyAsync(
                    () -> store.halt(Optional.of(new Store.Halt("", NOW, "ops", "")), List.of()));
            while (!isWaiting(sql)) {
                Thread.onSpinWait();
            }
            assertThat(store.halted()).isEmpty();
            own.commit();
        }

        claim.get();
        assertThat(halt.get()).isTrue();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aHaltByHandGivesUpAfterALockTimeoutAndItsOpenTransactionIsEndedByTheDatabase() throws Exception {
        claim(createStore());
        try (Connection own = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            own.setAutoCommit(false);
            Sql frozen = new Sql(own, SqlDialect.POSTGRESQL, "", false);
            frozen.list("SELECT 1 FROM holdpoint_lease FOR UPDATE", row -> true);
            Sql byHand = new Sql(other, SqlDialect.POSTGRESQL, "", false);
            assertThatThrownBy(() -> byHand.update("INSERT INTO holdpoint_halt (agent) VALUES ('')"))
                    .hasMessageContaining("lock timeout");
            own.rollback();

            other.setAutoCommit(false);
            byHand.update("INSERT INTO holdpoint_halt (agent) VALUES ('')");
            assertThat(byHand.first(
                            "SELECT current_setting('idle_in_transaction_session_timeout')", row -> row.getString(1)))
                    .contains("5s");
            other.rollback();
        }
    }

    private record Claim(Store store, Store.Lease lease, Batch answered) {

        void commit() {
            store.commit(lease, Commit.of(answered.claimed("b-b", io.holdpoint.store.Batches.ATTEMPT)), NOW);
        }
    }

    private static Claim claim(Store store) {
        Store.Lease lease =
                store.acquire("claims", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        Batch open = io.holdpoint.store.Batches.hold("b", "claims");
        Batch answered = open.answered(io.holdpoint.store.Batches.answers("b-i"), Map.of());
        List.of(open, answered).forEach(batch -> store.commit(lease, Commit.of(batch), NOW));
        return new Claim(store, lease, answered);
    }

    /** Whether somebody waits for the lock of a whole table. */
    private static boolean isWaiting(Sql sql) throws SQLException {
        return sql.exists("SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND NOT granted");
    }

    /** A trigger keeps the lease of a foreign caller waiting after its statement has looked for the thread. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadThatAnotherOwnerHasBegunMeanwhileIsLeftAlone() throws Exception {
        Store store = createStore();
        database.execute("CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN PERFORM pg_advisory_xact_lock(" + WAITING
                + "); RETURN NEW; END $$ LANGUAGE plpgsql");
        database.execute("CREATE TRIGGER waits BEFORE INSERT ON holdpoint_lease FOR EACH ROW EXECUTE FUNCTION wait()");
        CompletableFuture<Optional<Store.Acquired>> foreign;
        try (Connection own = database.dataSource().getConnection()) {
            own.setAutoCommit(false);
            Sql sql = new Sql(own, SqlDialect.POSTGRESQL, "", false);
            sql.list("SELECT pg_advisory_xact_lock(" + WAITING + ")", row -> true);
            sql.update(
                    "INSERT INTO holdpoint_thread (agent, thread_id, id_text, owner) VALUES ('', 'new', 'new', 'bob')");
            foreign =
                    CompletableFuture.supplyAsync(() -> store.acquireOwn("new", "r", "ada", NOW, NOW.plusSeconds(30)));
            while (!sql.exists("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
                Thread.onSpinWait();
            }
            own.commit();
            own.setAutoCommit(true);
        }

        assertThat(foreign.get()).isEmpty();
        assertThat(store.active("new", NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"off, on", "on, on", "remote_apply, remote_apply"})
    void aCommitWaitsForTheDiskWhateverTheServerSaysUnlessItOnlyTakesOrRenewsALease(String ofServer, String ofCommit)
            throws SQLException {
        DataSource source = ConnectionSource.of(() -> {
            Connection connection = database.dataSource().getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = " + ofServer);
            }
            return connection;
        });
        Store durable = JdbcStore.create(source);
        database.execute("CREATE TABLE seen (change TEXT, value TEXT)");
        database.execute("CREATE FUNCTION note() RETURNS trigger AS $$ BEGIN INSERT INTO seen VALUES (TG_OP || ' ' ||"
                + " TG_TABLE_NAME, current_setting('synchronous_commit')); RETURN NULL; END $$ LANGUAGE plpgsql");
        for (String table : List.of("lease", "thread", "batch", "call", "message", "audit", "fact")) {
            database.execute("CREATE CONSTRAINT TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON holdpoint_" + table
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note()");
        }
        Bench bench = new Bench(builder -> builder.store(durable));
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL)).says("Done.");

        bench.agent().send("other", "Write");
        PendingInterrupt asked = bench.agent().pending("other").get(0);
        bench.agent().resume("other", asked.asApproval().approve());
        Store.Lease lease =
                durable.acquire("said", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        durable.renew(lease, NOW.plusSeconds(60));
        durable.say(lease, new Message.Assistant("m", "Hel", List.of()));

        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT DISTINCT change IN ('INSERT holdpoint_lease',"
                        + " 'UPDATE holdpoint_lease') AS lease, value FROM seen ORDER BY lease")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(2)).isEqualTo(ofCommit);
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(2)).as("a lease that is taken or renewed").isEqualTo("off");
            assertThat(rows.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/10 19:03:34, go1.23.7)",
                "PostgreSQL 15.12-YB-2025.1.0.0-b168 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit"
            })
    void whatOnlySpeaksItsProtocolIsRefusedByItsName(String version) {
        DataSource source = calledItself(version);

        assertThatThrownBy(() -> JdbcStore.create(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("works on SQLite and PostgreSQL, not on " + version)
                .hasMessageContaining("Use PostgreSQL, or a service that runs its server");
    }

    /** The names of agents stand in ids behind an escape. */
    @Test
    void aConnectionThatReadsLiteralsOtherwiseIsRefused() {
        JdbcStore.create(database.dataSource());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url() + "&options=-c%20standard_conforming_strings=off");

        try (HikariDataSource old = new HikariDataSource(config)) {
            assertThatThrownBy(() -> JdbcStore.open(old))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("standard_conforming_strings = on");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PostgreSQL 12.22 on x86_64-pc-linux-gnu, compiled by gcc (GCC) 12.2.0, 64-bit",
                "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.73348"
            })
    void aServerThatIsTooOldIsRefused(String version) {
        DataSource source = calledItself(version);

        assertThatThrownBy(() -> JdbcStore.create(source))
                .isInstanceOf(StoreException.class)
                .hasMessage("JdbcStore needs PostgreSQL 13 or later, and the server is " + version
                        + ". Upgrade the server, or use another one.");
    }

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL 19devel on aarch64, '', CREATE SEQUENCE unused",
        "PostgreSQL 17.5, 'Aurora, ', CREATE FUNCTION aurora_version() RETURNS TEXT AS $$ SELECT version() $$ LANGUAGE SQL",
        "PostgreSQL 16.8, 'AlloyDB, ', CREATE VIEW pg_roles AS SELECT 'alloydbsuperuser' AS rolname"
    })
    void aServerThatTheTestsDidNotRunOnIsWarnedOf(String version, String service, String mark) {
        database.execute(mark);
        DataSource source = calledItself(version);

        Store store = JdbcStore.create(source);

        List<TestLog.Line> logged = TestLog.release();
        TestLog.keep();
        assertThat(logged)
                .extracting(TestLog.Line::text)
                .containsExactly("The store was tried on PostgreSQL 13 to 18, not on " + service + version
                        + ": run your own tests on it");
        assertThat(store.check()).isEmpty();
    }

    /** A standby that has missed the last commits, or a restored backup, counts on from where it was. */
    @Test
    void anEpochIsNotGivenAgainWhereTheDatabaseHasForgottenTheLastOnes() {
        Store store = createStore();
        Set<Long> epochs = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            Store.Lease lease =
                    store.acquire("again", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
            assertThat(epochs.add(lease.epoch())).isTrue();
            store.release(lease);
            database.execute("ALTER TABLE holdpoint_lease ALTER COLUMN epoch RESTART WITH 1");
        }
    }

    /** The clock of the server is behind that of the one before. */
    @Test
    void aLeaseThatIsTakenOverHasALaterEpochWhateverTheServersClockSays() {
        Store store = createStore();
        store.acquire("moved", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        database.execute("UPDATE holdpoint_lease SET epoch = 9007199254740993");

        assertThat(store.acquire("moved", "r2", "bob", NOW.plusSeconds(30), NOW.plusSeconds(60))
                        .orElseThrow()
                        .epoch())
                .isEqualTo(9007199254740994L);
    }

    /** Connections then have numbers of their own, and a number says nothing of the time. */
    @Test
    void whatAThreadHasKeepsItsOrderOnManyConnectionsThatTakeAHundredNumbersAtOnce() {
        createStore();
        database.execute("DO $$ DECLARE s RECORD; BEGIN FOR s IN SELECT sequencename FROM pg_sequences"
                + " WHERE schemaname = current_schema() LOOP EXECUTE format('ALTER SEQUENCE %I CACHE 100', s.sequencename);"
                + " END LOOP; END $$");
        List<HikariDataSource> connections = new ArrayList<>();
        List<Bench> nodes = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            HikariDataSource connection = new HikariDataSource();
            connection.setJdbcUrl(database.url());
            connection.setMaximumPoolSize(1);
            connections.add(connection);
            nodes.add(new Bench(builder -> builder.store(JdbcStore.create(connection))));
        }
        Store store = createStore();
        List<Store.Fed> fed = new ArrayList<>();
        List<AuditEvent> trails = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String thread = "t" + i;
            Bench first = nodes.get(i % 3);
            Bench second = nodes.get((i + 1 + i % 2) % 3);
            first.model.calls(call("c" + i, "sendEmail", Bench.MAIL));
            second.model.says("Done.");

            first.agent().send(thread, "Write");
            List<String> asked = messages(store, thread);
            fed.addAll(store.feed(fed.isEmpty() ? 0 : fed.get(fed.size() - 1).position(), 100));
            List<AuditEvent> trail = store.auditTrail(thread, 0, 100);
            second.agent()
                    .resume(
                            thread,
                            second.agent().pending(thread).get(0).asApproval().approve());
            fed.addAll(store.feed(fed.get(fed.size() - 1).position(), 100));

            assertThat(asked).hasSize(2);
            assertThat(messages(store, thread)).hasSize(4).startsWith(asked.toArray(String[]::new));
            assertThat(store.transcript(thread))
                    .extracting(Message::role)
                    .containsExactly("user", "assistant", "tool", "assistant");
            assertThat(store.auditTrail(thread, 0, 100))
                    .hasSizeGreaterThan(trail.size())
                    .startsWith(trail.toArray(AuditEvent[]::new));
            trails.addAll(store.auditTrail(thread, 0, 100));
        }
        assertThat(fed).extracting(Store.Fed::event).containsSubsequence(trails);
        connections.forEach(HikariDataSource::close);
    }

    /** A reader of the feed knows by the numbers of transactions which events may still come. */
    @Test
    void aTransactionHasItsNumberBeforeItsEventsGetTheirs() {
        Store store = createStore();
        database.execute("CREATE FUNCTION numbered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF pg_current_xact_id_if_assigned() IS NULL THEN RAISE 'no number'; END IF; RETURN NEW; END $$");
        database.execute(
                "CREATE TRIGGER numbered BEFORE INSERT ON holdpoint_audit FOR EACH ROW EXECUTE FUNCTION numbered()");

        for (String run :
                List.of("r1", "r2")) { // a number for itself may come with the first of many that a sequence logs
            store.audit(
                    Optional.empty(),
                    List.of(new AuditEvent(
                            Instant.EPOCH,
                            "t",
                            run,
                            "ada",
                            AuditEvent.Kind.DISCARDED,
                            new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.empty()),
                            JsonNodeFactory.instance.objectNode())));
        }

        assertThat(store.auditTrail("t", 0, 9)).hasSize(2);
    }

    private static List<String> messages(Store store, String thread) {
        return store.transcript(thread).stream().map(Message::id).toList();
    }

    /** Functions and views of the test's own stand before PostgreSQL's. */
    private DataSource calledItself(String version) {
        database.execute("CREATE FUNCTION version() RETURNS TEXT AS $$ SELECT '" + version + "' $$ LANGUAGE SQL");
        return ConnectionSource.of(() -> {
            Connection connection = database.dataSource().getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT set_config('search_path', current_schema() || ', pg_catalog', FALSE)");
            }
            return connection;
        });
    }

    @Override
    protected void close() {
        database.close();
    }
}
