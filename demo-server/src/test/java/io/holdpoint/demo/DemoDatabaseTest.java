package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDatabaseTest {

    private static DemoDatabase open(String url) {
        return DemoDatabase.open(DemoSettings.read(Map.of("JDBC_URL", url)).database());
    }

    @TempDir
    private Path directory;

    @Test
    void aFileInAFolderThatIsNotThereYetWorks() {
        try (DemoDatabase database = open("jdbc:sqlite:" + directory.resolve("new/demo.db"))) {
            assertThat(database.threads().find("t")).isEmpty();
            assertThat(database.memories().getMessages("t")).isEmpty();
        }
    }

    @Test
    void aFileThatAnotherProcessHoldsIsSaidToBeHeld() throws SQLException {
        String url = "jdbc:sqlite:" + directory.resolve("held.db");
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("CREATE TABLE t (x)");

            assertThatThrownBy(() -> open(url)).hasMessageContaining("Another process holds it");
        }
    }

    @Test
    void aDatabaseThatCannotBeUsedIsRefusedByName() {
        for (String url :
                new String[] {"jdbc:postgresql://127.0.0.1:1/demo?password=secret", "jdbc:nothing:demo", "demo"}) {
            assertThatThrownBy(() -> open(url))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("JDBC_URL")
                    .hasMessageContaining(url.split("[?]")[0])
                    .hasMessageNotContainingAny("secret", "\n");
        }
    }
}
