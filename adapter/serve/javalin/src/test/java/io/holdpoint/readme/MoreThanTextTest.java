package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** README.md's section on what there is besides text and tool calls. */
class MoreThanTextTest {

    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = MoreThanText.agent(model);

    private RecordingSink run(ContentPart... parts) {
        Message message = new Message.User("u1", new MessageContent.Parts(List.of(parts)));
        RecordingSink sink = new RecordingSink();
        agent.run(
                        RunAgentInput.of("t", "r", List.of(message))
                                .withState(AguiCodec.mapper().createObjectNode()),
                        sink)
                .join();
        StreamRules.check(sink.events());
        return sink;
    }

    @Test
    void theToolChangesTheListAndSaysSo() {
        model.thinksAndCalls("A list.", call("c1", "addItem", "{\"item\":\"milk\"}"))
                .says("Added.");

        RecordingSink sink = run(new ContentPart.Text("Milk"));

        assertThat(sink.types())
                .containsSubsequence("STEP_STARTED", "STATE_SNAPSHOT", "CUSTOM", "STEP_FINISHED", "TOOL_CALL_RESULT")
                .doesNotContain("REASONING_START");
        assertThat(model.lastResult("c1")).isEqualTo("The list has 1 items now.");
    }

    @Test
    @Logs("The model does not get part")
    void mediaAreTakenAsTheReadmeSays() {
        model.says("I see.");

        run(
                new Media(Media.Kind.IMAGE, new PartSource.Url("https://cdn.example.com/a.png", null)),
                new Media(Media.Kind.IMAGE, new PartSource.Url("https://elsewhere.example.com/a.png", null)),
                new Media(Media.Kind.DOCUMENT, new PartSource.Data("JVBERg==", "application/pdf")),
                new Media(Media.Kind.VIDEO, new PartSource.Data("AAAA", "video/mp4")));

        assertThat(UserMessage.findLast(model.lastMessages()).orElseThrow().contents())
                .extracting(Content::type)
                .containsExactly(ContentType.IMAGE, ContentType.PDF);
    }
}
