package io.holdpoint.internal.reach;

import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.input.Preflight.Answers;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.reach.LinkView;
import io.holdpoint.reach.LinkView.Sentence;
import io.holdpoint.reach.LinkView.State;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Links.Link;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TimeStep;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes links, opens them, and takes what is pressed on their pages. The record is the authority: a link only names a person, a
 * question and what was shown of it. Opening writes nothing. Thread-safe.
 */
public final class LinkDesk {

    /** The longest time for which a link counts; a reminder brings another one. */
    private static final Duration LONGEST = Duration.ofDays(7);

    /** Of a question's fingerprint, in a link. */
    private static final int HASH_LENGTH = 32;

    private final AgentConfig<?> config;
    private final Access access;
    private volatile Optional<Links> made = Optional.empty();

    LinkDesk(AgentConfig<?> config) {
        this.config = config;
        this.access = new Access(config);
    }

    void use(Links links) {
        made = Optional.of(links);
    }

    private record Seen(ThreadRecord thread, Batch batch, Call call, Call.Asked asked) {

        Question question() {
            return asked.question();
        }

        boolean isOpen() {
            return call.openQuestion().filter(question()::equals).isPresent();
        }

        /** Tells whether the answer was an edit, about which the next question asks. */
        boolean isChanged() {
            List<Question> all = call.questions();
            return call.openQuestion().isPresent()
                    && all.stream().skip(all.indexOf(question()) + 1L).limit(1).anyMatch(next -> PendingInterrupt.of(
                                    next.interrupt())
                            .editedBy()
                            .isPresent());
        }
    }

    /** The address for a person; empty if there are no links, or no such open question, or the person requested a call that others decide about. */
    public Optional<URI> address(String threadId, String interruptId, String person) {
        if (made.isEmpty()) {
            return Optional.empty();
        }
        Links links = made.get();
        return find(threadId, interruptId)
                .filter(Seen::isOpen)
                .filter(seen -> !seen.thread().owner().equals(person)
                        || found(person).filter(owner -> mayDecide(owner, seen)).isPresent())
                .map(seen -> links.address(
                        new Link(threadId, interruptId, person, shown(seen.question()), now().plus(LONGEST))));
    }

    private Instant now() {
        return config.clock.instant();
    }

    private static String shown(Question question) {
        return PendingInterrupt.of(question.interrupt()).fingerprint().substring(0, HASH_LENGTH);
    }

    private Optional<Seen> find(String threadId, String interruptId) {
        return config.store.find(threadId).flatMap(thread -> config.store
                .findBatch(threadId, Store.By.INTERRUPT, interruptId)
                .flatMap(batch -> batch.asked(interruptId)
                        .map(call -> new Seen(
                                thread, batch, call, call.asked(interruptId).orElseThrow()))));
    }

    /** Opens a link for a reader: whoever is signed in, or nobody. */
    public LinkView open(Caller reader, String token) {
        if (made.isEmpty()) {
            return LinkView.invalid();
        }
        Links links = made.get();
        Link link;
        try {
            link = links.read(token);
        } catch (IllegalArgumentException e) {
            return view(State.INVALID, String.valueOf(e.getMessage()));
        }
        Optional<Seen> seen = find(link.threadId(), link.interruptId());
        if (!now().isBefore(link.end()) || seen.filter(this::isTooLate).isPresent()) {
            return view(State.EXPIRED, "This link has expired. Ask for a new one, if the question is still open.");
        }
        if (seen.isEmpty()) {
            return view(State.INVALID, "This question does not exist, or no longer exists.");
        }
        boolean isSignedIn = isSignedIn(reader, link);
        if (!isSignedIn && !isNobody(reader)) {
            return view(
                    State.FORBIDDEN,
                    List.of(named("This link is for somebody else: you are signed in as {name}.", reader.id())));
        }
        if (!isSignedIn && !ApprovalForm.isDecidedByLink(seen.get().question())) {
            Optional<URI> page = links.page(link);
            String text = page.isPresent()
                    ? "Sign in to see this question and to decide."
                    : "Sign in to see this question and to decide, in the application that asks: this page has no sign-in of its own.";
            return new LinkView(State.SIGN_IN, List.of(sentence(text)), Optional.empty(), page);
        }
        return person(reader, link)
                .filter(person -> access.allows(person, seen.get().thread()))
                .map(person -> view(person, link, seen.get()))
                .orElseGet(LinkDesk::forbidden);
    }

    /** A question may have been given more time since the link was made. */
    private boolean isTooLate(Seen seen) {
        return seen.isOpen() && seen.question().isExpired(now());
    }

    private static boolean isNobody(Caller reader) {
        return reader.id().equals(Caller.ANONYMOUS.id());
    }

    /** The owner of a thread that nobody owns cannot sign in. */
    private static boolean isSignedIn(Caller reader, Link link) {
        return reader.id().equals(link.person()) && !isNobody(reader);
    }

    /** The person of a link, as they are now. */
    private Optional<Caller> person(Caller reader, Link link) {
        return isSignedIn(reader, link) ? Optional.of(reader) : found(link.person());
    }

    private Optional<Caller> found(String person) {
        return config.people
                .map(directory -> directory.apply(person))
                .orElseGet(() -> Optional.of(Caller.of(person)))
                .filter(found -> found.id().equals(person))
                .filter(found -> found.equals(Caller.ANONYMOUS) || !found.isReserved());
    }

    private LinkView view(Caller person, Link link, Seen seen) {
        Optional<Answer> answer = seen.asked().answer();
        if (answer.isPresent()) {
            return settled(person, answer.get(), seen);
        }
        if (!seen.isOpen() || !shown(seen.question()).equals(link.shown())) {
            return view(State.STALE, "The question has changed since this link was made. Ask for a new link.");
        }
        if (Voices.isAmong(person, seen.call().votes())) {
            int missing = Voices.of(seen.question()).approvals().needed()
                    - seen.call().votes().size();
            String text = missing == 1 ? "It waits for {n} more approval." : "It waits for {n} more approvals.";
            return view(
                    State.WAITS,
                    List.of(sentence(Did.APPROVED.you), new Sentence(text, Map.of("n", "" + missing))),
                    seen);
        }
        if (!mayDecide(person, seen)) {
            return forbidden();
        }
        Optional<PendingInterrupt> question = asked(seen);
        String owner = seen.thread().owner();
        boolean isNews = !owner.equals(person.id()) && !owner.equals(Caller.ANONYMOUS.id());
        List<Sentence> said = new ArrayList<>();
        if (isNews) {
            said.add(named("Asked in a conversation of {name}.", owner));
        }
        if (ApprovalForm.isDecidedByLink(seen.question())) {
            return new LinkView(State.OPEN, said, question, Optional.empty());
        }
        said.add(sentence("You decide this in the application: no link decides about it."));
        return new LinkView(State.POINTER, said, question, made.flatMap(links -> links.page(link)));
    }

    private boolean mayDecide(Caller person, Seen seen) {
        String owner = seen.thread().owner();
        return access.shown(person, seen.thread().threadId(), owner, Optional.of(seen.batch())).stream()
                .filter(each ->
                        each.interrupt().id().equals(seen.question().interrupt().id()))
                .map(Question::interrupt)
                .anyMatch(shown -> shown.metadata() == null
                        || shown.metadata().at("/langchain4j/mayDecide").asBoolean(owner.equals(person.id())));
    }

    private LinkView settled(Caller person, Answer answer, Seen seen) {
        boolean hasAnswered = answer.answeredBy().equals(person.id());
        if (!hasAnswered && seen.isChanged()) {
            return view(
                    State.STALE,
                    List.of(named(
                            "{name} has changed this call, and it is asked about again. Ask for a new link.",
                            answer.answeredBy())));
        }
        boolean isTheirs = hasAnswered
                || (ApprovalForm.approves(answer.payload())
                        && !isEdited(answer, seen)
                        && Voices.isAmong(person, seen.asked().votes()));
        Optional<Did> did =
                switch (answer.how()) {
                    case RESOLVED -> Optional.of(resolved(answer, seen));
                    case CANCELLED, STEERED_AWAY -> Optional.of(Did.CANCELLED);
                    case EXPIRED, UNANSWERED, UNKNOWN -> Optional.empty();
                };
        if (did.isEmpty()) {
            return view(State.EXPIRED, notExecuted("Nobody has decided this in time.", seen));
        }
        List<Sentence> said = new ArrayList<>();
        said.add(isTheirs ? sentence(did.get().you) : named(did.get().other, answer.answeredBy()));
        outcome(seen).map(LinkDesk::sentence).ifPresent(said::add);
        return isTheirs ? view(State.DECIDED, said, seen) : view(State.SETTLED, said);
    }

    /** An answer in words, to the person who gave it and to others. */
    private enum Did {
        APPROVED("You have approved this.", "{name} has approved this."),
        CHANGED("You have changed this call and approved it.", "{name} has changed this call and approved it."),
        DENIED("You have denied this.", "{name} has denied this."),
        ANSWERED("You have answered this.", "{name} has answered this."),
        CANCELLED("You have cancelled this.", "{name} has cancelled this.");

        private final String you;
        private final String other;

        Did(String you, String other) {
            this.you = you;
            this.other = other;
        }
    }

    /** Says that the call of an approval was not executed. A call about which a tool asks while it runs has begun. */
    private static List<Sentence> notExecuted(String before, Seen seen) {
        boolean isApproval = PendingInterrupt.of(seen.question().interrupt()) instanceof PendingInterrupt.Approval;
        return isApproval
                ? List.of(sentence(before), sentence("The call was not executed."))
                : List.of(sentence(before));
    }

    /** Only what asks whether something may run is denied: a failed call that is not tried again has run. */
    private static Did resolved(Answer answer, Seen seen) {
        if (ApprovalForm.approves(answer.payload())) {
            return isEdited(answer, seen) ? Did.CHANGED : Did.APPROVED;
        }
        return QuestionKind.decision(seen.call(), seen.question(), answer) == Decision.DENIED
                ? Did.DENIED
                : Did.ANSWERED;
    }

    private static boolean isEdited(Answer answer, Seen seen) {
        return answer.payload() != null && QuestionKind.isEdited(seen.question(), answer.payload());
    }

    /** Of the call that the question was about, also if an agent has asked it that works in this one. Empty if that is not known any more. */
    private Optional<String> outcome(Seen seen) {
        return Restart.state(config, seen.thread().threadId(), seen.call(), seen.question())
                .map(state -> outcome(seen, state));
    }

    private static String outcome(Seen seen, Call.State state) {
        return switch (state) {
            case EXECUTED -> "It was executed.";
            case FAILED ->
                isUnknown(seen.call()) ? "Nobody knows whether it was executed." : "It was executed, and it failed.";
            case NOT_EXECUTED -> "It was not executed.";
            case PENDING -> "It is asked about again.";
            case DECIDED, CLAIMED, UNKNOWN ->
                seen.batch().isOpen()
                        ? "It goes on when the other questions of the same message are answered."
                        : "It goes on now.";
        };
    }

    /** Checks whether it was asked at last what had become of a failed call, and it has not begun again since. */
    private static boolean isUnknown(Call call) {
        Call.Asked last = call.asked().get(call.asked().size() - 1);
        boolean isAsked = last.question().interrupt().reason().equals(PendingInterrupt.UnknownOutcome.REASON);
        boolean isTriedAgain = last.answer()
                        .filter(answer -> answer.how() == Answer.How.RESOLVED)
                        .isPresent()
                && call.attempts().size()
                        > Gate.metadata(last.question()).path("attempts").asInt();
        return isAsked && !isTriedAgain;
    }

    /** Takes an answer of the link's person, if they may decide now, and shows what came of it. */
    public LinkView press(Caller reader, String token, ResumeEntry answer, AgentRuns<?> runs) {
        LinkView before = open(reader, token);
        if (before.state() != State.OPEN) {
            return before;
        }
        Link link = made.orElseThrow().read(token);
        if (!answer.interruptId().equals(link.interruptId())) {
            throw new IllegalArgumentException(
                    "The answer is for " + answer.interruptId() + ", the link for " + link.interruptId());
        }
        Caller person = person(reader, link).orElseThrow();
        String threadId = config.threadIds.toClient(person, link.threadId());
        RunAgentInput answered =
                RunAgentInput.of(threadId, Ids.run(), List.of()).withResume(List.of(answer));
        Decided decided = runs.decide(person, answered, Answers.BY_LINK, config.executor, true);
        LinkView after = open(reader, token);
        if (after.state() == State.OPEN && decided instanceof Decided.Refused refused) {
            return refused.code() == ErrorCode.INTERRUPT_FORBIDDEN
                    ? forbidden()
                    : new LinkView(
                            State.REFUSED,
                            List.of(sentence(refused.code().sentence())),
                            after.question(),
                            Optional.empty());
        }
        return after;
    }

    private static String name(String caller) {
        return ModelTexts.shown(TimeStep.nameOf(caller));
    }

    private static LinkView forbidden() {
        return view(State.FORBIDDEN, "You may not decide this. Somebody else has to.");
    }

    private static LinkView view(State state, String text) {
        return view(state, List.of(sentence(text)));
    }

    /** Names the question that the person has decided: they saw it then. */
    private static LinkView view(State state, List<Sentence> sentences, Seen seen) {
        return new LinkView(state, sentences, asked(seen), Optional.empty());
    }

    private static Optional<PendingInterrupt> asked(Seen seen) {
        return Optional.of(PendingInterrupt.of(seen.question().interrupt().copy()));
    }

    private static LinkView view(State state, List<Sentence> sentences) {
        return new LinkView(state, sentences, Optional.empty(), Optional.empty());
    }

    private static Sentence sentence(String text) {
        return new Sentence(text, Map.of());
    }

    private static Sentence named(String text, String caller) {
        return new Sentence(text, Map.of("name", name(caller)));
    }
}
