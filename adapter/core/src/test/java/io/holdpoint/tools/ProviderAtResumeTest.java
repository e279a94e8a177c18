package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** At a resume, a provider sees the conversation with which the call was proposed. */
class ProviderAtResumeTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new ArrayList<>();
    private final List<List<ChatMessageType>> seen = new ArrayList<>();

    /** Offers to pay once somebody has logged in since the user's message. */
    private final class Bank implements ToolProvider {

        @Override
        public boolean isDynamic() {
            return true;
        }

        @Override
        public ToolProviderResult provideTools(ToolProviderRequest request) {
            seen.add(request.messages().stream().map(ChatMessage::type).toList());
            boolean isIn = false;
            for (ChatMessage message : request.messages()) {
                isIn = !(message instanceof UserMessage)
                        && (isIn
                                || message instanceof ToolExecutionResultMessage result
                                        && result.toolName().equals("login"));
            }
            ToolProviderResult.Builder tools = ToolProviderResult.builder().add(tool("login"), (call, id) -> "in");
            if (isIn) {
                tools.add(tool("pay"), (call, id) -> {
                    effects.add("pay");
                    return "paid";
                });
            }
            return tools.build();
        }

        private static ToolSpecification tool(String name) {
            return ToolSpecification.builder()
                    .name(name)
                    .description(name)
                    .parameters(JsonObjectSchema.builder().build())
                    .build();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatItOffersByTheMessagesIsOfferedAgain(Shape shape) {
        model.calls(call("c1", "login", "{}")).calls(call("c2", "pay", "{}")).says("Paid.");
        Holdpoint agent = shape.builder(model)
                .toolProviders(new Bank())
                .toolPolicies(ToolPolicy.named("pay"))
                .build();
        var asked = agent.send("t", "Pay").approval();
        List<ChatMessageType> atTheProposal = seen.get(seen.size() - 1);
        seen.clear();

        agent.resume("t", asked.approve());

        assertThat(effects).containsExactly("pay");
        assertThat(seen.get(0)).isEqualTo(atTheProposal);
    }
}
