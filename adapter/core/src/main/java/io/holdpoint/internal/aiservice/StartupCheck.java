package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.ParameterNameResolver;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.guardrail.GuardrailService;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.spi.ServiceHelper;
import dev.langchain4j.spi.prompt.PromptTemplateFactory;
import dev.langchain4j.spi.services.TokenStreamAdapter;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.aiservice.AiServiceFactory.TurnServiceContext;
import io.holdpoint.internal.gate.AsyncTypes;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.PolicyReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.TypeVariable;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the AI Service once when the agent is built, so that a misconfiguration is found then and not in the first turn. */
public final class StartupCheck {

    /** As LangChain4j finds them. */
    private static final Pattern VARIABLE = Pattern.compile("\\{\\{\\s*(.+?)\\s*\\}\\}");

    private StartupCheck() {}

    /**
     * Tries the settings, and throws if they cannot work together; returns the agent's guardrails, which all turns share because
     * they may keep state.
     */
    public static <A> GuardrailService of(AgentConfig<A> settings) {
        TurnServiceContext context = new TurnServiceContext(settings.serviceClass, Optional.empty());
        TrialToolService tools = new TrialToolService();
        context.toolService = tools;
        AiServices<A> builder = AiServices.builder(context);
        requireOwnContext(builder, context);
        for (AiServiceTool tool : settings.tools) {
            GatedTool gated = settings.policyReader.of(tool.toolSpecification(), tool.toolExecutor());
            if (gated.isGuarded() && tool.returnBehavior() != ReturnBehavior.TO_LLM) {
                requireReturnable(tool, settings.serviceClass);
            }
        }
        builder.tools(settings.tools);
        settings.customizer.accept(builder);
        for (ToolSpecification tool : tools.toolSpecifications()) {
            settings.policyReader.of(tool, tools.toolExecutors().get(tool.name()));
        }
        if (settings.toolProviders.isEmpty() && !tools.provided) {
            settings.policyReader.requireUsed(tools.toolExecutors().keySet());
        }
        if (tools.compensates) {
            throw compensates();
        }
        if (context.hasChatMemory()) {
            throw illegalConfiguration(
                    "Set the chat memory with Holdpoint.builder(...).chatMemoryProvider(...), not in aiService(...).");
        }
        if (context.chatModel == null && settings.chatModel.isPresent()) {
            builder.chatModel(new GatedChatModel());
        }
        if (context.streamingChatModel == null && settings.streamingChatModel.isPresent()) {
            builder.streamingChatModel(new GatedStreamingChatModel());
        }
        Collection<TokenStreamAdapter> adapters = ServiceHelper.loadFactories(TokenStreamAdapter.class);
        for (Method method : settings.serviceClass.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())
                    && method.getDeclaringClass() != ChatMemoryAccess.class
                    && settings.mayCall(method)) {
                check(method, adapters, context);
                LoopProbe.require(method.getReturnType() == TokenStream.class);
                requireVariables(method);
            }
        }
        context.initChatMemories(id -> settings.memories.of(String.valueOf(id)));
        builder.build();
        return context.guardrailService();
    }

    /** The gate stands in the context. A framework that builds AI Services itself may leave it out. */
    private static void requireOwnContext(AiServices<?> builder, TurnServiceContext context) {
        builder.maxToolCallingRoundTrips(context.toolService.maxToolCallingRoundTrips() + 1);
        if (context.toolService.maxToolCallingRoundTrips() == new ToolService().maxToolCallingRoundTrips()) {
            throw illegalConfiguration(
                    "AI Services are built by %s here, which does not use the context that it is given, so that no tool"
                            + " would be gated. Quarkus is not supported: it builds AI Services itself. Build the agent"
                            + " in a process without that AiServicesFactory.",
                    builder.getClass().getName());
        }
        context.toolService.maxToolCallingRoundTrips(new ToolService().maxToolCallingRoundTrips());
    }

    static IllegalConfigurationException compensates() {
        return illegalConfiguration(
                "compensateOnToolErrors(true) cannot be combined with Holdpoint: undoing a call that a person approved"
                        + " rewrites results that are stored. Compensate in the tool itself.");
    }

    /** LangChain4j finds out that a result is none of the method's type when the body has run. */
    private static void requireReturnable(AiServiceTool tool, Class<?> service) {
        for (Method method : service.getMethods()) {
            boolean takesAny =
                    Set.of(Result.class, TokenStream.class, void.class).contains(method.getReturnType());
            if (Modifier.isAbstract(method.getModifiers()) && !takesAny) {
                throw illegalConfiguration(
                        "The tool \"%s\" returns its result at once (ReturnBehavior.%s), and %s.%s returns %s, which may not hold it:"
                                + " the call would be approved, run, and fail. Return a %s or a TokenStream.",
                        tool.name(),
                        tool.returnBehavior(),
                        service.getSimpleName(),
                        method.getName(),
                        method.getReturnType().getSimpleName(),
                        Result.class.getName());
            }
        }
    }

    private static void check(Method method, Collection<TokenStreamAdapter> adapters, TurnServiceContext context) {
        String name = method.getDeclaringClass().getName() + "." + method.getName() + "()";
        for (TokenStreamAdapter adapter : adapters) {
            if (adapter.canAdaptTokenStreamTo(method.getGenericReturnType())) {
                throw illegalConfiguration(
                        "%s returns %s, which starts the stream by itself. Return a TokenStream.",
                        name, method.getGenericReturnType().getTypeName());
            }
        }
        if (method.getGenericReturnType() instanceof TypeVariable<?> variable) {
            throw illegalConfiguration(
                    "%s returns the type variable %s, and LangChain4j cannot read an answer as that. Declare the method in the"
                            + " interface of the agent with the type itself, such as: String %s(...).",
                    name, variable, method.getName());
        }
        Optional<String> async = AsyncTypes.of(method);
        if (async.isPresent()) {
            throw illegalConfiguration(
                    "%s returns %s: calls of an asynchronous AI Service method are not gated. Return a value or a"
                            + " TokenStream; Holdpoint.run(...) does not block and returns a CompletableFuture.",
                    name, async.get());
        }
        boolean streaming = method.getReturnType() == TokenStream.class;
        if (streaming && context.streamingChatModel == null) {
            throw illegalConfiguration("%s returns a TokenStream: set streamingChatModel(...).", name);
        }
        if (!streaming && context.chatModel == null) {
            throw illegalConfiguration("%s returns a value: set chatModel(...), or let it return a TokenStream.", name);
        }
    }

    /** Refuses a template of the method's annotations that names a variable which no call can have. */
    private static void requireVariables(Method method) {
        if (!ServiceHelper.loadFactories(PromptTemplateFactory.class).isEmpty()) {
            return; // templates have another syntax
        }
        Set<String> known = new HashSet<>(List.of("it", "current_date", "current_time", "current_date_time"));
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() == Object.class || Map.class.isAssignableFrom(parameter.getType())) {
                return; // its keys are variables
            }
            known.add(String.valueOf(ParameterNameResolver.name(parameter)));
            known.add(parameter.getName());
        }
        SystemMessage system = method.getAnnotation(SystemMessage.class);
        if (system != null) {
            requireVariables(method, String.join(system.delimiter(), system.value()), known);
        }
        UserMessage user = method.getAnnotation(UserMessage.class);
        if (user != null) {
            requireVariables(method, String.join(user.delimiter(), user.value()), known);
        }
    }

    private static void requireVariables(Method method, String template, Set<String> known) {
        Matcher found = VARIABLE.matcher(template);
        while (found.find()) {
            String variable = found.group(1).trim();
            if (!known.contains(variable)) {
                throw illegalConfiguration(
                        "A template of %s.%s() names the variable {{%s}}, which no parameter has. Add a parameter"
                                + " @V(\"%s\"), or correct the name.",
                        method.getDeclaringClass().getName(), method.getName(), variable, variable);
            }
        }
    }

    /** Notes what the customizer adds and switches on. */
    private static final class TrialToolService extends ToolService {

        private boolean compensates;
        private boolean provided;

        @Override
        public void tools(Collection<Object> objectsWithTools) {
            objectsWithTools.forEach(each -> tools(PolicyReader.toolsOf(each)));
        }

        @Override
        public void toolProvider(ToolProvider toolProvider) {
            provided = true;
            super.toolProvider(toolProvider);
        }

        @Override
        public void toolProviders(Collection<ToolProvider> toolProviders) {
            provided = true;
            super.toolProviders(toolProviders);
        }

        @Override
        public void compensateOnToolErrors(boolean compensate) {
            compensates = compensate;
        }
    }
}
