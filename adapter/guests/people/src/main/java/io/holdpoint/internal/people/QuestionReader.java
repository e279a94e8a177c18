package io.holdpoint.internal.people;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;
import static io.holdpoint.internal.gate.ToolMethod.describe;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Approvals;
import io.holdpoint.AsksUser;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.MessageTemplate;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.Policy;
import io.holdpoint.internal.gate.Remembering;
import io.holdpoint.internal.gate.ToolMethod;
import io.holdpoint.internal.gate.ToolSchemas;
import io.holdpoint.internal.gate.UserQuestion;
import io.holdpoint.store.Call.Question;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads the questions of an interface, whose methods carry {@link AsksUser}. */
final class QuestionReader {

    private static final String CONFIRMATION = "confirmation";
    private static final String INPUT_REQUIRED = "input_required";

    private QuestionReader() {}

    /** Reads the tools of an interface, in the order of their names. */
    static List<AiServiceTool> toolsOf(Class<?> type) {
        requireInterface(type);
        ToolMethod.allOf(type).forEach(QuestionReader::check);
        return ToolService.findTools(standIn(type)).stream()
                .map(tool -> withoutBody(type, tool))
                .sorted(Comparator.comparing(AiServiceTool::name))
                .toList();
    }

    private static void requireInterface(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation() || type.isSealed()) {
            throw illegalConfiguration(
                    "questions(%s.class)%s: only an interface that is not sealed can be a set of questions.",
                    type.getName(),
                    UserQuestion.find(type)
                            .map(method -> ", with @AsksUser on " + describe(method))
                            .orElse(""));
        }
        if (UserQuestion.find(type).isEmpty()) {
            throw illegalConfiguration("questions(%s.class): no method of it carries @AsksUser.", type.getName());
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

    /** An object for LangChain4j to read the tools from; its methods are never called. */
    private static Object standIn(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            throw new UnsupportedOperationException(method.toString());
        });
    }

    private static AiServiceTool withoutBody(Class<?> type, AiServiceTool found) {
        Method method = ((DefaultToolExecutor) found.toolExecutor()).originalMethod();
        ToolSpecification read = MethodArguments.asRead(found.toolSpecification(), method);
        UserQuestion question = new UserQuestion(new ToolMethod(type, method), read(method, read));
        return found.toBuilder().toolExecutor(question).build();
    }

    private static QuestionTemplate read(Method method, ToolSpecification specification) {
        AsksUser annotation = method.getAnnotation(AsksUser.class);
        String where = "@AsksUser on " + describe(method);
        Class<?> answer = method.getReturnType();
        return new QuestionTemplate(
                Question.Kind.RESULT,
                answer == boolean.class || answer == Boolean.class ? CONFIRMATION : INPUT_REQUIRED,
                message(annotation.message(), where, specification),
                new AnswerSchemas(where).of(method.getGenericReturnType(), annotation.responseSchema()),
                Remembering.NEVER,
                Policy.timeline(annotation.expiresAfter(), where),
                Approvals.of(1),
                List.of(),
                false);
    }

    private static MessageTemplate message(String text, String where, ToolSpecification specification) {
        return text.isBlank()
                ? standardMessage(specification)
                : Policy.requireKnown(MessageTemplate.parseQuestion(text), where, specification);
    }

    /** Shows the tool's only text parameter, if there is just one, as the question. */
    private static MessageTemplate standardMessage(ToolSpecification specification) {
        List<String> texts = new ArrayList<>();
        for (String name : ToolSchemas.parameterNames(specification)) {
            if (specification.parameters().properties().get(name) instanceof JsonStringSchema) {
                texts.add(name);
            }
        }
        return texts.size() == 1
                ? MessageTemplate.standardQuestionOf(texts.get(0))
                : MessageTemplate.standardQuestion(specification.name());
    }
}
