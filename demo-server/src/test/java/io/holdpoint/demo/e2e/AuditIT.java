package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever has to answer for what the agent did reads it in the database, with nothing but SQL. */
class AuditIT {

    private static final String PROPOSED = "{\"amount\":500,\"to\":\"Bob\"}";
    private static final String EDITED = "{\"amount\":7,\"to\":\"Bob\"}";

    @TempDir
    private Path directory;

    /** A row of the table. */
    private record Row(
            String caller, String kind, String tool, String toolCallId, String interruptId, JsonNode detail) {}

    @Test
    void theTableSaysWhoDecidedWhatAndWhatRan() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("demo.db");
        Map<String, String> environment = Map.of("JDBC_URL", url, "BEARER_TOKENS", "ada=secret-1,grace=secret-2");
        AguiTestClient ada;
        AguiTestClient grace;
        JsonNode approved;
        JsonNode denied;
        try (DemoProcess demo = DemoProcess.start(environment)) {
            ada = AguiTestClient.withToken(demo.url(), "secret-1");
            grace = AguiTestClient.withToken(demo.url(), "secret-2");
            approved = Json.only(ada.say("Transfer 500 to Bob").interrupts());
            ada.resume();
            AguiRun run = ada.resume(AguiTestClient.approveWith(approved, Json.parse(EDITED)));
            assertThat(run.outcome()).isEqualTo("success");
            ada.resume(AguiTestClient.approveWith(approved, Json.parse(EDITED)));
            denied = Json.only(grace.say("Transfer 500 to Bob").interrupts());
            grace.resume(AguiTestClient.deny(denied, "Not now"));
        }

        List<Row> trail = trail(url, ada.threadId());
        assertThat(trail)
                .extracting(Row::kind)
                .containsExactly("PROPOSED", "HELD", "PRESENTED", "DECIDED", "CLAIMED", "EXECUTED", "REPLAYED");
        assertThat(trail).extracting(Row::caller).containsOnly("ada");
        assertThat(trail.subList(0, 6))
                .extracting(Row::tool, Row::toolCallId)
                .containsOnly(tuple("transferMoney", approved.path("toolCallId").asText()));
        assertThat(trail.subList(1, 4))
                .extracting(Row::interruptId)
                .containsOnly(approved.path("id").asText());
        assertThat(trail.get(0).detail().path("usage").path("model").asText()).isNotEmpty();
        ObjectNode proposed = trail.get(0).detail().deepCopy();
        proposed.remove("usage");
        assertThat(proposed)
                .isEqualTo(Json.parse(
                        "{\"arguments\":" + PROPOSED + ",\"argumentsSha256\":\"" + sha256(PROPOSED) + "\"}"));
        assertThat(trail.get(1).detail().path("reason").asText()).isEqualTo("tool_call");
        ObjectNode decided = trail.get(3).detail().deepCopy();
        assertThat(decided.remove("sha256").asText()).matches("[0-9a-f]{64}");
        assertThat(decided)
                .isEqualTo(Json.parse(
                        "{\"how\":\"RESOLVED\",\"edited\":true,\"payload\":{\"approved\":true,\"editedArgs\":" + EDITED
                                + "}}"));
        assertThat(trail.get(4).detail())
                .isEqualTo(Json.parse(
                        "{\"arguments\":" + EDITED + ",\"argumentsSha256\":\"" + sha256(EDITED) + "\",\"attempt\":1}"));
        assertThat(trail.get(5).detail()).isEmpty();

        List<Row> other = trail(url, grace.threadId());
        assertThat(other).extracting(Row::kind).containsExactly("PROPOSED", "HELD", "DECIDED", "NOT_EXECUTED");
        assertThat(other).extracting(Row::caller).containsOnly("grace");
        assertThat(other.get(2).interruptId()).isEqualTo(denied.path("id").asText());
        assertThat(other.get(2).detail().at("/payload/reason").asText()).isEqualTo("Not now");
    }

    private static List<Row> trail(String url, String threadId) throws SQLException, IOException {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                PreparedStatement select = connection.prepareStatement(
                        "SELECT caller, kind, tool_name, tool_call_id, interrupt_id, detail FROM holdpoint_audit"
                                + " WHERE thread_id = ? ORDER BY id")) {
            select.setString(1, threadId);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(
                            found.getString("caller"),
                            found.getString("kind"),
                            found.getString("tool_name"),
                            found.getString("tool_call_id"),
                            found.getString("interrupt_id"),
                            Json.parse(found.getString("detail"))));
                }
            }
        }
        return rows;
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
