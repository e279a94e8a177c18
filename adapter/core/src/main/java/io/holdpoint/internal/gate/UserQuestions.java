package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;
import static io.holdpoint.internal.gate.Policy.describe;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.Utils;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.AsksUser;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.gate.ToolPolicies.Asking;
import io.holdpoint.store.Question;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads interfaces of questions, whose methods carry {@link AsksUser}. */
public final class UserQuestions {

    private static final String CONFIRMATION = "confirmation";
    private static final String INPUT_REQUIRED = "input_required";

    private UserQuestions() {}

    /**
     * The tools of an interface.
     *
     * @param type an interface all of whose methods carry {@code @Tool} and {@link AsksUser}
     * @return the tools, in the order of their names
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    public static List<AiServiceTool> of(Class<?> type) {
        requireInterface(type);
        List<Method> methods = Utils.allMethods(type);
        methods.forEach(UserQuestions::check);
        return ToolService.findTools(standIn(type)).stream()
                .map(tool -> asking(type, tool))
                .sorted(Comparator.comparing(AiServiceTool::name))
                .toList();
    }

    /**
     * Refuses a class that brings a body to a question: it would run, and nobody would be asked.
     *
     * @param toolClass the class of a tool object, or a class that was given instead of an object
     * @throws dev.langchain4j.service.IllegalConfigurationException naming class and method
     */
    public static void refuseIn(Class<?> toolClass) {
        find(toolClass).ifPresent(method -> {
            throw illegalConfiguration(
                    "%s is marked @AsksUser, but %s is given as a tool that runs. Give the interface to asksUser(...),"
                            + " and no implementation of it.",
                    describe(method), toolClass.getName());
        });
    }

    /**
     * The class of a tool's object, as far as it can be seen.
     *
     * @param executor what LangChain4j would run
     * @return for a JDK proxy, the class or interface that declares the method
     */
    public static Class<?> classOf(DefaultToolExecutor executor) {
        return ToolObjects.visibleClassOf(executor);
    }

    /**
     * Looks for a question.
     *
     * @param type a class or an interface
     * @return one of its methods, inherited ones included, that carries {@link AsksUser} itself or implements one that does
     */
    public static Optional<Method> find(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.isAnnotationPresent(AsksUser.class)) {
                    return Optional.of(method);
                }
            }
            for (Class<?> inherited : each.getInterfaces()) {
                Optional<Method> found = find(inherited);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static void requireInterface(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation() || type.isSealed()) {
            throw illegalConfiguration(
                    "asksUser(%s.class)%s: only an interface that is not sealed can be a set of questions.",
                    type.getName(),
                    find(type)
                            .map(method -> ", with @AsksUser on " + describe(method))
                            .orElse(""));
        }
        if (find(type).isEmpty()) {
            throw illegalConfiguration("asksUser(%s.class): no method of it carries @AsksUser.", type.getName());
        }
    }

    private static void check(Method method) {
        boolean hasBody = !Modifier.isAbstract(method.getModifiers());
        boolean asks = method.isAnnotationPresent(AsksUser.class);
        if (!asks && (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers()))) {
            return; // only for the interface itself
        }
        if (!asks) {
            throw illegalConfiguration(
                    "%s is in an interface of questions and does not carry @AsksUser. Add it, or move the method.",
                    describe(method));
        }
        if (hasBody) {
            throw illegalConfiguration(
                    "@AsksUser on %s: the method has a body, which would never run. Remove one of them.",
                    describe(method));
        }
        if (!method.isAnnotationPresent(Tool.class)) {
            throw illegalConfiguration(
                    "@AsksUser on %s has no effect: the method is not a tool. Add @Tool to it, or remove @AsksUser.",
                    describe(method));
        }
        if (method.isAnnotationPresent(RequiresApproval.class)) {
            throw illegalConfiguration(
                    "@AsksUser on %s asks a person anyway, and there is nothing to approve. Remove @RequiresApproval.",
                    describe(method));
        }
    }

    /** An object that LangChain4j reads tools from, as from any other. None of its methods is ever called. */
    private static Object standIn(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            throw new UnsupportedOperationException(method.toString());
        });
    }

    private static AiServiceTool asking(Class<?> type, AiServiceTool found) {
        Method method = ((DefaultToolExecutor) found.toolExecutor()).originalMethod();
        UserQuestion question = new UserQuestion(type, method, read(method, found.toolSpecification()));
        return found.toBuilder().toolExecutor(question).build();
    }

    private static Asking read(Method method, ToolSpecification specification) {
        AsksUser annotation = method.getAnnotation(AsksUser.class);
        String where = "@AsksUser on " + describe(method);
        Class<?> answer = method.getReturnType();
        return new Asking(
                Question.Kind.RESULT,
                answer == boolean.class || answer == Boolean.class ? CONFIRMATION : INPUT_REQUIRED,
                message(annotation.message(), where, specification),
                AnswerSchemas.of(method.getGenericReturnType(), annotation.responseSchema(), where),
                Optional.empty(),
                Policy.expiry(annotation.expiresAfter(), where));
    }

    private static MessageTemplate message(String text, String where, ToolSpecification specification) {
        Set<String> parameters = specification.parameters() == null
                ? Set.of()
                : specification.parameters().properties().keySet();
        return text.isBlank()
                ? standardMessage(specification)
                : Policy.requireKnown(MessageTemplate.parseQuestion(text), where, parameters);
    }

    /** The only text that the model writes is what it asks. */
    private static MessageTemplate standardMessage(ToolSpecification specification) {
        List<String> texts = specification.parameters() == null
                ? List.of()
                : specification.parameters().properties().entrySet().stream()
                        .filter(parameter -> parameter.getValue() instanceof JsonStringSchema)
                        .map(Map.Entry::getKey)
                        .toList();
        return texts.size() == 1
                ? MessageTemplate.parseQuestion("The assistant asks: {{" + texts.get(0) + "}}")
                : MessageTemplate.standardQuestion(specification.name());
    }
}
