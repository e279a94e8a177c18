package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who must be asked about a tool, and how: what one {@link RequiresApproval} or one {@link ToolPolicy} says, read and checked
 * once. Immutable.
 *
 * @param condition decides per call
 * @param message what to ask
 * @param options what an answer may do
 * @param preview what the person sees besides the arguments, if anything
 * @param expiresAfter how long the question may be answered, if limited
 * @param idempotent whether the tool may be executed again after an attempt of unknown outcome
 * @param remembering whether an approval may be remembered
 * @param destructive whether it says that the tool is destructive
 */
public record Policy(
        ApprovalCondition condition,
        MessageTemplate message,
        AnswerOptions options,
        Optional<ApprovalPreview> preview,
        Optional<Duration> expiresAfter,
        boolean idempotent,
        Remembering remembering,
        boolean destructive) {

    private static final Logger LOG = LoggerFactory.getLogger(Policy.class);
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /**
     * Reads an annotation.
     *
     * @param annotation the annotation
     * @param condition the condition that it names
     * @param preview the preview that it names, if it does
     * @param method the annotated method, for error messages
     * @param toolName the tool's name as the model sees it
     * @param parameters the tool's parameters as the model sees them
     * @return the policy
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    static Policy of(
            RequiresApproval annotation,
            ApprovalCondition condition,
            Optional<ApprovalPreview> preview,
            Method method,
            String toolName,
            Set<String> parameters) {
        String where = "@RequiresApproval on " + describe(method);
        return new Policy(
                condition,
                message(annotation.message(), where, toolName, parameters),
                new AnswerOptions(
                        editable(annotation.editable(), Arrays.asList(annotation.editableArgs()), where, parameters),
                        annotation.respond()),
                preview,
                expiry(annotation.expiresAfter(), where),
                annotation.idempotent(),
                Remembering.of(
                        List.of(annotation.remember()),
                        duration("rememberFor", annotation.rememberFor(), where),
                        annotation.destructive(),
                        where),
                annotation.destructive());
    }

    /**
     * Reads a policy of the application.
     *
     * @param policy the policy
     * @param toolName the tool's name as the model sees it
     * @param parameters the tool's parameters as the model sees them
     * @return the policy for that tool
     * @throws dev.langchain4j.service.IllegalConfigurationException if its message or {@code editableArgs} name what is no parameter
     */
    static Policy of(ToolPolicy policy, String toolName, Set<String> parameters) {
        String where = "The policy for " + policy.description() + ", applied to the tool \"" + toolName + "\"";
        policy.expiry().ifPresent(duration -> requireSensible(duration, duration.toString(), where));
        return new Policy(
                policy.condition(),
                message(policy.message(), where, toolName, parameters),
                new AnswerOptions(
                        editable(policy.isEditable(), policy.editable(), where, parameters), policy.responds()),
                policy.previewed(),
                policy.expiry(),
                false,
                Remembering.of(policy.remembered(), policy.rememberedFor(), policy.isDestructive(), where),
                policy.isDestructive());
    }

    /** The same, whatever it says of edits. */
    Policy withoutEdits() {
        return new Policy(
                condition,
                message,
                new AnswerOptions(Optional.empty(), options.respond()),
                preview,
                expiresAfter,
                idempotent,
                remembering,
                destructive);
    }

    private static MessageTemplate message(String text, String where, String toolName, Set<String> parameters) {
        return requireKnown(
                text.isBlank() ? MessageTemplate.standard(toolName) : MessageTemplate.parse(text), where, parameters);
    }

    /** Refuses a placeholder that is no parameter. */
    static MessageTemplate requireKnown(MessageTemplate message, String where, Set<String> parameters) {
        for (String placeholder : message.placeholders()) {
            if (!parameters.contains(placeholder)) {
                throw illegalConfiguration(
                        "%s: the message names {{%s}}, but the tool's parameters are %s. Use one of them (compile with"
                                + " -parameters, or name parameters with @P(name = ...)).",
                        where, placeholder, parameters);
            }
        }
        return message;
    }

    private static Optional<Set<String>> editable(
            boolean isEditable, Collection<String> only, String where, Set<String> parameters) {
        for (String name : only) {
            if (!parameters.contains(name)) {
                throw illegalConfiguration(
                        "%s: editableArgs names \"%s\", but the tool's parameters are %s. Use some of them (compile"
                                + " with -parameters, or name parameters with @P(name = ...)).",
                        where, name, parameters);
            }
        }
        if (!isEditable && !only.isEmpty()) {
            throw illegalConfiguration(
                    "%s: editable = false and editableArgs = %s contradict each other. Remove one of them.",
                    where, new TreeSet<>(only));
        }
        return isEditable ? Optional.of(only.isEmpty() ? parameters : Set.copyOf(only)) : Optional.empty();
    }

    static Optional<Duration> expiry(String text, String where) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        Duration duration = duration("expiresAfter", text, where);
        requireSensible(duration, text, where);
        return Optional.of(duration);
    }

    private static Duration duration(String attribute, String text, String where) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw illegalConfiguration(
                    "%s: %s = \"%s\" is not an ISO-8601 duration such as \"PT15M\" or \"P7D\".",
                    where, attribute, text);
        }
    }

    private static void requireSensible(Duration duration, String text, String where) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
            throw illegalConfiguration(
                    "%s: expiresAfter = \"%s\" must be longer than zero and at most 100 years.", where, text);
        }
    }

    /**
     * What the condition says; a condition that fails says that a person must be asked.
     *
     * @param call the call
     * @return the verdict
     */
    ApprovalVerdict evaluate(ProposedCall call) {
        try {
            return Objects.requireNonNull(condition.evaluate(call), "the condition answered null");
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn("The condition for {} failed; a person is asked", call.toolName(), e);
            return ApprovalVerdict.requireApproval();
        }
    }

    static String describe(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }
}
