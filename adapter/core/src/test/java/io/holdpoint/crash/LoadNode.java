package io.holdpoint.crash;

import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A process under load, to be killed at any moment: several clients begin conversations, approve, and leave some held; one
 * goes on with what earlier processes left. Writes a line when something is acknowledged.
 */
public final class LoadNode implements AutoCloseable {

    private static final int CLIENTS = 4;
    final Store store;
    final Holdpoint agent;
    private final HikariDataSource pool;
    private final ChatMemoryStore memories;
    private final Effects effects;

    /**
     * @param life how many processes there were before: each finds the leases of those ended
     */
    LoadNode(Database database, Path effects, int life) {
        pool = database.pool();
        this.effects = new Effects(effects);
        this.store = database.store(pool);
        this.memories = database.memories(pool);
        CrashPoints points = CrashPoints.none();
        CrashableModel model = new CrashableModel(points, LoadNode::say);
        this.agent = Shape.STREAMING
                .builder(new ScriptedModel())
                .chatModel(model)
                .streamingChatModel(model)
                .tools(new EffectTools(this.effects, points))
                .store(store)
                .approvalAuthorizer(CrashNode.AUTHORIZER)
                .clock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(2L * life)))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .build();
    }

    @Override
    public void close() {
        agent.shutdown(Duration.ZERO);
        pool.close();
    }

    ChatMemoryStore memories() {
        return memories;
    }

    /** Works until it is killed: URL of the database, file of effects, life. */
    public static void main(String[] arguments) {
        int life = Integer.parseInt(arguments[2]);
        @SuppressWarnings("resource") // until it is killed
        LoadNode node = new LoadNode(new Database(arguments[0]), Path.of(arguments[1]), life);
        say("READY");
        for (int client = 0; client < CLIENTS; client++) {
            String prefix = "t-" + life + "-" + client + "-";
            new Thread(() -> node.converse(prefix)).start();
        }
        new Thread(() -> node.takeOver("t-" + life + "-")).start();
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }

    private void converse(String prefix) {
        for (int i = 0; ; i++) {
            String thread = prefix + i;
            expect(agent.send(thread, "transfer:" + thread), RunResult.Interrupted.class, thread);
            say("HELD " + thread);
            if (i % 4 != 3) {
                expect(agent.resume(thread, answer(agent.pending(thread).get(0))), RunResult.Completed.class, thread);
                say("DONE " + thread);
            }
        }
    }

    /** A conversation with one approval; {@code false} if it did not come to its end. */
    boolean isApproved(String thread) {
        agent.send(thread, "transfer:" + thread);
        return agent.resume(thread, answer(agent.pending(thread).get(0))) instanceof RunResult.Completed;
    }

    private void takeOver(String own) {
        Place last = Place.FIRST;
        while (true) {
            List<OpenBatch> page = store.open(Optional.empty(), last, 20);
            if (page.isEmpty()) {
                return;
            }
            for (OpenBatch open : page) {
                last = open.place();
                if (!open.threadId().startsWith(own)) {
                    goOn(open.threadId());
                }
            }
        }
    }

    /** Answers whatever is asked until nothing is. */
    void goOn(String thread) {
        for (int i = 0; i < 5; i++) {
            List<ResumeEntry> answers =
                    agent.pending(thread).stream().map(this::answer).toList();
            if (agent.resume(thread, answers) instanceof RunResult.Completed
                    && agent.pending(thread).isEmpty()) {
                return;
            }
        }
    }

    /** Approves, and says what is true of a call whose outcome nobody knows. */
    private ResumeEntry answer(PendingInterrupt asked) {
        if (!asked.reason().equals(Person.OUTCOME_UNKNOWN)) {
            return asked.asApproval().approve();
        }
        String toolCallId = asked.interrupt().toolCallId();
        String action = effects.of(String.valueOf(toolCallId)).isEmpty() ? "retry" : "done";
        return ResumeEntry.resolved(
                asked.id(), AguiCodec.mapper().createObjectNode().put("action", action));
    }

    private static void expect(RunResult result, Class<? extends RunResult> type, String thread) {
        if (!type.isInstance(result)) {
            say("FAILED " + thread + " " + result);
        }
    }
}
