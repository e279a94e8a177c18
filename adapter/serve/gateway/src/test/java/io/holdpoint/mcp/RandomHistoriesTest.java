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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two gateways on one store, an assistant that calls again and again and loses answers, people who approve and deny, gateways that start
 * again: nothing runs that nobody has approved, nothing runs twice, and whoever calls again learns what became of it.
 */
class RandomHistoriesTest {

    private static final String CONFIG =
            "servers: { notes: { command: notes } }\nwait: PT0S\npolicies: [ { tools: notes.write } ]";
    private static final int STEPS = 40;
    private static final int TEXTS = 4;

    static List<Long> seeds() {
        int histories = Integer.getInteger("holdpoint.histories", 5);
        return new Random(Long.getLong("holdpoint.histories.seed", 44))
                .longs(histories)
                .boxed()
                .toList();
    }

    /** A gateway and the assistant that is connected to it. */
    private static final class Node implements AutoCloseable {

        private final McpGateway gateway;
        private final Assistant assistant;

        private Node(Store store, Notes notes) {
            gateway = McpGateway.open(
                    ConfigReader.read("gateway.yml", CONFIG, Map.of()),
                    store,
                    "",
                    Clock.systemUTC(),
                    server -> notes::start);
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

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingRunsUnapprovedOrTwiceAndNothingIsLost(long seed) {
        Random random = new Random(seed);
        Notes notes = new Notes();
        Store store = new InMemoryStore();
        List<Node> nodes = new ArrayList<>(List.of(new Node(store, notes), new Node(store, notes)));
        Map<String, Integer> approved = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int chosen = random.nextInt(nodes.size());
            Node node = nodes.get(chosen);
            switch (random.nextInt(5)) {
                case 0, 1 -> node.assistant.call("write", "t" + random.nextInt(TEXTS)); // the answer may be lost
                case 2 -> decide(node, random, true).ifPresent(text -> approved.merge(text, 1, Integer::sum));
                case 3 -> decide(node, random, false);
                default -> {
                    node.close();
                    node = new Node(store, notes);
                    nodes.set(chosen, node);
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
        nodes.forEach(Node::close);
        assertThat(executed(notes)).isEqualTo(approved);
    }

    private static Map<String, Integer> executed(Notes notes) {
        Map<String, Integer> executed = new HashMap<>();
        notes.written.forEach(line -> executed.merge(line.substring("write ".length()), 1, Integer::sum));
        return executed;
    }

    private static Optional<String> decide(Node node, Random random, boolean approve) {
        List<AskedQuestion> open = node.questions();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        AskedQuestion asked = open.get(random.nextInt(open.size()));
        PendingInterrupt.Approval question = (PendingInterrupt.Approval) asked.interrupt();
        Decided decided = node.gateway
                .agent()
                .as(Caller.of("grace"))
                .decide(asked.threadId(), approve ? question.approve() : question.deny());
        ((Decided.Runs) decided).result().join();
        return Optional.of(text(asked));
    }

    private static String text(AskedQuestion asked) {
        return asked.interrupt()
                .interrupt()
                .metadata()
                .at("/langchain4j/args/text")
                .asText();
    }
}
