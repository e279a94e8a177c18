package io.holdpoint.laws;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Attempt;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallState;
import java.util.Optional;
import java.util.Set;

/** Tools of every kind. An effect is the tool's name and its argument. */
final class LawTools {

    /** Whose effects need a person. */
    static final Set<String> GATED = Set.of("send", "put", "delete", "explode");

    /** Whose effects may come more than once. */
    static final Set<String> IDEMPOTENT = Set.of("put", "look");

    private final World world;
    private final Node node;

    LawTools(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    static String effect(String tool, String n) {
        return tool + " " + n;
    }

    @Tool
    @RequiresApproval
    String send(String n, ToolCallContext call) {
        return body("send", n, call);
    }

    @Tool
    @RequiresApproval(idempotent = true)
    String put(String n, ToolCallContext call) {
        return body("put", n, call);
    }

    @Tool
    @RequiresApproval(editable = false, expiresAfter = "PT1H")
    String delete(String n, ToolCallContext call) {
        return body("delete", n, call);
    }

    @Tool
    @RequiresApproval
    String explode(String n, ToolCallContext call) {
        throw new IllegalStateException(body("explode", n, call));
    }

    @Tool
    String search(String n, ToolCallContext call) {
        return body("search", n, call);
    }

    @Tool
    String look(String n, ToolCallContext call) {
        return body("look", n, call);
    }

    @Tool
    String fail(String n, ToolCallContext call) {
        throw new IllegalStateException(body("fail", n, call));
    }

    private String body(String tool, String n, ToolCallContext context) {
        String effect = effect(tool, n);
        node.access("tool");
        if (!node.isOvertaken()) {
            checkRecord(effect, context);
        }
        if (GATED.contains(tool) && !world.permitted.contains(effect)) {
            world.violations.add("law 2: nobody approved " + effect);
        }
        world.effects.add(effect);
        node.access("after tool");
        return "did " + effect;
    }

    /** A body is entered for a call that the store knows as claimed, with these arguments, after a person approved. */
    private void checkRecord(String effect, ToolCallContext context) {
        Optional<Call> stored = world.hold().flatMap(hold -> hold.call(context.toolCallId()));
        if (stored.isEmpty() || stored.get().state() != CallState.CLAIMED) {
            world.violations.add("law 5: entered without a claim: " + effect + ", " + stored);
            return;
        }
        Call call = stored.get();
        Attempt attempt = call.attempts().get(call.attempts().size() - 1);
        if (!attempt.arguments().equals("{\"n\":\"" + effect.substring(effect.indexOf(' ') + 1) + "\"}")) {
            world.violations.add("law 1: " + effect + " is not the attempt " + attempt);
        }
        if (GATED.contains(call.toolName()) && call.answers().stream().noneMatch(LawTools::approves)) {
            world.violations.add("law 2: entered without an approval: " + call);
        }
    }

    private static boolean approves(io.holdpoint.store.Answer answer) {
        ResumeEntry entry = answer.entry();
        return entry.status() == ResumeEntry.Status.RESOLVED
                && entry.payload() != null
                && entry.payload().path("approved").booleanValue();
    }
}
