package io.holdpoint.laws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.WhenExpired;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Tools of every kind. An effect is the tool's name and its argument. */
final class LawTools {

    /** Whose effects need a person. */
    static final Set<String> GATED = Set.of("send", "put", "delete", "explode", "ask", "book");

    /** Whose effects need an answer to a question of their own. */
    static final Set<String> ASKING = Set.of("ask", "book");

    /** The reason of their questions. */
    static final String QUESTION = "langchain4j:may_i";

    private static final ObjectNode ANSWERS = JsonNodeFactory.instance.objectNode();

    static {
        ANSWERS.putArray("enum").add("yes").add("fine").add("no");
    }

    /** Whose effects may come more than once. */
    static final Set<String> IDEMPOTENT = Set.of("put", "look");

    private final Supplier<Node> present;

    LawTools(Supplier<Node> present) {
        this.present = present;
    }

    private Node node() {
        return present.get();
    }

    static String effect(String tool, String n) {
        return tool + " " + n;
    }

    @Tool
    @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "PT45M")
    String send(String n, ToolCallContext call) {
        return body("send", n, call);
    }

    @Tool
    @RequiresApproval(idempotent = true)
    String put(String n, ToolCallContext call) {
        return body("put", n, call);
    }

    @Tool
    @RequiresApproval(
            editable = {},
            expiresAfter = "PT1H",
            remind = "PT15M",
            whenExpired = WhenExpired.GO_ON)
    String delete(String n, ToolCallContext call) {
        return body("delete", n, call);
    }

    @Tool
    @RequiresApproval(expiresAfter = "PT45M", whenExpired = WhenExpired.GIVE_UP)
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

    /** Needs two people, and time does everything about it. */
    @Tool
    @RequiresApproval(
            approvals = 2,
            remind = "PT15M",
            escalate = "PT30M",
            escalateTo = "manager",
            warn = "PT30M",
            expiresAfter = "PT2H",
            whenExpired = WhenExpired.GO_ON)
    String pay(String n, ToolCallContext call) {
        List<String> counted = node().world().store.auditTrail(node().world().threadId, 0, World.MOST_EVENTS).stream()
                .filter(event -> event.kind() == Kind.DECIDED && event.detail().has("voices"))
                .filter(event -> event.toolCallId().equals(Optional.of(call.toolCallId())))
                .flatMap(event -> event.detail().path("voices").valueStream())
                .map(JsonNode::asText)
                .distinct()
                .toList();
        Set<String> heard = node().world().voices.getOrDefault(effect("pay", n), Set.of());
        if (counted.size() < 2 || !heard.containsAll(counted)) {
            node().world().violations.add("law 13: pay " + n + " was approved by " + counted + " of " + heard);
        }
        return body("pay", n, call);
    }

    /** Asks while it runs. */
    @Tool
    String ask(String n, ToolCallContext call) {
        return asking("ask", n, call);
    }

    /** Needs an approval, and asks while it runs. */
    @Tool
    @RequiresApproval
    String book(String n, ToolCallContext call) {
        if (node().world().retries(mayAsk(n)) == 0) {
            node().world().violations.add("law 2: nobody approved book " + n);
        }
        return asking("book", n, call);
    }

    /** Fails, and works when it is tried again. */
    @Tool
    String flaky(String n, ToolCallContext call) {
        body("flaky", n, call);
        if (Collections.frequency(node().world().effects, effect("flaky", n)) == 1) {
            throw new IllegalStateException("flaky");
        }
        return "did it";
    }

    private String asking(String tool, String n, ToolCallContext call) {
        node().enters(call.toolCallId());
        if (call.resumed().isEmpty()) {
            node().access("tool");
            throw call.interrupt(ToolInterrupt.of(QUESTION, "May I?")
                    .schema(ANSWERS)
                    .metadata(Map.of("n", n))
                    .respond());
        }
        if (!call.resumed().get().isTextual()) {
            node().world().violations.add("law 2: a response in place of " + tool + " let it go on");
        }
        return call.resumed().get().textValue().equals("no") ? "did nothing" : body(tool, n, call);
    }

    /** That a person has let a tool begin that asks while it runs. */
    static String mayAsk(String n) {
        return "may book " + n;
    }

    private String body(String tool, String n, ToolCallContext context) {
        if (!ASKING.contains(tool)) {
            node().enters(context.toolCallId());
        }
        String effect = effect(tool, n);
        node().access("tool");
        List<String> violations = new ArrayList<>();
        checkRecord(effect, context, violations);
        if (!node().isOvertaken()) { // asked afterwards: a tool beside this one may be where the others come in
            node().world().violations.addAll(violations);
        }
        if (GATED.contains(tool)
                && !node().world().permitted.contains(effect)
                && node().world().retries(effect) == 0
                && !node().remembers(tool)) {
            node().world().violations.add("law 2: nobody approved " + effect);
        }
        node().world().effects.add(effect);
        node().access("after tool");
        return "did " + effect;
    }

    /** A body is entered for a call that the store knows as claimed, with these arguments, after a person approved. */
    private void checkRecord(String effect, ToolCallContext context, List<String> violations) {
        Optional<Call> stored = node().world().batch().flatMap(batch -> batch.call(context.toolCallId()));
        if (stored.isEmpty() || stored.get().state() != Call.State.CLAIMED) {
            violations.add("law 5: entered without a claim: " + effect + ", " + stored);
            return;
        }
        Call call = stored.get();
        Call.Attempt attempt = call.attempts().get(call.attempts().size() - 1);
        if (!attempt.arguments().equals("{\"n\":\"" + effect.substring(effect.indexOf(' ') + 1) + "\"}")) {
            violations.add("law 1: " + effect + " is not the attempt " + attempt);
        }
        boolean granted = call.grantId() != null && node().remembers(call.toolName());
        if (granted) {
            node().world().grantsUsed.incrementAndGet();
        }
        if (ASKING.contains(call.toolName())
                ? !isAnswered(call)
                : GATED.contains(call.toolName())
                        && !granted
                        && call.answers().stream()
                                .noneMatch(answer -> approves(answer) || (call.grantId() != null && retries(answer)))) {
            violations.add("law 2: entered without an approval: " + call);
        }
    }

    private static boolean isAnswered(Call call) {
        return call.answers().stream()
                .map(answer -> answer.payload())
                .anyMatch(payload -> payload != null
                        && (payload.asText().equals("yes") || payload.asText().equals("fine")));
    }

    /** Decides about a call that a remembered decision let begin, whether that one still counts or not. */
    private static boolean retries(io.holdpoint.store.Call.Answer answer) {
        return answer.payload() != null
                && answer.payload().path("action").asText().equals("retry");
    }

    private static boolean approves(io.holdpoint.store.Call.Answer answer) {
        return answer.payload() != null && answer.payload().path("approved").booleanValue();
    }
}
