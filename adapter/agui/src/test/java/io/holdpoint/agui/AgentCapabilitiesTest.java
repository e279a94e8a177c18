package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentCapabilitiesTest {

    static AgentCapabilities full() {
        return AgentCapabilities.builder()
                .identity(new AgentCapabilities.Identity(
                        "Mailer", "langchain4j", "Sends mail", "1", "us", "https://example.org", Examples.object("{}")))
                .transport(new AgentCapabilities.Transport(true, false, false, false, false))
                .tools(new AgentCapabilities.Tools(
                        true, List.of(new ClientToolSpec("mail", "Sends", null, null)), true, true))
                .output(new AgentCapabilities.Output(false, List.of("text/plain")))
                .state(new AgentCapabilities.State(true, false, true, true))
                .multiAgent(new AgentCapabilities.MultiAgent(
                        false, false, false, List.of(new AgentCapabilities.MultiAgent.Subagent("s", null))))
                .reasoning(new AgentCapabilities.Reasoning(false, false, false))
                .multimodal(new AgentCapabilities.Multimodal(
                        new AgentCapabilities.Multimodal.Input(true, false, false, true, false),
                        new AgentCapabilities.Multimodal.Output(false, false)))
                .execution(new AgentCapabilities.Execution(false, false, 10, 60_000))
                .humanInTheLoop(new AgentCapabilities.HumanInTheLoop(true, true, false, false, true, true))
                .custom(Examples.object("{\"k\":null}"))
                .build();
    }

    @Test
    void theyAreReadBackAsTheyWereWritten() throws Exception {
        assertThat(AguiCodec.mapper().readValue(AguiCodec.write(full()), AgentCapabilities.class))
                .isEqualTo(full());
    }

    @Test
    void whatIsNotDeclaredIsNotWritten() {
        AgentCapabilities capabilities = AgentCapabilities.builder()
                .humanInTheLoop(new AgentCapabilities.HumanInTheLoop(true, true, null, null, true, null))
                .build();

        assertThat(AguiCodec.write(capabilities))
                .isEqualTo("{\"humanInTheLoop\":{\"supported\":true,\"approvals\":true,\"interrupts\":true}}");
    }
}
