package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.guardrail.OutputGuardrails;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An interface with several methods is one agent: one is chosen in each turn, and the same one when it is resumed. */
class SeveralMethodsTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final Store store = new InMemoryStore();

    record Receipt(String to, int mails) {}

    public static class Praise implements OutputGuardrail {
        @Override
        public OutputGuardrailResult validate(AiMessage said) {
            return successWith(said.text() + " (checked)");
        }
    }

    interface Office {
        @dev.langchain4j.service.SystemMessage("You chat.")
        String chat(@UserMessage String text);

        @dev.langchain4j.service.SystemMessage("You write mails in {{language}}.")
        Receipt mail(@UserMessage String text, @V("language") String language);

        @dev.langchain4j.service.SystemMessage("You tell stories.")
        TokenStream tell(@UserMessage String text);

        @OutputGuardrails(Praise.class)
        @dev.langchain4j.service.SystemMessage("You are checked.")
        String checked(@UserMessage String text);
    }

    /** The tool that only one of the methods has. */
    private static ToolProvider toolOf(String method, String tool) {
        return request -> request.invocationContext().methodName().equals(method)
                ? ToolProviderResult.builder()
                        .add(ToolSpecification.builder().name(tool).build(), (call, memoryId) -> "done by " + tool)
                        .build()
                : null;
    }

    private HoldpointBuilder<Office> office() {
        return Holdpoint.builder(Office.class)
                .chatModel(model)
                .streamingChatModel(model)
                .store(store)
                .tools(tools)
                .toolProviders(toolOf("mail", "stamp"), toolOf("tell", "remember"))
                .client(client -> client.storedForwardedProps("task"))
                .variable("language", turn -> "Latin")
                .method(turn -> turn.forwardedProps().path("task").asText("chat"));
    }

    private static RunAgentInput says(String run, String task) {
        return RunAgentInput.of("t", run, List.of(new Message.User("m-" + run, MessageContent.text("Write to Ada"))))
                .withForwardedProps(AguiCodec.mapper().createObjectNode().put("task", task));
    }

    private static RunAgentInput answers(String run, ResumeEntry answer) {
        return RunAgentInput.of("t", run, List.of()).withResume(List.of(answer));
    }

    private List<String> offered() {
        return model.requests().get(model.requests().size() - 1).toolSpecifications().stream()
                .map(ToolSpecification::name)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat", "mail", "tell", "checked"})
    void theMethodThatWasHeldGoesOnByWhatIsStoredWithTheTurn(String task) {
        model.calls(call("c1", "sendEmail", MAIL)).says(task.equals("mail") ? "{\"to\":\"Ada\",\"mails\":1}" : "Done.");
        office().build().run(says("r1", task), event -> {}).join();
        Holdpoint restarted = office().build();

        RunResult result = restarted
                .run(answers("r2", restarted.pending("t").get(0).asApproval().approve()), event -> {})
                .join();

        RunResult.Completed completed = (RunResult.Completed) result;
        assertThat(tools.effects()).hasSize(1);
        assertThat(model.lastMessages().get(0))
                .isEqualTo(SystemMessage.from(
                        switch (task) {
                            case "chat" -> "You chat.";
                            case "mail" -> "You write mails in Latin.";
                            case "tell" -> "You tell stories.";
                            default -> "You are checked.";
                        }));
        switch (task) {
            case "mail" -> {
                assertThat(completed.value()).isEqualTo(new Receipt("Ada", 1));
                assertThat(offered()).contains("stamp").doesNotContain("remember");
            }
            case "tell" -> assertThat(offered()).contains("remember").doesNotContain("stamp");
            case "checked" -> assertThat(completed.text()).isEqualTo("Done. (checked)");
            default -> assertThat(offered()).doesNotContain("stamp", "remember");
        }
    }

    @Test
    void eachTurnHasItsMethodAndTheThreadHasOneMemory() {
        model.says("Hello.").says("{\"to\":\"Ada\",\"mails\":0}").says("Once.");
        Holdpoint agent = office().build();

        agent.run(says("r1", "chat"), event -> {}).join();
        agent.run(says("r2", "mail"), event -> {}).join();
        agent.run(says("r3", "tell"), event -> {}).join();

        assertThat(model.lastMessages()).hasSize(6);
        assertThat(model.lastMessages().get(0)).isEqualTo(SystemMessage.from("You tell stories."));
    }
}
