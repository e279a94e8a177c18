package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.content.Content;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs what the page for existing applications shows. */
class ExistingApplicationTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new ArrayList<>();
    private final Holdpoint agent = ExistingApplication.agent(
                    model,
                    new MailTools((to, subject, body) -> outbox.add(to)),
                    query -> List.of(Content.from("Ada lives in Cork.")),
                    Map.of("mary", "Mary"))
            .as(Caller.of("mary"));

    @Test
    void theVariablesComeFromTheCallerAndFromTheInputAlsoAfterAResume() {
        model.calls(call("c1", "sendEmail", MAIL)).says("Scríobh mé.");
        RunResult held = ExistingApplication.sayInIrish(agent);

        RunResult result = agent.resume("thread-1", held.approvals().get(0).approve());

        assertThat(result.text()).isEqualTo("Scríobh mé.");
        assertThat(outbox).containsExactly("ada@example.com");
        assertThat(model.lastMessages()).contains(SystemMessage.from("You guide Mary. Answer in Irish."));
    }

    @Test
    void withoutForwardedPropsItIsTheDefaultAndTheRetrieverIsAsked() {
        model.says("Hello.");

        agent.send("thread-2", "Where is Ada?");

        assertThat(model.lastMessages())
                .contains(SystemMessage.from("You guide Mary. Answer in English."))
                .last()
                .isInstanceOfSatisfying(
                        UserMessage.class, said -> assertThat(said.singleText()).contains("Ada lives in Cork."));
    }
}
