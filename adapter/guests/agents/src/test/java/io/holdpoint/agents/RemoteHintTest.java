package io.holdpoint.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.holdpoint.Holdpoint;
import io.holdpoint.testing.Bench;
import org.junit.jupiter.api.Test;

/** Nobody here vouches for what a remote agent says. */
class RemoteHintTest {

    /** The providers of the models would refuse each request with it. */
    @Test
    void aNameThatNoToolMayHaveIsRefused() {
        Holdpoint clerk = new Bench().agent();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalAgent.of("my clerk", "Pays", clerk))
                .withMessage("name: 1 to 64 letters, digits, _ and -, not \"my clerk\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RemoteAgent.of("", "Pays", call -> null))
                .withMessage("name: 1 to 64 letters, digits, _ and -, not \"\"");
    }

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
