package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolServiceContext;
import io.holdpoint.internal.LangChain4jVersion;
import io.holdpoint.internal.aiservice.AiServiceFactory.Registrars;
import io.holdpoint.internal.aiservice.AiServiceFactory.TurnServiceContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tries the LangChain4j that is there, once in a JVM, before the first agent that streams is built, and the first that does not: its loop is gone
 * through by each way that it has to a tool, with tools that a decorator keeps and tools that it lets through. A LangChain4j whose loop comes past the
 * decorators that the gate stands on, or whose messages and results are not what the gate reads, builds no agent. Asks no model, waits for nothing.
 */
final class LoopProbe {

    private static final String KEPT = "kept";
    private static final String FREE = "free";
    private static final String UNKNOWN = "unknown";
    private static final String DONE = "done";

    /** The message of the model whose tools return at once, where they are called one after another. */
    private static final int RETURNED = 3;

    /** As often as a loop may ask the model that is asked three times at most. */
    private static final int ENDLESS = 9;

    /** The ways of a tool into the AI Service: given, by a provider, by one that is asked in each round. */
    private static final List<String> SOURCES = List.of("Given", "Provided", "Dynamic");

    /** The ways, streaming or not, that were tried. */
    private static final Set<Boolean> PASSED = ConcurrentHashMap.newKeySet();

    private final boolean streaming;
    private final boolean concurrent;
    private final List<String> entered =
            Collections.synchronizedList(new ArrayList<>()); // a factory may have set threads
    private int asked;

    private LoopProbe(boolean streaming, boolean concurrent) {
        this.streaming = streaming;
        this.concurrent = concurrent;
    }

    /** The methods of the AI Service that is tried. */
    interface Tried {

        Result<String> say(@dev.langchain4j.service.UserMessage String text);

        TokenStream stream(@dev.langchain4j.service.UserMessage String text);
    }

    /** Throws if this LangChain4j cannot be gated where it calls tools for methods that return a stream, or a value. */
    static void require(boolean streaming) {
        if (!PASSED.contains(streaming)) {
            new LoopProbe(streaming, false).run();
            new LoopProbe(streaming, true).run();
            PASSED.add(streaming);
        }
    }

    private void run() {
        String problem;
        try {
            problem = problem(conversation());
        } catch (Exception | LinkageError e) {
            problem = "it fails with " + e;
        }
        if (problem != null) {
            throw illegalConfiguration(
                    "Holdpoint cannot gate this LangChain4j (%s): %s (%s%s). A tool might run without being asked about, so no"
                            + " agent is built. Take a version of LangChain4j that Holdpoint is tested with.",
                    LangChain4jVersion.found(),
                    problem,
                    streaming ? "streaming" : "blocking",
                    concurrent ? ", concurrent tools" : "");
        }
    }

    /** The way in which the loop is not as the gate needs it; {@code null} if it is. */
    private @Nullable String problem(List<ChatMessage> conversation) {
        List<String> free = new ArrayList<>();
        List<String> told = new ArrayList<>();
        for (int round = 1; round <= (concurrent ? RETURNED - 1 : RETURNED); round++) {
            for (ToolExecutionRequest request : round(round)) {
                told.add(request.id() + " " + answer(request));
                if (request.name().startsWith(FREE)) {
                    free.add(request.id());
                }
            }
        }
        for (String id : entered) {
            if (!free.contains(id)) {
                return "it runs the tool " + id + " past the gate";
            }
        }
        if (!entered.containsAll(free) || entered.size() != free.size()) {
            return "of the tools " + free + " it runs " + entered;
        }
        List<String> heard = new ArrayList<>();
        for (ChatMessage message : conversation) {
            if (message instanceof ToolExecutionResultMessage result) {
                heard.add(result.id() + " " + result.text());
            }
        }
        return heard.equals(told) ? null : "the results of " + told + " are " + heard;
    }

    private static String answer(ToolExecutionRequest request) {
        return request.name().startsWith(FREE) ? FREE : request.name().equals(UNKNOWN) ? UNKNOWN : KEPT;
    }

    /** The calls of a message of the model: all tools, those whose provider is asked again, and those whose results end the loop. */
    private static List<ToolExecutionRequest> round(int number) {
        List<ToolExecutionRequest> calls = new ArrayList<>();
        for (String source : number == 2 ? SOURCES.subList(2, 3) : SOURCES) {
            calls.add(call(number, name(KEPT, source, number == RETURNED)));
            calls.add(call(number, name(FREE, source, number == RETURNED)));
        }
        if (number != RETURNED) {
            calls.add(call(number, UNKNOWN));
        }
        return calls;
    }

    private static String name(String kind, String source, boolean returned) {
        return returned ? kind + source + "Returned" : kind + source;
    }

    private static ToolExecutionRequest call(int round, String tool) {
        return ToolExecutionRequest.builder()
                .id(tool + round)
                .name(tool)
                .arguments("{}")
                .build();
    }

    private ChatResponse answer(ChatRequest request) {
        int round = 1;
        for (ChatMessage message : request.messages()) {
            if (message instanceof AiMessage) {
                round++;
            }
        }
        if (++asked > ENDLESS) {
            throw new IllegalStateException("asks the model without an end");
        }
        return ChatResponse.builder()
                .aiMessage(concurrent && round == RETURNED ? AiMessage.from(DONE) : AiMessage.from(round(round)))
                .build();
    }

    private List<ChatMessage> conversation() {
        TurnServiceContext context =
                Registrars.withoutListeners(() -> new TurnServiceContext(Tried.class, Optional.empty()));
        MessageWindowChatMemory memory = MessageWindowChatMemory.withMaxMessages(100);
        context.toolService = new Tools();
        AiServices<Tried> builder = AiServices.<Tried>builder(context)
                .chatModel(new ChatModel() {
                    @Override
                    public ChatResponse doChat(ChatRequest request) {
                        return answer(request);
                    }
                })
                .streamingChatModel(new StreamingChatModel() {
                    @Override
                    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                        ChatResponse response = answer(request);
                        int index = 0;
                        for (ToolExecutionRequest call : response.aiMessage().toolExecutionRequests()) {
                            handler.onCompleteToolCall(new CompleteToolCall(index++, call));
                        }
                        handler.onCompleteResponse(response);
                    }
                })
                .chatMemory(memory)
                .maxToolCallingRoundTrips(ENDLESS) // a factory may have set fewer
                .tools(tools(SOURCES.get(0)))
                .toolProviders(provider(SOURCES.get(1), false), provider(SOURCES.get(2), true));
        if (concurrent) {
            builder.executeToolsConcurrently(Runnable::run);
        }
        Tried service = builder.build();
        if (streaming) {
            List<Throwable> failed = new ArrayList<>();
            service.stream(DONE).onError(failed::add).start();
            if (!failed.isEmpty()) {
                throw new IllegalStateException(failed.get(0));
            }
        } else {
            service.say(DONE);
        }
        return memory.messages();
    }

    private List<AiServiceTool> tools(String source) {
        return List.of(
                tool(name(KEPT, source, false), ReturnBehavior.TO_LLM),
                tool(name(FREE, source, false), ReturnBehavior.TO_LLM),
                tool(name(KEPT, source, true), ReturnBehavior.IMMEDIATE),
                tool(name(FREE, source, true), ReturnBehavior.IMMEDIATE));
    }

    private AiServiceTool tool(String name, ReturnBehavior returned) {
        return AiServiceTool.builder()
                .toolSpecification(ToolSpecification.builder().name(name).build())
                .toolExecutor(new Body())
                .returnBehavior(returned)
                .build();
    }

    private ToolProvider provider(String source, boolean dynamic) {
        return new ToolProvider() {
            @Override
            public ToolProviderResult provideTools(ToolProviderRequest request) {
                return new ToolProviderResult(tools(source));
            }

            @Override
            public boolean isDynamic() {
                return dynamic;
            }
        };
    }

    /** The body of a tool that is tried. */
    private final class Body implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
            entered.add(request.id());
            return FREE;
        }
    }

    /** A decorator that keeps a tool, as the gate keeps one that waits for a person. */
    private record Kept() implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
            return KEPT;
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            return ToolExecutionResult.builder().resultText(KEPT).build();
        }
    }

    /** The decorators of {@link GatedToolService}, without a gate. */
    private static final class Tools extends DecoratingToolService {

        @Override
        ToolExecutor decorated(ToolSpecification specification, ToolExecutor executor) {
            return specification.name().startsWith(KEPT) ? new Kept() : executor;
        }

        @Override
        public ToolServiceContext createContext(
                InvocationContext invocation, UserMessage message, List<ChatMessage> messages) {
            return decorated(super.createContext(invocation, message, messages));
        }

        @Override
        public ToolExecutionResult applyToolHallucinationStrategy(ToolExecutionRequest request) {
            return ToolExecutionResult.builder().resultText(UNKNOWN).build();
        }
    }
}
