package io.holdpoint.demo.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ScriptedModelStreamingTest {

    interface Assistant {
        @UserMessage("{{m}}")
        TokenStream chat(@V("m") String message);
    }

    private static final String SEVERAL =
            "Send an email to ada@example.com and bob@example.com and transfer 20 to Carol";

    private final PlainTools tools = new PlainTools();
    private final List<String> deltas = new ArrayList<>();
    private final List<String> argumentPieces = new ArrayList<>();
    private final List<ChatResponse> rounds = new ArrayList<>();

    @Test
    void streamsTextInSmallPieces() {
        ChatResponse response = stream(new ScriptedModel(), "Hello");

        assertThat(deltas).hasSizeGreaterThan(10);
        assertThat(String.join("", deltas)).isEqualTo(response.aiMessage().text());
    }

    @Test
    void proposesSeveralCallsInOneMessageWithTextBefore() {
        stream(new ScriptedModel(), SEVERAL);

        assertThat(rounds).hasSize(1);
        assertThat(rounds.get(0).aiMessage().text()).startsWith("I'll send an email to ada@example.com");
        assertThat(rounds.get(0).aiMessage().toolExecutionRequests())
                .extracting(ToolExecutionRequest::name)
                .containsExactly("sendEmail", "sendEmail", "transferMoney");
        assertThat(tools.calls)
                .containsExactly("mail ada@example.com | Hello", "mail bob@example.com | Hello", "transfer 20 Carol");
    }

    @Test
    void streamsArgumentsInPiecesThatMakeUpTheWhole() {
        stream(new ScriptedModel(), SEVERAL);

        String whole = String.join(
                "",
                rounds.get(0).aiMessage().toolExecutionRequests().stream()
                        .map(ToolExecutionRequest::arguments)
                        .toList());
        assertThat(argumentPieces).hasSizeGreaterThan(6);
        assertThat(String.join("", argumentPieces)).isEqualTo(whole);
    }

    @Test
    void givesEveryCallAnIdOfItsOwn() {
        stream(new ScriptedModel(), SEVERAL);

        assertThat(rounds.get(0).aiMessage().toolExecutionRequests())
                .extracting(ToolExecutionRequest::id)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.startsWith("call_"));
    }

    @Test
    void pausesAfterEachPiece() {
        List<String> pauses = new ArrayList<>();

        stream(new ScriptedModel(() -> pauses.add("pause")), "Hello");

        assertThat(pauses).hasSameSizeAs(deltas);
    }

    @Test
    void sendsNothingAfterACancel() {
        Assistant assistant = assistant(new ScriptedModel());

        assistant
                .chat("Hello")
                .onPartialResponseWithContext((partial, context) -> {
                    deltas.add(partial.text());
                    context.streamingHandle().cancel();
                })
                .onCompleteResponse(rounds::add)
                .onError(error -> deltas.add(error.toString()))
                .start();

        assertThat(deltas).hasSize(1);
        assertThat(rounds).isEmpty();
    }

    private Assistant assistant(ScriptedModel model) {
        return AiServices.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .chatMemory(MessageWindowChatMemory.withMaxMessages(50))
                .build();
    }

    private ChatResponse stream(ScriptedModel model, String message) {
        CompletableFuture<ChatResponse> last = new CompletableFuture<>();
        assistant(model)
                .chat(message)
                .onPartialResponse(deltas::add)
                .onPartialToolCall(call -> argumentPieces.add(call.partialArguments()))
                .onIntermediateResponse(rounds::add)
                .onCompleteResponse(last::complete)
                .onError(last::completeExceptionally)
                .start();
        return last.join();
    }
}
