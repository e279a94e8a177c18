package io.holdpoint.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bytes of all columns that one mail of 4,500 characters leaves in a database, which only fall. */
class StoredBytesTest {

    /** Measured 21,700 and 27,300. */
    private static final long HELD = 22_000;

    private static final long DONE = 28_400;

    private static final String MAIL =
            "{\"to\":\"ada@example.com\",\"subject\":\"Hello\",\"body\":\"" + "a word ".repeat(633) + "\"}";

    private final TestDatabase database = TestDatabase.sqlite();
    private final ScriptedModel model = new ScriptedModel();

    private final OfficeTools office = new OfficeTools();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void givenAMailWhenItIsHeldAndApprovedThenItLeavesNoMoreBytesThanTheBudget() throws SQLException {
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(10)
                        .chatMemoryStore(JdbcChatMemoryStore.create(database.dataSource()))
                        .build())
                .tools(office)
                .store(JdbcStore.create(database.dataSource()))
                .build();
        model.calls(ScriptedModel.call("c1", "sendEmail", MAIL)).says("Sent.");
        Map<String, Long> before = bytes();

        RunResult held = agent.send("t", "Write to Ada");
        Map<String, Long> whileHeld = bytes();
        agent.resume("t", held.approval().approve());
        Map<String, Long> afterwards = bytes();

        assertThat(office.effects()).hasSize(1);
        assertThat(sum(whileHeld) - sum(before)).as(() -> "held: " + whileHeld).isLessThan(HELD);
        assertThat(sum(afterwards) - sum(before))
                .as(() -> "done: " + afterwards)
                .isLessThan(DONE);
    }

    private static long sum(Map<String, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<String, Long> bytes() throws SQLException {
        Map<String, Long> bytes = new TreeMap<>();
        try (Connection connection = database.dataSource().getConnection()) {
            for (String table : names(
                    connection, "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'holdpoint%'")) {
                for (String column : names(connection, "SELECT name FROM pragma_table_info('" + table + "')")) {
                    String sum = "SELECT COALESCE(SUM(LENGTH(CAST(" + column + " AS BLOB))), 0) FROM " + table;
                    bytes.put(
                            table + "." + column,
                            Long.valueOf(names(connection, sum).get(0)));
                }
            }
        }
        return bytes;
    }

    private static List<String> names(Connection connection, String query) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
