package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import io.holdpoint.RequiresApproval;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@link RequiresApproval} says, read and checked once. Immutable.
 *
 * @param message what to ask
 * @param editable whether the arguments may be edited
 * @param expiresAfter how long the question may be answered, if limited
 * @param idempotent whether the tool may be executed again after an attempt of unknown outcome
 */
public record ApprovalPolicy(
        MessageTemplate message, boolean editable, Optional<Duration> expiresAfter, boolean idempotent) {

    private static final Duration LONGEST = Duration.ofDays(36_525);

    /**
     * Reads an annotation.
     *
     * @param annotation the annotation
     * @param method the annotated method, for error messages
     * @param toolName the tool's name as the model sees it
     * @param parameters the tool's parameters as the model sees them
     * @return the policy
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    static ApprovalPolicy of(RequiresApproval annotation, Method method, String toolName, Set<String> parameters) {
        MessageTemplate message = annotation.message().isBlank()
                ? MessageTemplate.standard(toolName)
                : MessageTemplate.parse(annotation.message());
        for (String placeholder : message.placeholders()) {
            if (!parameters.contains(placeholder)) {
                throw illegalConfiguration(
                        "@RequiresApproval on %s: the message names {{%s}}, but the tool's parameters are %s."
                                + " Use one of them (compile with -parameters, or name parameters with @P(name = ...)).",
                        describe(method), placeholder, parameters);
            }
        }
        return new ApprovalPolicy(message, annotation.editable(), expiry(annotation, method), annotation.idempotent());
    }

    private static Optional<Duration> expiry(RequiresApproval annotation, Method method) {
        String text = annotation.expiresAfter();
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
                throw illegalConfiguration(
                        "@RequiresApproval on %s: expiresAfter = \"%s\" must be longer than zero and at most 100 years.",
                        describe(method), text);
            }
            return Optional.of(duration);
        } catch (DateTimeParseException e) {
            throw illegalConfiguration(
                    "@RequiresApproval on %s: expiresAfter = \"%s\" is not an ISO-8601 duration such as \"PT15M\" or \"P7D\".",
                    describe(method), text);
        }
    }

    static String describe(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }
}
