package io.holdpoint.internal.reach;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Audience;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Notice.Kind;
import io.holdpoint.reach.Notice.Outcome;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Asked;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.TimeStep;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes notices of audit events, from the records as they are at present. Thread-safe. */
final class Notices {

    /** The kinds that are about some of the open questions of a message, and not about all. */
    private static final Set<Kind> OF_ONE = Set.of(Kind.ESCALATED, Kind.HANDED);

    private final AgentConfig<?> config;
    private final OpenStreams streams;
    private final LinkDesk links;

    Notices(AgentConfig<?> config, OpenStreams streams, LinkDesk links) {
        this.config = config;
        this.streams = streams;
        this.links = links;
    }

    /** A notice that has not been sent. */
    record Draft(Notice notice, String batchId, boolean isOfOwnerOnly) {}

    /** Empty if the event is none that people are told of, if its questions are decided by now, or if the record is gone. */
    Optional<Draft> of(AuditEvent event) {
        Optional<Kind> kind =
                switch (event.kind()) {
                    case HELD -> Optional.of(Kind.ASKED);
                    case REMINDED -> Optional.of(Kind.REMINDED);
                    case WARNED -> Optional.of(Kind.WARNED);
                    case ESCALATED -> Optional.of(Kind.ESCALATED);
                    case HANDED -> Optional.of(Kind.HANDED);
                    case EXECUTED, FAILED, NOT_EXECUTED -> Optional.of(Kind.SETTLED);
                    default -> Optional.empty();
                };
        if (kind.isEmpty() || event.interruptId().isEmpty()) {
            return Optional.empty();
        }
        String interruptId = event.interruptId().get();
        Optional<Batch> batch = config.store.findBatch(event.threadId(), Store.By.INTERRUPT, interruptId);
        Optional<ThreadHead> thread = batch.flatMap(found -> config.store.head(event.threadId()));
        return thread.flatMap(head -> draft(kind.get(), event, head, batch.get()));
    }

    private Optional<Draft> draft(Kind kind, AuditEvent event, ThreadHead thread, Batch batch) {
        List<Call> about = batch.calls().stream()
                .filter(call -> !call.asked().isEmpty())
                .filter(call -> kind == Kind.SETTLED || call.openQuestion().isPresent())
                .filter(call -> !OF_ONE.contains(kind) || isDue(kind, event, call))
                .toList();
        Predicate<Call> isDue = call -> isDue(kind, event, call);
        if (kind == Kind.SETTLED
                ? !about.stream().allMatch(isDue)
                : about.stream().noneMatch(isDue)) {
            return Optional.empty();
        }
        List<Notice.Question> questions = new ArrayList<>();
        List<String> interruptIds = new ArrayList<>();
        for (Call call : about) {
            String interruptId = last(call).question().interrupt().id();
            interruptIds.add(interruptId);
            questions.add(new Notice.Question(
                    item(thread, call),
                    audiences(kind, event, call),
                    outcome(kind, thread.threadId(), call),
                    person -> links.address(thread.threadId(), interruptId, person)));
        }
        String moment = kind == Kind.SETTLED
                ? String.join("\n", interruptIds) // a call that had not been asked about may be the last to end
                : event.runId() + "\n" + event.at() + "\n"
                        + event.detail().path("audience").asText();
        String source = String.join("\n", config.name, kind.name(), event.threadId(), batch.id(), moment);
        String id =
                UUID.nameUUIDFromBytes(source.getBytes(StandardCharsets.UTF_8)).toString();
        boolean isOfOwnerOnly = about.stream()
                .noneMatch(call ->
                        isForOthers(config, thread.threadId(), last(call).question()));
        return Optional.of(new Draft(new Notice(id, config.name, kind, questions), batch.id(), isOfOwnerOnly));
    }

    private static boolean isDue(Kind kind, AuditEvent event, Call call) {
        return switch (kind) {
            case SETTLED -> call.state().isSettled();
            case ASKED -> wasAsked(last(call), event.at());
            case REMINDED, WARNED -> {
                TimeStep.Kind step = kind == Kind.WARNED ? TimeStep.Kind.WARN : TimeStep.Kind.REMIND;
                yield isOf(event, call)
                        || !Voices.done(last(call).question(), step).isEmpty();
            }
            case ESCALATED ->
                isOf(event, call) || Voices.escalated(last(call).question()).contains(audience(event));
            case HANDED -> isOf(event, call) && isHandedLast(event, last(call).question());
        };
    }

    /** Whoever has handed it on is not asked any more; the mark is a moment older than its event. */
    private static boolean isHandedLast(AuditEvent event, Question question) {
        Instant handedAt =
                Instant.parse(Gate.metadata(question).at("/handed/at").asText());
        return !handedAt.truncatedTo(ChronoUnit.MICROS).isAfter(event.at());
    }

    private static boolean isOf(AuditEvent event, Call call) {
        return event.interruptId()
                .equals(Optional.of(last(call).question().interrupt().id()));
    }

    private static Audience audience(AuditEvent event) {
        return Audience.role(event.detail().path("audience").asText());
    }

    /** Checks whether the question was there at that time: a later one has an event of its own. */
    private static boolean wasAsked(Asked asked, Instant at) {
        return !asked.question().askedAt().truncatedTo(ChronoUnit.MICROS).isAfter(at);
    }

    private static Asked last(Call call) {
        return call.asked().get(call.asked().size() - 1);
    }

    private AskedQuestion item(ThreadHead thread, Call call) {
        Question question = last(call).question();
        return new AskedQuestion(
                thread.threadId(),
                thread.owner(),
                PendingInterrupt.of(question.interrupt().copy()),
                question.askedAt(),
                question.isExpired(config.clock.instant()));
    }

    /** Also those who decide in an agent that works as a tool, and asks through this one. */
    private static boolean isForOthers(AgentConfig<?> config, String threadId, Question question) {
        return config.authorizer != ApprovalAuthorizer.OWNER
                || Voices.of(question).areSeveral()
                || !Voices.named(question).isEmpty()
                || Restart.inside(config, threadId, question)
                        .flatMap(inside -> inside.question()
                                .filter(asked -> isForOthers(
                                        inside.agent().config(), inside.thread().threadId(), asked)))
                        .isPresent();
    }

    private static List<Audience> audiences(Kind kind, AuditEvent event, Call call) {
        Question question = last(call).question();
        return switch (kind) {
            case ESCALATED -> List.of(audience(event));
            case HANDED -> event.detail().has("audience") ? List.of(audience(event)) : List.of();
            default ->
                Stream.concat(Voices.named(question).stream(), Voices.escalated(question).stream())
                        .distinct()
                        .toList();
        };
    }

    private Optional<Outcome> outcome(Kind kind, String threadId, Call call) {
        Optional<Asked> decisive = call.answered().filter(answered -> kind == Kind.SETTLED);
        return decisive.map(answered -> {
            Answer answer = answered.answer().orElseThrow();
            Decision decision = QuestionKind.decision(call, answered.question(), answer);
            Stream<String> votes =
                    decision == Decision.APPROVED ? answered.votes().stream().map(Answer::answeredBy) : Stream.empty();
            List<String> by = decision == Decision.EXPIRED
                    ? List.of()
                    : Stream.concat(votes, Stream.of(answer.answeredBy()))
                            .distinct()
                            .toList();
            return new Outcome(
                    decision,
                    by,
                    Restart.state(config, threadId, call, answered.question())
                            .filter(Call.State::isSettled)
                            .orElse(call.state()));
        });
    }

    /** The owner, who alone may decide, has the question on the screen. */
    boolean isQuiet(Draft draft) {
        Notice notice = draft.notice();
        return notice.kind() == Kind.ASKED
                && draft.isOfOwnerOnly()
                && streams.isThere(notice.owner(), notice.threadId());
    }
}
