package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Proposal;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.AuditEvent;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Calls that somebody has to approve. Each is proposed on a thread of its own, whose id is made of the client's name, the tool and the
 * arguments, so that the same call finds its question, on every node and after a restart. Thread-safe.
 */
final class HeldCalls {

    /** Begins the ids of the callers that propose. */
    static final String ASSISTANT = "mcp:";

    private static final Logger LOG = LoggerFactory.getLogger(HeldCalls.class);

    /** The time for which the result of a call is given again to the same call: its answer may have been lost on its way. */
    private static final Duration REPEATED = Duration.ofMinutes(2);

    private static final Duration LOOKS = Duration.ofMillis(250);
    private static final int LOOKS_PER_PROGRESS = 20;
    private static final int KEPT = 10_000;
    private static final int PAGE = 500;
    private static final int MOST_THREADS = 100;

    /** Over HTTP a call that waits keeps a thread of the server, which the page of those who decide needs, too. */
    static final int MOST_WAITING = 100;

    /** Of one client: people must find what others ask. */
    private static final int MOST_HELD = 100;

    private static final String FULL =
            MOST_HELD + " calls of this client wait for people already. Let them decide these first.";

    private static final String AGAIN =
            " Call again with the same arguments to learn what became of it; it runs once, however often you call.";

    private static final String AT_WORK = "Not known yet: this call is being worked on at this moment." + AGAIN;

    private final Holdpoint agent;
    private final Duration waiting;
    private final String decidedAt;
    private final Clock clock;
    private final Scheduler work;

    /** When the results of proposals were given to their clients. */
    private final Map<String, Instant> given = new ConcurrentHashMap<>();

    /** Questions that a form asks by now: a call that is made again opens no second one. */
    private final Set<String> forms = ConcurrentHashMap.newKeySet();

    private final AtomicInteger waits = new AtomicInteger();

    /** A proposal, and whether its result is of an earlier call. */
    private record Found(Proposal proposal, boolean isKnown) {}

    /** The last proposal of a thread, as its trail tells of it: they are numbered from 0; -1 if there is none. */
    private record Last(int number, boolean wasHeld) {}

    /**
     * @param page where people decide
     * @param work where the store is asked
     */
    HeldCalls(Holdpoint agent, Duration waiting, String page, Clock clock, Scheduler work) {
        this.agent = agent;
        this.waiting = waiting;
        decidedAt = "A person decides at " + page + ".";
        this.clock = clock;
        this.work = work;
    }

    /** Proposes a call, or finds it; gives its result, or says after a while that it is held. No thread waits for people. */
    Mono<CallToolResult> call(Client client) {
        return Mono.fromCallable(() -> propose(client))
                .subscribeOn(work)
                .flatMap(found -> result(client, found))
                .onErrorResume(
                        RunRejectedException.class,
                        e -> Mono.just(Results.said(
                                e.code() == ErrorCode.RUN_IN_PROGRESS
                                        ? AT_WORK
                                        : "The call of \"" + client.toolName() + "\" was not made: " + e.getMessage(),
                                true)));
    }

    private Mono<CallToolResult> result(Client client, Found found) {
        Proposal proposal = found.proposal();
        if (proposal.isOver()) {
            return Mono.just(give(client, found));
        }
        return Mono.using(
                () -> waits.incrementAndGet() > MOST_WAITING,
                isOneTooMany -> waited(client, proposal, isOneTooMany),
                over -> waits.decrementAndGet());
    }

    private Mono<CallToolResult> waited(Client client, Proposal proposal, boolean isOneTooMany) {
        Mono<?> answered = isOneTooMany ? Mono.empty() : decideByForm(client, proposal);
        Mono<?> time = Mono.delay(isOneTooMany ? Duration.ZERO : waiting);
        Mono<?> end = client.formsEndWithCalls() ? answered.then(time) : time;
        Holdpoint own = agent.as(caller(client));
        Mono<CallToolResult> atTheEnd = Mono.fromCallable(() ->
                told(client, own.proposal(proposal.threadId(), proposal.id()).orElse(proposal)));
        return Flux.interval(LOOKS)
                .onBackpressureDrop()
                .concatMap(look -> Mono.fromCallable(() -> look(client, own, proposal, look))
                        .subscribeOn(work))
                .flatMap(Mono::justOrEmpty)
                .next()
                .timeout(end, atTheEnd.subscribeOn(work));
    }

    private Optional<CallToolResult> look(Client client, Holdpoint own, Proposal proposal, long look) {
        if (look % LOOKS_PER_PROGRESS == 0) {
            double seconds = LOOKS.multipliedBy(look).toMillis() / 1_000.0;
            client.progress().accept(seconds, "Waiting for a person to decide. " + decidedAt);
        }
        return own.proposal(proposal.threadId(), proposal.id())
                .filter(Proposal::isOver)
                .map(ended -> told(client, ended));
    }

    // --- proposing

    private Found propose(Client client) {
        Holdpoint own = agent.as(caller(client));
        ObjectNode arguments = ToolArguments.canonical(AguiCodec.mapper().valueToTree(client.arguments()));
        String call = client.name() + "\n" + client.tool().name() + "\n" + ToolArguments.write(arguments);
        String key = "mcp-" + ToolArguments.sha256(call).substring(0, 32);
        for (int i = 0; ; i++) {
            String thread = i == 0 ? key : key + "-" + i;
            try {
                return propose(own, thread, client.tool(), arguments);
            } catch (RunRejectedException e) {
                boolean isPurged = e.code() == ErrorCode.INPUT_INVALID
                        && own.auditTrail(thread, 0, 1).isEmpty()
                        && !String.valueOf(e.getMessage()).matches("(?s)(tool|arguments|id): .*");
                if (!isPurged || i == MOST_THREADS) {
                    throw e;
                }
            }
        }
    }

    private Found propose(Holdpoint own, String thread, UpstreamTool tool, ObjectNode arguments) {
        Last last = last(own, thread);
        Optional<Proposal> known = own.proposal(thread, thread + "." + last.number());
        if (known.isPresent()) {
            Proposal before = known.get();
            if (!before.isOver()) { // which also lets it go on if its server has died
                return new Found(own.propose(thread, tool.name(), arguments, before.id()), false);
            }
            // nobody was given it, as far as this process knows, or it may have been lost on its way
            Instant givenAt = given.get(before.id());
            if (givenAt == null ? last.wasHeld() : givenAt.plus(REPEATED).isAfter(clock.instant())) {
                return new Found(before, true);
            }
        }
        Inbox held = Follow.of(own).inbox(Inbox.Scope.OWN, Optional.empty(), MOST_HELD);
        if (held.items().size() >= MOST_HELD) {
            throw new RunRejectedException(ErrorCode.SERVER_BUSY, FULL);
        }
        return new Found(own.propose(thread, tool.name(), arguments, thread + "." + (last.number() + 1)), false);
    }

    /** Reads the end of a trail, however long that is. */
    private static Last last(Holdpoint own, String thread) {
        long step = PAGE;
        while (!own.auditTrail(thread, step, 1).isEmpty()) {
            step *= 2;
        }
        long begin = 0;
        while ((step /= 2) >= PAGE) {
            begin += own.auditTrail(thread, begin + step, 1).isEmpty() ? 0 : step;
        }
        int number = -1;
        boolean wasHeld = false;
        for (AuditEvent event : own.auditTrail(thread, Math.max(0, begin - PAGE), 2 * PAGE)) {
            String id = event.toolCallId().orElse("");
            int its = id.startsWith(thread + ".") ? Integer.parseInt(id.substring(thread.length() + 1)) : -1;
            wasHeld = event.kind() == AuditEvent.Kind.HELD && its >= number || wasHeld && its <= number;
            number = Math.max(number, its);
        }
        return new Last(number, wasHeld);
    }

    private static Caller caller(Client client) {
        return Caller.of(ASSISTANT + client.name());
    }

    // --- answering the client

    private CallToolResult give(Client client, Found found) {
        Proposal proposal = found.proposal();
        given.putIfAbsent(proposal.id(), clock.instant());
        if (given.size() > KEPT) { // the others count as not given, as after a restart
            given.values().removeIf(at -> at.plus(REPEATED).isBefore(clock.instant()));
        }
        ToolExecutionResult stored = proposal.result().orElseThrow();
        boolean isError = proposal.state() != Proposal.State.EXECUTED;
        CallToolResult result = Results.read(client.asItKnows(stored.resultText()), isError);
        return found.isKnown()
                ? Results.remarked("This call was made before, and has not been made again. What became of it:", result)
                : result;
    }

    private CallToolResult told(Client client, Proposal proposal) {
        if (proposal.isOver()) {
            return give(client, new Found(proposal, false));
        } else if (proposal.state() == Proposal.State.GOES_ON) {
            return Results.said(AT_WORK, true);
        }
        String question = proposal.open().stream()
                .map(open -> "question " + open.interrupt().id())
                .findFirst()
                .orElse("proposal " + proposal.id());
        String text = "Not run yet: the call of \"" + client.toolName() + "\" is held as " + question
                + ", until a person has decided. " + decidedAt + AGAIN;
        return Results.said(text, true);
    }

    // --- the user of the assistant

    /** Ends when the form is answered, and what was approved has run; at once without one. */
    private Mono<?> decideByForm(Client client, Proposal proposal) {
        Optional<PendingInterrupt.Approval> question = proposal.open().stream()
                .filter(PendingInterrupt.Approval.class::isInstance)
                .map(PendingInterrupt.Approval.class::cast)
                .findFirst();
        String form =
                client.session() + " " + question.map(PendingInterrupt::id).orElse("");
        Mono<?> answered = question.filter(open -> !forms.contains(form))
                .flatMap(client.ask())
                .filter(answer -> forms.add(form))
                .<Mono<?>>map(answer -> answer.publishOn(work)
                        .doFinally(end -> forms.remove(form))
                        .flatMap(given -> decide(client, proposal, question.get(), given))
                        .doOnError(e -> LOG.debug("The client has shown no form", e))
                        .onErrorComplete()
                        .cache())
                .orElse(Mono.empty());
        answered.subscribe();
        return answered;
    }

    private Mono<?> decide(Client client, Proposal proposal, PendingInterrupt.Approval question, ElicitResult given) {
        if (given.action() == ElicitResult.Action.CANCEL) {
            return Mono.empty();
        }
        Map<String, Object> said = given.action() == ElicitResult.Action.DECLINE ? McpInbox.DENIAL : given.content();
        Decided decided = McpInbox.decide(agent.as(client.user()), proposal.threadId(), question, said);
        if (decided instanceof Decided.Refused refused) {
            LOG.warn("An answer by a form was not taken: {}", refused.message());
        }
        return decided instanceof Decided.Runs runs ? Mono.fromFuture(runs.result()) : Mono.empty();
    }
}
