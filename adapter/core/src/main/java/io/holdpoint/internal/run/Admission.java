package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.input.InputLimits;
import io.holdpoint.internal.input.Preflight;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store.Acquired;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a run start: its input keeps the limits, its caller has the thread, and the thread has no other run. Thread-safe. */
final class Admission {

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final AgentConfig<?> config;
    private final Access access;
    private final InputLimits limits;

    Admission(AgentConfig<?> config) {
        this.config = config;
        this.access = new Access(config.authorizer);
        this.limits = new InputLimits(config.limits);
    }

    /** Takes an input through limits and hooks, and copies it: what is decided must not change with the caller's JSON trees. */
    RunAgentInput take(Caller caller, RunAgentInput given) {
        limits.check(given);
        requireMemoryId(config.threadIds.of(caller, given.threadId()));
        RunAgentInput taken = config.hooks.take(caller, given);
        if (taken != given) {
            limits.check(taken);
        }
        List<ResumeEntry> entries = taken.resume();
        List<ResumeEntry> resume = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            ResumeEntry entry = entries.get(i);
            JsonNode payload = asStored("resume[" + i + "].payload", entry.payload(), length -> {});
            ObjectNode dialect =
                    Dialect.isDraft(entry) ? Dialect.draftMetadata() : null; // no other metadata has a reader
            resume.add(new ResumeEntry(entry.interruptId(), entry.status(), payload, dialect));
        }
        return new RunAgentInput(
                config.threadIds.of(caller, taken.threadId()),
                taken.runId(),
                taken.protocolVersion(),
                taken.parentRunId(),
                asStored("state", taken.state(), limits::checkState),
                taken.messages(),
                taken.tools(),
                taken.context(),
                asStored("forwardedProps", taken.forwardedProps(), limits::checkForwardedProps),
                resume);
    }

    /** Refuses an id that the chat memory's id cannot be made of, before anything is done with it. */
    private void requireMemoryId(String threadId) {
        try {
            config.memories.id(threadId);
        } catch (IllegalArgumentException e) {
            throw new RunRejectedException(ErrorCode.INPUT_INVALID, "threadId: " + e.getMessage());
        }
    }

    /** The tree as a database gives it back. In that form a number is written in one way, so that equal answers are equal. */
    private static @Nullable JsonNode asStored(String field, @Nullable JsonNode tree, IntConsumer checkLength) {
        if (tree == null || tree.isNull()) {
            return tree;
        }
        if (tree.isContainerNode() && tree.isEmpty()) {
            return tree.deepCopy();
        }
        try {
            String json = RecordJson.write(tree);
            checkLength.accept(json.length());
            return RecordJson.read(json, JsonNode.class);
        } catch (StoreException e) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID, field + ": cannot be written as JSON and read again. Send plain JSON.");
        }
    }

    /** Checks whether an input ends with a message of the user that the thread does not know, or wants another answer. */
    boolean saysNews(RunAgentInput input) {
        List<Message> messages = input.messages();
        boolean isNew = !messages.isEmpty()
                && messages.get(messages.size() - 1) instanceof Message.User last
                && config.store.known(input.threadId(), List.of(last.id())).isEmpty();
        return isNew || Preflight.replaces(config.store, input);
    }

    /** Acquires the thread for a run of a caller who has access to it. */
    Acquired acquire(Caller caller, RunAgentInput input) {
        Instant now = config.clock.instant();
        Instant until = now.plus(config.leaseDuration);
        Optional<Acquired> own = config.store.acquireOwn(input.threadId(), input.runId(), caller.id(), now, until);
        return own.isPresent() ? checked(caller, input, own.get()) : acquireOther(caller, input, now, until);
    }

    private boolean isHidden(Caller caller, Optional<ThreadRecord> thread) {
        return thread.isPresent() && !access.allows(caller, thread.get());
    }

    /** An input that starts no thread and answers nothing. */
    private static boolean asksOnlyToSee(RunAgentInput input) {
        JsonNode state = input.state();
        return input.messages().isEmpty()
                && input.resume().isEmpty()
                && (state == null || state.isNull() || (state.isObject() && state.isEmpty()));
    }

    /** Checks the access first, because whoever has none must neither disturb the thread's runs nor learn of them. */
    private Acquired acquireOther(Caller caller, RunAgentInput input, Instant now, Instant until) {
        String threadId = input.threadId();
        Optional<ThreadRecord> known = config.store.find(threadId);
        if (isHidden(caller, known) && asksOnlyToSee(input) && config.threadIds.mayStart(caller, threadId)) {
            Optional<Lease> ofNone = config.store.acquire(Ids.message(), input.runId(), caller.id(), now, until);
            return new Acquired(ofNone.orElseThrow(), Optional.empty()); // sees what a thread that does not exist has
        }
        requireAccess(caller, input, known);
        Optional<Lease> lease = config.store.acquire(threadId, input.runId(), caller.id(), now, until);
        try {
            Optional<ThreadRecord> thread = config.store.find(threadId);
            requireAccess(caller, input, thread);
            Lease taken = lease.orElseThrow(() -> new RunRejectedException(
                    ErrorCode.RUN_IN_PROGRESS,
                    "The thread has an active run. Wait for its end, then send this again; if its server has died,"
                            + " the thread is free after " + config.leaseDuration.toSeconds() + " seconds."));
            return checked(caller, input, new Acquired(taken, thread));
        } catch (RuntimeException e) {
            lease.ifPresent(config.store::release);
            throw e;
        }
    }

    private Acquired checked(Caller caller, RunAgentInput input, Acquired acquired) {
        try {
            requireAccess(caller, input, acquired.thread());
            if (acquired.thread().isEmpty() && !asksOnlyToSee(input)) {
                config.store.withMemory(acquired.lease(), () -> requireOwnMemory(input.threadId()));
            }
            return acquired;
        } catch (RuntimeException e) {
            config.store.release(acquired.lease());
            throw e;
        }
    }

    /**
     * Refuses a new thread over an old memory: it is not known whose conversation that holds. The caller hears what anybody hears
     * of a thread of somebody else, and the log says why.
     */
    private void requireOwnMemory(String threadId) {
        if (config.memories.hasConversationOfOthers(threadId)) {
            if (config.store
                    .head(threadId)
                    .isPresent()) { // this process stood still, and lost its lease to another run
                throw new RunRejectedException(ErrorCode.RUN_IN_PROGRESS, "Another run came in between. Try again.");
            }
            LOG.warn(
                    "The chat memory of the thread {} holds a conversation, but the store does not know the thread,"
                            + " and so not whose it is, so no caller gets it. If the first caller may go on with it, build"
                            + " the agent with advanced(settings -> settings.claimExistingMemories(true)); otherwise clear"
                            + " the memory, or keep threads and memories in the same database.",
                    threadId);
            throw notFound();
        }
    }

    /** Refuses a hidden thread exactly like one that does not exist. */
    private void requireAccess(Caller caller, RunAgentInput input, Optional<ThreadRecord> thread) {
        boolean answersNothing = !input.resume().isEmpty() && !letsGoAndGoesOn(input);
        boolean startsNone = answersNothing || !config.threadIds.mayStart(caller, input.threadId());
        if (isHidden(caller, thread) || (thread.isEmpty() && startsNone)) {
            throw notFound();
        }
    }

    /** A client may hold a card of a thread that is gone, and must get rid of it to say something. */
    private static boolean letsGoAndGoesOn(RunAgentInput input) {
        return input.resume().stream().allMatch(entry -> entry.status() == ResumeEntry.Status.CANCELLED)
                && input.messages().stream().anyMatch(message -> message instanceof Message.User);
    }

    private static RunRejectedException notFound() {
        return new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, "There is no such thread.");
    }
}
