package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demo that was killed and started again goes on where it was. */
class RestartIT {

    private static final OpenAiReply.Call TO_BOB =
            new OpenAiReply.Call("call_bob", "transferMoney", "{\"amount\":500,\"to\":\"Bob\"}");

    @TempDir
    private Path directory;

    private String file() {
        return "jdbc:sqlite:" + directory.resolve("demo.db");
    }

    @Test
    void aHeldCallIsApprovedAfterARestartOnAFile() throws Exception {
        holdKillAndApprove(Map.of("JDBC_URL", file()));
    }

    @Test
    void aHeldCallIsApprovedAfterARestartOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            holdKillAndApprove(
                    Map.of("JDBC_URL", postgres.getJdbcUrl("postgres", "postgres"), "JDBC_PASSWORD", "not checked"));
        }
    }

    private void holdKillAndApprove(Map<String, String> database) throws Exception {
        try (FakeOpenAiServer openAi = FakeOpenAiServer.start(7)) {
            Map<String, String> environment = new HashMap<>(database);
            environment.putAll(
                    Map.of("OPENAI_API_KEY", "test", "OPENAI_BASE_URL", openAi.baseUrl(), "OPENAI_MODEL", "gpt-test"));
            openAi.then(OpenAiReply.text("Hello Ada."), OpenAiReply.calls(TO_BOB));
            openAi.then(OpenAiReply.text("Bob has it."), OpenAiReply.text("Ada."));
            AguiTestClient thread;
            AguiRun held;
            try (DemoProcess demo = DemoProcess.start(environment)) {
                thread = new AguiTestClient(demo.url());
                thread.say("I am Ada");
                held = thread.say("Transfer 500 to Bob");
                assertThat(held.outcome()).isEqualTo("interrupt");
                demo.kill();
            }

            try (DemoProcess demo = DemoProcess.start(environment)) {
                thread.moveTo(demo.url());
                AguiRun approved = thread.resume(AguiTestClient.approve(Json.only(held.interrupts())));
                AguiRun next = thread.say("Who am I?");

                assertThat(approved.outcome()).as(demo.output()).isEqualTo("success");
                assertThat(thread.effects(held.callIds().get(0))).hasSize(1);
                assertThat(next.outcome()).isEqualTo("success");
                assertThat(roles(approved.snapshot()))
                        .containsExactly("user", "assistant", "user", "assistant", "tool", "assistant");
            }
            assertThat(openAi.violations()).isEmpty();
            List<JsonNode> requests = openAi.requests();
            assertThat(roles(Json.elements(requests.get(requests.size() - 1).path("messages"))))
                    .as("what the model was told last, from the chat memory")
                    .containsExactly("system", "user", "assistant", "user", "assistant", "tool", "assistant", "user");
        }
    }

    private static List<String> roles(List<JsonNode> messages) {
        return messages.stream().map(message -> message.path("role").asText()).toList();
    }

    @Test
    void aFileThatIsNoDatabaseEndsTheStartWithOneMessage() throws Exception {
        Files.writeString(
                directory.resolve("demo.db"), "This is a letter, and as long as the head of a database. ".repeat(20));

        assertThatThrownBy(() -> DemoProcess.start(Map.of("JDBC_URL", file())))
                .hasMessageContaining("JDBC_URL")
                .hasMessageContaining(file())
                .hasMessageNotContaining("\tat ");
    }
}
