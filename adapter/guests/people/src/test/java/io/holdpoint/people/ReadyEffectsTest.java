package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.people.HttpEffect.Request;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyEffectsTest {

    private static final String CLOSE = "{\"customer\":\"C1\"}";

    private final Bench bench = new Bench();
    private final TestDatabase database = TestDatabase.sqlite();
    private final List<String> effects = new ArrayList<>();

    final class Accounts {

        @Tool
        String close(String customer) {
            effects.add("close " + customer);
            return "closed";
        }
    }

    @BeforeEach
    void fill() {
        execute("CREATE TABLE account (id INTEGER PRIMARY KEY, customer TEXT, balance INTEGER)");
        execute("INSERT INTO account VALUES (1, 'C1', 0), (2, 'C1', 5), (3, 'C2', 7)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private int accounts() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var result = statement.executeQuery("SELECT COUNT(*) FROM account")) {
            result.next();
            return result.getInt(1);
        }
    }

    private Holdpoint agent(Effect effect) {
        return bench.another(builder -> builder.tools(new Accounts())
                .toolPolicies(ToolPolicy.named("close").rules(effect)));
    }

    private Approval held(Holdpoint agent) {
        bench.model.calls(call("c", "close", CLOSE));
        Approval asked = agent.send(THREAD, "Close it").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private static JsonNode effect(Approval asked) {
        return asked.interrupt().metadata().at("/langchain4j/effect");
    }

    private JdbcEffect deletion() {
        return deletion(database.dataSource());
    }

    private static JdbcEffect deletion(DataSource dataSource) {
        return JdbcEffect.of(dataSource, "DELETE FROM account WHERE customer = ?", ReadyEffectsTest::customer)
                .showing("SELECT id, balance FROM account WHERE customer = ? ORDER BY id", ReadyEffectsTest::customer);
    }

    private static List<?> customer(ProposedCall call) {
        return List.of(call.argument("customer", String.class).orElseThrow());
    }

    /** A data source with one connection, of which a method fails; the names of the methods that were called are noted. */
    private DataSource noting(List<String> called, String failing) throws SQLException {
        Connection kept = database.dataSource().getConnection();
        Connection noting = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, values) -> {
                    called.add(method.getName());
                    if (method.getName().equals(failing)) {
                        throw new SQLException("the network is down");
                    }
                    return method.invoke(kept, values);
                });
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, values) -> noting);
    }

    /** A data source on whose first connection somebody else has changed a row before what is to be shown is changed. */
    private DataSource interrupted(AtomicBoolean isInterrupted) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, asked, none) -> {
                    Connection connection = database.dataSource().getConnection();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (of, method, values) -> {
                                boolean isChange = method.getName().equals("prepareStatement")
                                        && String.valueOf(values[0]).startsWith("DELETE");
                                if (isChange && isInterrupted.compareAndSet(false, true)) {
                                    execute("UPDATE account SET balance = 8 WHERE id = 1");
                                }
                                return method.invoke(connection, values);
                            });
                });
    }

    @Test
    void aPlanIsMadeOnceMoreIfSomebodyElseHasWrittenBetweenItsStatements() {
        execute("PRAGMA journal_mode=WAL"); // as a store sets it: who reads locks nobody out
        AtomicBoolean isInterrupted = new AtomicBoolean();

        Approval asked = held(agent(deletion(interrupted(isInterrupted))));

        assertThat(isInterrupted).isTrue();
        assertThat(effect(asked).at("/plan/before").toString())
                .isEqualTo("[{\"id\":1,\"balance\":8},{\"id\":2,\"balance\":5}]");
    }

    @Test
    void whatAStatementWouldDoIsShownAndNotDone() throws SQLException {
        Holdpoint agent = agent(deletion());

        Approval asked = held(agent);

        assertThat(effect(asked).path("plan").toString())
                .isEqualTo("{\"rows\":2,\"before\":[{\"id\":1,\"balance\":0},{\"id\":2,\"balance\":5}],\"after\":[]}");
        assertThat(accounts()).isEqualTo(3);
        assertThat(agent.resume(THREAD, asked.approve()).text()).isEqualTo("Done.");
        assertThat(effects).containsExactly("close C1");
    }

    @Test
    void rowsThatHaveChangedAreAskedAboutAgain() throws SQLException {
        Holdpoint agent = agent(deletion());
        Approval asked = held(agent);
        execute("UPDATE account SET balance = 50000 WHERE id = 1");

        RunResult again = agent.resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        assertThat(effect(again.approvals().get(0)).at("/changed/is").toString())
                .isEqualTo("{\"row 1\":{\"id\":1,\"balance\":50000}}");
        assertThat(again.approvals().get(0).message()).contains(" balance of row 1 was 0 and is 50000. ");
        agent.resume(THREAD, again.approvals().get(0).approve());
        assertThat(effects).containsExactly("close C1");
        assertThat(accounts()).isEqualTo(3);
    }

    @Test
    void aRowThatIsGoneIsNamedWithAllThatItHad() {
        Holdpoint agent = agent(deletion());
        Approval asked = held(agent);
        execute("DELETE FROM account WHERE id = 2");

        assertThat(agent.resume(THREAD, asked.approve()).approvals().get(0).message())
                .contains(" row 2 was id 2, balance 5 and is not there; rows was 2 and is 1. ");
    }

    @Test
    @Logs("The plan of a call of * could not be made")
    void moreRowsThanAPersonReadsAreNoPlan() {
        execute("WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
                + " INSERT INTO account SELECT i, 'C1', 0 FROM n");

        assertThat(effect(held(agent(deletion()))).path("why").asText()).isEqualTo("failed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStatementThatIsLateEndsAndGivesItsConnectionBack(boolean whileItShows) throws Exception {
        String endless = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n)";
        CountDownLatch closed = new CountDownLatch(1);
        JdbcEffect slow = whileItShows
                ? deletion(noting(closed)).showing("SELECT " + endless + " WHERE ? <> ''", ReadyEffectsTest::customer)
                : JdbcEffect.of(
                        noting(closed),
                        "UPDATE account SET balance = " + endless + " WHERE customer = ?",
                        ReadyEffectsTest::customer);
        assertThat(effect(held(agent(slow.within(Duration.ofMillis(300)))))
                        .path("why")
                        .asText())
                .isEqualTo("late");
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(accounts()).isEqualTo(3);
    }

    /** A data source that tells when its connection is given back: SQLite ends the transaction of what it cancels, so that it is aborted before. */
    private DataSource noting(CountDownLatch closed) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, values) -> {
                    Connection kept = database.dataSource().getConnection();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (own, called, with) -> {
                                try {
                                    return called.invoke(kept, with);
                                } finally {
                                    if (called.getName().equals("close")) {
                                        closed.countDown();
                                    }
                                }
                            });
                });
    }

    @Test
    void bytesThatHaveChangedAreAskedAboutAgain() {
        execute("CREATE TABLE seal (customer TEXT, bytes BLOB)");
        execute("INSERT INTO seal VALUES ('C1', x'0102')");
        Holdpoint agent = agent(deletion(database.dataSource())
                .showing("SELECT bytes FROM seal WHERE customer = ?", ReadyEffectsTest::customer));
        Approval asked = held(agent);
        assertThat(effect(asked).at("/plan/before/0/bytes").asText()).startsWith("2 bytes, fingerprint ");
        execute("UPDATE seal SET bytes = x'0103'");

        RunResult again = agent.resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        assertThat(effect(again.approvals().get(0)).path("why").asText()).isEqualTo("changed");
    }

    @Test
    @Logs("The plan of a call of * could not be made")
    void aColumnThatHidesAnotherIsNoPlan() {
        JdbcEffect hiding = deletion(database.dataSource())
                .showing("SELECT id, balance AS id FROM account WHERE customer = ?", ReadyEffectsTest::customer);

        assertThat(effect(held(agent(hiding))).path("why").asText()).isEqualTo("failed");
    }

    @Test
    void aRequestIsShownWithoutItsSecretsAndComparedWithTheOneThatWouldBeSent() {
        List<String> host = new ArrayList<>(List.of("api.example.com"));
        Holdpoint agent = agent(HttpEffect.of(call -> new Request(
                "post",
                URI.create("https://ada:pw@" + host.get(0) + ":8443/accounts/close?reason=no%20use&api_key=abc#top"),
                Map.of("customer", "C1", "auth", Map.of("accessToken", "xyz")))));

        Approval asked = held(agent);

        assertThat(effect(asked).path("plan").path("query").toString())
                .isEqualTo("{\"reason\":\"no use\",\"api_key\":\"(hidden)\"}");
        assertThat(effect(asked).path("plan").at("/body/auth").toString()).isEqualTo("{\"accessToken\":\"(hidden)\"}");
        assertThat(effect(asked).toString())
                .contains("\"POST\"", "api.example.com:8443", "/accounts/close")
                .doesNotContain("abc", "xyz", "ada", "top");
        host.set(0, "evil.example.com");
        RunResult again = agent.resume(THREAD, asked.approve());
        assertThat(effects).isEmpty();
        assertThat(effect(again.approvals().get(0)).at("/changed/is").toString())
                .isEqualTo("{\"host\":\"evil.example.com:8443\"}");
    }

    @Test
    void aConnectionIsGivenBackAsItWas() throws SQLException {
        List<String> called = new ArrayList<>();

        held(agent(deletion(noting(called, ""))));

        assertThat(called.get(called.size() - 3)).isEqualTo("rollback");
        assertThat(called.subList(called.size() - 2, called.size())).containsExactly("setAutoCommit", "close");
    }

    @Test
    @Logs("The plan of a call of * could not be made")
    void aConnectionThatCannotRollBackIsNotLeftToCommit() throws SQLException {
        List<String> called = new ArrayList<>();

        Approval asked = held(agent(deletion(noting(called, "rollback"))));

        assertThat(effect(asked).path("why").asText()).isEqualTo("failed");
        assertThat(called).endsWith("rollback", "abort", "close");
        assertThat(accounts()).isEqualTo(3);
    }

    record Card(String number, String apiToken) {}

    record Payment(String customer, List<Card> cards) {}

    @Test
    void secretsOfABodyAreHiddenWhateverItIsMadeOf() {
        Payment payment = new Payment("C1", List.of(new Card("4711", "xyz")));
        for (Object body : List.of(payment, AguiCodec.mapper().valueToTree(payment), new Object[] {payment})) {
            Holdpoint agent =
                    agent(HttpEffect.of(call -> new Request("POST", URI.create("https://api.example.com"), body)));

            Approval asked = held(agent);

            assertThat(effect(asked).toString())
                    .contains("4711", "\"apiToken\":\"(hidden)\"")
                    .doesNotContain("xyz");
            agent.resume(THREAD, asked.approve());
        }
    }

    @Test
    void aRequestThatIsNoLongerEncryptedIsAnotherOne() {
        List<String> scheme = new ArrayList<>(List.of("https"));
        Holdpoint agent = agent(
                HttpEffect.of(call -> new Request("POST", URI.create(scheme.get(0) + "://api.example.com/pay"), null)));
        Approval asked = held(agent);
        scheme.set(0, "http");

        RunResult again = agent.resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        assertThat(effect(again.approvals().get(0)).at("/changed/is").toString())
                .isEqualTo("{\"scheme\":\"http\"}");
    }

    /** Each pair looked alike: what was approved was not what would have been sent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "https://h/files/a%2Fb https://h/files/a/b",
                "https://h/a?x=1&x=2 https://h/a?x=1%2C%202",
                "https://h/a?x=1&x=2&x=3 https://h/a?x=1&x=2%2C%203",
                "https://h/a?x=LONG&b=c https://h/a?x=LONG%2C%20b%3Dc"
            })
    void requestsThatAServerReadsDifferentlyAreTwo(String one, String other) {
        List<String> address = new ArrayList<>(List.of(one));
        Holdpoint agent = agent(HttpEffect.of(
                call -> new Request("GET", URI.create(address.get(0).replace("LONG", "l".repeat(600))), null)));
        Approval asked = held(agent);
        address.set(0, other);

        RunResult again = agent.resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        assertThat(effect(again.approvals().get(0)).path("plan"))
                .isNotEqualTo(effect(asked).path("plan"));
    }

    @Test
    void aLongBodyRunsUnlessItHasChanged() {
        List<String> text = new ArrayList<>(List.of("a".repeat(5_000)));
        Holdpoint agent = agent(HttpEffect.of(
                call -> new Request("POST", URI.create("https://api.example.com"), Map.of("text", text.get(0)))));

        Approval asked = held(agent);
        assertThat(effect(asked).at("/plan/body/text").asText()).hasSize(5_000);
        agent.resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("close C1");

        Approval other = held(agent);
        text.set(0, "a".repeat(4_999) + "b");
        assertThat(effect(agent.resume(THREAD, other.approve()).approvals().get(0))
                        .path("why")
                        .asText())
                .isEqualTo("changed");
        assertThat(effects).hasSize(1);
    }

    @Test
    void anAddressWithoutAHostIsAMistake() {
        assertThatThrownBy(() -> new Request("GET", URI.create("/accounts"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address: must be absolute");
    }
}
