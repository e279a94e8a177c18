package io.holdpoint.internal.follow;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.follow.Decisions;
import io.holdpoint.follow.Inbox;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.Store.Wanted;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists open interrupts across threads, and what runs that died have left. A page costs one query of the store, the first one two, those
 * that look on, and each question of an agent that works as a tool and each unfinished thread one or two more. A cursor, which anybody can read,
 * names a thread of its page, or a time. Thread-safe.
 */
public final class Inboxes {

    private static final Logger LOG = LoggerFactory.getLogger(Inboxes.class);

    private static final char SEPARATOR = ' ';

    /** Most looks for questions, and for what is unfinished, of a page of a caller who may see nothing. */
    private static final int LOOKS = 10;

    private final AgentConfig<?> config;
    private final Access access;

    Inboxes(AgentConfig<?> config) {
        this.config = config;
        this.access = new Access(config);
    }

    /** Reads a page; throws {@link IllegalArgumentException} if the cursor comes from no page or the limit is not positive. */
    public Inbox page(Caller caller, Inbox.Scope scope, Optional<String> cursor, int limit) {
        int most = most(limit, Inbox.MAX_THREADS);
        Place after = cursor.map(Inboxes::decode).orElse(Place.FIRST);
        boolean isOwn = scope == Inbox.Scope.OWN || config.authorizer == ApprovalAuthorizer.OWNER;
        Optional<String> owner = isOwn ? Optional.of(caller.id()) : Optional.empty();
        Instant begin = after.at();
        List<OpenBatch> seen = List.of();
        boolean isLast = false;
        int looks = 0;
        for (int look = most;
                seen.isEmpty() && !isLast && (looks++ < LOOKS || after.at().equals(begin));
                look = Inbox.MAX_THREADS) {
            List<OpenBatch> found = config.store.open(owner, after, look);
            seen = found.stream()
                    .filter(open -> access.allows(caller, open.threadId(), open.owner()))
                    .limit(most)
                    .toList();
            isLast = found.size() < look && seen.size() < most;
            after = isLast ? after : found.get(found.size() - 1).place();
        }
        Instant now = config.clock.instant();
        Place end = seen.isEmpty()
                ? new Place(after.at(), "") // of the thread only when it was asked about
                : seen.get(seen.size() - 1).place();
        return new Inbox(
                seen.stream().flatMap(open -> items(caller, open, now)).toList(),
                isLast ? Optional.empty() : Optional.of(encode(end)),
                cursor.isPresent() ? List.of() : unfinished(caller, owner, now));
    }

    private static int most(int limit, int most) {
        if (limit <= 0) {
            throw new IllegalArgumentException("limit must be positive: " + limit);
        }
        return Math.min(limit, most);
    }

    private List<Inbox.Unfinished> unfinished(Caller caller, Optional<String> owner, Instant now) {
        Instant late = now.minus(Heartbeat.interval(config.leaseDuration)); // a beat may be
        List<Inbox.Unfinished> unfinished = new ArrayList<>();
        Place after = Place.FIRST;
        List<Place> found;
        int looks = 0;
        do {
            found = config.store.threads(Wanted.DESERTED, after, late, Inbox.MAX_THREADS);
            for (Place place : found) {
                after = place;
                config.store
                        .head(place.threadId())
                        .map(ThreadHead::owner)
                        .filter(of ->
                                owner.map(of::equals).orElseGet(() -> access.allows(caller, place.threadId(), of)))
                        .filter(of -> unfinished.size() < Inbox.MAX_THREADS)
                        .flatMap(of -> unasked(caller, of, place))
                        .ifPresent(unfinished::add);
            }
        } while (found.size() == Inbox.MAX_THREADS && unfinished.size() < Inbox.MAX_THREADS && ++looks < LOOKS);
        return unfinished;
    }

    /** Finds out what is left of a run of which nobody is asked, or can be: a record that cannot be read has to be cancelled by somebody. */
    private Optional<Inbox.Unfinished> unasked(Caller caller, String owner, Place place) {
        Instant since = place.at();
        try {
            ThreadRecord thread = config.store.find(place.threadId()).orElseThrow();
            if (thread.batch().filter(Batch::isOpen).isPresent()) {
                return Optional.empty();
            } else if (since.equals(Instant.EPOCH)) { // a run that has let its lease end has said no time
                since = thread.changedAt().orElse(since);
            }
        } catch (DamagedException e) {
            LOG.debug("An unfinished thread cannot be read", e);
        }
        return Optional.of(new Inbox.Unfinished(config.threadIds.toClient(caller, place.threadId()), owner, since));
    }

    private Stream<AskedQuestion> items(Caller caller, OpenBatch open, Instant now) {
        String threadId = config.threadIds.toClient(caller, open.threadId());
        return access.shown(caller, open.threadId(), open.owner(), open.batch()).stream()
                .map(question -> new AskedQuestion(
                        threadId,
                        open.owner(),
                        PendingInterrupt.of(question.interrupt().copy()),
                        question.askedAt(),
                        question.isExpired(now)));
    }

    /** Reads decisions of the feed before a place, the newest first. */
    public Decisions decided(Caller caller, Optional<Long> before, int limit) {
        int most = most(limit, Decisions.MAX_ITEMS);
        if (before.filter(place -> place <= 0).isPresent()) {
            throw new IllegalArgumentException("before: must be positive");
        }
        long end = before.orElseGet(() -> config.store.feedEnd() + 1);
        long begin = Math.max(0, end - 1 - Decisions.LOOKED_AT);
        List<Decisions.Item> items = new ArrayList<>();
        Map<String, Optional<ThreadHead>> shown = new HashMap<>();
        for (long after; end > begin + 1; end = after + 1) {
            after = Math.max(begin, end - 1 - Inbox.MAX_THREADS);
            List<Fed> page = config.store.feed(after, Inbox.MAX_THREADS);
            for (int i = page.size() - 1; i >= 0; i--) {
                long place = page.get(i).position();
                AuditEvent event = page.get(i).event();
                boolean isDecision = event.kind() == AuditEvent.Kind.DECIDED || event.kind() == AuditEvent.Kind.EXPIRED;
                if (!isDecision || place >= end) {
                    continue;
                }
                Optional<ThreadHead> thread = shown.computeIfAbsent(
                        event.threadId(),
                        id -> config.store.head(id).filter(head -> access.allows(caller, id, head.owner())));
                if (thread.isPresent() && items.size() == most) {
                    return new Decisions(items, Optional.of(place + 1));
                }
                thread.ifPresent(head -> items.add(item(caller, head.owner(), event)));
            }
        }
        return new Decisions(items, begin == 0 ? Optional.empty() : Optional.of(begin + 1));
    }

    private Decisions.Item item(Caller caller, String owner, AuditEvent event) {
        return new Decisions.Item(config.threadIds.toClient(caller, event.threadId()), owner, event);
    }

    private static String encode(Place place) {
        String text = place.at().toString() + SEPARATOR + place.threadId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Place decode(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            int end = text.indexOf(SEPARATOR);
            return new Place(Instant.parse(text.substring(0, Math.max(end, 0))), text.substring(end + 1));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException("cursor: not one that an earlier page gave", e);
        }
    }
}
