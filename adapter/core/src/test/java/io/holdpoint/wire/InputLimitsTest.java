package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.agui.PartSource;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.RecordingSink;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inputs that bring too much are no inputs: nothing is looked up, nothing is consumed. */
class InputLimitsTest {

    private final Bench bench =
            new Bench(builder -> builder.limits(Limits.DEFAULT.withMessages(3).withStateLength(5_000)));

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "deleteRecords", "{\"table\":\"users\"}"));
        bench.say("Go");
    }

    private String refused(RunAgentInput input) {
        Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();
        RunRejectedException rejected = catchThrowableOfType(
                RunRejectedException.class, () -> bench.agent().run(input, sink));
        assertThat(rejected.code()).isEqualTo(ErrorCode.INPUT_INVALID);
        assertThat(sink.events()).isEmpty();
        assertThat(bench.everything()).isEqualTo(before);
        return rejected.getMessage();
    }

    private static JsonNode nested(int levels) {
        JsonNode node = AguiCodec.mapper().createArrayNode();
        for (int i = 1; i < levels; i++) {
            node = AguiCodec.mapper().createArrayNode().add(node);
        }
        return node;
    }

    @Test
    void tooManyResumeEntries() {
        ResumeEntry answer = bench.pending(0).asApproval().approve();

        assertThat(refused(bench.input().withResume(Collections.nCopies(257, answer))))
                .contains("resume: ", "257", "256");
    }

    @Test
    void tooManyTools() {
        ClientToolSpec tool = new ClientToolSpec("setColour", "Of the client", null, null);

        assertThat(refused(bench.input().withTools(Collections.nCopies(257, tool))))
                .contains("tools: ", "257", "256");
    }

    @Test
    void aToolThatIsNestedTooDeepDoesNotKeepItsThread() {
        ClientToolSpec tool = new ClientToolSpec("setColour", "Of the client", nested(20_000), null);

        assertThat(refused(bench.input().withTools(List.of(tool)))).contains("tools[0].parameters: ", "200");
        assertThat(bench.nothingNew().interrupts()).hasSize(2);
    }

    @Test
    void tooManyMessages() {
        assertThat(refused(bench.input(user("1", ""), user("2", ""), user("3", ""), user("4", ""))))
                .contains("messages: ", "4", "3");
    }

    @Test
    void statesAndPayloadsThatAreTooDeep() {
        String id = bench.pending(0).id();
        JsonNode deep = nested(100_000);

        assertThat(refused(bench.input().withState(deep))).contains("state: ", "200");
        assertThat(refused(bench.answers(ResumeEntry.resolved(id, deep)))).contains("resume[0].payload: ");
        assertThat(refused(bench.answers(new ResumeEntry(
                        id,
                        ResumeEntry.Status.CANCELLED,
                        null,
                        AguiCodec.mapper().createObjectNode().set("by", deep)))))
                .contains("resume[0].metadata: ");
    }

    @Test
    void statesAndMessagesWithNumbersThatNobodyCanKeep() {
        ObjectNode excessive =
                AguiCodec.mapper().createObjectNode().put("n", BigDecimal.valueOf(1, Integer.MIN_VALUE + 1));

        assertThat(refused(bench.input().withState(excessive))).contains("state.n: ", "1000 digits");
        assertThat(refused(bench.input(
                        new Message.User("1", new MessageContent.Text("Hi"), MessageExtras.ofMetadata(excessive)))))
                .contains("messages[0].metadata.n: ");
        assertThat(refused(bench.input(new Message.User(
                        "1", new MessageContent.Parts(List.of(new ContentPart.Text("Hi", null, excessive)))))))
                .contains("messages[0].content[0].metadata.n: ");
    }

    @Test
    void payloadsThatNobodyCouldReadAgain() {
        JsonNode endless = DecimalNode.valueOf(BigDecimal.valueOf(10, Integer.MIN_VALUE + 1));

        assertThat(refused(bench.answers(
                        ResumeEntry.resolved(bench.pending(0).id(), endless),
                        ResumeEntry.cancelled(bench.pending(1).id()))))
                .startsWith("resume[0].payload: ");
    }

    @Test
    void contentsContextsAndStatesThatAreTooLong() {
        int most = Limits.CONTENT_LENGTH;
        String tooLong = "x".repeat(most + 1);
        ContentPart image = new Media(Media.Kind.IMAGE, new PartSource.Data("A".repeat(most + 4), "image/png"));

        assertThat(refused(bench.input(user("1", tooLong)))).contains("messages[0].content: ", "10000001", "10000000");
        assertThat(refused(bench.input(new Message.User("1", new MessageContent.Parts(List.of(image))))))
                .contains("messages[0].content[0]: ", "10000004");
        assertThat(refused(bench.input(new Message.Assistant("1", tooLong, List.of()))))
                .contains("messages[0].content: ");
        assertThat(refused(bench.input()
                        .withContext(List.of(
                                new ContextEntry("a", "x".repeat(most / 2)),
                                new ContextEntry("b", "x".repeat(most / 2))))))
                .contains("context: ", "10000002");
        assertThat(refused(bench.input().withState(TextNode.valueOf("x".repeat(4_999)))))
                .contains("state: ", "5001", "5000");
        assertThat(refused(bench.input()
                        .withState(JsonNodeFactory.instance.objectNode().put("x".repeat(5_000), true))))
                .contains("state: ", "5009", "5000");
    }

    @Test
    void theJavaApiSaysSo() {
        ResumeEntry answer = bench.pending(0).asApproval().approve();

        assertThat(bench.agent().resume(THREAD, Collections.nCopies(257, answer)))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INPUT_INVALID));
    }

    @Test
    void whatIsAtTheLimitIsWelcome() {
        bench.model.says("Steered away.");
        RunAgentInput input = bench.input(user("1", "a"), user("2", "b"), user("3", "c"))
                .withResume(List.of(bench.pending(0).cancel(), bench.pending(1).cancel()))
                .withState(nested(AguiCodec.MAX_INPUT_DEPTH));

        assertThat(bench.run(input).text()).isEqualTo("Steered away.");
    }
}
