package io.holdpoint.crash;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.WhenExpired;
import io.holdpoint.store.Grant;

/** Tools whose effects are seen from outside, with a point before and one after each effect. */
final class EffectTools {

    private final Effects effects;
    private final CrashPoints points;

    EffectTools(Effects effects, CrashPoints points) {
        this.effects = effects;
        this.points = points;
    }

    @Tool("Transfers money")
    @RequiresApproval
    String transfer(String to, ToolCallContext call) {
        return effect("transfer", to, call);
    }

    @Tool("Posts a letter; the same letter only once")
    @RequiresApproval(idempotent = true)
    String post(String to, ToolCallContext call) {
        return effect("post", to, call);
    }

    @Tool("Pays; who approves may say for how long, and the question does not stay open for ever")
    @RequiresApproval(remember = Grant.Scope.TOOL, expiresAfter = "PT30M")
    String pay(String to, ToolCallContext call) {
        return effect("pay", to, call);
    }

    @Tool("Lends; whoever has to approve is reminded")
    @RequiresApproval(remind = "PT1H", expiresAfter = "P30D")
    String lend(String to, ToolCallContext call) {
        return effect("lend", to, call);
    }

    @Tool("Sells; is given up when nobody answers")
    @RequiresApproval(expiresAfter = "PT1H", whenExpired = WhenExpired.GIVE_UP)
    String sell(String to, ToolCallContext call) {
        return effect("sell", to, call);
    }

    @Tool("Buys; the turn goes on when nobody answers")
    @RequiresApproval(expiresAfter = "PT1H", whenExpired = WhenExpired.GO_ON)
    String buy(String to, ToolCallContext call) {
        return effect("buy", to, call);
    }

    @Tool("Awards; two people have to approve")
    @RequiresApproval(approvals = 2, expiresAfter = "PT1H", whenExpired = WhenExpired.GIVE_UP)
    String award(String to, ToolCallContext call) {
        return effect("award", to, call);
    }

    @Tool("Counts a visit")
    String visit(String to, ToolCallContext call) {
        return effect("visit", to, call);
    }

    private String effect(String tool, String to, ToolCallContext call) {
        points.pass("tool " + tool + " entered");
        effects.append(new Effects.Effect(call.idempotencyKey(), call.toolCallId(), tool, to));
        points.pass("tool " + tool + " took effect");
        return returned(tool, to);
    }

    static String returned(String tool, String to) {
        return tool + " of " + to + " went well";
    }
}
