package io.holdpoint.testing;

import static io.holdpoint.testing.ScriptedModel.call;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.ResumeEntry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Two nodes on one store: one dies while a tool runs, after its effect; the lease passes, and the other takes over. */
public final class Crash {

    /** What a node has to die in. */
    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(@P("amount") int amount, ToolCallContext context) {
            return act("pay " + amount, "paid " + amount, context);
        }

        @Tool
        @RequiresApproval(idempotent = true)
        public String book(@P("amount") int amount, ToolCallContext context) {
            return act("book " + amount, "booked " + amount, context);
        }

        @Tool
        public String look(@P("what") String what, ToolCallContext context) {
            return act("look " + what, "seen " + what, context);
        }

        private String act(String effect, String result, ToolCallContext context) {
            effects.add(effect);
            keys.add(context.idempotencyKey());
            MortalStore dying = deadly.get();
            if (dying != null && effect.startsWith(deadlyTool)) {
                deadly.set(null);
                dying.die();
            }
            return result;
        }
    }

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final AtomicReference<MortalStore> deadly = new AtomicReference<>();
    private volatile String deadlyTool = "pay";

    /** The surroundings, and the node that lives. */
    public final Bench bench = new Bench(builder -> builder.tools(new Bank()));

    /** What the tools did, seen from outside. */
    public List<String> effects() {
        return effects;
    }

    /** The idempotency keys that the tools got. */
    public List<String> keys() {
        return keys;
    }

    /** A payment is approved, and the node dies while it runs. */
    public ResumeEntry whilePaying() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        bench.say("Pay");
        ResumeEntry approval = bench.pending(0).approve();
        again(approval);
        return approval;
    }

    /** A node takes the answers, and dies while it pays. */
    public void again(ResumeEntry... answers) {
        in("pay", answers);
    }

    /** A node takes the answers, and dies in a tool. */
    public void in(String tool, ResumeEntry... answers) {
        in(tool, builder -> builder, answers);
    }

    /** A node of its own kind takes the answers, and dies in a tool. */
    public void in(String tool, UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom, ResumeEntry... answers) {
        MortalStore store = new MortalStore(bench.store);
        Holdpoint dying =
                bench.another(builder -> custom.apply(builder.tools(new Bank()).store(store)));
        deadlyTool = tool;
        deadly.set(store);
        dying.resume(Bench.THREAD, answers);
        leasePasses();
    }

    /** A node hears a message, and dies in a tool. */
    public void hearing(String tool, String text) {
        MortalStore store = new MortalStore(bench.store);
        deadlyTool = tool;
        deadly.set(store);
        bench.another(builder -> builder.tools(new Bank()).store(store)).send(Bench.THREAD, text);
        leasePasses();
    }

    /** A node takes answers with a new message, and dies when it has written that they were accepted. */
    public void accepting(String text, ResumeEntry... answers) {
        MortalStore store = new MortalStore(bench.store);
        store.dieAfter(1);
        bench.another(builder -> builder.tools(new Bank()).store(store))
                .run(bench.input(Bench.user(text, text)).withResume(List.of(answers)), event -> {})
                .join();
        leasePasses();
    }

    public void leasePasses() {
        bench.clock.advance(HoldpointBuilder.DEFAULT_LEASE_DURATION.plus(Duration.ofSeconds(1)));
    }
}
