package io.holdpoint.internal.validation;

import io.holdpoint.internal.validation.ValueSchema.Kind;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A constraint of Jakarta Validation, and its words in JSON Schema. Only names of that library are used: without it on the
 * classpath, the JVM shows none of its annotations. Immutable.
 */
record Constraint(String name, Annotation annotation) {

    /** Browsers' idea of an address: the expression of HTML's {@code input type=email}. */
    static final String EMAIL = "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
            + "(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";

    /** As {@code String.trim()} has it, in Java's and in JavaScript's expressions alike. */
    static final String NOT_BLANK = "[^\\u0000-\\u0020]";

    /** The meanings of the patterns that are written here, for messages. */
    static final Map<String, String> MEANINGS =
            Map.of(EMAIL, "must be an email address", NOT_BLANK, "must not be blank");

    /** Numbers with more digits are refused anyway. */
    private static final int MAX_DIGITS = 1_000;

    private static final String BUILT_IN = "jakarta.validation.constraints.";
    private static final String CONSTRAINT = "jakarta.validation.Constraint";
    private static final String OVERRIDES = "jakarta.validation.OverridesAttribute";
    private static final String DEFAULT_GROUP = "jakarta.validation.groups.Default";

    /** Finds the constraints of the default group, with repeated ones and the parts of composed ones. */
    static List<Constraint> among(List<Annotation> annotations) {
        List<Constraint> found = new ArrayList<>();
        annotations.forEach(annotation -> add(annotation, found, new HashSet<>()));
        return found;
    }

    private static void add(Annotation annotation, List<Constraint> found, Set<Class<?>> within) {
        Class<? extends Annotation> type = annotation.annotationType();
        for (Annotation repeated : repeated(annotation)) {
            add(repeated, found, within);
        }
        if (!isConstraint(type) || !isOfTheDefaultGroup(annotation)) {
            return;
        }
        if (type.getName().startsWith(BUILT_IN)) {
            found.add(new Constraint(type.getSimpleName(), annotation));
        } else if (within.add(type)) {
            addComposed(annotation, found, within);
        }
    }

    /** A constraint with code of its own, or one that passes values on, is more than its parts. */
    private static void addComposed(Annotation annotation, List<Constraint> found, Set<Class<?>> within) {
        Class<? extends Annotation> type = annotation.annotationType();
        boolean passesValuesOn = Arrays.stream(type.getDeclaredMethods())
                .flatMap(attribute -> Arrays.stream(attribute.getAnnotations()))
                .anyMatch(each -> each.annotationType().getName().startsWith(OVERRIDES));
        List<Constraint> parts = new ArrayList<>();
        if (!passesValuesOn) {
            Arrays.stream(type.getAnnotations()).forEach(part -> add(part, parts, within));
        }
        found.addAll(parts);
        if (parts.isEmpty() || hasValidators(type)) {
            found.add(new Constraint(type.getName(), annotation));
        }
    }

    private static boolean hasValidators(Class<? extends Annotation> type) {
        return Arrays.stream(type.getAnnotations())
                .filter(each -> each.annotationType().getName().equals(CONSTRAINT))
                .anyMatch(constraint -> Constraint.<Class<?>[]>value(constraint, "validatedBy").length > 0);
    }

    private static boolean isConstraint(Class<? extends Annotation> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(CONSTRAINT));
    }

    private static boolean isOfTheDefaultGroup(Annotation annotation) {
        Class<?>[] groups = value(annotation, "groups");
        return groups.length == 0
                || Arrays.stream(groups).anyMatch(group -> group.getName().equals(DEFAULT_GROUP));
    }

    private static List<Annotation> repeated(Annotation annotation) {
        try {
            Class<?> type =
                    annotation.annotationType().getDeclaredMethod("value").getReturnType();
            return type.isArray() && Annotation.class.isAssignableFrom(type.getComponentType())
                    ? List.of(Constraint.<Annotation[]>value(annotation, "value"))
                    : List.of();
        } catch (NoSuchMethodException e) { // most annotations have no value: they repeat nothing
            return List.of();
        }
    }

    /** Says the constraint in JSON Schema. */
    boolean addTo(ValueSchema schema, Kind kind) {
        return switch (name) {
            case "NotNull" -> {
                schema.require();
                yield true;
            }
            case "NotEmpty" -> size(kind, schema, 1, Integer.MAX_VALUE, true);
            case "Size" -> size(kind, schema, value("min"), value("max"), false);
            case "NotBlank", "Email", "Pattern" -> kind == Kind.TEXT && text(schema);
            case "AssertTrue", "AssertFalse" -> kind == Kind.BOOLEAN && truth(schema);
            default -> kind.isNumeric() && number(schema);
        };
    }

    private static boolean size(Kind kind, ValueSchema schema, int min, int max, boolean required) {
        String what =
                switch (kind) {
                    case TEXT -> "Length";
                    case LIST -> "Items";
                    case MAP -> "Properties";
                    case INTEGER, NUMBER, BOOLEAN, OBJECT -> "";
                };
        if (what.isEmpty()) {
            return false;
        }
        if (required) {
            schema.require();
        }
        if (min > 0) {
            schema.atLeast("min" + what, BigDecimal.valueOf(min));
        }
        if (max < Integer.MAX_VALUE) {
            schema.atMost("max" + what, BigDecimal.valueOf(max));
        }
        return true;
    }

    private boolean text(ValueSchema schema) {
        if (name.equals("NotBlank")) {
            schema.require();
            schema.pattern(NOT_BLANK);
            return true;
        }
        boolean any = name.equals("Email") && value("regexp").equals(".*") && flags().isEmpty();
        if (!any) {
            JavaPattern own = pattern();
            if (!own.isExpressible()) {
                return false;
            }
            schema.pattern(own.inSchema());
        }
        if (name.equals("Email")) {
            schema.node().put("format", "email");
            schema.pattern(EMAIL);
        }
        return true;
    }

    private boolean truth(ValueSchema schema) {
        schema.node().putArray("enum").add(name.equals("AssertTrue"));
        return true;
    }

    private boolean number(ValueSchema schema) {
        switch (name) {
            case "Min" -> schema.atLeast("minimum", BigDecimal.valueOf(this.<Long>value("value")));
            case "Max" -> schema.atMost("maximum", BigDecimal.valueOf(this.<Long>value("value")));
            case "DecimalMin" ->
                schema.atLeast(this.<Boolean>value("inclusive") ? "minimum" : "exclusiveMinimum", decimal());
            case "DecimalMax" ->
                schema.atMost(this.<Boolean>value("inclusive") ? "maximum" : "exclusiveMaximum", decimal());
            case "Positive" -> schema.atLeast("exclusiveMinimum", BigDecimal.ZERO);
            case "PositiveOrZero" -> schema.atLeast("minimum", BigDecimal.ZERO);
            case "Negative" -> schema.atMost("exclusiveMaximum", BigDecimal.ZERO);
            case "NegativeOrZero" -> schema.atMost("maximum", BigDecimal.ZERO);
            case "Digits" -> digits(value("integer"), value("fraction"), schema);
            default -> {
                return false;
            }
        }
        return true;
    }

    private BigDecimal decimal() {
        return new BigDecimal(this.<String>value("value"));
    }

    private static void digits(int integer, int fraction, ValueSchema schema) {
        if (integer < MAX_DIGITS) {
            BigDecimal bound = new BigDecimal(BigInteger.TEN.pow(integer));
            schema.atMost("exclusiveMaximum", bound);
            schema.atLeast("exclusiveMinimum", bound.negate());
        }
        if (fraction < MAX_DIGITS) {
            schema.atLeast("multipleOf", new BigDecimal(BigInteger.ONE, fraction));
        }
    }

    /** The expression of a {@code @Pattern} or an {@code @Email}. */
    JavaPattern pattern() {
        return JavaPattern.of(value("regexp"), flags());
    }

    private List<String> flags() {
        return Arrays.stream(this.<Enum<?>[]>value("flags")).map(Enum::name).toList();
    }

    private <T> T value(String attribute) {
        return value(annotation, attribute);
    }

    @SuppressWarnings("unchecked") // what the attribute of that name is
    private static <T> T value(Annotation annotation, String attribute) {
        try {
            Method method = annotation.annotationType().getDeclaredMethod(attribute);
            method.setAccessible(true);
            return (T) method.invoke(annotation);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(annotation + " has no readable " + attribute, e);
        }
    }
}
