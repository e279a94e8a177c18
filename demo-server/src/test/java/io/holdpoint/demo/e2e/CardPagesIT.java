package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The guide's pages with the package's card, where an answer does not arrive, where several calls wait, where somebody clicks twice or types a
 * "yes": each in React, CopilotKit, assistant-ui and TanStack AI, as far as it applies; in an ordinary build in one of them, see {@link ClientTurns}.
 */
@ExtendWith(PageExtension.class)
@InTurns
class CardPagesIT {

    private static final Path ADAPTER = Path.of("..", "adapter").toAbsolutePath();

    @Test
    void nothingIsLostAndNothingIsSaidToBeApprovedBeforeItWasSent() throws Exception {
        NodeProject project = ClientTurns.install("the card in the guide's pages");
        String guide = ADAPTER.resolve(Path.of("docs", "guides", "clients.md")).toString();
        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            String printed = project.run(
                    Map.of("CHROMIUM", Chromium.installed().orElseThrow().toString(), "PAGE", ClientTurns.page()),
                    List.of(
                            "node",
                            "card-pages.mjs",
                            guide,
                            ADAPTER.resolve("card").toString(),
                            String.valueOf(demo.url().getPort()),
                            Files.createTempDirectory("pictures").toString()));

            assertThat(printed.lines().filter(line -> line.endsWith("as it should be")))
                    .as(printed)
                    .hasSize(ClientTurns.ALL ? 24 : 6);
        }
    }
}
