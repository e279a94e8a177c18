package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.ThreadStatus;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.RecordingSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Runs what README.md shows about looking at threads. */
class HistoriesTest {

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Histories.agent(model, (to, subject, body) -> {});

    private void hold(Holdpoint who) {
        model.calls(call("c1", "sendEmail", "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}"));
        who.send("thread-1", "Write to Ada");
    }

    @Test
    void aHeldThreadIsShownTwiceAndNothingIsFollowed() {
        hold(agent);
        RecordingSink sink = new RecordingSink();

        assertThat(Histories.show(agent, sink)).isEqualTo(ThreadStatus.HELD);

        assertThat(sink.types()).filteredOn(type -> type.equals("RUN_FINISHED")).hasSize(2);
    }

    @Test
    void whoMayAccessAThreadFindsItInTheInbox() {
        hold(agent.as(Caller.of("ada")));

        assertThat(Histories.inbox(agent))
                .startsWith("thread-1: Send email to \"ada@example.com\"")
                .hasLineCount(1);
    }

    @Test
    void everyStatusIsExplained() throws IOException {
        String readme = Files.readString(Path.of("..", "..", "docs", "guides", "clients.md"));

        for (ThreadStatus status : ThreadStatus.values()) {
            assertThat(readme).contains("| `" + status.wireName() + "` |");
        }
    }
}
