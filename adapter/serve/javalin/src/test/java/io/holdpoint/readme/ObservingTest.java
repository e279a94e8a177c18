package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Runs what README.md shows about meters and spans. */
class ObservingTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TestObservationRegistry observations = TestObservationRegistry.create();

    @Test
    void metersAndObservationsAreTheOnesOfTheTables() throws IOException {
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Observing.agent(model, (to, subject, body) -> {}, meters, observations)
                .agent();
        model.calls(call("c1", "sendEmail", "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"secret\"}"))
                .says("Done.");
        agent.send("thread-1", "Write to Ada");
        agent.resume("thread-1", agent.pending("thread-1").get(0).asApproval().approve());

        List<String> names = meters.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getType().name().toLowerCase(Locale.ROOT) + " `" + id.getName() + "` |")
                .distinct()
                .toList();
        String readme = Files.readString(Path.of("..", "..", "docs", "operate", "observing.md"));
        assertThat(names).hasSize(7).allSatisfy(name -> assertThat(readme).contains("| " + name));
        for (String observed : List.of("holdpoint.run", "holdpoint.model", "holdpoint.tool")) {
            TestObservationRegistryAssert.assertThat(observations).hasObservationWithNameEqualTo(observed);
            assertThat(readme).contains("| `" + observed + "` |");
        }
        assertThat(meters.getMetersAsString()).doesNotContain("secret", "ada@example.com", "thread-1");
    }
}
