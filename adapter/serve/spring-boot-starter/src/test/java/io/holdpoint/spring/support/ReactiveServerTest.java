package io.holdpoint.spring.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.HandlerStrategies;

class ReactiveServerTest {

    interface Assistant {
        TokenStream chat(@UserMessage String message);
    }

    public static final class Bank {

        private final List<String> effects = new CopyOnWriteArrayList<>();

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private final ScriptedModel model = new ScriptedModel();
    private final Bank bank = new Bank();
    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .streamingChatModel(model)
            .tools(bank)
            .build();
    private final WebTestClient client = WebTestClient.bindToRouterFunction(ReactiveServer.routes(agent))
            .handlerStrategies(HandlerStrategies.builder()
                    .exceptionHandler(ReactiveServer.refusals())
                    .build())
            .build();

    private WebTestClient.ResponseSpec post(String body) {
        return client.post()
                .uri("/agent")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange();
    }

    private String run(RunAgentInput input) {
        return post(AguiCodec.write(input))
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.TEXT_EVENT_STREAM)
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
    }

    private static RunAgentInput says(String text) {
        return RunAgentInput.of("t", "r1", List.of(new Message.User("u1", MessageContent.text(text))));
    }

    @Test
    void aCallIsHeldAndRunsOnceItIsApproved() {
        model.calls(ScriptedModel.call("c1", "pay", "{\"amount\":5}")).says("Done.");

        assertThat(run(says("Pay")))
                .contains("\"RUN_STARTED\"", "\"type\":\"interrupt\"")
                .doesNotContain("\"RUN_ERROR\"");

        assertThat(bank.effects).isEmpty();
        assertThat(run(RunAgentInput.of("t", "r2", List.of())
                        .withResume(
                                List.of(agent.pending("t").get(0).asApproval().approve()))))
                .contains("Done.", "\"RUN_FINISHED\"");
        assertThat(bank.effects).containsExactly("pay 5");
    }

    @Test
    void whatIsRefusedSaysWhy() {
        agent.close();

        post(AguiCodec.write(says("Pay")))
                .expectStatus()
                .isEqualTo(409)
                .expectBody(String.class)
                .isEqualTo("{\"code\":\"SHUTTING_DOWN\"}");
        post("{").expectStatus().isBadRequest().expectBody(String.class).isEqualTo("{\"code\":\"INPUT_INVALID\"}");
    }
}
