package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.jdbc.JdbcStore;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpError;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that are made again and again, by the same client with the same arguments. */
class HeldCallsTest {

    private final Notes notes = new Notes();
    private volatile Instant now = Instant.now();
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    /** The events of trails that were read. */
    private final AtomicInteger read = new AtomicInteger();

    private McpGateway gateway;
    private Assistant assistant;

    private void open(Store store, String policy) {
        String yaml = "servers: { notes: { command: notes } }\nwait: PT0S\npolicies: [ " + policy + " ]";
        gateway = new McpGateway(
                ConfigReader.read("gateway.yml", yaml, Map.of()), store, "", clock, server -> notes::start);
        assistant = new Assistant(gateway);
    }

    @AfterEach
    void close() {
        if (gateway != null) {
            assistant.close();
            gateway.close();
        }
    }

    private Store counted(Store store) {
        return around(store, this::counted, (method, given) -> {}, (method, result) -> {
            if (method.equals("auditTrail")) {
                read.addAndGet(((List<?>) result).size());
            }
        });
    }

    /** A store with something before and after each method, and so with what it gives for an agent. */
    private static Store around(
            Store store,
            UnaryOperator<Store> ofAgent,
            BiConsumer<String, Object[]> before,
            BiConsumer<String, Object> after) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, given) -> {
                    try {
                        before.accept(method.getName(), given);
                        Object result = method.invoke(store, given);
                        after.accept(method.getName(), result);
                        return result instanceof Store other ? ofAgent.apply(other) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A store in whose eyes all that is there is two weeks old when it is purged. */
    private static Store later(Store store) {
        return around(
                store,
                HeldCallsTest::later,
                (method, given) -> {
                    if (method.equals("purge")) {
                        given[1] = ((Instant) given[1]).plus(Duration.ofDays(14));
                    }
                },
                (method, result) -> {});
    }

    private List<AskedQuestion> questions() {
        return Follow.of(gateway.agent().as(Caller.of("grace")))
                .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 50)
                .items();
    }

    private AskedQuestion question() {
        return questions().get(0);
    }

    private String decide(Function<PendingInterrupt.Approval, ResumeEntry> answer) {
        AskedQuestion asked = question();
        Decided decided = gateway.agent()
                .as(Caller.of("grace"))
                .decide(asked.threadId(), answer.apply((PendingInterrupt.Approval) asked.interrupt()));
        ((Decided.Runs) decided).result().join();
        return asked.threadId();
    }

    @Test
    void eachRunsHoweverOftenItWasMadeBefore() {
        int calls = InMemoryStore.MAX_AUDIT_EVENTS * 27 / 100;
        open(new InMemoryStore(), "{ tools: notes.write, remember: { for: PT1H } }");
        assistant.call("write", "a");
        decide(question -> question.answer(
                JsonNodeFactory.instance.objectNode().put("approved", true).put("remember", "same_call")));

        for (int i = 0; i < calls; i++) {
            assertThat(assistant.says("write", "a")).endsWith("wrote a");
            now = now.plus(Duration.ofMinutes(3));
        }
        assertThat(notes.written).hasSize(calls);
    }

    @Test
    void onlyTheEndOfTheTrailIsRead(@TempDir Path directory) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + directory.resolve("gateway.db"));
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Store store = JdbcStore.create(pool);
            open(counted(store), "{ tools: notes.write }");
            for (int times : new int[] {0, 499, 500, 1_500}) {
                assertThat(assistant.says("write", times + "")).startsWith("Not run yet");
                String thread = decide(PendingInterrupt.Approval::deny);
                assertThat(assistant.says("write", times + "")).contains("declined");
                store.audit(
                        Optional.empty(),
                        IntStream.rangeClosed(1, times)
                                .mapToObj(i -> run(thread, i))
                                .toList());

                now = now.plus(Duration.ofMinutes(3));
                read.set(0);
                assertThat(assistant.says("write", times + "")).startsWith("Not run yet");
                assertThat(read).hasValueLessThan(1_100);
                assertThat(question().interrupt().interrupt().toolCallId()).isEqualTo(thread + "." + (times + 1));
                decide(PendingInterrupt.Approval::deny);
            }
        }
        assertThat(notes.written).isEmpty();
    }

    /** A gateway that cleans up so late that a fortnight has passed since a person has decided. */
    @Test
    void theResultWaitsForAClientThatComesBackWeeksLater() {
        Store store = new InMemoryStore();
        open(later(store), "{ tools: notes.write }");
        assertThat(assistant.says("write", "a")).startsWith("Not run yet");
        decide(PendingInterrupt.Approval::approve);
        gateway.agent().purge();

        assertThat(assistant.says("write", "a"))
                .contains("has not been made again")
                .endsWith("wrote a");
        assertThat(notes.written).containsExactly("write a");
    }

    /** A person has approved by the time at which it is told what became of the call. */
    @Test
    void aCallThatRunsIsNotSaidToWaitForAPerson() {
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> told = new CompletableFuture<>();
        notes.answer = text -> {
            entered.complete(null);
            told.join();
            return Results.said("wrote " + text, false);
        };
        open(approved(new InMemoryStore(), entered), "{ tools: notes.write }");

        assertThat(assistant.says("write", "a")).startsWith("Not known yet");
        told.complete(null);
        assertThat(notes.written).containsExactly("write a");
    }

    /** A store in which what is held is approved, and runs, before it is read again. */
    private Store approved(Store store, CompletableFuture<Void> entered) {
        return around(
                store,
                agents -> approved(agents, entered),
                (method, given) -> {
                    if (method.equals("findBatch") && !questions().isEmpty()) {
                        AskedQuestion asked = questions().get(0);
                        PendingInterrupt.Approval question = (PendingInterrupt.Approval) asked.interrupt();
                        gateway.agent().as(Caller.of("grace")).decide(asked.threadId(), question.approve());
                        entered.join();
                    }
                },
                (method, result) -> {});
    }

    /** An assistant that asks again and again, in other words each time, must not bury what others ask. */
    @Test
    void aClientHasSoManyCallsHeldAndNoMoreBeforeSomebodyDecides() {
        open(new InMemoryStore(), "{ tools: notes.write }");
        IntStream.range(0, 100)
                .forEach(i -> assertThat(assistant.says("write", "a" + i)).contains("is held"));

        assertThat(assistant.says("write", "one more"))
                .isEqualTo(
                        "The call of \"write\" was not made: 100 calls of this client wait for people already. Let them decide"
                                + " these first.");
        assertThat(assistant.says("write", "a7")).contains("is held");
        decide(PendingInterrupt.Approval::deny);
        assertThat(assistant.says("write", "one more")).contains("is held");
        assertThat(notes.written).isEmpty();
    }

    /** A store that is away while it is. */
    private static Store away(Store store, AtomicBoolean away) {
        return around(
                store,
                agents -> away(agents, away),
                (method, given) -> {
                    if (away.get()) {
                        throw new StoreException("no connection");
                    }
                },
                (method, result) -> {});
    }

    @Test
    void whileTheStoreIsAwayNoCallRunsAndNoneIsForgotten() {
        AtomicBoolean away = new AtomicBoolean();
        open(away(new InMemoryStore(), away), "{ tools: notes.write }, { tools: notes.read, approval: none }");
        assertThat(assistant.says("write", "a")).startsWith("Not run yet");

        away.set(true);
        for (String tool : List.of("write", "read")) {
            assertThatThrownBy(() -> assistant.call(tool, "a"))
                    .isInstanceOf(McpError.class)
                    .hasMessageContaining("no connection");
        }
        away.set(false);
        assertThat(assistant.says("write", "a")).startsWith("Not run yet");
        assertThat(questions()).hasSize(1);
        assertThat(notes.written).isEmpty();
    }

    /** Or it would read the results of another user's calls, and make calls that were approved for that user. */
    @Test
    void noClientHasTheNameOfAnotherUsersClient() {
        assertThat(name("a", "b of c")).isNotEqualTo(name("a of b", "c"));
        assertThat(name("a", "b) (c")).isNotEqualTo(name("a (b)", "c"));
        assertThat(name("a (b)", "c")).isEqualTo(name("a b", "c"));
    }

    private static String name(String given, String user) {
        McpTransportContext context = McpTransportContext.create(Map.of("person", Caller.of(user)));
        UpstreamTool tool = new UpstreamTool(
                "notes", new Notes().tool("write", null, Map.of()).tool());
        return new Client(given, context, "s", "write", Map.of(), tool, q -> Optional.empty(), false, (s, m) -> {})
                .name();
    }

    private static AuditEvent run(String thread, int number) {
        return new AuditEvent(
                Instant.EPOCH,
                thread,
                "r",
                "mcp:assistant",
                AuditEvent.Kind.EXECUTED,
                new AuditEvent.Subject(
                        Optional.of(thread + "." + number), Optional.of("notes.write"), Optional.empty()),
                JsonNodeFactory.instance.objectNode().put("n", number));
    }
}
