package io.holdpoint.service;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceRequestIssuedListener;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.observability.api.listener.InputGuardrailExecutedListener;
import dev.langchain4j.observability.api.listener.OutputGuardrailExecutedListener;
import dev.langchain4j.observability.api.listener.ToolExecutedEventListener;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.Turn;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.service.DropInTools.AtOnce;
import io.holdpoint.service.DropInTools.Polite;
import io.holdpoint.service.DropInTools.Rewriting;
import io.holdpoint.service.DropInTools.Tools;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.testing.EitherModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** One AI Service, chosen by a number, as LangChain4j builds it and as an agent has it: what is told to the model, done and returned. */
final class DropIn {

    interface Texts {
        String say(@MemoryId String id, @UserMessage String text);
    }

    interface Results {
        Result<String> say(@MemoryId String id, @UserMessage String text);
    }

    interface Forms {
        Result<Report> say(@MemoryId String id, @UserMessage String text);
    }

    interface Streams {
        TokenStream say(@MemoryId String id, @UserMessage String text);
    }

    interface Templates {
        @SystemMessage("You serve {{who}} in {{chat_id}}.")
        @UserMessage("Task of {{who}}: {{text}}")
        Result<List<String>> say(@MemoryId @V("chat_id") String id, @V("text") String text, @V("who") String who);
    }

    interface Images {
        Result<String> say(@MemoryId String id, @UserMessage List<Content> text);
    }

    public record Report(String city, int degrees) {}

    private static final List<Class<?>> SHAPES =
            List.of(Texts.class, Results.class, Forms.class, Streams.class, Templates.class, Images.class);

    /** What is compared, in order: what the model is asked, what tools and hooks hear, what comes of a turn, what is remembered. */
    final List<String> log = new ArrayList<>();

    private final long seed;
    private final boolean gated;
    private final Class<?> shape;
    private final boolean concurrent;
    private final List<String> features = new ArrayList<>();
    private final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    private final InMemoryStore store = new InMemoryStore();
    private int asked;
    private boolean searched;
    /** The model has given the final message of the turn: what it says to a guardrail calls no tools. */
    private boolean answered;

    private Object service;

    DropIn(long seed, boolean gated) {
        this.seed = seed;
        this.gated = gated;
        Random chance = new Random(seed);
        shape = SHAPES.get(chance.nextInt(SHAPES.size()));
        concurrent = chance.nextInt(4) == 0;
        service = gated ? agent() : plain();
    }

    @Override
    public String toString() {
        return shape.getSimpleName() + " " + features + (concurrent ? " concurrent" : "");
    }

    private boolean streams() {
        return shape == Streams.class;
    }

    // --- the service

    private Object plain() {
        AiServices<?> builder = AiServices.builder(shape);
        if (streams()) {
            builder.streamingChatModel(new Model());
        } else {
            builder.chatModel(new Model());
        }
        builder.chatMemoryProvider(this::memory);
        builder.tools(new Tools(this::note));
        if (shape == Results.class || streams()) {
            builder.tools(new AtOnce(this::note));
        }
        configure(builder);
        return builder.build();
    }

    private Holdpoint agent() {
        HoldpointBuilder<?> builder = builder(shape);
        if (streams()) {
            builder.streamingChatModel(new Model());
        } else {
            builder.chatModel(new Model());
        }
        builder.chatMemoryProvider(this::memory)
                .executor(Runnable::run)
                .store(store)
                .tools(new Tools(this::note));
        if (shape == Results.class || streams()) {
            builder.tools(new AtOnce(this::note));
        }
        int held = held();
        if (held > 0) {
            builder.toolPolicies(ToolPolicy.matching(Pattern.compile(held == 1 ? "[a-m].*" : ".*")));
        }
        return builder.build();
    }

    private int held() {
        return new Random(seed + 4).nextInt(3);
    }

    private <A> HoldpointBuilder<A> builder(Class<A> type) {
        HoldpointBuilder<A> builder = Holdpoint.builder(type).aiService(this::configure);
        return type == Templates.class ? builder.variable("who", turn -> "Ada {{you}}") : builder;
    }

    /** The same for both, each time that it is called. */
    private void configure(AiServices<?> builder) {
        Random chance = new Random(seed + 2);
        features.clear();
        if (concurrent) {
            builder.executeToolsConcurrently(Runnable::run);
        }
        listeners(builder, chance);
        messages(builder, chance);
        tools(builder, chance);
        handlers(builder, chance);
    }

    private void listeners(AiServices<?> builder, Random chance) {
        if (held() == 0 && is(chance, 3, "listeners")) {
            builder.registerListeners(
                    (AiServiceStartedListener)
                            event -> note("event started " + event.userMessage() + event.systemMessage()),
                    (AiServiceRequestIssuedListener) event ->
                            note("event request " + event.request().messages().size()),
                    (AiServiceResponseReceivedListener)
                            event -> note("event response " + event.response().aiMessage()
                                    + event.request().messages().size()),
                    (AiServiceCompletedListener) event -> note("event completed"),
                    (AiServiceErrorListener) event -> note("event error"),
                    (ToolExecutedEventListener)
                            event -> note("event tool " + event.request().name() + event.resultText()),
                    (InputGuardrailExecutedListener) event -> note("event input guardrail"),
                    (OutputGuardrailExecutedListener) event -> note("event output guardrail"));
        }
    }

    private void messages(AiServices<?> builder, Random chance) {
        if (is(chance, 2, "system")) {
            builder.systemMessageProvider(id -> "You serve " + id + ".");
        }
        if (is(chance, 4, "transformed system")) {
            builder.systemMessageTransformer((text, call) -> (text == null ? "" : text + " ") + "Be kind.");
        }
        if (is(chance, 3, "retrieval")) {
            builder.contentRetriever(query -> {
                note("retrieves for " + query.text());
                return query.text().contains("x")
                        ? List.of()
                        : List.of(dev.langchain4j.rag.content.Content.from("Known of " + query.text()));
            });
            if (is(chance, 2, "not kept")) {
                builder.storeRetrievedContentInChatMemory(false);
            }
        }
        if (is(chance, 4, "input guardrail")) {
            builder.inputGuardrails(new Rewriting(this::note));
        }
        if (is(chance, 4, "output guardrail")) {
            builder.outputGuardrails(new Polite(this::note));
        }
        if (is(chance, 4, "transformed requests")) {
            builder.chatRequestTransformer((request, id) -> request.toBuilder()
                    .parameters(request.parameters().overrideWith(request.parameters()))
                    .build());
        }
    }

    private void tools(AiServices<?> builder, Random chance) {
        if (!features.contains("output guardrail") && is(chance, 5, "tool search")) {
            builder.toolSearchStrategy(new SimpleToolSearchStrategy());
        }
        if (is(chance, 3, "mapped tool")) {
            builder.tools(Map.<ToolSpecification, ToolExecutor>of(specification("mapped"), body("mapped")));
        }
        if (is(chance, 3, "provided tool")) {
            builder.toolProviders(provider("provided", false));
        }
        if (is(chance, 4, "dynamic tool")) {
            builder.toolProviders(provider("dynamic", true));
        }
    }

    private void handlers(AiServices<?> builder, Random chance) {
        if (is(chance, 3, "invented names")) {
            builder.hallucinatedToolNameStrategy(
                    request -> ToolExecutionResultMessage.from(request, "No tool " + request.name()));
        }
        if (is(chance, 3, "failures handled")) {
            builder.toolExecutionErrorHandler(
                    (error, context) -> ToolErrorHandlerResult.text("It broke: " + error.getMessage()));
        }
        if (is(chance, 3, "arguments handled")) {
            builder.toolArgumentsErrorHandler((error, context) -> ToolErrorHandlerResult.text("Bad arguments."));
        }
        if (is(chance, 4, "hooks")) {
            builder.beforeToolExecution(
                    before -> note("before " + before.request().name()));
            builder.afterToolExecution(after -> note("after " + executed(after)));
        }
    }

    private boolean is(Random chance, int of, String feature) {
        boolean is = chance.nextInt(of) == 0;
        if (is) {
            features.add(feature);
        }
        return is;
    }

    private static ToolSpecification specification(String name) {
        return ToolSpecification.builder()
                .name(name)
                .parameters(JsonObjectSchema.builder().addStringProperty("text").build())
                .build();
    }

    private ToolExecutor body(String name) {
        return (request, id) -> {
            note(name + " " + request.arguments() + " of " + id);
            return name + " done";
        };
    }

    private ToolProvider provider(String name, boolean dynamic) {
        return new ToolProvider() {
            @Override
            public ToolProviderResult provideTools(ToolProviderRequest request) {
                return ToolProviderResult.builder()
                        .add(specification(name), body(name))
                        .build();
            }

            @Override
            public boolean isDynamic() {
                return dynamic;
            }
        };
    }

    private ChatMemory memory(Object id) {
        return memories.computeIfAbsent(id, key -> MessageWindowChatMemory.builder()
                .id(key)
                .maxMessages(100)
                .build());
    }

    private synchronized void note(String line) {
        log.add(line.replace("arguments = \"\"", "arguments = \"{}\"").replace("forget  =", "forget {} ="));
    }

    private static String executed(ToolExecution execution) {
        return execution.request().name() + " " + execution.request().arguments() + " = " + execution.result();
    }

    // --- the model

    private final class Model extends EitherModel {

        @Override
        public ChatResponse doChat(ChatRequest request) {
            return answer(request);
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            ChatResponse response = answer(request);
            String text = response.aiMessage().text();
            if (text != null) {
                for (String part : text.split("(?<= )")) {
                    handler.onPartialResponse(part);
                }
            }
            int index = 0;
            for (ToolExecutionRequest call : response.aiMessage().toolExecutionRequests()) {
                handler.onCompleteToolCall(new CompleteToolCall(index++, call));
            }
            handler.onCompleteResponse(response);
        }
    }

    /** The same answers to both, whatever they ask. */
    private ChatResponse answer(ChatRequest request) {
        note("asked " + request.messages() + " with "
                + request.toolSpecifications().stream()
                        .map(ToolSpecification::name)
                        .sorted()
                        .toList() + " "
                + request.responseFormat());
        Random chance = new Random(seed * 1000 + asked++);
        if (chance.nextInt(60) == 0) {
            throw new IllegalStateException("the model is down");
        }
        AiMessage.Builder message = AiMessage.builder();
        List<ToolExecutionRequest> calls = new ArrayList<>();
        int most = answered || chance.nextInt(3) == 0 ? 0 : 1 + chance.nextInt(3);
        for (int i = 0; i < most; i++) {
            calls.add(call(chance, "c" + asked + "_" + i));
        }
        answered = calls.isEmpty();
        last = calls.stream().map(ToolExecutionRequest::name).toList();
        String text = shape == Templates.class
                ? "one\ntwo"
                : shape == Forms.class ? "{\"city\":\"Graz\",\"degrees\":21}" : text(chance);
        if (calls.isEmpty() || chance.nextBoolean()) {
            message.text(text);
        }
        if (chance.nextInt(5) == 0) {
            message.thinking("Hm.").attributes(Map.of("k", "v"));
        }
        return ChatResponse.builder()
                .aiMessage(message.toolExecutionRequests(calls).build())
                .tokenUsage(new TokenUsage(10 + chance.nextInt(5), 5))
                .finishReason(calls.isEmpty() ? FinishReason.STOP : FinishReason.TOOL_EXECUTION)
                .build();
    }

    private static String text(Random chance) {
        return List.of("Well done.", "This is rude.", "How odd.", "Braces {{x}}", "It is fine. ")
                .get(chance.nextInt(5));
    }

    private ToolExecutionRequest call(Random chance, String id) {
        List<String[]> all = List.of(
                new String[] {"add", "{\"a\":1,\"b\":2}"},
                new String[] {"add", "{\"b\":\"7\",\"a\":3.0}"},
                new String[] {"note", "{\"text\":\"hello {{you}}\"}"},
                new String[] {"note", "{\"text\":\"\"}"},
                new String[] {"forget", "{}"},
                new String[] {"forget", ""},
                new String[] {"forget", "{\"what\":\"all\"}"},
                new String[] {"fail", "{\"why\":\"rain\"}"},
                new String[] {"weather", "{\"city\":\"Graz\"}"},
                new String[] {"send", "{\"to\":[\"a\",\"b\"],\"report\":{\"city\":\"Wien\",\"degrees\":3}}"},
                new String[] {"mapped", "{\"text\":\"m\"}"},
                new String[] {"provided", "{\"text\":\"p\"}"},
                new String[] {"dynamic", "{\"text\":\"d\"}"},
                new String[] {"invented", "{\"a\":1}"},
                new String[] {"now", "{\"text\":\"n\"}"},
                new String[] {"now", "{\"text\":\"m\"}"},
                new String[] {"add", "{\"a\":\"x\",\"b\":2}"},
                new String[] {"add", "{\"a\":1}"},
                new String[] {"add", "{\"a\":1.5,\"b\":2}"},
                new String[] {"add", held() > 0 ? "{}" : "{\"a\":1,\"b\":2,\"c\":3}"},
                new String[] {"send", "{\"to\":\"a\",\"report\":{\"city\":\"Wien\"}}"});
        if (chance.nextInt(12) == 0
                && !searched) { // once: LangChain4j finds a tool again in the turn in which it was found first
            searched = true;
            return ToolExecutionRequest.builder()
                    .id(id)
                    .name("tool_search_tool")
                    .arguments("{\"terms\":[\"note\",\"add\"]}")
                    .build();
        }
        String[] chosen =
                all.get(chance.nextInt(all.size() - (held() > 0 && !features.contains("arguments handled") ? 5 : 0)));
        return ToolExecutionRequest.builder()
                .id(id)
                .name(chosen[0])
                .arguments(chosen[1])
                .build();
    }

    // --- a conversation

    /** Says something; notes what came of it. Returns whether it can go on. */
    boolean say(String text) {
        answered = false;
        String outcome;
        boolean isWell = true;
        try {
            outcome = gated ? byAgent(text) : byService(text);
        } catch (Throwable e) {
            outcome = "failed";
            isWell = false;
            failure = e;
        }
        returned |= last.size() > 0 && last.stream().allMatch(each -> each.equals("now"));
        note("-> " + outcome);
        if (isWell) {
            note("memory " + memory("t").messages());
        }
        return isWell;
    }

    Throwable failure;
    /** A tool has returned its result at once. What Holdpoint remembers of that some providers need, and LangChain4j leaves out. */
    boolean returned;

    private List<String> last = List.of();

    private String byService(String text) throws Throwable {
        if (service instanceof Texts texts) {
            return texts.say("t", text);
        } else if (service instanceof Results results) {
            return shown(results.say("t", text));
        } else if (service instanceof Templates templates) {
            return shown(templates.say("t", text, "Ada {{you}}"));
        } else if (service instanceof Images images) {
            return shown(images.say("t", contents(text)));
        } else if (service instanceof Forms forms) {
            return shown(forms.say("t", text));
        }
        AtomicReference<Throwable> failed = new AtomicReference<>();
        AtomicReference<String> said = new AtomicReference<>();
        ((Streams) service)
                .say("t", text)
                .onCompleteResponse(response -> said.set(
                        response.aiMessage().hasToolExecutionRequests()
                                ? ""
                                : response.aiMessage().text()))
                .onError(failed::set)
                .start();
        if (failed.get() != null) {
            throw failed.get();
        }
        return said.get();
    }

    private String byAgent(String text) throws Throwable {
        Holdpoint agent = (Holdpoint) service;
        Random chance = new Random(seed + asked);
        RunResult result = shape == Images.class ? agent.send(Turn.of("t", contents(text))) : agent.send("t", text);
        while (result instanceof RunResult.Interrupted held) {
            List<ResumeEntry> approved = new ArrayList<>();
            for (var each : held.approvals()) {
                approved.add(each.approve());
            }
            if (chance.nextInt(3) == 0) {
                agent = agent();
            }
            if (chance.nextInt(4) == 0) {
                for (ResumeEntry each : approved.subList(1, approved.size())) {
                    agent.decide("t", each);
                }
                approved = approved.subList(0, 1);
            }
            result = agent.resume("t", approved.toArray(ResumeEntry[]::new));
        }
        if (result instanceof RunResult.Failed failed) {
            throw failed.cause().orElseGet(() -> new IllegalStateException(failed.message()));
        }
        RunResult.Completed completed = (RunResult.Completed) result;
        return completed.value() instanceof Result<?> value ? shown(value) : completed.text();
    }

    private List<Content> contents(String text) {
        List<Content> contents = new ArrayList<>();
        contents.add(TextContent.from(text));
        if (!features.contains("retrieval")
                && !features.contains("input guardrail")
                && new Random(seed + asked).nextBoolean()) {
            contents.add(ImageContent.from("iVBORw0KGgo=", "image/png", ImageContent.DetailLevel.AUTO));
        }
        return contents;
    }

    private static String shown(Result<?> result) {
        return result.content() + " " + result.tokenUsage() + " " + result.finishReason() + " "
                + Optional.ofNullable(result.sources()).map(sources -> sources.stream()
                        .map(each -> each.textSegment().text())
                        .toList())
                + " " + result.toolExecutions().stream().map(DropIn::executed).toList();
    }
}
