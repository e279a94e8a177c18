package io.holdpoint.histories;

import static io.holdpoint.Audience.role;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.histories.Bank.Feature;
import io.holdpoint.histories.Ledger.Form;
import io.holdpoint.people.Effect;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.IntendedCalls;
import io.holdpoint.people.MoreTime;
import io.holdpoint.people.Plan;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The tools of a {@link Bank}: each is asked about in a way of its own. */
final class Office {

    private static final Map<Feature, List<String>> NAMES = new EnumMap<>(Map.of(
            Feature.TIME, List.of("mail", "mail", "note"),
            Feature.EFFECT, List.of("wire", "drain"),
            Feature.GRANTS, List.of("buy", "buy", "buy", "order", "order"),
            Feature.INTENDED, List.of("intend", "order", "order", "order"),
            Feature.PROVENANCE, List.of("tip", "tip", "fetch"),
            Feature.OPINION, List.of("tip"),
            Feature.CONFIRM, List.of("delete"),
            Feature.INSIDE, List.of("confer"),
            Feature.FAILURES, List.of("risk")));

    private final Bank bank;

    Office(Bank bank) {
        this.bank = bank;
    }

    /** The names of the tools that a model calls, some more often than others. */
    static List<String> names(Bank bank) {
        List<String> all = new ArrayList<>(List.of("pay", "pay", "book", "look"));
        NAMES.forEach((feature, names) -> all.addAll(bank.has(feature) ? names : List.of()));
        return all;
    }

    static ToolPolicy[] policies(Bank bank) {
        Effect effect = call -> {
            int amount = call.argument("amount", Integer.class).orElseThrow();
            return Plan.of("leaves " + (bank.ledger.balance - amount))
                    .holds("balance", bank.ledger.balance)
                    .validFor(Ledger.VALID);
        };
        Bounds bounds = Bounds.same("note").sum("amount", Ledger.PER).count(Bank.MOST_BOUGHT);
        return new ToolPolicy[] {
            ToolPolicy.named("pay")
                    .when(above(Ledger.LARGE - 1))
                    .approvals(Approvals.of(2).by(role("manager")))
                    .decideByLink(),
            ToolPolicy.named("tip").when(above(Ledger.SMALL)).decideByLink(),
            ToolPolicy.named("wire").rules(effect).decideByLink(),
            ToolPolicy.named("drain").approvals(Approvals.of(2)).rules(effect).decideByLink(),
            ToolPolicy.named("buy")
                    .rememberWithin(bank.has(Feature.OWNER) ? bounds.ofOwner() : bounds, Bank.KEPT)
                    .decideByLink(),
            ToolPolicy.named("risk").askOnFailure(),
            ToolPolicy.named("mail")
                    .timeline(Timeline.expiresAfter(Duration.ofMinutes(20))
                            .remind(Duration.ofMinutes(5))
                            .warn(Duration.ofMinutes(5))
                            .escalate(Duration.ofMinutes(10), role("manager")))
                    .rules(MoreTime.of(Duration.ofMinutes(10), 2))
                    .decideByLink()
        };
    }

    private static ApprovalCondition above(int amount) {
        return call -> ApprovalVerdict.requireApprovalIf(
                call.arguments().path("amount").asInt() > amount);
    }

    private String body(int amount, String note, ToolCallContext context) {
        return bank.enter(context.toolCallId(), new Form(amount, note));
    }

    @Tool
    @RequiresApproval(approvals = 2, decideByLink = true)
    String pay(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(decideByLink = true)
    String mail(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(expiresAfter = "PT30M", whenExpired = WhenExpired.GO_ON, decideByLink = true)
    String note(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(decideByLink = true)
    String wire(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(decideByLink = true)
    String drain(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    String buy(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(remember = Grant.Scope.SAME_CALL, rememberFor = "PT30M")
    String order(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(rules = IntendedCalls.class)
    String intend(List<IntendedCall> calls, ToolCallContext call) {
        return bank.enter(call.toolCallId(), Form.of(calls));
    }

    @Tool
    String tip(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(confirm = "note", reversibility = Reversibility.IRREVERSIBLE)
    String delete(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(idempotent = true)
    String book(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    @RequiresApproval(approvals = 2)
    String risk(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    /** Asks in the middle, and begins again with the answer. */
    @Tool
    @RequiresApproval
    String confer(int amount, String note, ToolCallContext call) {
        String effect = body(amount, note, call);
        if (call.resumed().isEmpty()) {
            throw call.interrupt(
                    ToolInterrupt.of(ToolInterrupt.CONFIRMATION, "Go on?").expiresAfter(Duration.ofMinutes(30)));
        }
        return effect;
    }

    @Tool
    String look(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }

    @Tool
    String fetch(int amount, String note, ToolCallContext call) {
        return body(amount, note, call);
    }
}
