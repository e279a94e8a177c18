package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.TimerAccess;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One operation of the store fails while an agent works as a tool, and the server lives. */
@Logs({"*"})
class StoreFailsInsideTest {

    /** What could not be released is waited for. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final List<String> effects = new ArrayList<>();
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private How how = How.BEFORE;
    private boolean isUnsure;
    private Clock clock = Clock.systemUTC();

    /** The operation fails before it has had its effect, or after it, or before it as in a store that is not written in Java. */
    enum How {
        BEFORE,
        AFTER,
        UNCHECKED
    }

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount, ToolCallContext call) {
            if (isUnsure && call.answers().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Sure?"));
            } else if (isUnsure) {
                return "not paid";
            }
            effects.add("pay " + amount);
            return "paid";
        }
    }

    /** A store of which one operation fails. */
    private Store store(Store store) {
        return how == How.UNCHECKED ? unchecked(store) : proxied(store);
    }

    private Store unchecked(Store store) {
        return new ForwardingStore() {
            @Override
            protected Store store() {
                if (left.decrementAndGet() == -1) {
                    throw Unchecked.<RuntimeException>of(new IOException("no connection"));
                }
                return store;
            }
        };
    }

    private Store proxied(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("of")) {
                        return proxied(store.of((String) arguments[0]));
                    }
                    boolean fails = left.decrementAndGet() == -1;
                    if (fails && how == How.BEFORE) {
                        throw new StoreException("no connection", new IllegalStateException());
                    }
                    try {
                        Object result = method.invoke(store, arguments);
                        if (fails) {
                            throw new StoreException("no answer", new IllegalStateException());
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static ScriptedModel repeating(String last, String tool, String arguments) {
        ScriptedModel model = new ScriptedModel().calls(call("c1", tool, arguments));
        for (int i = 0; i < 9; i++) {
            model.says(last);
        }
        return model;
    }

    private Holdpoint boss() {
        return boss(store(new InMemoryStore()));
    }

    private Holdpoint boss(Store store) {
        ToolProvider clerk = LocalAgent.of(
                "clerk",
                "Pays bills",
                TimerAccess.lease(LEASE, Shape.BLOCKING.builder(repeating("Paid.", "pay", "{\"amount\":5}")))
                        .name("clerk")
                        .store(store)
                        .clock(clock)
                        .tools(new Bank())
                        .build());
        return TimerAccess.lease(LEASE, Shape.BLOCKING.builder(repeating("Done.", "clerk", "{\"task\":\"Pay\"}")))
                .name("boss")
                .store(store)
                .clock(clock)
                .toolProviders(clerk)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void noModelHearsOfAFailedTaskWithoutWhatHasRunInIt(How given) {
        how = given;
        int failing = 0;
        while (left.get() >= 0) {
            effects.clear();
            left.set(Integer.MAX_VALUE);
            Holdpoint boss = boss();
            PendingInterrupt.Approval question = boss.send("t", "Go").approval();

            left.set(failing);
            try {
                boss.resume("t", question.approve());
            } catch (Exception e) {
                assertThat(e).hasMessageStartingWith("no ");
            }
            if (left.get() >= 0) {
                break;
            }
            left.set(Integer.MAX_VALUE);
            goesOn(boss);

            assertThat(effects).as("operation " + failing).hasSizeLessThan(2);
            assertThat(boss.auditTrail("t", 0, 99))
                    .as("operation " + failing)
                    .filteredOn(event -> event.kind() == AuditEvent.Kind.FAILED && !effects.isEmpty())
                    .allSatisfy(event ->
                            assertThat(event.detail().path("error").asText()).contains("Calls that ran before: pay"));
            assertThat(boss.auditTrail("t", 0, 99))
                    .as("an answer that was taken is not asked for again, operation " + failing)
                    .filteredOn(event -> event.kind() == AuditEvent.Kind.HELD
                            && event.detail().path("reason").asText().equals(PendingInterrupt.Approval.REASON))
                    .hasSize(1);
            failing++;
            left.set(0);
        }
        assertThat(failing).isGreaterThan(20);
    }

    /** The server dies between a decision and the agent that it is for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void timeDoesNotAskAgainWhatIsDecided(int commits) {
        VirtualClock time = new VirtualClock();
        clock = time;
        Store store = new InMemoryStore();
        MortalStore dying = new MortalStore(store);
        Holdpoint boss = boss(dying);
        PendingInterrupt.Approval question = boss.send("t", "Go").approval();
        dying.dieAfter(commits);
        boss.resume("t", question.deny());
        time.advance(Duration.ofMinutes(11));

        Holdpoint other = boss(store);
        other.actOnTime();

        assertThat(other.pending("t")).isEmpty();
        other.resume("t");
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void norWhatTheSamePersonHasDecidedInTheSameCallAfterwards(int commits) {
        isUnsure = true;
        VirtualClock time = new VirtualClock();
        clock = time;
        Store store = new InMemoryStore();
        MortalStore dying = new MortalStore(store);
        Holdpoint boss = boss(dying);
        PendingInterrupt sure = boss.resume("t", boss.send("t", "Go").approval().approve())
                .interrupts()
                .get(0);
        dying.dieAfter(commits);
        boss.resume("t", ResumeEntry.resolved(sure.interrupt().id(), BooleanNode.FALSE));
        time.advance(Duration.ofMinutes(11));

        Holdpoint other = boss(store);
        other.actOnTime();

        assertThat(other.pending("t")).isEmpty();
        other.resume("t");
        assertThat(effects).isEmpty();
    }

    /** A person answers whatever is asked, as it is. */
    private void goesOn(Holdpoint boss) {
        for (int i = 0; i < 9; i++) {
            List<PendingInterrupt> asked = boss.pending("t");
            RunResult result = asked.isEmpty()
                    ? boss.resume("t")
                    : boss.resume(
                            "t",
                            asked.get(0) instanceof PendingInterrupt.UnknownOutcome unknown
                                    ? effects.isEmpty() ? unknown.retry() : unknown.done()
                                    : asked.get(0).asApproval().approve());
            if (result instanceof RunResult.Completed) {
                return;
            }
        }
    }
}
