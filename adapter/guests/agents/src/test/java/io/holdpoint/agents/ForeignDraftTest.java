package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.DraftServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers of other makes that speak the drafts: asked by a client that nobody told so, in Java and as an agent's tool. */
@Timeout(60)
class ForeignDraftTest {

    private DraftServer server = new DraftServer(DraftServer.SEND_EMAIL);
    private Bench ours;

    @AfterEach
    void stop() {
        server.close();
    }

    private void serve(String interrupt) {
        server.close();
        server = new DraftServer(interrupt);
    }

    private AguiClient client() {
        return AguiClient.builder(server.url()).build();
    }

    private RunEvent.Finished run(List<ResumeEntry> answers) {
        Message said = new Message.User("m0", MessageContent.text("Go"));
        RunAgentInput input = RunAgentInput.of("t", "r", List.of(said)).withResume(answers);
        return (RunEvent.Finished) client().run(input, event -> {}).end().join();
    }

    private PendingInterrupt asked() {
        RunFinishedOutcome outcome = run(List.of()).outcome();
        return PendingInterrupt.of(
                ((RunFinishedOutcome.Interrupted) outcome).interrupts().get(0));
    }

    private JsonNode answered(ResumeEntry answer) {
        assertThat(run(List.of(answer)).outcome()).isEqualTo(RunFinishedOutcome.success());
        return server.inputs.get(server.inputs.size() - 1).path("resume");
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    // --- in Java

    @Test
    void aProposalIsApproved() {
        PendingInterrupt.Approval question = asked().asApproval();

        assertThat(question.toolName()).isEqualTo("sendEmail");
        assertThat(question.arguments()).isEqualTo(json("{\"to\":\"a@b.com\",\"subject\":\"Hi\",\"body\":\"…\"}"));
        assertThat(question.message()).startsWith("Run sendEmail? {\"to\":\"a@b.com\"");
        assertThat(answered(question.approve()))
                .isEqualTo(json("{\"interruptId\":\"int-abc123\",\"payload\":{\"approved\":true}}"));
        assertThat(server.effects).containsExactly("sendEmail {\"to\":\"a@b.com\",\"subject\":\"Hi\",\"body\":\"…\"}");
    }

    @Test
    void aProposalIsApprovedWithModifications() {
        PendingInterrupt.Approval question = asked().asApproval();

        answered(question.approveWith(question.arguments().put("to", "bob@b.com"), "the other one"));

        assertThat(server.inputs.get(1).at("/resume/payload/reason").asText()).isEqualTo("the other one");
        assertThat(server.effects)
                .containsExactly("sendEmail {\"to\":\"bob@b.com\",\"subject\":\"Hi\",\"body\":\"…\"}");
    }

    @Test
    void aFunctionIsApproved() {
        serve(DraftServer.GET_WEATHER);
        PendingInterrupt.Approval question = asked().asApproval();

        assertThat(question.toolName()).isEqualTo("get_weather");
        assertThat(answered(question.approve()))
                .isEqualTo(json("{\"interruptId\":\"call-abc\",\"payload\":{\"approved\":true}}"));
        assertThat(server.effects).containsExactly("get_weather {\"location\":\"Seattle\"}");
    }

    @Test
    void aFunctionIsDeniedOrLetGo() {
        serve(DraftServer.GET_WEATHER);
        PendingInterrupt.Approval question = asked().asApproval();

        assertThat(answered(question.deny("no")))
                .isEqualTo(json("{\"interruptId\":\"call-abc\",\"payload\":{\"approved\":false,\"reason\":\"no\"}}"));
        assertThat(answered(question.cancel())).isEqualTo(json("{\"interruptId\":\"call-abc\"}"));
        assertThat(server.effects).isEmpty();
    }

    @Test
    void aPromptIsAnswered() {
        serve(DraftServer.EMAIL_ADDRESS);
        PendingInterrupt.Input question = asked().asInput();

        assertThat(question.message()).isEqualTo("Please provide your email address");
        assertThat(answered(question.answer("ada@example.com")))
                .isEqualTo(json("{\"interruptId\":\"input-456\",\"payload\":\"ada@example.com\"}"));
    }

    // --- as a tool

    private Interrupt delegated() {
        ours = new Bench(builder -> builder.toolProviders(RemoteAgent.of("office", "Writes mails", client())));
        ours.model.calls(call("c1", "office", "{\"task\":\"Tell Ada hello\"}")).says("Done.");
        ours.say("Go");
        return ours.pending(0).interrupt();
    }

    @Test
    void itsCallIsAskedAboutHereWithToolArgumentsAndEdits() {
        Interrupt asked = delegated();

        assertThat(asked.reason()).isEqualTo("remote:tool_call");
        assertThat(asked.message()).startsWith("The agent \"office\" asks: Run sendEmail? {\"to\":\"a@b.com\"");
        assertThat(asked.metadata()
                        .at("/remoteAgent/metadata/langchain4j/toolName")
                        .asText())
                .isEqualTo("sendEmail");
        assertThat(asked.edits()).contains("modifications");
        assertThat(server.effects).isEmpty();

        ours.resume(
                ResumeEntry.resolved(asked.id(), json("{\"approved\":true,\"modifications\":{\"to\":\"bob@b.com\"}}")));

        assertThat(server.inputs.get(1).path("resume"))
                .isEqualTo(json("{\"interruptId\":\"int-abc123\",\"payload\":{\"approved\":true,"
                        + "\"modifications\":{\"to\":\"bob@b.com\"}}}"));
        assertThat(server.effects)
                .containsExactly("sendEmail {\"to\":\"bob@b.com\",\"subject\":\"Hi\",\"body\":\"…\"}");
        assertThat(ours.model.lastResult("c1")).isEqualTo("It was done.");
    }

    @Test
    void itsFunctionIsDeniedHere() {
        serve(DraftServer.GET_WEATHER);
        Interrupt asked = delegated();

        assertThat(ours.resume(ResumeEntry.resolved(asked.id(), json("{\"approve\":true}")))
                        .errorCode())
                .isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        ours.resume(ResumeEntry.resolved(asked.id(), json("{\"approved\":false}")));

        assertThat(server.inputs.get(1).path("resume"))
                .isEqualTo(json("{\"interruptId\":\"call-abc\",\"payload\":{\"approved\":false}}"));
        assertThat(server.effects).isEmpty();
        assertThat(ours.model.lastResult("c1")).isEqualTo("It was not done.");
    }
}
