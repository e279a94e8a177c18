package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two gateways on one store, an assistant that calls again and again and loses answers, people who approve and deny, gateways that start
 * again: nothing runs that nobody has approved, nothing runs twice, and whoever calls again learns what became of it.
 */
class RandomHistoriesTest {

    private static final String CONFIG =
            "servers: { notes: { command: notes } }\nwait: PT0S\npolicies: [ { tools: notes.write } ]";
    private static final String HELD = "Not run yet";
    private static final String ANSWERS = "^Not run yet|^Not known yet|wrote t|declined";
    private static final int STEPS = 60;
    private static final int TEXTS = 4;

    private final Notes notes = new Notes();
    private final Store store = new InMemoryStore();
    private final Map<String, Integer> approved = new HashMap<>();

    /** Threads that live as long as the pipes into which they write. */
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    /** What was decided of a text and told to nobody yet: how its result ends. */
    private final Map<String, String> owed = new HashMap<>();

    private volatile Instant now = Instant.parse("2026-11-29T00:00:00Z");
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    static List<Long> seeds() {
        int histories = Integer.getInteger("holdpoint.histories", 5);
        return new Random(Long.getLong("holdpoint.histories.seed", 44))
                .longs(histories)
                .boxed()
                .toList();
    }

    /** A gateway and the assistant that is connected to it. */
    private final class Node implements AutoCloseable {

        private final McpGateway gateway;
        private final Assistant assistant;

        private Node() {
            gateway = new McpGateway(
                    ConfigReader.read("gateway.yml", CONFIG, Map.of()), store, "", clock, server -> notes::start);
            assistant = new Assistant(gateway);
        }

        private List<AskedQuestion> questions() {
            return Follow.of(gateway.agent().as(Caller.of("grace")))
                    .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), 50)
                    .items();
        }

        @Override
        public void close() {
            assistant.close();
            gateway.close();
        }
    }

    @AfterEach
    void endThreads() {
        threads.shutdown();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingRunsUnapprovedOrTwiceAndNothingIsLost(long seed) {
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>(List.of(new Node(), new Node()));
        for (int step = 0; step < STEPS; step++) {
            int chosen = random.nextInt(nodes.size());
            Node node = nodes.get(chosen);
            String text = "t" + random.nextInt(TEXTS);
            switch (random.nextInt(8)) {
                case 0, 1 -> calls(node, text);
                case 2 -> bothCall(nodes, text);
                case 3, 4 -> decide(node, random, true);
                case 5 -> decide(node, random, false);
                case 6 -> now = now.plus(Duration.ofMinutes(3));
                default -> {
                    node.close();
                    nodes.set(chosen, new Node());
                }
            }
            assertThat(executed(notes)).as("seed %d, step %d", seed, step).isEqualTo(approved);
            assertThat(node.questions().stream().map(RandomHistoriesTest::text))
                    .as("seed %d, step %d", seed, step)
                    .doesNotHaveDuplicates();
        }
        for (AskedQuestion open : nodes.get(0).questions()) {
            String text = text(open);
            assertThat(nodes.get(1).assistant.says("write", text))
                    .contains(open.interrupt().interrupt().id());
        }
        List.copyOf(owed.keySet()).forEach(text -> calls(nodes.get(0), text));
        nodes.forEach(Node::close);
        assertThat(executed(notes)).isEqualTo(approved);
    }

    /** Calls, and calls again because the answer was lost: the same is told, and first of all what was decided. */
    private void calls(Node node, String text) {
        String lost = node.assistant.says("write", text);
        String told = node.assistant.says("write", text);
        assertThat(told).containsPattern(ANSWERS);
        String outcome = owed.remove(text);
        if (outcome != null) {
            assertThat(lost).contains(outcome);
            assertThat(told).contains(outcome);
        }
        assertThat(told.startsWith(HELD)).isEqualTo(lost.startsWith(HELD));
        assertThat(told).endsWith(lost.substring(lost.lastIndexOf('\n') + 1));
    }

    /** Calls by both nodes at once: each is told what was decided. */
    private void bothCall(List<Node> nodes, String text) {
        List<CompletableFuture<String>> calls = nodes.stream()
                .map(node -> CompletableFuture.supplyAsync(() -> node.assistant.says("write", text), threads))
                .toList();
        String outcome = Optional.ofNullable(owed.remove(text)).orElse("");
        assertThat(calls)
                .allSatisfy(told -> assertThat(told.join()).contains(outcome).containsPattern(ANSWERS));
    }

    private static Map<String, Integer> executed(Notes notes) {
        Map<String, Integer> executed = new HashMap<>();
        notes.written.forEach(line -> executed.merge(line.substring("write ".length()), 1, Integer::sum));
        return executed;
    }

    private void decide(Node node, Random random, boolean approve) {
        List<AskedQuestion> open = node.questions();
        if (open.isEmpty()) {
            return;
        }
        AskedQuestion asked = open.get(random.nextInt(open.size()));
        PendingInterrupt.Approval question = (PendingInterrupt.Approval) asked.interrupt();
        Decided decided = node.gateway
                .agent()
                .as(Caller.of("grace"))
                .decide(asked.threadId(), approve ? question.approve() : question.deny());
        ((Decided.Runs) decided).result().join();
        owed.put(text(asked), approve ? "wrote " + text(asked) : "declined");
        if (approve) {
            approved.merge(text(asked), 1, Integer::sum);
        }
    }

    private static String text(AskedQuestion asked) {
        return asked.interrupt()
                .interrupt()
                .metadata()
                .at("/langchain4j/args/text")
                .asText();
    }
}
