package io.holdpoint.crash;

import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.TimerAccess;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.hook.Extension;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * A process with an agent, to be killed. Reads {@linkplain Order orders} from its standard input, and writes
 * {@linkplain Line lines} to its standard output. Ends when its standard input does, wherever it stands.
 */
public final class CrashNode {

    /** So long that nothing is renewed while a test runs, in real time; the clock of a node is moved past it. */
    static final Duration LEASE = Duration.ofHours(1);

    private static final String APPROVER = "approver";

    static final ApprovalAuthorizer AUTHORIZER =
            ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role(APPROVER));

    private final PrintStream out;
    private final VirtualClock clock = new VirtualClock();
    private long minutes;
    private volatile Optional<Open> open = Optional.empty();

    /** What is open. */
    private record Open(HikariDataSource pool, Holdpoint agent, CrashPoints points) {}

    /** What a module adds to the agents of its tests' processes. */
    interface Guests {

        Extension of(Order.Open order, CrashPoints points);
    }

    private CrashNode(PrintStream out) {
        this.out = out;
    }

    /** Serves until the end of the standard input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        new CrashNode(out).serve();
        System.exit(0);
    }

    private void serve() throws IOException {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Order order = Order.read(line);
            if (order instanceof Order.GoOn) {
                open.orElseThrow().points().goOn();
            } else if (order instanceof Order.Time time) {
                moveTo(time.minutes());
            } else {
                worker.execute(() -> obey(order));
            }
        }
    }

    private void obey(Order order) {
        try {
            if (order instanceof Order.Open what) {
                open = Optional.of(open(what));
                write(Line.DONE.with("open"));
            } else if (order instanceof Order.Close) {
                open.orElseThrow().pool().close();
                open = Optional.empty();
                write(Line.DONE.with("closed"));
            } else if (order instanceof Order.Run run) {
                write(Line.DONE.with(run(AguiCodec.readRunAgentInput(run.input().toString()))));
            } else if (order instanceof Order.Act act) {
                write(Line.DONE.with(act(open.orElseThrow().agent(), act)));
            } else if (order instanceof Order.Decide decide) {
                write(Line.DONE.with(decide(open.orElseThrow().agent(), decide)));
            }
        } catch (Throwable e) { // whatever it is, the test has to hear of it
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            write(Line.FAILURE.with(trace.toString()));
        }
    }

    private Open open(Order.Open order) {
        moveTo(order.minutes());
        CrashPoints points = new CrashPoints(order.detail(), order.stopAt(), this::write);
        HikariDataSource pool = order.database().pool();
        DataSource database = new CrashableDataSource(pool, points);
        Store store = new CrashableStore(order.database().store(database), points);
        ChatMemoryStore memories = new CrashableMemoryStore(order.database().memories(database), points);
        CrashableModel model = new CrashableModel(points, this::write);
        Holdpoint agent = TimerAccess.lease(LEASE, order.shape().builder(new ScriptedModel()))
                .chatModel(model)
                .streamingChatModel(model)
                .tools(new EffectTools(new Effects(Path.of(order.effects())), points))
                .store(store)
                .approvalAuthorizer(AUTHORIZER)
                .with(ServiceLoader.load(Guests.class).stream()
                        .map(guests -> guests.get().of(order, points))
                        .toArray(Extension[]::new))
                .clock(clock)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .build();
        points.begin();
        return new Open(pool, agent, points);
    }

    private String run(RunAgentInput input) {
        Open here = open.orElseThrow();
        try {
            return here.agent()
                    .run(input, event -> send(here.points(), event))
                    .join()
                    .toString();
        } catch (RunRejectedException e) {
            return e.code().name();
        }
    }

    private static String act(Holdpoint agent, Order.Act act) {
        return switch (act.what()) {
            case CANCEL -> String.valueOf(agent.cancel(act.threadId()));
            case PURGE -> agent.purge().toString();
            case ACT_ON_TIME -> String.valueOf(agent.actOnTime());
            case REVOKE ->
                agent.grants(act.threadId()).stream()
                        .findFirst()
                        .map(grant -> String.valueOf(agent.revoke(act.threadId(), grant.id())))
                        .orElse("false");
            case HALT -> String.valueOf(agent.halt("incident 42"));
            case RELEASE -> String.valueOf(agent.release("mended"));
        };
    }

    private static String decide(Holdpoint agent, Order.Decide order) {
        Decided decided = agent.as(Caller.of(order.who(), APPROVER))
                .decide(order.threadId(), AguiCodec.mapper().convertValue(order.answer(), ResumeEntry.class));
        if (decided instanceof Decided.Runs runs) {
            return runs.result().join() instanceof RunResult.Completed ? "success" : runs.toString();
        }
        return decided instanceof Decided.Refused refused ? refused.code().name() : "waits";
    }

    private void send(CrashPoints points, Event event) {
        if (event instanceof RunEvent.Finished || event instanceof RunEvent.Error) {
            points.pass("before the last event");
            write(Line.EVENT.with(AguiCodec.write(event)));
            points.pass("after the last event");
        } else {
            write(Line.EVENT.with(AguiCodec.write(event)));
            points.passDetail("after " + event.type());
        }
    }

    private void moveTo(long toMinutes) {
        clock.advance(Duration.ofMinutes(toMinutes - minutes));
        minutes = toMinutes;
    }

    private synchronized void write(String line) {
        out.println(line);
    }
}
