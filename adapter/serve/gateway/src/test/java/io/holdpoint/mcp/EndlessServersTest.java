package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.InMemoryStore;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a server does without an end, and what it lets others wait for: nobody else waits, and nothing grows. */
@Timeout(50)
class EndlessServersTest {

    private static final String CHANGED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

    private final Notes notes = new Notes();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private UnaryOperator<List<String>> atStart = UnaryOperator.identity();
    private Function<McpJsonMapper, McpClientTransport> transports = mapper -> {
        Lines lines = (Lines) notes.start(mapper);
        lines.delivered = atStart;
        return lines;
    };
    private McpGateway gateway;

    private McpGateway open(String timeout) {
        gateway = new McpGateway(
                ConfigReader.read(
                        "gateway.yml",
                        "servers: { notes: { command: notes, timeout: " + timeout
                                + " } }\nwait: PT0S\npolicies: [ { tools: '*', approval: none } ]",
                        Map.of()),
                new InMemoryStore(),
                "Ask grace.",
                Clock.systemUTC(),
                server -> mapper -> transports.apply(mapper));
        return gateway;
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        if (gateway != null) {
            gateway.close();
        }
    }

    /** Each list of tools goes on, and on the next page it is the same. */
    private static List<String> withoutEnd(List<String> lines) {
        return lines.stream()
                .map(line -> line.replace("\"tools\":[", "\"nextCursor\":\"more\",\"tools\":["))
                .toList();
    }

    @Test
    void aListOfToolsWithoutAnEndIsReadSoFar() throws Exception {
        atStart = EndlessServersTest::withoutEnd;
        Assistant assistant = new Assistant(open("PT30S"));
        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");

        notes.server.addTool(notes.tool("another", null, Map.of()));
        assertThat(assistant.changes.poll(20, TimeUnit.SECONDS))
                .extracting(Tool::name)
                .contains("another", "write");
    }

    @Test
    void ofMoreToolsThanAnyAssistantUsesTheRestIsLeftOut() {
        String many = IntStream.range(0, 5_000)
                .mapToObj(i -> "{\"name\":\"new" + i + "\",\"inputSchema\":{\"type\":\"object\"}}")
                .collect(Collectors.joining(","));
        atStart = lines -> lines.stream()
                .map(line -> line.replace("\"tools\":[", "\"tools\":[" + many + ","))
                .toList();

        assertThat(new Assistant(open("PT30S")).client.listTools().tools())
                .hasSize(Upstream.MOST_TOOLS)
                .last()
                .extracting(Tool::name)
                .isEqualTo("new" + (Upstream.MOST_TOOLS - 1));
    }

    @Test
    void aServerThatSaysWithoutAnEndThatItsToolsHaveChangedIsAskedForThemOneAfterTheOther() throws Exception {
        Assistant assistant = new Assistant(open("PT30S"));
        Lines line = notes.line;
        line.delivered = lines -> Stream.concat(Collections.nCopies(1_000, CHANGED).stream(), lines.stream())
                .toList();
        assertThat(assistant.says("write", "a")).isEqualTo("wrote a");
        line.delivered = UnaryOperator.identity();
        notes.server.addTool(notes.tool("another", null, Map.of()));

        List<String> names = new ArrayList<>();
        while (!names.contains("another")) {
            names.clear();
            assistant.changes.poll(20, TimeUnit.SECONDS).forEach(tool -> names.add(tool.name()));
        }
        assertThat(line.sent)
                .filteredOn(message -> message.contains("\"tools/list\""))
                .hasSizeLessThan(100);
    }

    /** A transport of a server that is not there, which says so when it is let. */
    private record Absent(CountDownLatch tried, CountDownLatch let) implements McpClientTransport {

        @Override
        public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
            return Mono.fromCallable(() -> {
                        tried.countDown();
                        let.await();
                        throw new IllegalStateException("nobody is there");
                    })
                    .then()
                    .subscribeOn(Schedulers.boundedElastic());
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }

    private void die() {
        notes.line.delivered = lines -> List.of();
    }

    private List<CompletableFuture<String>> calls(Assistant assistant, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> assistant.says("write", "again " + i), callers))
                .toList();
    }

    @Test
    @Tag("deep")
    void callsOfAServerThatCannotBeStartedAgainDoNotTryOneAfterTheOther() throws Exception {
        Assistant assistant = new Assistant(open("PT1S"));
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch tried = new CountDownLatch(1);
        CountDownLatch let = new CountDownLatch(1);
        transports = mapper -> {
            attempts.incrementAndGet();
            return new Absent(tried, let);
        };
        die();
        CompletableFuture<String> first = calls(assistant, 1).get(0);
        while (attempts.get() == 0) { // until its ping has not been answered either
            first.join();
            first = calls(assistant, 1).get(0);
            tried.await(1, TimeUnit.SECONDS);
        }
        List<CompletableFuture<String>> others = calls(assistant, 20);
        while (waiting() < 20) {
            Thread.onSpinWait();
        }
        let.countDown();

        assertThat(first.join()).contains("nobody is there");
        assertThat(others).allSatisfy(call -> assertThat(call.join()).contains("nobody is there", "was not made"));
        assertThat(attempts).hasValue(1);
    }

    /** The threads that wait for a server to be started. */
    private static long waiting() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getState() == Thread.State.BLOCKED)
                .filter(each -> Stream.of(each.getValue()).limit(1).anyMatch(frame -> frame.getClassName()
                        .equals(Upstream.class.getName())))
                .count();
    }

    @Test
    @Tag("deep")
    @Timeout(30)
    void aServerThatIsBeingStartedKeepsNoGatewayFromEnding() throws Exception {
        Assistant assistant = new Assistant(open("PT1S"));
        CountDownLatch tried = new CountDownLatch(1);
        transports = mapper -> new Absent(tried, new CountDownLatch(1));
        die();
        while (tried.getCount() > 0) {
            CompletableFuture<String> call = calls(assistant, 1).get(0);
            CompletableFuture.anyOf(call, CompletableFuture.runAsync(() -> {}, callers))
                    .join();
            tried.await(2, TimeUnit.SECONDS);
        }
        gateway.close();
    }

    /** Or the SDK would start it again, beside the one that the next call starts. */
    @Test
    void aServerThatIsGivenUpIsNotAskedForItsToolsAnyMore() throws Exception {
        Assistant assistant = new Assistant(open("PT1S"));
        Lines first = notes.line;
        first.delivered = lines -> List.of(CHANGED, CHANGED);
        while (notes.line == first) {
            assistant.says("write", "a");
        }
        assertThat(first.connected).hasValue(1);
    }

    /** Of that call nobody knows whether it was made. */
    @Test
    void aPingThatReachesNobodySaysNothingOfACallThatWasSentBefore() {
        Assistant assistant = new Assistant(open("PT2S"));
        CountDownLatch sent = new CountDownLatch(1);
        die();
        notes.line.pinged = Optional.of(Mono.<Void>fromCallable(() -> {
                    sent.await();
                    throw new ConnectException("refused");
                })
                .subscribeOn(Schedulers.boundedElastic()));
        assertThat(assistant.says("write", "first")).contains("no answer within 2 seconds");

        CompletableFuture<String> other = calls(assistant, 1).get(0);
        while (notes.written.size() < 2) {
            Thread.onSpinWait();
        }
        sent.countDown();
        assertThat(other.join()).contains("It may have had its effect").doesNotContain("was not made");
    }

    /** A transport to clients of which one does not read. */
    private record Stuck(CountDownLatch telling, CountDownLatch end) implements McpStreamableServerTransportProvider {

        @Override
        public void setSessionFactory(McpStreamableServerSession.Factory factory) {}

        @Override
        public Mono<Void> notifyClients(String method, Object params) {
            return Mono.fromRunnable(() -> {
                telling.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        @Override
        public Mono<Void> notifyClient(String session, String method, Object params) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }

    @Test
    void aClientThatDoesNotReadKeepsNoOtherFromItsCalls() throws Exception {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        open("PT30S").serve(new Stuck(telling, end));
        try {
            Assistant assistant = new Assistant(gateway);
            notes.server.addTool(notes.tool("another", null, Map.of()));
            assertThat(telling.await(20, TimeUnit.SECONDS)).isTrue();
            notes.server.addTool(notes.tool("one more", null, Map.of()));

            List<String> names = new ArrayList<>();
            while (!names.contains("one more")) {
                List<Tool> changed =
                        assistant.changes.poll(Duration.ofSeconds(10).toSeconds(), TimeUnit.SECONDS);
                assertThat(changed).isNotNull();
                changed.forEach(tool -> names.add(tool.name()));
            }
        } finally {
            end.countDown();
        }
    }
}
