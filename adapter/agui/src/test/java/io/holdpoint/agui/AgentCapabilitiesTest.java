package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentCapabilitiesTest {

    static AgentCapabilities full() {
        return new AgentCapabilities(
                new AgentCapabilities.Identity(
                        "Mailer", "langchain4j", "Sends mail", "1", "us", "https://example.org", Examples.object("{}")),
                new AgentCapabilities.Transport(true, false, false, false, false),
                new AgentCapabilities.Tools(true, List.of(new ClientToolSpec("mail", "Sends", null, null)), true, true),
                new AgentCapabilities.Output(false, List.of("text/plain")),
                new AgentCapabilities.State(true, false, true, true),
                new AgentCapabilities.MultiAgent(
                        false, false, false, List.of(new AgentCapabilities.MultiAgent.Subagent("s", null))),
                new AgentCapabilities.Reasoning(false, false, false),
                new AgentCapabilities.Multimodal(
                        new AgentCapabilities.Multimodal.Input(true, false, false, true, false),
                        new AgentCapabilities.Multimodal.Output(false, false)),
                new AgentCapabilities.Execution(false, false, 10, 60_000),
                new AgentCapabilities.HumanInTheLoop(true, true, false, false, true, true),
                Examples.object("{\"k\":null}"));
    }

    @Test
    void theyAreReadBackAsTheyWereWritten() throws Exception {
        assertThat(AguiCodec.mapper().readValue(AguiCodec.write(full()), AgentCapabilities.class))
                .isEqualTo(full());
    }

    @Test
    void whatIsNotDeclaredIsNotWritten() {
        AgentCapabilities.HumanInTheLoop person =
                new AgentCapabilities.HumanInTheLoop(true, true, null, null, true, null);
        AgentCapabilities capabilities =
                new AgentCapabilities(null, null, null, null, null, null, null, null, null, person, null);

        assertThat(AguiCodec.write(capabilities))
                .isEqualTo("{\"humanInTheLoop\":{\"supported\":true,\"approvals\":true,\"interrupts\":true}}");
    }
}
