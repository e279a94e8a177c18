package io.holdpoint.internal.kotlin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.internal.Json;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.langchain4j.PrivateMembers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls a function without the arguments that a model has left out: their defaults run. */
final class KotlinExecutor extends DefaultToolExecutor {

    private static final Method PREPARE = PrivateMembers.ofExecutor(
            "prepareArguments", Method.class, String.class, Map.class, InvocationContext.class);

    private final Object object;
    private final KotlinFunction function;

    KotlinExecutor(Object object, KotlinFunction function) {
        super(calling(object, function.method()));
        this.object = object;
        this.function = function;
    }

    private static Builder calling(Object object, Method method) {
        return DefaultToolExecutor.builder()
                .object(object)
                .originalMethod(method)
                .methodToInvoke(method)
                .wrapToolArgumentsExceptions(true)
                .propagateToolExecutionExceptions(true);
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        ObjectNode given = ToolArguments.read(request.arguments());
        Set<String> left = new HashSet<>(function.withDefault());
        left.removeIf(name ->
                given.hasNonNull(name) || given.has(name) && function.nullable().contains(name)); // null is shown
        if (left.isEmpty()) {
            return super.executeWithContext(request, context);
        }
        Call call = new Call(object, function, values(request, context, left), left);
        boolean isVoid = function.method().getReturnType() == void.class;
        return calling(call, Call.method(isVoid ? "run" : "result")).build().executeWithContext(request, context);
    }

    /** The values of all parameters; of those that are left out, any. */
    private Object[] values(ToolExecutionRequest request, InvocationContext context, Set<String> left) {
        @SuppressWarnings("unchecked")
        Map<String, Object> given = new HashMap<>(Json.fromJson(request.arguments(), Map.class));
        for (Parameter parameter : function.method().getParameters()) {
            String name = MethodArguments.name(parameter);
            if (left.contains(name) && parameter.getType().isPrimitive()) {
                given.put(name, parameter.getType() == boolean.class ? (Object) false : (Object) 0);
            }
        }
        try {
            return (Object[]) PREPARE.invoke(null, function.method(), request.name(), given, context);
        } catch (InvocationTargetException e) {
            throw new ToolArgumentsException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the method was made accessible", e);
        }
    }

    /** One call, as the method without parameters that LangChain4j calls. */
    private record Call(Object object, KotlinFunction function, Object[] values, Set<String> left) {

        static Method method(String name) {
            try {
                Method found = Call.class.getDeclaredMethod(name);
                found.setAccessible(true);
                return found;
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("this record has it", e);
            }
        }

        void run() throws Throwable {
            result();
        }

        @Nullable
        Object result() throws Throwable {
            return function.call(object, values, left);
        }
    }
}
