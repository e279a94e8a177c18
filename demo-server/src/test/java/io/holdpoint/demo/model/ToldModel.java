package io.holdpoint.demo.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import io.holdpoint.agui.AguiCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A model that answers what the user's message tells it to: a JSON array with one object for each of its answers, of
 * {@code say}, {@code think}, {@code call} (a list of {@code [name, arguments]}), {@code pause} (milliseconds between words),
 * {@code waits} (after the first words, until somebody lets it go on) and {@code fail}. In {@code say}, {@code {results}} stands for what the tools of this turn returned, {@code {users}} for the user
 * messages that the model sees and {@code {media}} for the number of files. Any other message is repeated. Thread-safe.
 */
public final class ToldModel implements StreamingChatModel {

    private static final int FIRST_WORDS = 50;

    private final Runnable asked;
    private final Runnable waiting;

    /**
     * Makes a model.
     *
     * @param asked runs at each request
     * @param waiting returns when an answer that waits goes on
     */
    public ToldModel(Runnable asked, Runnable waiting) {
        this.asked = asked;
        this.waiting = waiting;
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        asked.run();
        List<ChatMessage> messages = request.messages();
        int last = messages.size() - 1;
        while (!(messages.get(last) instanceof UserMessage)) {
            last--;
        }
        List<ChatMessage> turn = messages.subList(last + 1, messages.size());
        List<Content> contents = ((UserMessage) messages.get(last)).contents();
        int answered = (int) turn.stream().filter(AiMessage.class::isInstance).count();
        JsonNode step = steps(contents).path(answered);
        if (step.path("fail").asBoolean()) {
            handler.onError(new IllegalStateException("the model is down"));
            return;
        }
        String text = step.path("say")
                .asText("")
                .replace("{results}", results(turn))
                .replace(
                        "{users}",
                        String.valueOf(messages.stream()
                                .filter(UserMessage.class::isInstance)
                                .count()))
                .replace("{media}", String.valueOf(contents.size() - 1));
        AiMessage message = AiMessage.builder()
                .text(text.isEmpty() ? null : text)
                .thinking(step.path("think").textValue())
                .toolExecutionRequests(calls(step.path("call")))
                .build();
        Duration pause = Duration.ofMillis(step.path("pause").asInt());
        AtomicInteger words = new AtomicInteger(step.path("waits").asBoolean() ? 0 : Integer.MIN_VALUE);
        Runnable afterWord = () -> {
            LockSupport.parkNanos(pause.toNanos());
            if (words.incrementAndGet() == FIRST_WORDS) {
                waiting.run();
            }
        };
        new ScriptedStream(handler, afterWord)
                .play(ChatResponse.builder()
                        .id("told_" + UUID.randomUUID())
                        .modelName("told")
                        .aiMessage(message)
                        .tokenUsage(Words.usage(messages, message))
                        .finishReason(
                                message.hasToolExecutionRequests() ? FinishReason.TOOL_EXECUTION : FinishReason.STOP)
                        .build());
    }

    private static JsonNode steps(List<Content> contents) {
        String text = contents.stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining());
        try {
            if (text.startsWith("[{")) {
                return AguiCodec.mapper().readTree(text);
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
        var repeated = JsonNodeFactory.instance.arrayNode();
        repeated.addObject().put("say", "You said: " + text + " ({users} from you)");
        return repeated;
    }

    private static String results(List<ChatMessage> turn) {
        return turn.stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(message -> ((ToolExecutionResultMessage) message).text())
                .collect(Collectors.joining(" | "));
    }

    private static List<ToolExecutionRequest> calls(JsonNode calls) {
        List<ToolExecutionRequest> requests = new ArrayList<>();
        for (JsonNode call : calls) {
            requests.add(ToolExecutionRequest.builder()
                    .id("call_" + UUID.randomUUID())
                    .name(call.path(0).asText())
                    .arguments(call.path(1).toString())
                    .build());
        }
        return requests;
    }
}
