package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;
import static io.holdpoint.internal.gate.ToolMethod.describe;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.AsksUser;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * A tool without a body: when the model calls it, a person is asked, and the answer is the call's result. Stands where
 * LangChain4j expects an executor; the gate recognises it, and it is never executed. Immutable.
 */
public record UserQuestion(ToolMethod method, QuestionTemplate template) implements ToolExecutor {

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new IllegalStateException(method + " asks the user and has no body: it cannot be executed");
    }

    /** Refuses a class that brings a body to a question: the body would run instead of the question being asked. */
    static void refuseIn(Class<?> toolClass) {
        Optional<Method> method = find(toolClass);
        if (method.isPresent()) {
            throw illegalConfiguration(
                    "%s is marked @AsksUser, but %s is given as a tool that runs. Give the interface to questions(...),"
                            + " and no implementation of it.",
                    describe(method.get()), toolClass.getName());
        }
    }

    /** Finds a method of a class or interface, or of one of its supertypes, that carries {@link AsksUser}. */
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
}
