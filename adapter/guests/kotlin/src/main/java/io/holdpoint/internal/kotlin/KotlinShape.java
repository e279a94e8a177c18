package io.holdpoint.internal.kotlin;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import io.holdpoint.internal.gate.KotlinTools;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ProxiedTool;
import io.holdpoint.internal.gate.ToolShape;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Marks the parameters of a function, and the fields of their classes, that can be null or have a default: they may be left out. Only
 * {@code kotlin-reflect} tells which they are: where it is not on the class path, each of them is needed.
 */
public final class KotlinShape implements ToolShape {

    @Override
    public AiServiceTool shaped(AiServiceTool tool, DefaultToolExecutor executor, Object object) {
        Method method = executor.originalMethod();
        Optional<KotlinFunction> found = function(method);
        if (found.isEmpty() || tool.toolSpecification().parameters() == null) {
            return tool;
        }
        KotlinFunction function = found.get();
        Set<String> withDefault = executor instanceof ProxiedTool ? Set.of() : function.withDefault();
        Set<String> optional = new HashSet<>(function.nullable());
        optional.addAll(withDefault);
        Map<String, Type> types = new HashMap<>();
        for (Parameter parameter : method.getParameters()) {
            types.put(MethodArguments.name(parameter), parameter.getParameterizedType());
        }
        ToolSpecification specification = tool.toolSpecification().toBuilder()
                .parameters(without(optional, tool.toolSpecification().parameters(), types))
                .build();
        return AiServiceTool.builder()
                .toolSpecification(specification)
                .toolExecutor(withDefault.isEmpty() ? executor : new KotlinExecutor(object, function))
                .returnBehavior(tool.returnBehavior())
                .build();
    }

    @Override
    public Set<String> neverNull(Method method) {
        Set<String> names = new HashSet<>();
        function(method).ifPresent(function -> {
            names.addAll(function.withDefault());
            names.removeAll(function.nullable());
        });
        return names;
    }

    private static Optional<KotlinFunction> function(Method method) {
        return ofKotlin(() -> KotlinFunction.of(method), Optional.empty());
    }

    /** The answer of Kotlin's reflection, if it is there and has one. */
    private static <T> T ofKotlin(Supplier<T> asked, T otherwise) {
        try {
            return asked.get();
        } catch (RuntimeException | Error e) { // its own are errors
            return otherwise;
        }
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
        if (!(schema instanceof JsonObjectSchema object) || !KotlinTools.isKotlin(raw)) {
            return schema;
        }
        Map<String, Type> types = new HashMap<>();
        for (Field field : raw.getDeclaredFields()) {
            types.put(field.getName(), field.getGenericType());
        }
        return without(ofKotlin(() -> KotlinFunction.optionalFields(raw), Set.of()), object, types);
    }
}
