package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.people.HttpEffect.Request;
import io.holdpoint.people.JdbcEffect.Sql;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
        return JdbcEffect.of(
                        database.dataSource(),
                        call -> Sql.of(
                                "DELETE FROM account WHERE customer = ?",
                                call.argument("customer", String.class).orElseThrow()))
                .showing(call -> Sql.of(
                        "SELECT id, balance FROM account WHERE customer = ? ORDER BY id",
                        call.argument("customer", String.class).orElseThrow()));
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
        agent.resume(THREAD, again.approvals().get(0).approve());
        assertThat(effects).containsExactly("close C1");
        assertThat(accounts()).isEqualTo(3);
    }

    @Test
    @Logs("The plan of a call of * could not be made")
    void moreRowsThanAPersonReadsAreNoPlan() {
        execute("WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
                + " INSERT INTO account SELECT i, 'C1', 0 FROM n");

        assertThat(effect(held(agent(deletion()))).path("why").asText()).isEqualTo("failed");
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
    void anAddressWithoutAHostIsAMistake() {
        assertThatThrownBy(() -> new Request("GET", URI.create("/accounts"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address: must be absolute");
    }
}
