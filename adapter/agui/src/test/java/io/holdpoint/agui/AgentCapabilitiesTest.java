package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentCapabilitiesTest {

    static AgentCapabilities full() {
        return AgentCapabilities.builder()
                .identity(new IdentityCapabilities(
                        "Mailer", "langchain4j", "Sends mail", "1", "us", "https://example.org", Examples.object("{}")))
                .transport(new TransportCapabilities(true, false, false, false, false))
                .tools(new ToolsCapabilities(
                        true, List.of(new ClientToolSpec("mail", "Sends", null, null)), true, true))
                .output(new OutputCapabilities(false, List.of("text/plain")))
                .state(new StateCapabilities(true, false, true, true))
                .multiAgent(new MultiAgentCapabilities(
                        false, false, false, List.of(new MultiAgentCapabilities.Subagent("s", null))))
                .reasoning(new ReasoningCapabilities(false, false, false))
                .multimodal(new MultimodalCapabilities(
                        new MultimodalCapabilities.Input(true, false, false, true, false),
                        new MultimodalCapabilities.Output(false, false)))
                .execution(new ExecutionCapabilities(false, false, 10, 60_000))
                .humanInTheLoop(new HumanInTheLoopCapabilities(true, true, false, false, true, true))
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
                .humanInTheLoop(new HumanInTheLoopCapabilities(true, true, null, null, true, null))
                .build();

        assertThat(AguiCodec.write(capabilities))
                .isEqualTo("{\"humanInTheLoop\":{\"supported\":true,\"approvals\":true,\"interrupts\":true}}");
    }
}
