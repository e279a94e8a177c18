package io.holdpoint.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolProviderRequest;
import org.junit.jupiter.api.Test;

/** Nobody here vouches for what a remote agent says. */
class RemoteHintTest {

    @Test
    void theToolSaysThatItsResultsAreOfTheOpenWorld() {
        RemoteAgent agent = RemoteAgent.of("clerk", "Pays", call -> {
            throw new AssertionError("is not called");
        });

        assertThat(agent.provideTools(new ToolProviderRequest("t", UserMessage.from("Go")))
                        .aiServiceTools())
                .singleElement()
                .satisfies(
                        tool -> assertThat(tool.toolSpecification().metadata()).containsEntry("openWorldHint", true));
    }
}
