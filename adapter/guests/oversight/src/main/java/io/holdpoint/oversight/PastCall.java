package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.oversight.PolicyReplay.Verdict;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call, as far as the trail tells of it: what was proposed, what was made of it, and what people decided. */
final class PastCall {

    private static final int PAGE = 500;

    final AuditEvent proposed;
    /** The place among all calls that were proposed. */
    final int number;
    /** The word of the annotation of its tool; empty if that is not known. */
    final Optional<GatedTool.Asks> annotated;

    ObjectNode held = JsonNodeFactory.instance.objectNode();
    ObjectNode claim = JsonNodeFactory.instance.objectNode();

    @Nullable
    AuditEvent decision;

    Verdict was = Verdict.RUNS;

    /** A person was asked to approve it. */
    boolean asked;

    /** It cannot be taken back. */
    boolean irreversible;

    private Optional<AuditEvent> question = Optional.empty();
    private boolean edited;
    private boolean entered;
    private boolean hasNotRun;

    private PastCall(AuditEvent proposed, int number, Optional<GatedTool.Asks> annotated) {
        this.proposed = proposed;
        this.number = number;
        this.annotated = annotated;
    }

    /** Reads the trails of an agent, and gives each call when it has its result, those without one last. */
    static void readAll(Store store, Consumer<PastCall> calls) {
        Map<List<String>, PastCall> open = new LinkedHashMap<>();
        Map<String, GatedTool.Asks> annotated = new HashMap<>();
        int proposed = 0;
        List<Fed> page = store.feed(0, PAGE);
        while (!page.isEmpty()) {
            for (Fed fed : page) {
                AuditEvent event = fed.event();
                List<String> key = List.of(event.threadId(), event.toolCallId().orElse(""));
                switch (event.kind()) {
                    case BUILT, PROVIDED -> learn(annotated, event.detail());
                    case PROPOSED ->
                        open.put(
                                key,
                                new PastCall(
                                        event,
                                        proposed++,
                                        Optional.ofNullable(
                                                annotated.get(event.toolName().orElse("")))));
                    default -> {
                        PastCall call = open.get(key);
                        if (call != null && call.read(event)) {
                            calls.accept(open.remove(key));
                        }
                    }
                }
            }
            page = store.feed(page.get(page.size() - 1).position(), PAGE);
        }
        open.values().forEach(calls);
    }

    private static void learn(Map<String, GatedTool.Asks> annotated, JsonNode tools) {
        for (GatedTool.Asks asks : GatedTool.Asks.values()) {
            tools.path(Audit.name(asks))
                    .fieldNames()
                    .forEachRemaining(name -> annotated.put(name, GatedTool.Asks.NEVER));
        }
        for (GatedTool.Asks asks : GatedTool.Asks.values()) {
            tools.path(Audit.ANNOTATED).properties().stream()
                    .filter(tool -> tool.getValue().asText().equals(Audit.name(asks)))
                    .forEach(tool -> annotated.put(tool.getKey(), asks));
        }
    }

    /** After the tool was entered, questions are about something else: what came of it, what the tool or an agent in it asks. */
    private boolean read(AuditEvent event) {
        ObjectNode detail = event.detail();
        if (!entered) {
            switch (event.kind()) {
                case HELD -> asked(event);
                case ALLOWED -> was = detail.has("grant") ? Verdict.ASKS : was;
                case DECIDED, EXPIRED -> {
                    boolean decides = !isResolved(event) || ApprovalForm.isVerdict(detail.path("payload"));
                    decision = decision == null && decides ? event : decision;
                }
                case CLAIMED -> {
                    claim = detail.has("arguments")
                            ? detail
                            : proposed.detail(); // it says only what an edit has changed
                    entered = true;
                }
                case EXECUTED, FAILED ->
                    claim = detail.path("byClient").booleanValue()
                            ? proposed.detail()
                            : claim; // nobody edits a client's
                case NOT_EXECUTED -> {
                    was = detail.has(Audit.REFUSED) ? Verdict.DENIES : was;
                    hasNotRun = true;
                }
                default -> {} // nothing that people or policies have decided
            }
        }
        return switch (event.kind()) {
            case EXECUTED, FAILED, NOT_EXECUTED -> true;
            default -> false;
        };
    }

    /** An edit of one person is decided about by another one. */
    private void asked(AuditEvent event) {
        ObjectNode detail = event.detail();
        if (detail.path("reason").asText().equals("tool_call")) {
            was = Verdict.ASKS;
            asked = true;
            question = Optional.of(event);
        }
        irreversible |= detail.path("reversibility").asText().equals("irreversible");
        held = detail.has("secondOpinion") ? detail : held;
        if (detail.has("editedBy")) {
            decision = null;
            edited = true;
        }
    }

    String tool() {
        return proposed.toolName().orElse("");
    }

    String toolCallId() {
        return proposed.toolCallId().orElse("");
    }

    /** The arguments as they were proposed; empty if they were redacted, or are no JSON object. */
    Optional<ObjectNode> arguments() {
        return arguments(proposed.detail());
    }

    /** Tells whether none of its arguments were redacted, as they were proposed and as they ran. */
    boolean isWhole() {
        return arguments().isPresent() && (claim.isEmpty() || arguments(claim).isPresent());
    }

    private static Optional<ObjectNode> arguments(ObjectNode detail) {
        boolean isWhole = detail.get("arguments") instanceof ObjectNode arguments
                && ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(arguments)))
                        .equals(detail.path("argumentsSha256").asText());
        return isWhole ? Optional.of((ObjectNode) detail.get("arguments")) : Optional.empty();
    }

    /** Tells whether no arguments could be read of what the model sent: the gate refuses such a call itself. */
    boolean hasMalformedArguments() {
        return was == Verdict.DENIES && !proposed.detail().path("arguments").isObject();
    }

    /** Tells whether people were asked, and have approved it as it was proposed; not what a rule has kept from running all the same, such as a drill. */
    boolean isApproved() {
        return asked
                && !hasNotRun
                && verdict().filter(DecisionExport.APPROVED::equals).isPresent();
    }

    /** Tells whether the decision took the time that reading the question takes. */
    boolean isUnhurried() {
        return question.isPresent()
                && decision != null
                && !QuestionKind.isTooShortToRead(
                        question.get().detail().path("characters").asInt(),
                        Duration.between(question.get().at(), decision.at()));
    }

    /** All people whose approvals were needed. */
    Set<String> deciders() {
        Set<String> people = new HashSet<>();
        if (decision != null) {
            people.add(decision.caller());
            decision.detail().path("voices").forEach(voice -> people.add(voice.asText()));
        }
        return people;
    }

    private static boolean isResolved(AuditEvent event) {
        return event.detail().path("how").asText().equals("RESOLVED");
    }

    /** The decision of people, in the words of {@link DecisionExport}; empty if there is none. */
    Optional<String> verdict() {
        if (decision == null) {
            return Optional.empty();
        }
        JsonNode payload = decision.detail().path("payload");
        if (decision.kind() == AuditEvent.Kind.EXPIRED) {
            return Optional.of("expired");
        } else if (!isResolved(decision)) {
            return Optional.of("cancelled");
        } else if (ApprovalForm.approves(payload)) {
            return Optional.of(
                    edited || decision.detail().path("edited").booleanValue()
                            ? DecisionExport.EDITED
                            : DecisionExport.APPROVED);
        }
        boolean isAnswered = payload.has(ApprovalForm.RESPONSE) || payload.has(ApprovalForm.RESPONSE + "Withheld");
        return Optional.of(isAnswered ? "answered" : "denied");
    }
}
