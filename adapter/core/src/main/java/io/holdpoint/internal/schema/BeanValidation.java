package io.holdpoint.internal.schema;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.Validation;
import jakarta.validation.ValidationException;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.groups.Default;
import jakarta.validation.metadata.CascadableDescriptor;
import jakarta.validation.metadata.ConstraintDescriptor;
import jakarta.validation.metadata.ContainerDescriptor;
import jakarta.validation.metadata.ContainerElementTypeDescriptor;
import jakarta.validation.metadata.ElementDescriptor;
import jakarta.validation.metadata.MethodDescriptor;
import jakarta.validation.metadata.ParameterDescriptor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The application's Bean Validation. Loaded only where a parameter has a constraint, because applications need not have that
 * library. Thread-safe.
 */
final class BeanValidation {

    private static final String BUILT_IN = "jakarta.validation.constraints.";
    private static final String DECIMAL_MIN = "{" + BUILT_IN + "DecimalMin.message}";
    private static final String DECIMAL_MAX = "{" + BUILT_IN + "DecimalMax.message}";

    /** Made once, for all agents that are given none, when the first tool with a constraint is read. */
    private static @Nullable BeanValidation ofClassPath;

    private final Validator validator;

    private BeanValidation(ValidatorFactory factory) {
        this.validator = factory.getValidator();
    }

    static boolean isFactory(Object instance) {
        return instance instanceof ValidatorFactory;
    }

    /** The validation of the application's factory, or else the one of the class path. */
    static BeanValidation of(Optional<Object> factory) {
        return factory.isPresent() ? new BeanValidation((ValidatorFactory) factory.get()) : ofClassPath();
    }

    private static synchronized BeanValidation ofClassPath() {
        BeanValidation made = ofClassPath;
        if (made == null) {
            made = new BeanValidation(factory());
            ofClassPath = made;
        }
        return made;
    }

    private static ValidatorFactory factory() {
        try {
            return Validation.buildDefaultValidatorFactory();
        } catch (NoProviderFoundException e) {
            throw new IllegalArgumentException(
                    "no Bean Validation provider is on the class path. Add one, such as"
                            + " org.hibernate.validator:hibernate-validator",
                    e);
        } catch (ValidationException e) {
            return withoutExpressions(e);
        }
    }

    /** Hibernate Validator cannot start as it is where the class path has no expression language. */
    private static ValidatorFactory withoutExpressions(ValidationException why) {
        try {
            MessageInterpolator parameters = (MessageInterpolator)
                    Class.forName("org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator")
                            .getConstructor()
                            .newInstance();
            return Validation.byDefaultProvider()
                    .configure()
                    .messageInterpolator(new WithoutExpressions(parameters))
                    .buildValidatorFactory();
        } catch (ReflectiveOperationException | ValidationException e) {
            throw new IllegalArgumentException("Bean Validation does not start: " + why, why);
        }
    }

    /** Says what two messages of the specification say by an expression. */
    private record WithoutExpressions(MessageInterpolator parameters) implements MessageInterpolator {

        @Override
        public String interpolate(String template, Context context) {
            return parameters.interpolate(plain(template, context), context);
        }

        @Override
        public String interpolate(String template, Context context, Locale locale) {
            return parameters.interpolate(plain(template, context), context, locale);
        }

        private static String plain(String template, Context context) {
            if (!template.equals(DECIMAL_MIN) && !template.equals(DECIMAL_MAX)) {
                return template;
            }
            Object inclusive = context.getConstraintDescriptor().getAttributes().get("inclusive");
            return "must be " + (template.equals(DECIMAL_MIN) ? "greater than " : "less than ")
                    + (Boolean.TRUE.equals(inclusive) ? "or equal to " : "") + "{value}";
        }
    }

    /** The constraints of a method's parameters; an object has the method, and arguments have the names of its parameters. */
    ParameterConstraints constraints(Object object, Method method, List<String> arguments, Set<String> known) {
        MethodDescriptor descriptor;
        try {
            descriptor = validator
                    .getConstraintsForClass(object.getClass())
                    .getConstraintsForMethod(method.getName(), method.getParameterTypes());
            if (descriptor == null
                    || descriptor.getParameterDescriptors().stream().noneMatch(BeanValidation::isConstrained)) {
                throw new IllegalArgumentException(
                        "Bean Validation does not look at them: the method is static, or is called"
                                + " through a proxy that does not extend its class. Make it an instance method, or put the"
                                + " constraint on the interface's method");
            }
            violations(
                    object,
                    method,
                    new Object[arguments.size()]); // validators are made now, and not for the first call
        } catch (ValidationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        ObjectNode schema = AguiCodec.mapper().createObjectNode();
        for (ParameterDescriptor parameter : descriptor.getParameterDescriptors()) {
            String name = arguments.get(parameter.getIndex());
            if (known.contains(name)) {
                property(name, parameter, schema, new HashSet<>());
            }
        }
        return new ParameterConstraints(schema, Optional.of(values -> check(object, method, values, arguments, known)));
    }

    private static boolean isConstrained(ParameterDescriptor parameter) {
        return parameter.hasConstraints()
                || parameter.isCascaded()
                || !parameter.getConstrainedContainerElementTypes().isEmpty();
    }

    // --- the check

    private Set<ConstraintViolation<Object>> violations(Object object, Method method, @Nullable Object[] values) {
        return validator.forExecutables().validateParameters(object, method, values);
    }

    private List<String> check(
            Object object, Method method, @Nullable Object[] values, List<String> arguments, Set<String> known) {
        return violations(object, method, values).stream()
                .filter(violation -> isOf(violation.getPropertyPath(), arguments, known))
                .map(violation -> path(violation.getPropertyPath(), arguments) + ": " + violation.getMessage())
                .sorted()
                .toList();
    }

    /** LangChain4j fills the other parameters itself. */
    private static boolean isOf(Path path, List<String> arguments, Set<String> known) {
        for (Path.Node node : path) {
            if (node.getKind() == ElementKind.PARAMETER && !known.contains(argument(node, arguments))) {
                return false;
            }
        }
        return true;
    }

    private static String argument(Path.Node parameter, List<String> arguments) {
        return arguments.get(parameter.as(Path.ParameterNode.class).getParameterIndex());
    }

    private static String path(Path path, List<String> arguments) {
        JsonPointer pointer = JsonPointer.empty();
        for (Path.Node node : path) {
            if (node.isInIterable() && (node.getIndex() != null || node.getKey() != null)) {
                pointer = pointer.appendProperty(
                        String.valueOf(node.getIndex() != null ? node.getIndex() : node.getKey()));
            }
            if (node.getKind() == ElementKind.PARAMETER) {
                pointer = pointer.appendProperty(argument(node, arguments));
            } else if (node.getKind() == ElementKind.PROPERTY) {
                pointer = pointer.appendProperty(node.getName());
            }
        }
        return pointer.toString();
    }

    // --- what a form shows

    private void property(String name, ElementDescriptor value, ObjectNode schema, Set<Class<?>> within) {
        ObjectNode keywords = AguiCodec.mapper().createObjectNode();
        if (addTo(keywords, value, within)) {
            schema.withArray("/required").add(name);
        }
        if (!keywords.isEmpty()) {
            schema.withObject("/properties").set(name, keywords);
        }
    }

    /** Tells whether there must be a value. */
    private boolean addTo(ObjectNode schema, ElementDescriptor value, Set<Class<?>> within) {
        Class<?> type = value.getElementClass();
        if (type == null) { // an element of an array
            return false;
        }
        ConstraintKeywords keywords = new ConstraintKeywords(schema, type);
        boolean required = false;
        for (ConstraintDescriptor<?> constraint : value.findConstraints()
                .unorderedAndMatchingGroups(Default.class)
                .getConstraintDescriptors()) {
            required |= addTo(keywords, constraint);
        }
        if (value instanceof ContainerDescriptor container) {
            for (ContainerElementTypeDescriptor element : container.getConstrainedContainerElementTypes()) {
                ObjectNode ofElement = AguiCodec.mapper().createObjectNode();
                addTo(ofElement, element, within);
                if (!ofElement.isEmpty() && Iterable.class.isAssignableFrom(element.getContainerClass())) {
                    schema.set("items", ofElement);
                }
            }
        }
        if (value instanceof CascadableDescriptor cascadable
                && cascadable.isCascaded()
                && !type.isArray()
                && within.add(type)) {
            validator
                    .getConstraintsForClass(type)
                    .getConstrainedProperties()
                    .forEach(field -> property(field.getPropertyName(), field, schema, within));
            within.remove(type);
        }
        return required;
    }

    /** A composed constraint is all of its parts, unless its provider says that one of them is enough. */
    private static boolean addTo(ConstraintKeywords keywords, ConstraintDescriptor<?> constraint) {
        Class<?> type = constraint.getAnnotation().annotationType();
        boolean isOneOf = Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getSimpleName().equals("ConstraintComposition"));
        boolean required =
                type.getName().startsWith(BUILT_IN) && keywords.add(type.getSimpleName(), constraint.getAttributes());
        if (!isOneOf) {
            for (ConstraintDescriptor<?> part : constraint.getComposingConstraints()) {
                required |= addTo(keywords, part);
            }
        }
        return required;
    }
}
