package io.holdpoint.histories;

import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.QuestionChange;
import io.holdpoint.histories.Bank.Feature;
import io.holdpoint.histories.Bank.Node;
import io.holdpoint.histories.Ledger.Form;
import io.holdpoint.histories.Ledger.Proposed;
import io.holdpoint.internal.Ids;
import io.holdpoint.reach.Notice;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.ClientView;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Those who look on: they get notices, have pages open, follow runs and read histories. All of them see the same, which is so. */
final class Onlookers {

    private final Bank bank;
    private final Ledger ledger;

    /** The forms of the questions that were ever open. */
    private final Map<String, Form> shown = new HashMap<>();

    /** What was open at some time of this step. */
    private final Set<String> openLately = new HashSet<>();

    private final Set<String> asked = new HashSet<>();
    private final Set<String> settled = new HashSet<>();
    private final List<Page> pages = new ArrayList<>();
    private final List<Follower> followers = new ArrayList<>();

    /** Somebody who follows a thread on a server. */
    private static final class Follower {
        final RecordingSink sink = new RecordingSink();
        private final Node node;
        private final String thread;
        private final CompletableFuture<ThreadStatus> status;

        Follower(Node node, String thread, Caller caller) {
            this.node = node;
            this.thread = thread;
            this.status = Follow.of(node.agent.as(caller)).follow(thread, Ids.run(), sink);
        }
    }

    /** A page of open questions, which reads them whenever it is told that something has changed. */
    private final class Page {
        private final int which;
        private Node node;
        private Optional<Long> position = Optional.empty();
        private CompletableFuture<Void> over = CompletableFuture.completedFuture(null);
        private Set<String> known = Set.of();

        Page(int which) {
            this.which = which;
            this.node = bank.nodes.get(which);
        }

        void open() {
            Node present = bank.nodes.get(which);
            if (over.isDone() || node != present) {
                over = Follow.of(present.agent.as(Bank.PEOPLE.get(0))).changes(position, this::take);
                node = present;
            }
        }

        private void take(QuestionChange change) {
            position = Optional.of(change.position());
            known = openIds();
        }
    }

    Onlookers(Bank bank) {
        this.bank = bank;
        this.ledger = bank.ledger;
    }

    private List<String> threads() {
        return Bank.THREADS.stream()
                .filter(each -> bank.store.find(each).isPresent())
                .toList();
    }

    private List<Call.Question> open() {
        return threads().stream().flatMap(thread -> openOf(thread).stream()).toList();
    }

    private List<Call.Question> openOf(String thread) {
        return bank.store
                .find(thread)
                .flatMap(ThreadRecord::batch)
                .map(Batch::openQuestions)
                .orElse(List.of());
    }

    Optional<Call.Question> open(String interruptId) {
        return open().stream()
                .filter(question -> question.interrupt().id().equals(interruptId))
                .findFirst();
    }

    private Set<String> openIds() {
        return ids(open());
    }

    private static Set<String> ids(List<Call.Question> questions) {
        return questions.stream()
                .map(question -> question.interrupt().id())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Remembers what is open, of which people may be told for as long as the step goes on. */
    void beginStep() {
        openLately.clear();
        remember();
    }

    // --- notices

    void told(Notice notice) {
        bank.say("  told " + notice.kind() + " of "
                + notice.questions().stream()
                        .map(each -> ledger.call(each.item().interrupt()).id)
                        .toList());
        remember();
        for (Notice.Question each : notice.questions()) {
            PendingInterrupt question = each.item().interrupt();
            Proposed call = ledger.call(question);
            if (notice.kind() == Notice.Kind.SETTLED) {
                settled.add(question.id());
                each.outcome().ifPresent(outcome -> check(call, outcome));
            } else {
                asked.add(question.id());
                ledger.wrongIf(
                        open(question.id()).isEmpty() && !openLately.contains(question.id()),
                        "told " + notice.kind() + " of what is decided",
                        call);
                ledger.wrongIf(
                        !Form.of(question.arguments()).equals(shown.get(question.id())),
                        "told of other arguments " + question.arguments(),
                        shown.get(question.id()) + " " + call);
            }
        }
    }

    private void check(Proposed call, Notice.Outcome outcome) {
        boolean isRight =
                switch (outcome.result()) {
                    case EXECUTED -> call.entered > 0 || call.isReported;
                    case FAILED -> call.entered > 0 || isClaimed(call); // nobody knows what became of it
                    case NOT_EXECUTED -> call.entered == 0 || call.isReported;
                    default -> false;
                };
        ledger.wrongIf(!isRight, "told that it was " + outcome, call);
        boolean isSaid =
                switch (outcome.decision()) {
                    case APPROVED ->
                        call.saidYes.containsAll(outcome.by()) && !outcome.by().isEmpty();
                    case DENIED ->
                        call.saidNo.containsAll(outcome.by()) && !outcome.by().isEmpty();
                    default -> true;
                };
        ledger.wrongIf(!isSaid, "told that somebody has said " + outcome, call + " " + call.saidYes + call.saidNo);
    }

    private boolean isClaimed(Proposed call) {
        return bank.store.auditTrail(call.thread, 0, 10_000).stream()
                .anyMatch(event -> event.kind() == AuditEvent.Kind.CLAIMED
                        && event.toolCallId().equals(Optional.of(call.id)));
    }

    /** After two looks of servers that are well everybody was told of what is open. */
    void checkAsked() {
        if (bank.has(Feature.NOTICES)) {
            open().stream()
                    .filter(question -> !asked.contains(question.interrupt().id()))
                    .forEach(question -> ledger.wrongIf(true, "nobody was told of", question.interrupt()));
        }
    }

    /** Of each call that was asked about, people were told what came of it. */
    void checkSettled() {
        if (!bank.has(Feature.NOTICES) || bank.has(Feature.PURGE)) {
            return;
        }
        Map<String, String> last = new LinkedHashMap<>();
        threads().stream()
                .flatMap(thread -> bank.store.auditTrail(thread, 0, 10_000).stream())
                .filter(event -> event.kind() == AuditEvent.Kind.HELD)
                .forEach(event -> last.put(
                        event.toolCallId().orElseThrow(), event.interruptId().orElseThrow()));
        last.forEach((call, question) ->
                ledger.wrongIf(!settled.contains(question), "nobody was told what came of", ledger.calls.get(call)));
    }

    // --- pages and followers

    /** Somebody begins to follow, on any server. */
    String follow(Node node, Caller caller) {
        try {
            followers.add(new Follower(node, bank.at, caller));
            return caller.id() + " follows";
        } catch (RunRejectedException | StoreException e) {
            return caller.id() + " cannot follow: " + e;
        }
    }

    /** What servers do for those who look on. */
    void endStep(boolean isQuiet) {
        remember();
        look();
        if (!bank.has(Feature.FOLLOW) || threads().isEmpty()) {
            return;
        }
        int before = bank.disturbances;
        List<Page> opened = new ArrayList<>();
        for (int which = pages.size(); which < bank.nodes.size(); which++) {
            pages.add(new Page(which));
        }
        for (Page page : pages) {
            try {
                page.open();
                opened.add(page);
            } catch (StoreException | RunRejectedException e) {
                bank.say("  no page: " + e);
            }
        }
        for (Node node : bank.nodes) {
            bank.atWork = node;
            node.timer.ring(Duration.ofMillis(500)); // pages
            node.timer.ring(Duration.ofSeconds(1)); // followers
            node.timer.ring(Duration.ofSeconds(1));
        }
        bank.atWork = bank.observer;
        boolean isCalm = isQuiet && before == bank.disturbances;
        for (Page page : opened) {
            ledger.wrongIf(
                    before == bank.disturbances && !page.over.isDone() && !page.known.equals(openIds()),
                    "a page of " + page.node.name + " shows " + page.known,
                    openIds());
        }
        List<Follower> done = followers.stream()
                .filter(follower -> follower.status.isDone() || !bank.nodes.contains(follower.node))
                .toList();
        followers.removeAll(done);
        done.stream()
                .filter(follower -> isCalm && bank.nodes.contains(follower.node))
                .filter(follower -> !follower.status.isCompletedExceptionally())
                .forEach(this::check);
    }

    private void check(Follower follower) {
        List<Event> events = follower.sink.events();
        StreamRules.checkFollowed(events);
        if (follower.status.join() == ThreadStatus.RUNNING) {
            return;
        }
        List<Event> fresh = history(follower.thread);
        ledger.wrongIf(
                !ClientView.of(events).equals(ClientView.of(fresh)),
                "a follower of " + follower.node.name + " has seen " + ClientView.of(events),
                ClientView.of(fresh));
        if (events.get(events.size() - 1) instanceof RunEvent.Finished) {
            ledger.wrongIf(
                    !ids(follower.sink).equals(ids(openOf(follower.thread))),
                    "a follower of " + follower.node.name + " has questions " + follower.sink.interrupts(),
                    ids(openOf(follower.thread)));
        }
    }

    private static Set<String> ids(RecordingSink sink) {
        return sink.interrupts().stream().map(Interrupt::id).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private List<Event> history(String thread) {
        RecordingSink sink = new RecordingSink();
        Follow.of(bank.observer.agent.as(Bank.ANN))
                .history(thread, Ids.run(), sink)
                .join();
        return sink.events();
    }

    /** Remembers what is open before it may be decided. */
    void remember() {
        for (Call.Question question : open()) {
            PendingInterrupt asked = PendingInterrupt.of(question.interrupt());
            openLately.add(asked.id());
            Form form = Form.of(asked.arguments());
            Form before = shown.putIfAbsent(asked.id(), form);
            ledger.wrongIf(
                    before != null && !before.equals(form), "asks about " + form + " instead of " + before, asked);
            ledger.lookedAt.add(String.valueOf(asked.interrupt().toolCallId()));
        }
    }

    /** Everybody sees the same questions, and those that the record has. */
    private void look() {
        Holdpoint observer = bank.observer.agent.as(Bank.PEOPLE.get(0));
        List<String> inbox = Follow.of(observer).inbox().items().stream()
                .map(AskedQuestion::interrupt)
                .map(PendingInterrupt::id)
                .toList();
        Set<String> all = openIds();
        ledger.wrongIf(inbox.size() != all.size() || !all.containsAll(inbox), "the inbox has " + inbox, all);
        for (String thread : threads()) {
            List<String> ids = List.copyOf(ids(openOf(thread)));
            List<String> pending =
                    observer.pending(thread).stream().map(PendingInterrupt::id).toList();
            ledger.wrongIf(!pending.equals(ids), "pending has " + pending, ids);
            if (bank.has(Feature.FOLLOW)) {
                look(thread, ids);
            }
        }
    }

    private void look(String thread, List<String> ids) {
        List<Event> events = history(thread);
        StreamRules.check(events);
        for (Event event : events) {
            if (event instanceof MessagesSnapshotEvent snapshot) {
                snapshot.messages().forEach(this::check);
            } else if (event instanceof RunEvent.Finished) {
                RecordingSink all = new RecordingSink();
                all.send(event);
                boolean isRunning =
                        bank.store.active(thread, bank.clock.instant()).isPresent();
                ledger.wrongIf(!isRunning && !List.copyOf(ids(all)).equals(ids), "the history has " + ids(all), ids);
            }
        }
    }

    /** The people read what the model was told. */
    private void check(Message message) {
        if (message instanceof Message.Tool tool) {
            String told = bank.results.get(tool.toolCallId());
            ledger.wrongIf(
                    told != null && !told.endsWith(tool.content().asText()),
                    "people read \"" + tool.content().asText() + "\" and the model",
                    told);
        }
    }
}
