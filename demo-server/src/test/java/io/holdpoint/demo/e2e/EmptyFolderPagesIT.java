package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The pages of the guide to clients, as a reader makes them in an empty folder, against the demo; in an ordinary build one of them, see
 * {@link ClientTurns}. With {@code -Ddocs.pictures=true} the pictures of all replace the guide's.
 */
@ExtendWith(PageExtension.class)
class EmptyFolderPagesIT {

    private static final Path ADAPTER = Path.of("..", "adapter").toAbsolutePath();

    private static final String PAGE = ClientTurns.page();

    @Test
    void eachHoldsACallTakesTheAnswerAndIsTheSameAfterAReload() throws Exception {
        NodeProject project = ClientTurns.install("the pages of the guide to clients");
        String guide = ADAPTER.resolve(Path.of("docs", "guides", "clients.md")).toString();
        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            String printed = project.run(
                    Map.of("CHROMIUM", Chromium.installed().orElseThrow().toString(), "PAGE", PAGE),
                    List.of(
                            "node",
                            "empty-folder.mjs",
                            guide,
                            ADAPTER.resolve("card").toString(),
                            String.valueOf(demo.url().getPort()),
                            PagePicturesIT.folder().toAbsolutePath().toString()));

            assertThat(printed.lines().filter(line -> line.endsWith("the same after a reload")))
                    .as(printed)
                    .hasSize(PAGE.isEmpty() ? 5 : PAGE.equals("assistant-ui") ? 2 : 1);
        }
    }
}
