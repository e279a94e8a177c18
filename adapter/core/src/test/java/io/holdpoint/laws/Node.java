package io.holdpoint.laws;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.Holdpoint;
import io.holdpoint.laws.Program.Fault;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Acquired;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** A process with an agent: may fail at any access to what is outside of it, and may end there. */
final class Node {

    /** One access failed; without a stack trace, because a history has many of them. */
    static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Broken(String access) {
            super(access, null, true, false);
        }
    }

    private static final int MOST_REQUESTS = 30;

    private volatile World world;
    final ScriptedModel model = new ScriptedModel();
    private final Installation installation;
    private final Holdpoint agent;
    final Clock clock;
    private final Function<ChatRequest, AiMessage> answer = request -> {
        access("model");
        return world().says();
    };
    private Optional<Fault> fault = Optional.empty();
    private Consumer<Fault> others = ignored -> {};
    private Consumer<String> fate = ignored -> {};
    private volatile Instant lastLook = Instant.MAX;
    private int accesses;
    /** The calls that it has claimed, and how often the agent had been halted then. */
    private final Map<String, Integer> claims = new ConcurrentHashMap<>();

    private volatile boolean dead;
    private volatile Optional<Lease> lease = Optional.empty();
    private volatile boolean overtaken;
    private volatile boolean beingOvertaken;

    Node(World world, Shape shape) {
        this(world, shape, Duration.ZERO);
    }

    /** A node whose clock says so much more. */
    Node(World world, Shape shape, Duration skew) {
        this.world = world;
        this.clock = Clock.offset(world.clock, skew);
        this.installation = Installation.of(shape);
        this.agent = installation.start(this);
    }

    /** The history is over, for this node too. */
    void isGone() {
        installation.giveBack();
    }

    /** The thread that it works on at present. */
    World world() {
        return world;
    }

    void worksOn(World next) {
        world = next;
        lease = Optional.empty(); // an earlier run may not have been able to give it back
    }

    /** Whether somebody allowed calls of a tool, and it still counted when the node looked last: it may pause afterwards. */
    boolean remembers(String tool) {
        return world.remembers(tool, lastLook);
    }

    /** Law 15: a body is entered, whose claim was committed before the present halt. */
    void enters(String toolCallId) {
        if (world.halted && claims.getOrDefault(toolCallId, world.halts) == world.halts) {
            world.violations.add("law 15: entered while halted: " + toolCallId);
        }
    }

    private void claimed(Object[] arguments) {
        for (Object each : arguments == null ? new Object[0] : arguments) {
            if (each instanceof Commit commit) {
                commit.batches().stream()
                        .flatMap(batch -> batch.changes().stream())
                        .filter(Change.Claimed.class::isInstance)
                        .forEach(claim -> claims.put(claim.call().toolCallId(), world.halts));
            }
        }
    }

    /** What happens at each access from now on. */
    void meets(Consumer<String> whatever) {
        fate = whatever;
    }

    void dies() {
        dead = true;
    }

    /** The agent, with a model that answers as the world says. */
    Holdpoint agent() {
        for (int i = model.left(); i < MOST_REQUESTS; i++) {
            model.answers(answer);
        }
        return agent;
    }

    synchronized void arm(Optional<Fault> next, Consumer<Fault> whatOthersDo) {
        fault = next;
        others = whatOthersDo;
        accesses = 0;
        overtaken = false;
    }

    /** Nothing goes wrong any more; says whether the fault came to pass. */
    synchronized boolean disarm(Optional<Fault> armed) {
        boolean happened = armed.isPresent() && fault.isEmpty();
        fault = Optional.empty();
        return happened;
    }

    boolean isDead() {
        return dead;
    }

    /** Whether others have taken the thread over, or are about to. */
    boolean isOvertaken() {
        return beingOvertaken || overtaken;
    }

    /** Whether a run has the lease. */
    boolean isActive() {
        return lease.isPresent();
    }

    /** Whether the run that has the lease, as far as it knows, has lost it. */
    boolean hasLostLease() {
        return lease.isPresent()
                && !world.store
                        .active(world.threadId, Instant.MIN)
                        .map(Store.Active::lease)
                        .equals(lease);
    }

    void overtaken(boolean is) {
        overtaken = is;
    }

    void access(String what) {
        if (what.equals("before facts")) {
            lastLook = world.clock.instant();
        }
        fate.accept(what);
        Fault due;
        synchronized (this) {
            if (dead) {
                throw new Broken("dead at " + what);
            }
            if (fault.isEmpty()
                    || !fault.get().place().has(what)
                    || ++accesses < fault.get().at()) {
                return;
            }
            due = fault.get();
            fault = Optional.empty();
            dead = due.kind() == Fault.Kind.DIES;
        }
        switch (due.kind()) {
            case FAILS, DIES -> throw new Broken(due.kind() + " at " + what);
            case MEANWHILE -> others.accept(due);
            case OVERTAKEN -> {
                beingOvertaken = true;
                others.accept(due);
                beingOvertaken = false;
            }
        }
    }

    /** The store of all nodes, at whose methods something may happen. */
    Store store() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("of")) {
                        return proxy; // the agent has no name
                    }
                    access("before " + method.getName());
                    Object result = invoke(method, arguments);
                    claimed(arguments);
                    if (method.getName().equals("acquire")) {
                        lease = ((Optional<?>) result).map(Lease.class::cast);
                    } else if (method.getName().equals("acquireOwn")) {
                        lease = ((Optional<?>) result).map(Acquired.class::cast).map(Acquired::lease);
                    } else if (method.getName().equals("release") || releases(arguments)) {
                        lease = Optional.empty();
                    }
                    access("after " + method.getName());
                    return result;
                });
    }

    private static boolean releases(Object[] arguments) {
        return arguments != null
                && Stream.of(arguments).anyMatch(each -> each instanceof Commit commit && commit.releases());
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(world.store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A memory in the store of all nodes. */
    ChatMemory memory(Object id) {
        return MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(500)
                .chatMemoryStore(memories())
                .build();
    }

    private ChatMemoryStore memories() {
        return new ChatMemoryStore() {
            @Override
            public List<ChatMessage> getMessages(Object id) {
                access("memory");
                return world.memories.getMessages(id);
            }

            @Override
            public void updateMessages(Object id, List<ChatMessage> messages) {
                access("before memory");
                try {
                    ScriptedModel.requireWellFormed(messages);
                } catch (AssertionError e) {
                    world.violations.add("law 4: " + e.getMessage());
                }
                world.memories.updateMessages(id, messages);
                access("after memory");
            }

            @Override
            public void deleteMessages(Object id) {
                access("before memory");
                world.memories.deleteMessages(id);
                access("after memory");
            }
        };
    }
}
