package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.micrometer.HoldpointMetrics;
import io.holdpoint.micrometer.HoldpointObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;

final class Observing {

    /** An agent, and what serves it. */
    record Served(Holdpoint agent, AgUiPlugin plugin) {}

    private Observing() {}

    static Served agent(
            StreamingChatModel model, Mailer mailer, MeterRegistry meters, ObservationRegistry observations) {
        // readme
        HoldpointMetrics metrics = HoldpointMetrics.of(meters);
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .observers(metrics, HoldpointObservations.of(observations))
                .build();
        metrics.watch(agent);
        AgUiPlugin plugin = new AgUiPlugin(agui -> agui.agent(agent).onDrop(metrics::streamDropped));
        // end
        return new Served(agent, plugin);
    }
}
