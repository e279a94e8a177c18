package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The front ends that people use, unmodified, with the programs of the guide, in a browser: what works in which of them is what
 * the documentation says. The rows are in {@code src/test/clients/rows.mjs}.
 */
@ExtendWith(PageExtension.class)
class ClientsIT {

    private static final Path DOCS = Path.of("..", "adapter", "docs");
    private static final Path MATRIX = DOCS.resolve(Path.of("reference", "clients-matrix.md"));
    private static final Path GUIDE = DOCS.resolve(Path.of("guides", "clients.md"));
    private static final List<String> CLIENTS = List.of(
            "core-1.0.0",
            "core-0.0.59",
            "copilotkit-direct",
            "copilotkit-runtime",
            "assistant-ui",
            "assistant-ui-0.0.58",
            "tanstack");

    @RegisterExtension
    private final ErrorLog errors = new ErrorLog();

    @Test
    void theMatrixIsWhatHappens() throws Exception {
        NodeProject project = NodeProject.install(
                Path.of("src", "test", "clients"),
                DemoProcess.buildDirectory(),
                "CopilotKit, assistant-ui, TanStack AI, and the client below the first two");
        Path pages = Files.createTempDirectory("pages");
        String guide = GUIDE.toAbsolutePath().toString();
        project.run(Map.of(), List.of("node", "build.mjs", pages.toString(), guide));
        Path table = Files.createTempFile("matrix", ".md");
        List<String> command = new ArrayList<>(List.of("node", "run.mjs", table.toString()));
        List<ClientsServer> servers = new ArrayList<>();
        String output;
        try {
            for (String client : CLIENTS) {
                ClientsServer server = new ClientsServer(pages);
                servers.add(server);
                command.add(client + "=" + server.url());
            }
            output = project.run(
                    Map.of("CHROMIUM", Chromium.installed().orElseThrow().toString()), command);
        } finally {
            servers.forEach(ClientsServer::close);
        }
        assertThat(errors.take()).as("the model was down for each client").allMatch(line -> line.endsWith("failed"));
        System.out.println(output.lines().reduce("", (before, line) -> line));

        assertThat(Files.readString(MATRIX))
                .as(
                        "%s must contain this table, which is what happened:%n%s%n%s",
                        MATRIX, Files.readString(table), output)
                .contains(Files.readString(table));
    }
}
