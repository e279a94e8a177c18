package io.holdpoint.internal.kotlin;

import io.holdpoint.internal.gate.MethodArguments;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.full.KClasses;
import kotlin.reflect.jvm.KCallablesJvm;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;

/**
 * A function as Kotlin knows it, its parameters by the names under which they are shown, in the order of the Java method: some have a
 * default, some can be null.
 */
record KotlinFunction(
        Method method,
        KFunction<?> callable,
        Optional<KParameter> instance,
        Map<String, KParameter> parameters,
        Set<String> withDefault,
        Set<String> nullable) {

    /** The function of a method, if Kotlin knows it, and knows the same parameters. */
    static Optional<KotlinFunction> of(Method method) {
        KFunction<?> callable = ReflectJvmMapping.getKotlinFunction(method);
        if (callable == null) {
            return Optional.empty();
        }
        KCallablesJvm.setAccessible(callable, true);
        List<KParameter> all = callable.getParameters();
        Parameter[] known = method.getParameters();
        int others = all.size() - known.length;
        if (others < 0 || others > 1) {
            return Optional.empty();
        }
        Optional<KParameter> instance = others == 0 ? Optional.empty() : Optional.of(all.get(0));
        Map<String, KParameter> parameters = new LinkedHashMap<>();
        Set<String> withDefault = new HashSet<>();
        Set<String> nullable = new HashSet<>();
        for (int i = 0; i < known.length; i++) {
            String name = MethodArguments.name(known[i]);
            KParameter parameter = all.get(others + i);
            parameters.put(name, parameter);
            if (parameter.isOptional()) {
                withDefault.add(name);
            }
            if (parameter.getType().isMarkedNullable()) {
                nullable.add(name);
            }
        }
        return Optional.of(new KotlinFunction(method, callable, instance, parameters, withDefault, nullable));
    }

    /** The fields of a class that its primary constructor can do without. */
    static Set<String> optionalFields(Class<?> type) {
        Set<String> optional = new HashSet<>();
        KFunction<?> constructor = KClasses.getPrimaryConstructor(JvmClassMappingKt.getKotlinClass(type));
        if (constructor != null) {
            for (KParameter each : constructor.getParameters()) {
                if (each.isOptional() || each.getType().isMarkedNullable()) {
                    optional.add(each.getName());
                }
            }
        }
        return optional;
    }

    /** Calls the function with the values of the Java method, without those that are left out. */
    @Nullable
    Object call(Object object, Object[] values, Set<String> left) throws Throwable {
        Map<KParameter, @Nullable Object> given = new HashMap<>();
        int i = 0;
        for (Map.Entry<String, KParameter> parameter : parameters.entrySet()) {
            if (!left.contains(parameter.getKey())) {
                given.put(parameter.getValue(), values[i]);
            }
            i++;
        }
        instance.ifPresent(self -> given.put(self, object));
        try {
            return callable.callBy(given);
        } catch (Throwable e) { // Kotlin's method declares no exception
            Throwable thrown = e;
            while (thrown instanceof InvocationTargetException) {
                thrown = thrown.getCause();
            }
            throw thrown;
        }
    }
}
