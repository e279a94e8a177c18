package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.internal.Json;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function of Kotlin with parameters, or fields of parameters, that a caller may leave out. Only Kotlin's own reflection tells which they
 * are: where it is not on the class path, each of them is needed. It is looked for by name, so that nothing of Kotlin is needed here.
 */
final class KotlinTool extends DefaultToolExecutor {

    private static final Method PREPARE =
            ToolMethod.ofExecutor("prepareArguments", Method.class, String.class, Map.class, InvocationContext.class);

    private final Object object;
    private final Method method;
    private final Function function;
    private final Set<String> withDefault;
    private final Set<String> nullable;

    private KotlinTool(Object object, Method method, Function function, Set<String> withDefault, Set<String> nullable) {
        super(DefaultToolExecutor.builder()
                .object(object)
                .originalMethod(method)
                .methodToInvoke(method)
                .wrapToolArgumentsExceptions(true)
                .propagateToolExecutionExceptions(true));
        this.object = object;
        this.method = method;
        this.function = function;
        this.withDefault = withDefault;
        this.nullable = nullable;
    }

    /** Tells whether the compiler of Kotlin has made a class. */
    static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals("kotlin.Metadata"));
    }

    /** The tool, whose nullable parameters and those with a default may be left out if it is a function of Kotlin. */
    static AiServiceTool of(Object object, AiServiceTool tool) {
        if (!(tool.toolExecutor() instanceof DefaultToolExecutor executor)) {
            return tool;
        }
        Method method = executor.originalMethod();
        Optional<Function> found = isKotlin(method.getDeclaringClass()) ? Function.of(method) : Optional.empty();
        if (found.isEmpty() || tool.toolSpecification().parameters() == null) {
            return tool;
        }
        Function function = found.get();
        Set<String> withDefault = new HashSet<>();
        Set<String> nullable = new HashSet<>();
        Map<String, Type> types = new HashMap<>();
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String name = MethodArguments.name(parameters[i]);
            types.put(name, parameters[i].getParameterizedType());
            if (function.hasDefault(i) && !(executor instanceof ProxiedTool)) {
                withDefault.add(name);
            }
            if (function.isNullable(i)) {
                nullable.add(name);
            }
        }
        Set<String> optional = new HashSet<>(withDefault);
        optional.addAll(nullable);
        ToolSpecification specification = tool.toolSpecification().toBuilder()
                .parameters(without(optional, tool.toolSpecification().parameters(), types))
                .build();
        return AiServiceTool.builder()
                .toolSpecification(specification)
                .toolExecutor(
                        withDefault.isEmpty()
                                ? executor
                                : new KotlinTool(object, method, function, withDefault, nullable))
                .returnBehavior(tool.returnBehavior())
                .build();
    }

    /** The parameters of a function of Kotlin that cannot be null, and whose default runs in place of one. */
    static Set<String> neverNull(Method method) {
        Set<String> names = new HashSet<>();
        Optional<Function> function = isKotlin(method.getDeclaringClass()) ? Function.of(method) : Optional.empty();
        Parameter[] parameters = method.getParameters();
        for (int i = 0; function.isPresent() && i < parameters.length; i++) {
            if (function.get().hasDefault(i) && !function.get().isNullable(i)) {
                names.add(MethodArguments.name(parameters[i]));
            }
        }
        return names;
    }

    /** The schema of an object that may be without some of its fields, and so may the objects in it. */
    private static JsonObjectSchema without(Set<String> optional, JsonObjectSchema all, Map<String, Type> types) {
        Map<String, JsonSchemaElement> properties = new LinkedHashMap<>(all.properties());
        properties.replaceAll((name, schema) -> types.containsKey(name) ? within(schema, types.get(name)) : schema);
        List<String> required = all.required() == null ? List.of() : all.required();
        return JsonObjectSchema.builder()
                .description(all.description())
                .addProperties(properties)
                .required(required.stream()
                        .filter(name -> !optional.contains(name))
                        .toList())
                .additionalProperties(all.additionalProperties())
                .definitions(all.definitions())
                .build();
    }

    private static JsonSchemaElement within(JsonSchemaElement schema, Type type) {
        JavaType java = TypeFactory.defaultInstance().constructType(type);
        if (schema instanceof JsonArraySchema array && java.getContentType() != null) {
            return JsonArraySchema.builder()
                    .description(array.description())
                    .items(within(array.items(), java.getContentType()))
                    .build();
        }
        Class<?> raw = java.getRawClass();
        if (!(schema instanceof JsonObjectSchema object) || !isKotlin(raw)) {
            return schema;
        }
        Map<String, Type> types = new HashMap<>();
        for (Field field : raw.getDeclaredFields()) {
            types.put(field.getName(), field.getGenericType());
        }
        return without(Function.optionalOf(raw), object, types);
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        ObjectNode given = ToolArguments.read(request.arguments());
        Set<String> left = new HashSet<>(withDefault);
        left.removeIf(name -> given.hasNonNull(name) || given.has(name) && nullable.contains(name)); // null is shown
        if (left.isEmpty()) {
            return super.executeWithContext(request, context);
        }
        Call call = new Call(object, function, values(request, context, left), method, left);
        Method run = Call.method(method.getReturnType() == void.class ? "run" : "result");
        return DefaultToolExecutor.builder()
                .object(call)
                .originalMethod(run)
                .methodToInvoke(run)
                .wrapToolArgumentsExceptions(true)
                .propagateToolExecutionExceptions(true)
                .build()
                .executeWithContext(request, context);
    }

    /** The values of all parameters; of those that are left out, any. */
    private Object[] values(ToolExecutionRequest request, InvocationContext context, Set<String> left) {
        @SuppressWarnings("unchecked")
        Map<String, Object> given = new HashMap<>(Json.fromJson(request.arguments(), Map.class));
        for (Parameter parameter : method.getParameters()) {
            String name = MethodArguments.name(parameter);
            if (left.contains(name) && parameter.getType().isPrimitive()) {
                given.put(name, parameter.getType() == boolean.class ? (Object) false : (Object) 0);
            }
        }
        try {
            return (Object[]) PREPARE.invoke(null, method, request.name(), given, context);
        } catch (InvocationTargetException e) {
            throw new ToolArgumentsException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the method was made accessible", e);
        }
    }

    /** One call without some of the parameters, as the method without parameters that LangChain4j calls. */
    private record Call(Object object, Function function, Object[] values, Method method, Set<String> left) {

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
            Map<Object, @Nullable Object> given = new HashMap<>();
            Parameter[] parameters = method.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                if (!left.contains(MethodArguments.name(parameters[i]))) {
                    given.put(function.values().get(i), values[i]);
                }
            }
            function.instance().ifPresent(instance -> given.put(instance, object));
            try {
                return Function.invoke("kotlin.reflect.KCallable", "callBy", function.callable(), given);
            } catch (InvocationTargetException e) {
                Throwable thrown = e;
                while (thrown instanceof InvocationTargetException) { // Kotlin's reflection and Java's below it
                    thrown = thrown.getCause();
                }
                throw thrown;
            }
        }
    }

    /** A {@code KFunction}: its parameter for the object, and the others in the order of the Java method. */
    private record Function(Object callable, Optional<Object> instance, List<Object> values) {

        static Optional<Function> of(Method method) {
            try {
                ClassLoader loader = method.getDeclaringClass().getClassLoader();
                Class<?> mapping = Class.forName("kotlin.reflect.jvm.ReflectJvmMapping", true, loader);
                Object callable =
                        mapping.getMethod("getKotlinFunction", Method.class).invoke(null, method);
                if (callable == null) {
                    return Optional.empty();
                }
                Class.forName("kotlin.reflect.jvm.KCallablesJvm", true, loader)
                        .getMethod(
                                "setAccessible", Class.forName("kotlin.reflect.KCallable", true, loader), boolean.class)
                        .invoke(null, callable, true);
                List<?> all = (List<?>) invoke("kotlin.reflect.KCallable", "getParameters", callable);
                int others = all.size() - method.getParameterCount();
                if (others < 0 || others > 1) {
                    return Optional.empty();
                }
                Optional<Object> instance = others == 0 ? Optional.empty() : Optional.of(all.get(0));
                return Optional.of(new Function(callable, instance, List.copyOf(all.subList(others, all.size()))));
            } catch (ReflectiveOperationException | LinkageError e) {
                return Optional.empty(); // without kotlin-reflect nobody knows
            }
        }

        /** The fields of a class that its primary constructor can do without. */
        static Set<String> optionalOf(Class<?> type) {
            try {
                ClassLoader loader = type.getClassLoader();
                Object kotlin = Class.forName("kotlin.jvm.JvmClassMappingKt", true, loader)
                        .getMethod("getKotlinClass", Class.class)
                        .invoke(null, type);
                Object constructor = Class.forName("kotlin.reflect.full.KClasses", true, loader)
                        .getMethod("getPrimaryConstructor", Class.forName("kotlin.reflect.KClass", true, loader))
                        .invoke(null, kotlin);
                Set<String> optional = new HashSet<>();
                if (constructor != null) {
                    for (Object each : (List<?>) invoke("kotlin.reflect.KCallable", "getParameters", constructor)) {
                        if (is("kotlin.reflect.KParameter", "isOptional", each) || isNullable(each)) {
                            optional.add((String) invoke("kotlin.reflect.KParameter", "getName", each));
                        }
                    }
                }
                return optional;
            } catch (ReflectiveOperationException | LinkageError e) {
                return Set.of(); // without kotlin-reflect nobody knows
            }
        }

        boolean hasDefault(int at) {
            return is("kotlin.reflect.KParameter", "isOptional", values.get(at));
        }

        boolean isNullable(int at) {
            return isNullable(values.get(at));
        }

        private static boolean isNullable(Object parameter) {
            return get("kotlin.reflect.KParameter", "getType", parameter)
                    .filter(type -> is("kotlin.reflect.KType", "isMarkedNullable", type))
                    .isPresent();
        }

        private static boolean is(String type, String property, Object target) {
            return get(type, property, target).filter(Boolean.TRUE::equals).isPresent();
        }

        private static Optional<Object> get(String type, String property, Object target) {
            try {
                return Optional.ofNullable(invoke(type, property, target));
            } catch (InvocationTargetException e) {
                return Optional.empty();
            }
        }

        static @Nullable Object invoke(String type, String method, Object target, Object... arguments)
                throws InvocationTargetException {
            try {
                Class<?> declaring = Class.forName(type, true, target.getClass().getClassLoader());
                Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {Map.class};
                return declaring.getMethod(method, types).invoke(target, arguments);
            } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
                throw new IllegalStateException("Kotlin's reflection has no " + type + "." + method, e);
            }
        }
    }
}
