package io.holdpoint.internal.reach;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.lease.ClockPace;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.internal.reach.NoticePlace.Retry;
import io.holdpoint.internal.reach.Notices.Draft;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.StoreException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reads the feed for one notifier, whose place in it one node has at a time. The place moves when the notifier has been told, so what
 * was told last comes again after a crash. Thread-safe.
 */
final class NoticeReader {

    /** The time between two looks. */
    private static final Duration INTERVAL = NoticePlace.INTERVAL;

    /** The time without any progress after which a node gives no more signs of life: its notifier hangs, and another node goes on. */
    private static final Duration STUCK = Duration.ofMinutes(2);

    /** The time in which further events of a commit, or of others, are waited for. */
    private static final Duration SOON = Duration.ofMillis(100);

    /** The time after which events are looked for again that a transaction holds back. */
    private static final Duration HELD_BACK = Duration.ofMillis(500);

    private static final int MOST_HELD_BACK = 20;

    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final int PAGE = 100;
    static final int AT_ONCE = 3;
    private static final int MOST_ATTEMPTS = 20;

    /** The notices in a row that could not be told, after which a look tries no others; more, if it has told one before. */
    private static final int MOST_IN_VAIN = 2;

    private static final int MOST_IN_VAIN_LATER = 10;

    private static final int MAX_REMEMBERED = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(NoticeReader.class);

    private final AgentConfig<?> config;
    private final String name;
    private final ApprovalNotifier notifier;
    private final Notices notices;
    private final NoticePlace place;
    private final ReentrantLock working = new ReentrantLock();
    private final AtomicBoolean isWoken = new AtomicBoolean();
    /** The ids of notices that were told: each event of a commit makes the same one. */
    private final Set<String> told = remembered();
    /** The batches whose questions were not told because their owner is there. */
    private final Set<String> untold = remembered();
    /** The batches of which something was told. */
    private final Set<String> reached = remembered();

    /** When the store or the notifier came back last. */
    private Instant movedAt = Instant.MIN;

    /** Cancels it. */
    private Runnable nextBeat = () -> {};

    private boolean isDown;
    private int heldBack;
    private final ClockPace pace;

    /**
     * Since when the notifier may be away: what could not be told since then is told, in its order, as soon as anything can be. At first
     * that is everything.
     */
    private Optional<Instant> awaySince = Optional.of(Instant.MIN);

    /** The notices since then were tried up to here. */
    private long caughtUpTo;

    private boolean isBack;
    private boolean hasTold;
    private int inVain;
    /** The positions that the present look has tried again. */
    private final Set<Long> tried = new HashSet<>();

    private volatile boolean closed;
    private volatile boolean isFailing;
    private volatile ReaderStatus status;

    /** A new notifier is told of what happens from now on. Fails if the store does. */
    NoticeReader(AgentConfig<?> config, String name, ApprovalNotifier notifier, Notices notices) {
        this.config = config;
        this.name = name;
        this.notifier = notifier;
        this.notices = notices;
        this.place = new NoticePlace(config, name);
        this.status = new ReaderStatus(config.name, name, Optional.empty(), place.undelivered(), 0, Optional.empty());
        this.pace = new ClockPace(config.clock, config.timer);
    }

    private static Set<String> remembered() {
        return Collections.newSetFromMap(new LinkedHashMap<>() {

            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > MAX_REMEMBERED;
            }
        });
    }

    /** The state of the notifier. */
    ReaderStatus status() {
        return status;
    }

    /** Tells whether it looks by itself: as long as its clock runs. */
    boolean looksByItself() {
        return pace.runs();
    }

    /** Looks again and again, and soon after each commit of this node. An agent that nobody holds any more ends. */
    void looksFromNowOn() {
        config.observers.add(RunObserver.ofTrail(event -> wake(SOON)));
        looksLater(config.timer, new WeakReference<>(this));
    }

    private static void looksLater(Scheduler timer, WeakReference<NoticeReader> reader) {
        timer.after(INTERVAL, () -> {
            NoticeReader present = reader.get();
            if (present != null && !present.closed) {
                present.pace.look();
                present.wake(Duration.ZERO);
                looksLater(timer, reader);
            }
        });
    }

    private void wake(Duration delay) {
        if (!closed && looksByItself() && isWoken.compareAndSet(false, true)) {
            config.timer.after(delay, () -> config.timer.aside(this::quietly));
        }
    }

    private void quietly() {
        if (!working.tryLock()) { // it looks already; what has woken it may have come too late
            isWoken.set(false);
            wake(HELD_BACK);
            return;
        }
        try {
            look();
            isFailing = false;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(isFailing ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("Notifier \"{}\" failed; retrying after {} s (logged once)", name, INTERVAL.toSeconds());
            isFailing = true;
            failed(e);
        } finally {
            working.unlock();
        }
    }

    /** Tells what is to be told at present, unless another node is at it. */
    void look() {
        working.lock();
        try {
            isWoken.set(false);
            if (!closed && isDue(place.look())) {
                work();
            } else {
                report(Optional.empty());
            }
        } finally {
            working.unlock();
        }
    }

    private boolean isDue(Optional<Instant> oldest) {
        return oldest.isPresent() || !place.due().isEmpty();
    }

    private void work() {
        try {
            Optional<Instant> oldest =
                    place.take() ? place.look() : Optional.empty(); // nothing, if another node is at it or was
            report(oldest);
            if (!place.isHeld() || !isDue(oldest)) {
                return;
            }
            movedAt = config.clock.instant();
            beat();
            boolean isBehind = oldest.isPresent();
            inVain = 0;
            hasTold = false;
            isBack = false; // the store may have failed right after a notice was told
            tried.clear();
            again(place.due());
            List<Fed> page;
            do {
                page = config.store.feed(place.position(), PAGE);
                isBehind &= page.isEmpty();
                page.forEach(this::read);
                if (goesOn() && !page.isEmpty()) {
                    place.put(page.get(page.size() - 1).position());
                }
            } while (goesOn() && page.size() == PAGE);
            heldBack = isBehind ? heldBack + 1 : 0;
            if (isBehind && heldBack <= MOST_HELD_BACK) {
                wake(HELD_BACK);
            } else if (!isBehind && goesOn()) {
                report(Optional.empty());
            }
        } finally {
            giveBack();
        }
    }

    private boolean goesOn() {
        return !closed && place.isHeld();
    }

    private void read(Fed fed) {
        if (!goesOn()) {
            return;
        }
        Retry first = new Retry(fed.position(), 0, Optional.empty(), "");
        List<Retry> left = new ArrayList<>(1);
        Optional<Draft> draft = draft(first, fed.event(), left);
        Optional<String> id = draft.map(news -> news.notice().id());
        if (id.filter(told::contains).isPresent() || id.isEmpty() && left.isEmpty()) {
            return;
        }
        report(Optional.of(fed.event().at()));
        draft.flatMap(news -> isInVain() ? later(first) : tell(first, news)).ifPresent(left::add);
        place.put(fed.position(), first, left.stream().findFirst());
        if (place.isHeld()) { // else neither the place nor a retry is stored, and who reads the event again tells of it
            id.ifPresent(told::add);
        }
        catchUp();
    }

    private boolean isInVain() {
        return inVain >= (hasTold ? MOST_IN_VAIN_LATER : MOST_IN_VAIN);
    }

    /** An event that waits for its turn: the notifier is away, as others have shown. */
    private Optional<Retry> later(Retry first) {
        return Optional.of(new Retry(
                first.position(),
                0,
                Optional.of(config.clock.instant()),
                status.lastError().orElse("")));
    }

    /** An event that cannot become a notice is tried again, and does not keep the others from being told. */
    private Optional<Draft> draft(Retry before, AuditEvent event, List<Retry> left) {
        try {
            return notices.of(event);
        } catch (RuntimeException e) {
            if (e instanceof StoreException && !(e instanceof DamagedException)) { // it is away, for every event
                throw e;
            }
            left.add(failed(before, before.attempts() + 1, event.kind().name(), event.threadId(), e));
            return Optional.empty();
        }
    }

    /**
     * Tells what is due, first what was tried least: a receiver may never take a notice. The first of what waits is tried before it is due:
     * if it can be told, all the others can.
     */
    private void again(List<Retry> due) {
        awaySince.flatMap(this::firstWaiting).ifPresentOrElse(this::again, () -> awaySince = Optional.empty());
        catchUp();
        due.stream().sorted(Comparator.comparing(Retry::attempts)).forEach(retry -> {
            again(retry);
            catchUp();
        });
    }

    private Optional<Retry> firstWaiting(Instant since) {
        return place.retries(caughtUpTo).stream()
                .filter(retry -> waits(retry, since))
                .findFirst();
    }

    /** Tells whether it has failed since then, or was not tried: a notice that failed while others were told has a reason of its own. */
    private boolean waits(Retry retry, Instant since) {
        return retry.attempts() == 0
                ? !isEarly(retry)
                : !retry.nextAt().orElseThrow().minus(pause(retry.attempts())).isBefore(since);
    }

    private boolean isEarly(Retry retry) {
        return retry.nextAt().filter(at -> at.isAfter(config.clock.instant())).isPresent();
    }

    /** Tells what waits, in its order, if the notifier has come back. */
    private void catchUp() {
        if (!isBack) {
            return;
        }
        isBack = false;
        Instant since = awaySince.orElseThrow();
        for (Retry retry : place.retries(caughtUpTo)) {
            if (!goesOn() || isInVain()) {
                isBack = false; // until something can be told again
                return;
            }
            if (waits(retry, since)) {
                again(retry);
            }
            caughtUpTo = retry.position();
        }
        isBack = false;
        awaySince = Optional.empty();
        caughtUpTo = 0;
    }

    private void again(Retry retry) {
        if (!goesOn() || isInVain() || !tried.add(retry.position())) {
            return;
        }
        List<Retry> left = new ArrayList<>(1);
        config.store.feed(retry.position() - 1, 1, false).stream() // it was complete when it was passed
                .filter(fed -> fed.position() == retry.position())
                .flatMap(fed -> draft(retry, fed.event(), left).stream())
                .flatMap(draft -> tell(retry, draft).stream())
                .forEach(left::add);
        place.put(place.position(), retry, left.stream().findFirst());
    }

    /** The retry that is left if it is not told. */
    private Optional<Retry> tell(Retry before, Draft draft) {
        String batch = draft.notice().threadId() + " " + draft.batchId();
        if (before.attempts() == 0 && notices.isQuiet(draft)) {
            if (!reached.contains(batch)) {
                untold.add(batch);
            }
            Instant later = config.clock.instant().plus(OpenStreams.QUIET);
            return Optional.of(new Retry(before.position(), 0, Optional.of(later), ""));
        }
        if (untold.remove(batch) && draft.notice().kind() == Notice.Kind.SETTLED) {
            return Optional.empty(); // nobody was told of the question
        }
        int most = before.attempts() > 0 ? before.attempts() + 1 : isDown ? 1 : AT_ONCE;
        for (int attempts = before.attempts() + 1; ; attempts++) {
            try {
                notifier.tell(draft.notice());
                moved();
                isDown = false;
                isBack = awaySince.isPresent();
                hasTold = true;
                inVain = 0;
                reached.add(batch);
                return Optional.empty();
            } catch (Throwable thrown) { // a missing class too is no reason to tell nobody else
                Throwable e = LogText.silentIfQuoting(thrown, told(draft.notice()));
                moved();
                Retry after = failed(
                        before,
                        attempts,
                        draft.notice().kind().name(),
                        draft.notice().threadId(),
                        e);
                if (attempts >= most) {
                    inVain++;
                    return Optional.of(after);
                }
            }
        }
    }

    private static Stream<JsonNode> told(Notice notice) {
        return notice.questions().stream()
                .map(question -> question.item().interrupt())
                .flatMap(asked -> Stream.of(asked.arguments(), TextNode.valueOf(asked.message())));
    }

    /** The retry that is left. An attempt before its time does not count. */
    private Retry failed(Retry before, int attempt, String kind, String threadId, Throwable e) {
        boolean counts = before.attempts() == 0 || !isEarly(before);
        int attempts = counts ? attempt : before.attempts();
        LOG.atLevel(isDown && attempts < MOST_ATTEMPTS ? Level.DEBUG : Level.WARN)
                .setCause(e)
                .log(
                        attempts < MOST_ATTEMPTS
                                ? "The notifier \"{}\" failed on {} of thread {}. It is tried again; said once until it works"
                                : "The notifier \"{}\" failed on {} of thread {} for the last time. The notice stays in holdpoint_fact",
                        name,
                        kind,
                        threadId);
        isDown = true;
        awaySince = awaySince.or(() -> Optional.of(config.clock.instant()));
        status = failed(status.waitingSince(), attempts < MOST_ATTEMPTS ? 0 : 1, e);
        return counts ? new Retry(before.position(), attempts, next(attempts), text(e)) : before;
    }

    /** Events that cannot be read count as waiting since the first failure. */
    private void failed(Throwable e) {
        status = failed(status.waitingSince().or(() -> Optional.of(config.clock.instant())), 0, e);
        config.observers.reader(status);
    }

    private ReaderStatus failed(Optional<Instant> waitingSince, int givenUp, Throwable e) {
        int undelivered = status.undelivered() + givenUp;
        return new ReaderStatus(
                config.name, name, waitingSince, undelivered, status.failures() + 1, Optional.of(text(e)));
    }

    private static String text(Throwable e) {
        String text = e.toString();
        return text.length() > 500 ? text.substring(0, 500) : text;
    }

    /** Ten seconds after the first attempts, and twice as long each time. */
    private static Duration pause(int attempts) {
        Duration pause = Duration.ofSeconds(10L << Math.max(0, attempts - AT_ONCE));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private Optional<Instant> next(int attempts) {
        return attempts < MOST_ATTEMPTS ? Optional.of(config.clock.instant().plus(pause(attempts))) : Optional.empty();
    }

    private void report(Optional<Instant> waitingSince) {
        status = new ReaderStatus(
                config.name, name, waitingSince, place.undelivered(), status.failures(), status.lastError());
        config.observers.reader(status);
    }

    // --- the place

    /** The next beat, in place of one that is not done yet: a beat that comes late does not begin a second chain. */
    private synchronized void beat() {
        nextBeat.run();
        nextBeat = config.timer.after(NoticePlace.BEAT, () -> config.timer.aside(this::holdsOn));
    }

    private synchronized void holdsOn() {
        if (goesOn() && isStuck()) {
            LOG.warn(
                    "The notifier \"{}\" has not come back for {} minutes. Another server may go on in its place",
                    name,
                    STUCK.toMinutes());
        } else if (goesOn()) {
            try {
                place.holdOn();
            } catch (RuntimeException e) {
                LOG.debug("The place of the notifier \"{}\" could not be held", name, e);
            }
            beat();
        }
    }

    private boolean isStuck() {
        return !config.clock.instant().isBefore(movedAt.plus(STUCK));
    }

    /** Whoever comes back late holds on to the place, if nobody else has taken it. */
    private synchronized void moved() {
        boolean wasStuck = isStuck();
        movedAt = config.clock.instant();
        if (wasStuck && goesOn()) {
            beat();
        }
    }

    private synchronized void giveBack() {
        nextBeat.run();
        place.giveBack();
    }

    /** Ends, and gives the place back as soon as the notifier is not at work. */
    void close() {
        closed = true;
    }

    /** Waits until the place is given back, but not past a time of {@link System#nanoTime}. */
    void awaitEnd(long deadline) {
        try {
            if (working.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                working.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
