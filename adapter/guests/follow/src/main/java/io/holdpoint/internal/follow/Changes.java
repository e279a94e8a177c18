package io.holdpoint.internal.follow;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Agui;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.follow.QuestionChange;
import io.holdpoint.follow.QuestionChange.Kind;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.ThreadHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells open pages of the changes of questions. Reads the feed once for all pages of this node, and nothing while there is none.
 * Thread-safe.
 */
public final class Changes {

    /** The most pages of a caller at a time, on one node. */
    private static final int MOST_OF_A_CALLER = 20;

    /** The most pages of all callers together whom the transport does not tell apart. */
    private static final int MOST_OF_ANONYMOUS = 1_000;

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final int PAGE = 100;
    private static final int MOST_MISSED = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

    private final AgentConfig<?> config;
    private final Duration longest;
    private final Access access;
    private final List<Page> pages = new CopyOnWriteArrayList<>();
    private boolean looks;
    private boolean closed;
    private volatile boolean fails;

    Changes(AgentConfig<?> config, FollowSettings settings) {
        this.config = config;
        this.longest = settings.longest();
        this.access = new Access(config);
    }

    /** A page, and the place up to which it was told. */
    private record Page(
            Caller caller,
            Consumer<QuestionChange> sink,
            Instant until,
            AtomicLong position,
            CompletableFuture<Void> over) {

        void opened() {
            tell(new QuestionChange(position.get(), Kind.OPENED, Optional.empty(), Optional.empty(), Optional.empty()));
        }

        /** Whoever cannot be told has gone. */
        void tell(QuestionChange change) {
            try {
                sink.accept(change);
            } catch (RuntimeException e) {
                LOG.debug("A page of {} is gone", caller.id(), e);
                over.complete(null);
            }
        }
    }

    /** Tells a page of what changes from now on, or of what has changed behind a position that it knows, until the future is completed. */
    public CompletableFuture<Void> open(Caller caller, Optional<Long> after, Consumer<QuestionChange> sink) {
        admit(caller);
        long end = config.store.feedEnd();
        // who comes from far away reads what is open in any case
        long from = after.filter(known -> known >= 0 && known <= end && end - known <= MOST_MISSED)
                .orElse(end);
        Instant until = config.clock.instant().plus(longest);
        Page page = new Page(caller, sink, until, new AtomicLong(from), new CompletableFuture<>());
        synchronized (this) {
            admit(caller);
            pages.add(page);
            page.over().whenComplete((over, failure) -> pages.remove(page));
            page.opened();
            if (from < end) {
                look();
            }
            if (!looks) {
                looks = true;
                looksLater();
            }
        }
        return page.over();
    }

    private synchronized void admit(Caller caller) {
        if (closed) {
            throw new RunRejectedException(ErrorCode.SHUTTING_DOWN, "The agent is shut down.");
        }
        int most = caller.equals(Caller.ANONYMOUS) ? MOST_OF_ANONYMOUS : MOST_OF_A_CALLER;
        if (pages.stream()
                        .filter(page -> page.caller().id().equals(caller.id()))
                        .count()
                >= most) {
            throw new RunRejectedException(
                    ErrorCode.SERVER_BUSY,
                    "This caller has " + most + " streams of changes already. Close one of them.");
        }
    }

    private void looksLater() {
        config.timer.after(INTERVAL, () -> config.timer.aside(this::looksAgain));
    }

    private void looksAgain() {
        synchronized (this) {
            looks = !pages.isEmpty();
            if (looks) {
                try {
                    look();
                } finally {
                    looksLater();
                }
            }
        }
    }

    /** Reads what has come, if somebody wants to know. */
    private synchronized void look() {
        Instant now = config.clock.instant();
        pages.stream().filter(page -> !now.isBefore(page.until())).forEach(page -> page.over()
                .complete(null));
        try {
            for (boolean isMore = !pages.isEmpty(); isMore && !pages.isEmpty(); ) {
                long end = config.store.feedEnd();
                List<Fed> come = config.store.feed(Math.min(told(), end), PAGE);
                beginAgain(end);
                come.forEach(this::tell);
                isMore = come.size() == PAGE;
                if (!isMore) {
                    pages.forEach(page -> page.position().accumulateAndGet(end, Math::max));
                }
            }
        } catch (RuntimeException e) {
            LOG.atLevel(fails ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("The changes of questions could not be read for open pages. It is tried again; said once");
            fails = true;
        }
    }

    /**
     * A server that has taken the place of another one may miss what pages were told of, and give the same positions again. A page behind
     * which there is less than it knows begins again, and so do all once the store is back.
     */
    private void beginAgain(long end) {
        for (Page page : pages) {
            long known = page.position().get();
            if (fails || known > end) {
                page.position().set(Math.min(known, end));
                page.opened();
            }
        }
        fails = false;
    }

    /** The place up to which all pages were told. */
    private long told() {
        return pages.stream().mapToLong(page -> page.position().get()).min().orElse(Long.MAX_VALUE);
    }

    private void tell(Fed fed) {
        AuditEvent event = fed.event();
        boolean isOfAll = event.kind() == AuditEvent.Kind.HALTED || event.kind() == AuditEvent.Kind.RELEASED;
        Optional<Kind> kind = kind(event);
        Optional<ThreadHead> thread = kind.flatMap(known -> config.store.head(event.threadId()));
        for (Page page : pages) {
            boolean isNew = page.position().getAndAccumulate(fed.position(), Math::max) < fed.position();
            if (isNew && isOfAll) {
                page.opened(); // which makes it read how everything stands
            } else if (isNew
                    && thread.isPresent()
                    && access.allows(
                            page.caller(), event.threadId(), thread.get().owner())) {
                String threadId = config.threadIds.toClient(page.caller(), event.threadId());
                page.tell(new QuestionChange(
                        fed.position(),
                        kind.orElseThrow(),
                        Optional.of(threadId),
                        event.interruptId(),
                        Optional.empty()));
            }
        }
    }

    /** Tells the other pages of this node that may see the thread who looks at its question. */
    public void looking(Caller caller, String threadId, String interruptId) {
        Optional<ThreadHead> thread = config.store.head(threadId);
        if (caller.equals(Caller.ANONYMOUS)
                || !Agui.isId(interruptId)
                || thread.filter(head -> access.allows(caller, threadId, head.owner()))
                        .isEmpty()) {
            return;
        }
        synchronized (this) { // a page is told of one thing at a time
            for (Page page : pages) {
                if (!page.caller().id().equals(caller.id())
                        && access.allows(page.caller(), threadId, thread.get().owner())) {
                    page.tell(new QuestionChange(
                            page.position().get(),
                            Kind.LOOKED_AT,
                            Optional.of(config.threadIds.toClient(page.caller(), threadId)),
                            Optional.of(interruptId),
                            Optional.of(caller.id())));
                }
            }
        }
    }

    private static Optional<Kind> kind(AuditEvent event) {
        Optional<Kind> kind =
                switch (event.kind()) {
                    case HELD -> Optional.of(Kind.ASKED);
                    case VOTED, VOIDED -> Optional.of(Kind.VOTED);
                    case DECIDED, EXPIRED -> Optional.of(Kind.ANSWERED);
                    case REMINDED, WARNED, ESCALATED, EXTENDED, HANDED -> Optional.of(Kind.TIMED);
                    case EXECUTED, FAILED, NOT_EXECUTED, DISCARDED -> Optional.of(Kind.SETTLED);
                    default -> Optional.empty();
                };
        boolean isOfQuestion = event.interruptId().isPresent() || event.kind() == AuditEvent.Kind.DISCARDED;
        return kind.filter(known -> isOfQuestion);
    }

    /** Ends all streams, and lets none begin. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        pages.forEach(page -> page.over().complete(null));
    }
}
