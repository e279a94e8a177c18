package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TimeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/**
 * Does what people do with open questions besides answering them, for the caller whom the agent is bound to, who must be one who may decide. None
 * of it says who may decide, or lets a call run, and votes stay. Questions that another agent asks in a tool are that agent's: {@link
 * ErrorCode#INTERRUPT_UNKNOWN}. Immutable, thread-safe.
 */
public final class Questions {

    /** The longest reason, and the longest name of a group, in characters. */
    static final int LONGEST = 500;

    /** Somebody as whom nobody can sign in, with the role of a group. */
    private static final String ANYBODY = "holdpoint:anybody";

    private final Inside inside;
    private final Access access;

    private Questions(Inside inside) {
        this.inside = inside;
        this.access = new Access(inside.runs().config);
    }

    /** A question as it is put from now on, with what the audit trail says of that. */
    private record Amendment(Question question, ObjectNode detail) {}

    /** Returns the questions of an agent. */
    public static Questions of(Holdpoint agent) {
        return new Questions(Inside.of(agent));
    }

    /**
     * Gives an open question more time, as much as its rule {@link MoreTime} gives. The warning that is still to come and the end come later by
     * that; the other steps of its timeline stay. The audit trail has {@code EXTENDED}.
     *
     * @return the time at which it expires now
     * @throws RunRejectedException if it does not expire, has no such rule or no time left to give ({@link ErrorCode#INPUT_INVALID}); the caller may not
     *     decide it, or has voted ({@link ErrorCode#INTERRUPT_FORBIDDEN}); it is not open ({@link ErrorCode#INTERRUPT_UNKNOWN}) or has expired
     *     ({@link ErrorCode#INTERRUPT_EXPIRED}); the caller has no such thread ({@link ErrorCode#THREAD_NOT_FOUND}); a run is at work on it
     *     ({@link ErrorCode#RUN_IN_PROGRESS}); or the agent is shut down
     */
    public Instant moreTime(String threadId, String interruptId) {
        AtomicReference<Instant> end = new AtomicReference<>();
        Caller caller = inside.caller();
        String thread = inside.thread(caller, threadId);
        amend(caller, thread, interruptId, AuditEvent.Kind.EXTENDED, (found, question) -> {
            Question later = later(question);
            end.set(Objects.requireNonNull(later.interrupt().expiresAt()));
            return new Amendment(later, object().put("expiresAt", end.get().toString()));
        });
        return end.get();
    }

    private static Question later(Question question) {
        Interrupt interrupt = question.interrupt().copy();
        Instant expiresAt = interrupt.expiresAt();
        ObjectNode metadata = Objects.requireNonNullElseGet(interrupt.metadata(), Questions::object);
        int left = metadata.at("/langchain4j/moreTime/left").asInt();
        if (expiresAt == null || left < 1) {
            throw invalid("moreTime: this question " + (expiresAt == null ? "does not expire." : "gets no more time."));
        }
        ObjectNode rule = metadata.withObject("/langchain4j/moreTime").put("left", left - 1);
        Duration by = Duration.parse(rule.path("by").asText());
        List<TimeStep> timeline = new ArrayList<>();
        for (TimeStep step : question.timeline()) {
            timeline.add(isLater(step.kind()) ? step.later(by) : step);
        }
        for (JsonNode told : metadata.at("/langchain4j/timeline")) {
            Instant at = Instant.parse(told.path("at").asText());
            String step = told.path("step").asText();
            boolean isToCome = question.timeline().stream()
                    .anyMatch(each -> each.at().equals(at)
                            && isLater(each.kind())
                            && step.equals(each.kind().name().toLowerCase(Locale.ROOT)));
            if (isToCome) {
                ((ObjectNode) told).put("at", at.plus(by).toString());
            }
        }
        timeline.sort((one, other) -> one.at().compareTo(other.at()));
        Interrupt asked = new Interrupt(
                interrupt.id(),
                interrupt.reason(),
                interrupt.message(),
                interrupt.toolCallId(),
                interrupt.responseSchema(),
                expiresAt.plus(by),
                metadata);
        return new Question(question.kind(), asked, question.askedAt(), question.kept(), timeline);
    }

    private static boolean isLater(TimeStep.Kind kind) {
        return kind.isEnd() || kind == TimeStep.Kind.WARN;
    }

    /**
     * Hands an open question to another person who may decide it, as a mark for people: it shows {@code metadata.langchain4j.handed}:
     * {@code {"to": "henry", "by": "grace", "at": "...", "reason"?: "..."}}, until somebody hands it on, and everybody who may decide it still may.
     * The audit trail has {@code HANDED}.
     *
     * @param person id of the other one, whom {@link io.holdpoint.HoldpointBuilder#people} knows
     * @param reason for that person, up to 500 characters; blank for none
     * @throws RunRejectedException as {@link #moreTime}, and if the agent does not know that person, who may decide it, or the reason is too long
     *     ({@link ErrorCode#INPUT_INVALID})
     */
    public void hand(String threadId, String interruptId, String person, String reason) {
        hand(threadId, interruptId, "to", person, reason, (found, question) -> inside.runs()
                .config
                .people
                .flatMap(people -> people.apply(person))
                .filter(known -> known.id().equals(person) && access.mayDecide(known, found, question))
                .isPresent());
    }

    /**
     * Hands an open question to a group of people, as a mark for them: it has {@code "audience": "treasury"} in the place of {@code "to"}. It gives
     * its people no right.
     *
     * @param audience one that the question asks, by its policy or by an escalation, or else a role with which somebody else may decide it
     * @param reason for those people, up to 500 characters; blank for none
     * @throws RunRejectedException as {@link #moreTime}, and if the question is not for that group, or its name or the reason is too
     *     long ({@link ErrorCode#INPUT_INVALID})
     */
    public void hand(String threadId, String interruptId, Audience audience, String reason) {
        Caller anybody = Caller.of(ANYBODY, audience.name());
        hand(
                threadId,
                interruptId,
                "audience",
                audience.name(),
                reason,
                (found, question) -> Voices.named(question).contains(audience)
                        || Voices.escalated(question).contains(audience)
                        || access.mayDecide(anybody, found, question));
    }

    private void hand(
            String threadId,
            String interruptId,
            String field,
            String whom,
            String reason,
            BiPredicate<ThreadRecord, Question> isFor) {
        Caller caller = inside.caller();
        String thread = inside.thread(caller, threadId);
        if (Math.max(reason.length(), whom.length()) > LONGEST) {
            throw invalid("reason, " + field + ": must have at most " + LONGEST + " characters.");
        }
        amend(caller, thread, interruptId, AuditEvent.Kind.HANDED, (found, question) -> {
            if (!isFor.test(found, question)) {
                throw invalid(field + ": this agent knows nobody of this name who may decide the question.");
            }
            ObjectNode detail = object().put(field, whom);
            if (!reason.isBlank()) {
                detail.put("reason", reason.strip());
            }
            Interrupt interrupt = question.interrupt().copy();
            ObjectNode metadata = Objects.requireNonNull(interrupt.metadata());
            Instant now = inside.runs().config.clock.instant();
            metadata.withObject("/langchain4j")
                    .set("handed", detail.deepCopy().put("by", caller.id()).put("at", now.toString()));
            return new Amendment(question.with(interrupt), detail);
        });
    }

    /** Stores what is made of an open question that the caller may decide; what that throws leaves all as it was. */
    private void amend(
            Caller caller,
            String threadId,
            String interruptId,
            AuditEvent.Kind kind,
            BiFunction<ThreadRecord, Question, Amendment> amending) {
        AgentConfig<?> config = inside.runs().config;
        if (config.store
                .find(threadId)
                .filter(thread -> access.allows(caller, thread))
                .isEmpty()) {
            throw new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, "There is no such thread for this caller.");
        }
        boolean done = inside.runs().commit(caller, threadId, thread -> {
            Question question = open(thread, interruptId);
            if (!access.mayDecide(caller, thread, question)) {
                throw new RunRejectedException(
                        ErrorCode.INTERRUPT_FORBIDDEN, "The question is for others, or this caller has voted on it.");
            }
            if (question.isExpired(config.clock.instant())) {
                throw new RunRejectedException(ErrorCode.INTERRUPT_EXPIRED, "The time for an answer is over.");
            }
            Amendment made = amending.apply(thread, question);
            String shown = PendingInterrupt.of(question.interrupt()).fingerprint();
            Question told = Gate.annotated(made.question(), metadata -> metadata.put(Gate.FINGERPRINT, shown));
            return thread.batch().orElseThrow().amended(told, kind, made.detail());
        });
        if (!done) {
            throw new RunRejectedException(ErrorCode.RUN_IN_PROGRESS, "A run is at work on the thread. Try again.");
        }
    }

    private static Question open(ThreadRecord thread, String interruptId) {
        return thread.batch().stream()
                .flatMap(batch -> batch.openQuestions().stream())
                .filter(question -> question.interrupt().id().equals(interruptId))
                .filter(question -> !Voices.isDelegated(question)) // whose record and time are the other agent's
                .findFirst()
                .orElseThrow(() -> new RunRejectedException(
                        ErrorCode.INTERRUPT_UNKNOWN,
                        "No such question is open in this thread, or another agent asks it."));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static RunRejectedException invalid(String message) {
        return new RunRejectedException(ErrorCode.INPUT_INVALID, message);
    }
}
