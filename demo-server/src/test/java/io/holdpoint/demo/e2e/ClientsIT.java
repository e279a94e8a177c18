package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The front ends that people use, unmodified, with the programs of the guide, in a browser: what works in which of them is what
 * the documentation says. The rows are in {@code src/test/clients/rows.mjs}. The ordinary build takes {@linkplain ClientTurns a part}.
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
            "assistant-ui-0.0.59",
            "tanstack");

    private static final List<String> WITH_CARD = List.of("copilotkit-card", "assistant-ui-card");

    @RegisterExtension
    private final ErrorLog errors = new ErrorLog();

    /** What the card of the package has to do with, besides what its own tests try. */
    private static final String CARD_ROWS = "^(approve with edits|deny|two in parallel|a form, filled in wrongly"
            + "|opened again while|answered elsewhere, then here)";

    @Test
    void theMatrixIsWhatHappens() throws Exception {
        String happened = happened(CLIENTS, Map.of("PART", String.valueOf(ClientTurns.sixth())));

        assertThat(tried(happened, documented()))
                .as("%s must contain this table, which is what happened:%n%s", MATRIX, happened)
                .isEqualTo(happened);
    }

    @Test
    void theAdaptersOfTheCardAnswer() throws Exception {
        List<String> clients = WITH_CARD.stream().filter(ClientTurns::isTurnOf).toList();
        String happened = happened(clients, Map.of("ROW", CARD_ROWS));

        assertThat(happened.lines().filter(row -> row.endsWith(" | yes".repeat(clients.size()) + " |")))
                .as(happened)
                .hasSize(6);
    }

    /** The table of what these clients did; what went wrong in them is printed. */
    private String happened(List<String> clients, Map<String, String> rows) throws Exception {
        NodeProject project =
                ClientTurns.install("CopilotKit, assistant-ui, TanStack AI, and the client below the first two");
        Path pages = Files.createTempDirectory("pages");
        List<String> taken = clients.stream().filter(ClientTurns::isTurnOf).toList();
        List<String> bundle = new ArrayList<>(List.of(
                "node", "build.mjs", pages.toString(), GUIDE.toAbsolutePath().toString()));
        taken.forEach(client -> bundle.add(client.replaceAll("-direct|-runtime", "")));
        project.run(Map.of(), bundle);
        Path table = Files.createTempFile("matrix", ".md");
        List<String> command = new ArrayList<>(List.of("node", "run.mjs", table.toString()));
        List<ClientsServer> servers = new ArrayList<>();
        try {
            for (String client : clients) {
                String url = "";
                if (taken.contains(client)) {
                    ClientsServer server = new ClientsServer(pages);
                    servers.add(server);
                    url = server.url();
                }
                command.add(client + "=" + url);
            }
            Map<String, String> environment = new HashMap<>(rows);
            environment.put("CHROMIUM", Chromium.installed().orElseThrow().toString());
            System.out.println(project.run(environment, command).lines().reduce("", (before, line) -> line));
        } finally {
            servers.forEach(ClientsServer::close);
        }
        assertThat(errors.take()).as("the model was down for each client").allMatch(line -> line.endsWith("failed"));
        return Files.readString(table);
    }

    private static List<String> documented() throws IOException {
        return Files.readString(MATRIX)
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();
    }

    /** What is documented of the cells that were tried. */
    private static String tried(String happened, List<String> documented) {
        List<String> rows = happened.lines().toList();
        assertThat(documented).as("the rows of %s", MATRIX).hasSameSizeAs(rows);
        StringBuilder tried = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            String[] cells = rows.get(row).split(" \\| ");
            String[] known = documented.get(row).split(" \\| ");
            for (int cell = 0; cell < cells.length; cell++) {
                boolean isLast = cell == cells.length - 1;
                boolean isTried = !cells[cell].equals(isLast ? "- |" : "-");
                tried.append(isTried && cell < known.length ? known[cell] : cells[cell])
                        .append(isLast ? "\n" : " | ");
            }
        }
        return tried.toString();
    }
}
