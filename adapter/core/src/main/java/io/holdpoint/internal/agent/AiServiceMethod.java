package io.holdpoint.internal.agent;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.UserName;
import dev.langchain4j.service.V;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import io.holdpoint.UserTurn;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An AI Service method that takes turns, read once from the interface, with the function that fills each parameter. */
public final class AiServiceMethod {

    private static final Logger LOG = LoggerFactory.getLogger(AiServiceMethod.class);

    /** The memory of a thread has the thread's id. */
    static final Function<String, Object> SAME = threadId -> threadId;

    private final AgentConfig<?> config;
    public final Method method;
    private final List<Function<UserTurn, Object>> arguments = new ArrayList<>();
    private Function<String, Object> memoryId = SAME;
    private boolean takesContents;

    private AiServiceMethod(AgentConfig<?> config, Method method) {
        this.config = config;
        this.method = method;
        read(method.getParameters());
    }

    /** Finds the methods that take turns: the one that the application names, or all if it chooses, otherwise the only abstract one. */
    static List<AiServiceMethod> of(AgentConfig<?> config) {
        List<Method> all = new ArrayList<>();
        for (Method each : config.serviceClass.getMethods()) {
            if (isOfService(each)) {
                all.add(each);
            }
        }
        if (all.isEmpty() || (config.methodName.isEmpty() && config.chosenMethod.isEmpty() && all.size() != 1)) {
            throw illegalConfiguration(
                    all.isEmpty()
                            ? "%s has no abstract method that could take what the user says.%s"
                            : "%s has several abstract methods: %s. Name the one that takes what the user says, with"
                                    + " method(\"...\"), or choose one for each turn: method(turn -> ...).",
                    config.serviceClass.getName(),
                    names(all));
        }
        List<AiServiceMethod> found = new ArrayList<>();
        Set<String> unused = new HashSet<>(config.variables.keySet());
        List<Method> taken = config.methodName.isPresent() ? List.of(named(config.methodName.get(), all, config)) : all;
        for (Method each : taken) {
            found.add(new AiServiceMethod(config, named(each.getName(), all, config)));
            for (Parameter parameter : each.getParameters()) {
                unused.remove(name(parameter));
            }
        }
        if (!unused.isEmpty()) {
            throw illegalConfiguration(
                    "variable(\"%s\", ...): %s has no parameter of this name.",
                    unused.iterator().next(),
                    found.stream().map(AiServiceMethod::describe).collect(Collectors.joining(", ")));
        }
        return found;
    }

    private static String names(List<Method> methods) {
        return methods.stream().map(AiServiceMethod::signature).sorted().collect(Collectors.joining(", "));
    }

    private static Method named(String name, List<Method> all, AgentConfig<?> config) {
        List<Method> having = new ArrayList<>();
        for (Method each : all) {
            if (each.getName().equals(name)) {
                having.add(each);
            }
        }
        if (having.size() != 1) {
            throw illegalConfiguration(
                    "method(\"%s\"): %s has %s of this name. Its abstract methods are: %s. Each needs a name of its own.",
                    name,
                    config.serviceClass.getName(),
                    having.isEmpty() ? "no abstract method" : "several abstract methods",
                    names(all));
        }
        return having.get(0);
    }

    private static boolean isOfService(Method method) {
        for (Method inherited : Object.class.getMethods()) {
            if (inherited.getName().equals(method.getName())
                    && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes())) {
                return false;
            }
        }
        return Modifier.isAbstract(method.getModifiers()) && method.getDeclaringClass() != ChatMemoryAccess.class;
    }

    /** Tells whether media of the user message have a parameter of their own. */
    public boolean takesContents() {
        return takesContents;
    }

    /** Names the method in a stored turn: {@code name(parameter types)}. */
    public static String key(Method method) {
        StringBuilder key = new StringBuilder(method.getName()).append('(');
        String separator = "";
        for (Class<?> type : method.getParameterTypes()) {
            key.append(separator).append(type.getName());
            separator = ",";
        }
        return key.append(')').toString();
    }

    /** The chat memory's id of a thread, in the type of the method's {@code @MemoryId}. */
    Function<String, Object> memoryId() {
        return memoryId;
    }

    boolean takesMemoryId() {
        return memoryIdType() != Object.class;
    }

    /** The type of the parameter {@code @MemoryId}; {@code Object} if there is none. */
    private Class<?> memoryIdType() {
        for (Parameter parameter : method.getParameters()) {
            if (parameter.isAnnotationPresent(MemoryId.class)) {
                return parameter.getType().isAssignableFrom(String.class) ? String.class : parameter.getType();
            }
        }
        return Object.class;
    }

    /** Tells whether {@code @MemoryId} reads thread ids as something else than a text. */
    boolean convertsThreadIds() {
        return memoryIdType() != String.class;
    }

    public @Nullable Object[] arguments(UserTurn turn) {
        @Nullable Object[] values = new Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments.get(i).apply(turn);
        }
        return values;
    }

    private void read(Parameter[] parameters) {
        Parameter said = said(parameters);
        for (Parameter parameter : parameters) {
            takesContents |= isContents(parameter);
            arguments.add(
                    parameter.equals(said) && !isContents(parameter) ? UserTurn::text : argument(parameter, said));
        }
    }

    /** The parameter for the text of the user message, or for all of it. */
    private Parameter said(Parameter[] parameters) {
        List<Parameter> texts = new ArrayList<>();
        List<Parameter> contents = new ArrayList<>();
        List<Parameter> annotated = new ArrayList<>();
        for (Parameter each : parameters) {
            if (mayBeText(each)) {
                texts.add(each);
                if (each.isAnnotationPresent(UserMessage.class)) {
                    annotated.add(each);
                }
            }
            if (isContents(each)) {
                contents.add(each);
            }
        }
        if (annotated.size() == 1) {
            return annotated.get(0);
        }
        if (contents.size() == 1) {
            return contents.get(0);
        }
        if (texts.size() == 1) {
            return texts.get(0);
        }
        throw texts.isEmpty()
                ? illegalConfiguration(
                        "%s has no parameter for what the user says: add a String or a @UserMessage List<Content>.",
                        describe())
                : illegalConfiguration(
                        "%s has several parameters that could take what the user says: %s. Give the values of the"
                                + " others with variable(\"name\", turn -> ...).",
                        describe(), texts.stream().map(AiServiceMethod::name).collect(Collectors.joining(", ")));
    }

    private boolean mayBeText(Parameter parameter) {
        return parameter.getType().isAssignableFrom(String.class)
                && !parameter.isAnnotationPresent(MemoryId.class)
                && !parameter.isAnnotationPresent(UserName.class)
                && !config.variables.containsKey(name(parameter));
    }

    private boolean isContents(Parameter parameter) {
        if (parameter.getType() != List.class
                || !(parameter.getParameterizedType() instanceof ParameterizedType list)
                || !(parameter.isAnnotationPresent(UserMessage.class) || method.getParameterCount() == 1)) {
            return false;
        }
        Type element = list.getActualTypeArguments()[0];
        return element == Content.class
                || (element instanceof WildcardType any && any.getUpperBounds()[0] == Content.class);
    }

    private Function<UserTurn, Object> argument(Parameter parameter, Parameter said) {
        if (isContents(parameter)) {
            return parameter.equals(said) ? UserTurn::contents : AiServiceMethod::media;
        }
        if (parameter.isAnnotationPresent(MemoryId.class)) {
            memoryId = converterTo(parameter);
            return turn -> memoryId.apply(turn.threadId());
        }
        if (parameter.getType() == InvocationParameters.class) {
            return UserTurn::invocationParameters;
        }
        if (parameter.isAnnotationPresent(UserName.class) && parameter.getType().isAssignableFrom(String.class)) {
            return turn -> turn.caller().id();
        }
        Function<UserTurn, ?> variable = config.variables.get(name(parameter));
        if (variable == null) {
            throw cannotFill(
                    parameter,
                    Content.class.isAssignableFrom(parameter.getType())
                            ? "Leave it out: the media of a message come with its text, or all of it as a"
                                    + " @UserMessage List<Content>"
                            : "Give its value with variable(\"" + name(parameter) + "\", turn -> ...)");
        }
        return variable::apply;
    }

    private static List<Content> media(UserTurn turn) {
        return turn.contents().stream()
                .filter(content -> !(content instanceof TextContent))
                .toList();
    }

    private Function<String, Object> converterTo(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type.isAssignableFrom(String.class)) {
            return threadId -> threadId;
        }
        if (type == Long.class || type == long.class) {
            return converting(parameter, Long::valueOf);
        }
        if (type == Integer.class || type == int.class) {
            return converting(parameter, Integer::valueOf);
        }
        if (type == UUID.class) {
            return converting(parameter, UUID::fromString);
        }
        throw cannotFill(parameter, "Let it be a String, a Long, an Integer or a UUID");
    }

    private Function<String, Object> converting(Parameter parameter, Function<String, Object> convert) {
        return threadId -> {
            try {
                Object converted = convert.apply(threadId);
                if (converted.toString().equals(threadId)) { // "+5" would share the memory of "5"
                    return converted;
                }
            } catch (IllegalArgumentException e) {
                LOG.trace("Thread {} has no memory id", threadId, e);
            }
            throw new IllegalArgumentException("Thread id \"" + threadId + "\" is not of type "
                    + parameter.getType().getSimpleName() + ", the type of @MemoryId in " + describe() + ".");
        };
    }

    private IllegalConfigurationException cannotFill(Parameter parameter, String remedy) {
        return illegalConfiguration(
                "The parameter '%s' (%s) of %s cannot be filled. %s.",
                name(parameter), parameter.getType().getSimpleName(), describe(), remedy);
    }

    private static String name(Parameter parameter) {
        V variable = parameter.getAnnotation(V.class);
        return variable == null ? parameter.getName() : variable.value();
    }

    private String describe() {
        return method.getDeclaringClass().getName() + "." + signature(method);
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }
}
