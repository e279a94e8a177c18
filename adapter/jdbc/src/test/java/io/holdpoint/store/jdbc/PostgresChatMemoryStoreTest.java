package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class PostgresChatMemoryStoreTest extends ChatMemoryStoreContract {

    private static final List<ChatMessage> ONE = List.of(UserMessage.from("one"));

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.postgres();
    }

    /** A message that stayed behind would be in a later memory of that id, or in its way. */
    @Test
    void whoeverRemovesAMemoryThatOthersBeginLeavesNoMessageBehind() throws Exception {
        database.execute("CREATE FUNCTION stops() RETURNS TRIGGER LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$");
        database.execute("CREATE TRIGGER stops AFTER DELETE ON holdpoint_chat_message"
                + " FOR EACH STATEMENT EXECUTE FUNCTION stops()");
        try (Connection test = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            execute(test, "SELECT pg_advisory_lock(42)");
            CompletableFuture<Void> removed = CompletableFuture.runAsync(() -> store.deleteMessages("m"));
            awaitStop(test, removed); // it has found none
            store.updateMessages("m", ONE);
            other.setAutoCommit(false);
            execute(other, "UPDATE holdpoint_chat_message SET body = '2' WHERE memory_id = 'm' AND position = 0");
            execute(
                    other,
                    "INSERT INTO holdpoint_chat_message SELECT memory_id, 2, body FROM holdpoint_chat_message"
                            + " WHERE memory_id = 'm' AND position = 1");
            execute(test, "SELECT pg_advisory_unlock(42)");
            awaitStop(test, removed);
            other.commit();
            removed.get();
        }

        assertThat(store.getMessages("m")).as("all or none").size().isIn(0, 2);
        store.updateMessages("m", ONE);
        assertThat(store.getMessages("m")).isEqualTo(ONE);
    }

    private static void awaitStop(Connection test, CompletableFuture<Void> work) throws SQLException {
        while (!work.isDone() && !isAnybodyWaiting(test)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isAnybodyWaiting(Connection test) throws SQLException {
        try (Statement statement = test.createStatement();
                ResultSet waiting = statement.executeQuery("SELECT 1 FROM pg_locks WHERE NOT granted")) {
            return waiting.next();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
