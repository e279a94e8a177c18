package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.TimerAccess;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random histories of an agent in a tool: both stores fail before or after an operation, both models fail, the body is interrupted, the
 * server starts again. Nothing is hidden, lost or doubled. {@code -Dholdpoint.delegations=1000} tries more than two hundred.
 */
@Logs("*")
class RandomDelegationsTest {

    private static final int TRIES = Integer.getInteger("holdpoint.delegations", 200);

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final List<String> effects = new ArrayList<>();
    private Random chance = new Random(0);
    private final VirtualClock clock = new VirtualClock();
    private boolean calm;
    private int steps;

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            if (happens(5)) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("not waited for");
            }
            return "pay " + amount + " was done";
        }
    }

    private boolean happens(int oneIn) {
        return !calm && chance.nextInt(oneIn) == 0;
    }

    private Store weak(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("of")) {
                        return weak(store.of((String) arguments[0]));
                    }
                    boolean fails = happens(40);
                    boolean before = chance.nextBoolean();
                    if (fails && before) {
                        throw new StoreException("no connection");
                    }
                    try {
                        Object result = method.invoke(store, arguments);
                        if (fails) {
                            throw new StoreException("no answer");
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private AiMessage answer(ChatRequest request, String tool, String arguments) {
        if (happens(6)) {
            throw new IllegalStateException("HTTP 500", new IllegalStateException("of the provider"));
        }
        List<ChatMessage> messages = request.messages();
        return messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage result
                ? AiMessage.from("I was told: " + result.text())
                : AiMessage.from(call("c" + messages.size(), tool, arguments));
    }

    private ScriptedModel model(String tool, String arguments) {
        ScriptedModel model = new ScriptedModel();
        for (int i = 0; i < 200; i++) {
            model.answers(request -> answer(request, tool, arguments));
        }
        return model;
    }

    /** A lease that could not be given back has ended at the next step. */
    private HoldpointBuilder<?> timed(ScriptedModel model) {
        return TimerAccess.lease(
                LEASE, new ManualTimer().in(Shape.BLOCKING.builder(model).clock(clock)));
    }

    private Holdpoint start(Store inner, Store outer) {
        Holdpoint clerk = timed(model("pay", "{\"amount\":5}"))
                .name("clerk")
                .store(inner)
                .tools(new Bank())
                .build();
        return timed(model("clerk", "{\"task\":\"Pay\"}"))
                .name("boss")
                .store(outer)
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
    }

    private ResumeEntry answer(PendingInterrupt question) {
        return question instanceof PendingInterrupt.UnknownOutcome unknown
                ? effects.isEmpty() ? unknown.retry() : unknown.done()
                : question.asApproval().approve();
    }

    private String history(long seed) {
        effects.clear();
        chance = new Random(seed);
        calm = true;
        Store inner = new InMemoryStore();
        Store outer = chance.nextBoolean() ? inner : new InMemoryStore();
        Holdpoint boss = start(weak(inner), weak(outer));
        calm = false;
        String text = "";
        RunResult result = new RunResult.Cancelled();
        for (int step = 0; !(result instanceof RunResult.Completed); step++) {
            assertThat(step).as("steps of seed " + seed).isLessThan(40);
            calm = step > 12;
            if (happens(5)) {
                boolean before = calm;
                calm = true;
                boss = start(weak(inner), weak(outer));
                calm = before;
            }
            try {
                boolean begun = outer.of("boss").find("t").isPresent();
                List<PendingInterrupt> open = begun ? boss.pending("t") : List.of();
                result = !begun
                        ? boss.send("t", "Go")
                        : open.isEmpty() ? boss.resume("t") : boss.resume("t", answer(open.get(0)));
            } catch (StoreException e) {
                result = new RunResult.Cancelled(); // pending(...) reads the store
            }
            Thread.interrupted();
            clock.advance(LEASE);
            steps++;
            if (result instanceof RunResult.Completed completed) {
                text = completed.text();
            }
        }
        return text;
    }

    @Test
    void nothingIsHiddenLostOrDoubled() {
        for (long seed = 0; seed < TRIES; seed++) {
            String told = history(seed);

            assertThat(effects).as("seed " + seed + ", told: " + told).containsExactly("pay 5");
            assertThat(told.isEmpty() || told.contains("pay"))
                    .as("seed " + seed + ", told: " + told)
                    .isTrue();
        }
        assertThat(steps).isGreaterThan(3 * TRIES);
    }
}
