package io.holdpoint.test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A model that says what the test tells it to, streaming and blocking: one line of its script for each request. Like a provider,
 * it refuses a request in which a tool call lacks its result, or a result its call, with an {@link AssertionError}; it does the
 * same if it is asked more often than its script has lines. Streams thinking and text word by word, and tool calls in two
 * parts, on the calling thread. Reports 10 tokens of input and 5 of output for each request. Thread-safe.
 */
public final class ScriptedModel implements StreamingChatModel, ChatModel {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final AtomicInteger ids = new AtomicInteger();
    private final Queue<Function<ChatRequest, AiMessage>> script = new ConcurrentLinkedQueue<>();
    private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();

    /** Adds a message of text. */
    public ScriptedModel says(String text) {
        return answers(request -> AiMessage.from(text));
    }

    /** Adds a message that calls one tool with arguments by the names of the parameters: anything that Jackson writes. */
    public ScriptedModel calls(String tool, Map<String, ?> arguments) {
        String json;
        try {
            json = JSON.writeValueAsString(arguments);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("arguments of " + tool + ": " + e.getOriginalMessage(), e);
        }
        return calls(call("call_" + ids.incrementAndGet(), tool, json));
    }

    /** Adds a message that calls tools, see {@link #call}. */
    public ScriptedModel calls(ToolExecutionRequest... calls) {
        return answers(request -> AiMessage.from(calls));
    }

    /** Adds a message with text before its calls. */
    public ScriptedModel saysAndCalls(String text, ToolExecutionRequest... calls) {
        return answers(request -> AiMessage.from(text, List.of(calls)));
    }

    /** Adds a message with thinking and text. */
    public ScriptedModel thinksAndSays(String thinking, String text) {
        return answers(
                request -> AiMessage.builder().thinking(thinking).text(text).build());
    }

    /** Adds a message with thinking and calls. */
    public ScriptedModel thinksAndCalls(String thinking, ToolExecutionRequest... calls) {
        return answers(request -> AiMessage.builder()
                .thinking(thinking)
                .toolExecutionRequests(List.of(calls))
                .build());
    }

    /** Adds a failure of the provider. */
    public ScriptedModel fails(RuntimeException failure) {
        return answers(request -> {
            throw failure;
        });
    }

    /** Adds a message that depends on the request. */
    public ScriptedModel answers(Function<ChatRequest, AiMessage> answer) {
        script.add(answer);
        return this;
    }

    /**
     * Makes a call for {@link #calls(ToolExecutionRequest...)}.
     *
     * @param id its id, different for each call of a thread
     * @param arguments a JSON object, or whatever else a model might write
     */
    public static ToolExecutionRequest call(String id, String name, String arguments) {
        return ToolExecutionRequest.builder()
                .id(id)
                .name(name)
                .arguments(arguments)
                .build();
    }

    /** Returns the requests, oldest first. */
    public List<ChatRequest> requests() {
        return List.copyOf(requests);
    }

    /** Returns how many lines of the script are left. */
    public int left() {
        return script.size();
    }

    /** Returns the messages of the last request. */
    public List<ChatMessage> lastMessages() {
        return requests.get(requests.size() - 1).messages();
    }

    /** Returns the text of the result for a call in the last request; an {@link AssertionError} if there is none. */
    public String lastResult(String toolCallId) {
        return lastMessages().stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(ToolExecutionResultMessage.class::cast)
                .filter(result -> result.id().equals(toolCallId))
                .map(ToolExecutionResultMessage::text)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no result for " + toolCallId + " in " + lastMessages()));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        return respond(request);
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        ChatResponse response;
        try {
            response = respond(request);
        } catch (RuntimeException e) {
            handler.onError(e);
            return;
        }
        AiMessage message = response.aiMessage();
        if (message.thinking() != null) {
            for (String word : message.thinking().split("(?<= )")) {
                handler.onPartialThinking(new PartialThinking(word));
            }
        }
        if (message.text() != null) {
            for (String word : message.text().split("(?<= )")) {
                handler.onPartialResponse(word);
            }
        }
        int index = 0;
        for (ToolExecutionRequest call : message.toolExecutionRequests()) {
            String arguments = call.arguments() == null ? "" : call.arguments();
            int half = arguments.length() / 2;
            for (String part : List.of(arguments.substring(0, half), arguments.substring(half))) {
                if (!part.isEmpty()) {
                    handler.onPartialToolCall(PartialToolCall.builder()
                            .index(index)
                            .id(call.id())
                            .name(call.name())
                            .partialArguments(part)
                            .build());
                }
            }
            handler.onCompleteToolCall(new CompleteToolCall(index++, call));
        }
        handler.onCompleteResponse(response);
    }

    private ChatResponse respond(ChatRequest request) {
        requests.add(request);
        requireWellFormed(request.messages());
        Function<ChatRequest, AiMessage> answer = script.poll();
        if (answer == null) {
            throw new AssertionError("the model was asked more often than the test expected: " + request.messages());
        }
        return ChatResponse.builder()
                .aiMessage(answer.apply(request))
                .modelName("scripted")
                .tokenUsage(new TokenUsage(10, 5))
                .build();
    }

    /** Checks what providers check: throws an {@link AssertionError} if a tool call lacks its result, or a result its call. */
    public static void requireWellFormed(List<ChatMessage> messages) {
        Map<String, Integer> open = new HashMap<>();
        List<ChatMessage> seen = new ArrayList<>();
        for (ChatMessage message : messages) {
            seen.add(message);
            if (message instanceof ToolExecutionResultMessage result) {
                if (open.remove(result.id()) == null) {
                    throw new AssertionError("a result without its call: " + seen);
                }
            } else if (!open.isEmpty()) {
                throw new AssertionError("a call without its result: " + seen);
            } else if (message instanceof AiMessage ai) {
                ai.toolExecutionRequests().forEach(call -> open.put(call.id(), 1));
            }
        }
        if (!open.isEmpty()) {
            throw new AssertionError("a call without its result: " + seen);
        }
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return DefaultChatRequestParameters.EMPTY;
    }

    @Override
    public List<ChatModelListener> listeners() {
        return List.of();
    }

    @Override
    public ModelProvider provider() {
        return ModelProvider.OTHER;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return Set.of();
    }
}
