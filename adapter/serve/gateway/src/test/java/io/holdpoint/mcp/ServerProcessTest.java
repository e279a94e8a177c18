package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.store.InMemoryStore;
import io.modelcontextprotocol.client.transport.ServerParameters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are processes, and die. */
@Tag("deep")
class ServerProcessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private static String server(String name, List<String> command) {
        String quoted = command.stream().map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        return "  " + name + ": { command: " + quoted.split(", ", 2)[0] + ", args: [" + quoted.split(", ", 2)[1]
                + "] }\n";
    }

    private static McpGateway open(String servers) {
        String yaml = "servers:\n" + servers + "policies: [ { tools: '*', approval: none } ]";
        return McpGateway.open(ConfigReader.read("gateway.yml", yaml, Map.of()), new InMemoryStore(), "");
    }

    @Test
    void aServerThatDiesIsToldAtItsCallAndStartedAgainByTheNextAndTheOthersGoOn() throws IOException {
        Path file = directory.resolve("one");
        Path other = directory.resolve("two");
        try (McpGateway gateway =
                        open(server("one", DyingServer.command(file)) + server("two", DyingServer.command(other)));
                Assistant assistant = new Assistant(gateway)) {
            assertThat(assistant.says("one_append", "die"))
                    .contains("was told to run \"append\"", "its process has ended", "It may have had its effect");
            assertThat(assistant.says("two_append", "a")).isEqualTo("appended a");
            assertThat(assistant.says("one_append", "b")).isEqualTo("appended b");
        }
        assertThat(Files.readAllLines(file)).containsExactly("die", "b");
        assertThat(Files.readAllLines(other)).containsExactly("a");
    }

    @Test
    void aServerGetsNoVariablesButThoseThatAreForIt() {
        String server =
                server("one", DyingServer.command(directory.resolve("one"))).replace("] }", "], env: { MINE: yes } }");
        Set<String> others = new HashSet<>(System.getenv().keySet());
        others.removeAll(ServerParameters.builder("any").build().getEnv().keySet());
        try (McpGateway gateway = open(server);
                Assistant assistant = new Assistant(gateway)) {
            assertThat(assistant.says("append", "env").split(" "))
                    .contains("MINE")
                    .doesNotContainAnyElementsOf(others);
        }
    }

    @Test
    @Tag("deep")
    void aServerThatSendsFiftyMegabytesIsToldAtTheCallAndGoesOn() throws IOException {
        Path file = directory.resolve("one");
        try (McpGateway gateway = open(server("one", DyingServer.command(file)));
                Assistant assistant = new Assistant(gateway, client -> client.requestTimeout(PATIENCE))) {
            assertThat(assistant.says("append", "flood 50"))
                    .contains("The call has run", "50000000 characters", "is left out");
            assertThat(assistant.says("append", "b")).isEqualTo("appended b");
        }
        assertThat(Files.readAllLines(file)).containsExactly("flood 50", "b");
    }

    @Test
    @Tag("deep")
    void aServerThatSendsMoreThanAConnectionTakesIsToldAtTheCallAndStartedAgain() throws IOException {
        Path file = directory.resolve("one");
        try (McpGateway gateway = open(server("one", DyingServer.command(file)).replace("] }", "], timeout: PT3S }"));
                Assistant assistant = new Assistant(gateway, client -> client.requestTimeout(PATIENCE))) {
            assertThat(assistant.says("append", "flood 70"))
                    .contains("was told to run \"append\"", "It may have had its effect");
            String told = "";
            while (!told.equals("appended b")) {
                told = assistant.says("append", "b");
            }
        }
        assertThat(Files.readAllLines(file)).startsWith("flood 70").endsWith("b");
    }

    @Test
    void noArgumentOfACommandThatDoesNotStartIsTold() {
        ServerProcess process = new ServerProcess(
                ServerParameters.builder("/nowhere/server")
                        .args("--token", "s3cret")
                        .build(),
                Results.mapper());

        assertThatThrownBy(() -> process.connect(message -> message).block())
                .hasMessageContaining("the command \"/nowhere/server\" cannot be started")
                .satisfies(thrown -> {
                    StringWriter trace = new StringWriter();
                    thrown.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).doesNotContain("s3cret");
                });
    }

    @Test
    void whatAServerWritesBesideTheProtocolIsLeftOut() throws IOException {
        Path file = directory.resolve("one");
        try (McpGateway gateway = open(server("one", DyingServer.command(file)));
                Assistant assistant = new Assistant(gateway)) {
            assertThat(assistant.says("append", "chatter")).isEqualTo("appended chatter");
            assertThat(assistant.says("append", "b")).isEqualTo("appended b");
        }
        assertThat(Files.readAllLines(file)).containsExactly("chatter", "b");
    }

    @Test
    void anAddressWhereNobodyListensIsNamedInWords() {
        assertThatThrownBy(() -> open("  one: { url: 'http://127.0.0.1:9/mcp' }\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "line 2: The server one cannot be reached: there was no answer \\(\\w+\\)\\. To mend it: .*");
    }

    @Test
    void aServerThatDoesNotStartIsNamedWithWhatItHasSaid() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThatThrownBy(() -> open(server("one", List.of(java, "--no-such-option"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2: The server one cannot be reached: its process has ended")
                .hasMessageContaining("no-such-option");
    }
}
