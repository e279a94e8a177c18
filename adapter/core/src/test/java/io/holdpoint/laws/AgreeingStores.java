package io.holdpoint.laws;

import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Acquired;
import io.holdpoint.store.Store.Active;
import io.holdpoint.store.Store.By;
import io.holdpoint.store.Store.Counted;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.IdOf;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Old;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Range;
import io.holdpoint.store.Store.Wanted;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Two stores to which all of a history happens: what one of them says, says the other. */
final class AgreeingStores {

    /** What only the first one is asked: a memory is written once, and a database has a clock of its own. */
    private static final Set<String> OF_ONE = Set.of("withMemory", "time");

    private static final Set<String> READS = Set.of(
            "active",
            "find",
            "head",
            "transcript",
            "count",
            "known",
            "has",
            "findBatch",
            "threads",
            "open",
            "facts",
            "auditTrail",
            "feed",
            "feedEnd",
            "halted",
            "check");

    private final Store first;
    private final Store second;
    private final Random chance;
    private final Supplier<Instant> clock;
    private final List<String> threads;
    /** The numbers of leases of the first store, and those of the other one. */
    private final Map<Long, Long> epochs = new HashMap<>();
    /** The first time that they did not agree, of which a run may have made its failure. */
    private Optional<AssertionError> disagreement = Optional.empty();

    AgreeingStores(Store first, Store second, long seed, Supplier<Instant> clock, List<String> threads) {
        this.first = first;
        this.second = second;
        this.chance = new Random(seed);
        this.clock = clock;
        this.threads = threads;
    }

    /** The store that both are. */
    Store store() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("of")) {
                        return proxy;
                    }
                    disagreement.ifPresent(error -> {
                        throw error;
                    });
                    try {
                        Object result = both(method, arguments);
                        if (!READS.contains(method.getName())
                                && !OF_ONE.contains(method.getName())
                                && chance.nextInt(4) == 0) {
                            look();
                        }
                        return result;
                    } catch (AssertionError e) {
                        disagreement = Optional.of(e);
                        throw e;
                    }
                });
    }

    private Object both(Method method, Object[] arguments) throws Throwable {
        Outcome one = Outcome.of(method, first, arguments);
        if (!OF_ONE.contains(method.getName())) {
            Outcome other = Outcome.of(method, second, given(arguments));
            requireSame("how " + method.getName() + " ends", one.how(), other.how());
            if (!method.getName().startsWith("feed")) { // whose places are each store's own
                requireSame(method.getName(), one.result, said(method.getName(), one.result, other.result));
            }
        }
        if (one.failure != null) {
            throw one.failure;
        }
        return one.result;
    }

    /** What a call of a store returns, or throws. */
    private record Outcome(Object result, Throwable failure) {

        static Outcome of(Method method, Store store, Object[] arguments) throws IllegalAccessException {
            try {
                return new Outcome(method.invoke(store, arguments), null);
            } catch (InvocationTargetException e) {
                return new Outcome(null, e.getCause());
            }
        }

        Class<?> how() {
            return failure == null ? null : failure.getClass();
        }
    }

    /** The arguments with the second store's own lease in the place of the first one's. */
    private Object[] given(Object[] arguments) {
        if (arguments == null || !(arguments[0] instanceof Lease lease)) {
            return arguments;
        }
        Object[] own = arguments.clone();
        own[0] = with(lease, epochs.getOrDefault(lease.epoch(), -1L));
        return own;
    }

    private static Lease with(Lease lease, long epoch) {
        return new Lease(lease.threadId(), lease.runId(), lease.caller(), epoch, lease.cancels());
    }

    /** What the second store says, with the first one's lease in the place of its own: each numbers its leases as it likes. */
    private Object said(String method, Object known, Object said) {
        if (!(said instanceof Optional<?> own)
                || own.isEmpty()
                || !(known instanceof Optional<?> its)
                || its.isEmpty()) {
            return said;
        }
        if (own.get() instanceof Lease lease && its.get() instanceof Lease first) {
            return Optional.of(translated(method, first, lease));
        } else if (own.get() instanceof Acquired acquired && its.get() instanceof Acquired first) {
            return Optional.of(new Acquired(translated(method, first.lease(), acquired.lease()), acquired.thread()));
        } else if (own.get() instanceof Active active && its.get() instanceof Active first) {
            Lease lease = active.lease();
            Lease same = new Lease(
                    lease.threadId(),
                    lease.runId(),
                    lease.caller(),
                    lease.epoch(),
                    first.lease().cancels());
            return Optional.of(new Active(translated(method, first.lease(), same), active.said()));
        }
        return said;
    }

    private Lease translated(String method, Lease known, Lease own) {
        if (method.startsWith("acquire")) {
            epochs.put(known.epoch(), own.epoch());
        }
        return epochs.getOrDefault(known.epoch(), -1L) == own.epoch() ? with(own, known.epoch()) : own;
    }

    /** Shows the place at which two records differ: they are long. */
    private static void requireSame(String what, Object one, Object other) {
        if (Objects.equals(one, other)) {
            return;
        }
        String left = text(one);
        String right = text(other);
        int at = 0;
        while (at < Math.min(left.length(), right.length()) && left.charAt(at) == right.charAt(at)) {
            at++;
        }
        throw new AssertionError("%s: \"%s\" and \"%s\"".formatted(what, around(left, at), around(right, at)));
    }

    /** As it is kept, if it is: of the changes that a batch has been through one store may remember more than another. */
    private static String text(Object value) {
        return value instanceof Optional<?> some && some.isPresent() && some.get() instanceof Record
                ? RecordJson.write(some.get())
                : String.valueOf(value);
    }

    private static String around(String text, int at) {
        return text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 100));
    }

    private <T> T same(String what, Function<Store, T> read) {
        T said = read.apply(first);
        requireSame(what, said, read.apply(second));
        return said;
    }

    /** Reads whatever can be read, from places that are drawn. */
    void look() {
        Instant now = clock.get();
        for (Wanted wanted : Wanted.values()) {
            Place after = Place.FIRST;
            int limit = 1 + chance.nextInt(3);
            Instant before = now.plusSeconds(chance.nextInt(20_000) - 10_000);
            for (int page = 0; page < 4; page++) {
                Place from = after;
                List<Place> found = same(
                        "threads " + wanted + " after " + from + " before " + before + " limit " + limit,
                        store -> store.threads(wanted, from, before, limit));
                if (found.size() < limit) {
                    break;
                }
                after = found.get(found.size() - 1);
            }
        }
        for (Optional<String> owner :
                List.of(Optional.<String>empty(), Optional.of("anonymous"), Optional.of("nobody"))) {
            int limit = 1 + chance.nextInt(2);
            List<OpenBatch> open = same("open of " + owner, store -> store.open(owner, Place.FIRST, limit));
            if (!open.isEmpty()) {
                same(
                        "open of " + owner + " then",
                        store -> store.open(owner, open.get(open.size() - 1).place(), limit));
            }
        }
        for (String thread : threads) {
            look(thread, now);
        }
        same("halted", Store::halted);
        same("check", Store::check);
        events();
    }

    private void look(String thread, Instant now) {
        Optional<Active> active = first.active(thread, now);
        requireSame("active", active, said("active", active, second.active(thread, now)));
        same("head", store -> store.head(thread));
        same("find", store -> store.find(thread));
        List<String> messages = new ArrayList<>(List.of("unknown"));
        same("transcript", store -> store.transcript(thread)).forEach(message -> messages.add(message.id()));
        same("transcript, cut", store -> store.transcript(thread, Range.CUT));
        String some = messages.get(chance.nextInt(messages.size()));
        same("transcript after " + some, store -> store.transcript(thread, Range.after(some)));
        same("known", store -> store.known(thread, messages));
        for (Counted counted : Counted.values()) {
            int limit = 1 + chance.nextInt(10);
            same("count " + counted, store -> store.count(counted, thread, limit));
        }
        same("batch", store -> store.find(thread))
                .flatMap(Store.ThreadRecord::batch)
                .ifPresent(batch -> {
                    same("batch of " + batch.id(), store -> store.findBatch(thread, By.BATCH, batch.id()));
                    batch.calls().forEach(call -> {
                        same("has call", store -> store.has(IdOf.TOOL_CALL, thread, call.toolCallId()));
                        call.asked().forEach(asked -> {
                            String id = asked.question().interrupt().id();
                            same("has interrupt", store -> store.has(IdOf.INTERRUPT, thread, id));
                            same("by interrupt", store -> store.findBatch(thread, By.INTERRUPT, id));
                        });
                    });
                });
        for (String kind : List.of("grant", "use", "tokens", "call", "nothing")) {
            same("facts " + kind, store -> store.facts(kind, thread));
        }
        long offset = chance.nextInt(8);
        int limit = 1 + chance.nextInt(10);
        same("trail", store -> store.auditTrail(thread, offset, limit));
        same("the whole trail", store -> store.auditTrail(thread, 0, World.MOST_EVENTS));
    }

    /** Positions are each store's own. */
    private void events() {
        List<Fed> one = first.feed(0, World.MOST_EVENTS);
        List<Fed> other = second.feed(0, World.MOST_EVENTS);
        requireSame("feed", events(one), events(other));
        if (!one.isEmpty()) {
            int at = chance.nextInt(one.size());
            int limit = 1 + chance.nextInt(5);
            requireSame(
                    "feed after " + at,
                    events(first.feed(one.get(at).position(), limit)),
                    events(second.feed(other.get(at).position(), limit)));
        }
    }

    private static List<AuditEvent> events(List<Fed> fed) {
        return fed.stream().map(Fed::event).toList();
    }

    /** Deletes whatever is old, bit by bit, until nothing is left that can go. */
    void purge() {
        for (int i = 0; i < 12; i++) {
            Old old = Old.values()[chance.nextInt(Old.values().length)];
            Instant before = clock.get().minusSeconds(chance.nextInt(200_000) - 20_000);
            int limit = 1 + chance.nextInt(6);
            same("purge " + old + " before " + before + " limit " + limit, store -> store.purge(old, before, limit));
            look();
        }
    }
}
