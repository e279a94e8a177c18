package io.holdpoint.internal.validation;

import io.holdpoint.internal.schema.ArgumentCheck;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Reads the annotations of Jakarta Validation. Public for {@link java.util.ServiceLoader}. */
public final class ConstraintReader implements ArgumentCheck.Reader {

    @Override
    public ArgumentCheck read(
            List<Method> declarations,
            Function<Parameter, String> names,
            Function<Class<?>, Map<String, String>> fields,
            Set<String> known) {
        return ParameterConstraints.of(declarations, names, fields, known);
    }

    @Override
    public Map<String, String> meanings() {
        return Constraint.MEANINGS;
    }
}
