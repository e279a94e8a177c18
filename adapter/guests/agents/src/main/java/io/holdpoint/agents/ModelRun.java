package io.holdpoint.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.TokenUsage;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.client.AguiClientException;
import io.holdpoint.agui.client.Transcript;
import io.holdpoint.internal.aiservice.AiServiceCall;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One answer of a {@link RemoteModel}: the request on its way to the agent, and the agent's run on its way back. */
final class ModelRun extends RemoteRun implements StreamingHandle {

    private static final int THREAD_NOT_FOUND = 404;

    /**
     * Kept with a message of the model for the next request: the thread, the ids of the messages that the agent was told in it for the
     * first time, the agent's own messages, and the ids of the calls that were left to the application.
     */
    private record Said(String threadId, List<String> told, List<Message> messages, List<String> calls) {}

    /** The arguments of the call by which the agent asks, and its result. */
    record Asked(List<Interrupt> interrupts) {}

    record Answered(List<JsonNode> answers) {}

    private final ChatRequest request;
    private final ToolSpecification asks;
    /** The tools of the application, which are offered to the agent. */
    private final List<ToolSpecification> tools;

    private final Optional<StreamingChatResponseHandler> handler;
    private final Optional<String> turn;

    private final List<Message> told = new ArrayList<>();
    private List<ResumeEntry> answers = List.of();
    private List<Interrupt> asked = List.of();
    private List<String> news = List.of();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private String speaking = "";
    private volatile boolean cancelled;

    ModelRun(
            Remote agent, ToolSpecification asks, ChatRequest request, Optional<StreamingChatResponseHandler> handler) {
        super(agent, threadId(agent, asks, request));
        this.asks = asks;
        this.request = request;
        this.tools = request.toolSpecifications().stream()
                .filter(tool -> !tool.name().equals(asks.name()))
                .toList();
        this.handler = handler;
        this.turn = turn(asks, request);
    }

    /** Identifies our turn, if this is the model of one. */
    private static Optional<String> turn(ToolSpecification asks, ChatRequest request) {
        return offers(request, asks) ? AiServiceCall.presentTurn() : Optional.empty();
    }

    /** The thread of the conversation; or a new one, which a turn of ours that is repeated finds again. */
    private static String threadId(Remote agent, ToolSpecification asks, ChatRequest request) {
        Optional<String> turn = turn(asks, request);
        return request.messages().stream()
                .flatMap(message -> said(agent, message).stream())
                .reduce((earlier, later) -> later)
                .map(Said::threadId)
                .orElseGet(() -> "remote-"
                        + hash(agent.name(), turn.orElseGet(() -> UUID.randomUUID()
                                .toString())));
    }

    private static boolean offers(ChatRequest request, ToolSpecification tool) {
        return request.toolSpecifications().stream()
                .anyMatch(each -> each.name().equals(tool.name()));
    }

    private static String attribute(Remote agent) {
        return "holdpoint.remote." + agent.name();
    }

    private static Optional<Said> said(Remote agent, ChatMessage message) {
        return message instanceof AiMessage ai && ai.attributes().get(attribute(agent)) instanceof String json
                ? Optional.of(RecordJson.read(json, Said.class))
                : Optional.empty();
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    boolean isStopping() {
        return cancelled;
    }

    ChatResponse answer() {
        tell();
        RunEvent.Finished end = finished(converse());
        List<Message> fresh = fresh();
        List<ToolExecutionRequest> calls = open(end).isEmpty() ? leftToUs(end, fresh) : List.of(ask(open(end)));
        if (text.isEmpty()) {
            String words = texts(fresh);
            say("", words.isEmpty() && calls.isEmpty() ? withoutWords(end) : words);
        }
        ChatResponse.Builder response = ChatResponse.builder()
                .aiMessage(AiMessage.builder()
                        .text(text.isEmpty() ? null : text.toString())
                        .thinking(thinking.isEmpty() ? null : thinking.toString())
                        .toolExecutionRequests(calls)
                        .attributes(Map.of(attribute(agent), kept(fresh, calls)))
                        .build())
                .id(end.runId());
        end.usage().forEach(each -> response.modelName(each.model()));
        end.usage().stream()
                .map(each -> new TokenUsage(each.inputTokens(), each.outputTokens(), each.totalTokens()))
                .reduce(TokenUsage::sum)
                .ifPresent(response::tokenUsage);
        return response.build();
    }

    // --- the request

    /** Tells all messages, each with the same id in every request, so that a server with a memory finds what is new. */
    private void tell() {
        Map<String, String> calls = new HashMap<>();
        List<ChatMessage> part = new ArrayList<>();
        Optional<AiMessage> last = Optional.empty();
        for (ChatMessage message : request.messages()) {
            Optional<Said> said =
                    said(agent, message).filter(each -> each.threadId().equals(threadId));
            if (message instanceof AiMessage ai && said.isPresent()) {
                tell(part, said.get().told(), calls);
                told.addAll(said.get().messages());
                List<String> theirs = said.get().calls();
                for (int call = 0; call < theirs.size(); call++) {
                    calls.put(ai.toolExecutionRequests().get(call).id(), theirs.get(call));
                }
                part.clear();
                last = Optional.of(ai);
            } else if (message instanceof SystemMessage system) {
                told.add(new Message.System("system-" + threadId, system.text(), MessageExtras.NONE));
            } else {
                part.add(message);
            }
        }
        news = tell(part, List.of(), calls);
        last.ifPresent(ai -> readAnswers(ai, part));
    }

    /** Tells what was said before a message of the agent, under the ids that it had then: a memory may have lost the first ones. */
    private List<String> tell(List<ChatMessage> part, List<String> known, Map<String, String> calls) {
        List<ChatMessage> messages =
                part.stream().filter(message -> isTold(message, calls)).toList();
        List<String> ids = new ArrayList<>();
        for (ChatMessage message : messages) {
            int place = known.size() - messages.size() + ids.size();
            String id = place >= 0 ? known.get(place) : newId(text(message));
            told.add(told(message, id, calls));
            ids.add(id);
        }
        return ids;
    }

    private static boolean isTold(ChatMessage message, Map<String, String> calls) {
        return message instanceof UserMessage
                || message instanceof AiMessage ai
                        && ai.text() != null
                        && !ai.text().isBlank()
                || message instanceof ToolExecutionResultMessage result && calls.containsKey(result.id());
    }

    private Message told(ChatMessage message, String id, Map<String, String> calls) {
        String text = text(message);
        if (message instanceof ToolExecutionResultMessage result) {
            String error = Boolean.TRUE.equals(result.isError()) ? text : null;
            return new Message.Tool(id, calls.get(result.id()), MessageContent.text(text), error);
        }
        return message instanceof AiMessage
                ? new Message.Assistant(id, text, List.of()) // of another model
                : new Message.User(id, MessageContent.text(text));
    }

    /** The id of a message that is new: our turn may be repeated with another context, and says the same nevertheless. */
    private String newId(String text) {
        String before = told.isEmpty() ? "" : told.get(told.size() - 1).id();
        return "m-" + hash(threadId, before, turn.orElse(text));
    }

    private String text(ChatMessage message) {
        if (message instanceof AiMessage ai) {
            return ai.text();
        }
        return message instanceof ToolExecutionResultMessage result ? result.text() : text((UserMessage) message);
    }

    private String text(UserMessage user) {
        if (!user.contents().stream().allMatch(TextContent.class::isInstance)) {
            throw new UnsupportedFeatureException(agent + " takes texts only, and no media.");
        }
        return user.contents().stream()
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n\n"));
    }

    /** Answers the questions of the last message of the model, or cancels them. */
    private void readAnswers(AiMessage ai, List<ChatMessage> after) {
        asked = ai.toolExecutionRequests().stream()
                .filter(call -> call.name().equals(asks.name()))
                .flatMap(call -> RecordJson.read(call.arguments(), Asked.class).interrupts().stream())
                .toList();
        List<JsonNode> payloads = after.stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(ToolExecutionResultMessage.class::cast)
                .filter(result -> result.toolName().equals(asks.name()) && !Boolean.TRUE.equals(result.isError()))
                .flatMap(result -> payloads(result.text()).stream())
                .toList();
        boolean isComplete = payloads.size() == asked.size();
        answers = new ArrayList<>();
        for (Interrupt interrupt : asked) {
            answers.add(
                    isComplete
                            ? ResumeEntry.resolved(interrupt, payloads.get(answers.size()))
                            : ResumeEntry.cancelled(interrupt));
        }
    }

    private static List<JsonNode> payloads(String result) {
        try {
            return RecordJson.read(result, Answered.class).answers();
        } catch (StoreException e) {
            return List.of(); // too long, so it was cut
        }
    }

    // --- the run

    private Event.Terminal converse() {
        Event.Terminal end;
        try {
            end = run(told, answers);
        } catch (AguiClientException e) {
            if (e.status() == THREAD_NOT_FOUND && !answers.isEmpty()) {
                return run(told, List.of()); // what it has asked has gone with its thread
            }
            throw new IllegalStateException(agent + " could not be asked: " + e.getMessage(), e);
        }
        if (end instanceof RunEvent.Error error && String.valueOf(error.code()).startsWith("INTERRUPT_")) {
            // it waits for something that it can no longer get from here
            List<Interrupt> open = answers.isEmpty() ? open(run(List.of(), List.of())) : asked;
            return run(told, open.stream().map(ResumeEntry::cancelled).toList());
        }
        return end;
    }

    private Event.Terminal run(List<Message> messages, List<ResumeEntry> resume) {
        transcript = new Transcript();
        return start(input(messages, resume)
                .withTools(tools.stream()
                        .map(tool -> new ClientToolSpec(
                                tool.name(),
                                String.valueOf(tool.description()),
                                tool.parameters() == null
                                        ? null
                                        : AguiCodec.mapper()
                                                .valueToTree(JsonSchemaElementUtils.toMap(tool.parameters())),
                                null))
                        .toList()));
    }

    @Override
    void say(@Nullable String messageId, String delta) {
        boolean goesOn = text.isEmpty() || messageId == null || messageId.equals(speaking);
        String more = goesOn ? delta : "\n\n" + delta;
        speaking = Objects.requireNonNullElse(messageId, speaking);
        text.append(more);
        handler.filter(listens -> !more.isEmpty())
                .ifPresent(listens ->
                        listens.onPartialResponse(new PartialResponse(more), new PartialResponseContext(this)));
    }

    @Override
    void think(String delta) {
        thinking.append(delta);
        handler.ifPresent(
                listens -> listens.onPartialThinking(new PartialThinking(delta), new PartialThinkingContext(this)));
    }

    // --- the answer

    /** The agent's messages after the last one that it was told. */
    private List<Message> fresh() {
        Set<String> known = told.stream().map(Message::id).collect(Collectors.toSet());
        List<Message> all = transcript.messages();
        int first = all.size();
        while (first > 0 && !known.contains(all.get(first - 1).id())) {
            first--;
        }
        return all.subList(first, all.size());
    }

    private static Stream<Message.Assistant> said(List<Message> messages) {
        return messages.stream().filter(Message.Assistant.class::isInstance).map(Message.Assistant.class::cast);
    }

    private static String texts(List<Message> messages) {
        return said(messages)
                .flatMap(message -> Stream.ofNullable(message.content()))
                .filter(content -> !content.isBlank())
                .collect(Collectors.joining("\n\n"));
    }

    /** The calls of the application's tools, which have no result. */
    private List<ToolExecutionRequest> leftToUs(RunEvent.Finished end, List<Message> messages) {
        List<ToolExecutionRequest> left = said(messages)
                .flatMap(message -> message.toolCalls().stream())
                .filter(call -> isLeftToUs(call, messages))
                .map(call -> request(call.id(), call.name(), call.arguments()))
                .toList();
        Set<String> ids = left.stream().map(ToolExecutionRequest::id).collect(Collectors.toSet());
        if (end.outcome() instanceof RunFinishedOutcome.Success success
                && !ids.containsAll(success.pendingToolCallIds())) {
            throw new IllegalStateException(agent + " waits for tools of its client that are not there.");
        }
        return left;
    }

    private boolean isLeftToUs(ToolCall call, List<Message> messages) {
        return tools.stream().anyMatch(tool -> tool.name().equals(call.name()))
                && messages.stream()
                        .noneMatch(message -> message instanceof Message.Tool result
                                && result.toolCallId().equals(call.id()));
    }

    private static ToolExecutionRequest request(String id, String tool, String arguments) {
        return ToolExecutionRequest.builder()
                .id(id)
                .name(tool)
                .arguments(arguments)
                .build();
    }

    private ToolExecutionRequest ask(List<Interrupt> open) {
        if (!offers(request, asks)) {
            throw new IllegalStateException(agent + " asks a person"
                    + Optional.ofNullable(open.get(0).message())
                            .map(message -> " (" + message + ")")
                            .orElse("")
                    + ", which only an agent of Holdpoint can pass on. Give the RemoteModel to Holdpoint.builder(...),"
                    + " and to its toolProviders(...) as well if another model stands around it.");
        }
        return request("ask-" + UUID.randomUUID(), asks.name(), AguiCodec.write(new Asked(open)));
    }

    private String kept(List<Message> fresh, List<ToolExecutionRequest> calls) {
        List<String> left = calls.stream()
                .filter(call -> !call.name().equals(asks.name()))
                .map(ToolExecutionRequest::id)
                .toList();
        return RecordJson.write(new Said(threadId, news, fresh, left));
    }
}
