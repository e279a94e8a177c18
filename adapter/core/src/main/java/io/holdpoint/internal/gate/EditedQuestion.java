package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.TimeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A question about a call whose arguments somebody has edited, for somebody else to approve: it shows the edited arguments as the
 * call's, and begins its time anew. Immutable.
 */
public record EditedQuestion(Call call, Question before, ObjectNode arguments, Caller editor, Rules rules) {

    /** The field of a question's metadata with the id of the caller who has edited its arguments. */
    public static final String EDITED_BY = "editedBy";

    /**
     * The field with the arguments as they were before the edit, their hash and digits as those of the call, the time of the edit
     * {@code at}, and the {@code approvals} of them, which do not count any more.
     */
    private static final String EDITED_FROM = "editedFrom";

    /** The field that is {@code true} if who has edited the arguments may approve them as well. */
    private static final String OPEN_TO_EDITOR = "openToEditor";

    /** The parts that are about the arguments as they were. */
    private static final List<String> OUTDATED = List.of("unusedGrant", Gate.WHY, Gate.FINGERPRINT);

    /** The parts that are about the tools, and who has proposed the call. */
    private static final List<String> KEPT = List.of("reversibility", "batchReversibility", Batch.PROPOSED_BY);

    private static final List<String> MARKS = List.of(EDITED_BY, EDITED_FROM, OPEN_TO_EDITOR);

    /** Asks as the tool asks about a call that every policy asks about, if the tool is known. */
    public Question ask(Optional<GatedTool> tool, Caller owner, String threadId, String runId, Instant now) {
        ToolSpecification named = tool.map(GatedTool::specification)
                .orElseGet(
                        () -> ToolSpecification.builder().name(call.toolName()).build());
        ProposedCall proposed = new ProposedCall(named, arguments, owner, threadId, runId, call.toolCallId());
        JsonNode said = Gate.metadata(before);
        Optional<QuestionTemplate> template =
                tool.filter(known -> before.isForApproval()).flatMap(EditedQuestion::template);
        if (template.isEmpty()) {
            List<Rule> about = tool.map(GatedTool::rules).orElseGet(() -> rules.named(call.toolName()));
            return Rules.shown(asBefore(now), about, proposed, said);
        }
        Question asked = Rules.shown(
                template.get().about(proposed, ToolArguments.write(arguments), Optional.empty(), now),
                tool.get().rules(),
                proposed,
                said);
        return edited(Gate.annotated(asked, metadata -> keep(said, metadata)), now);
    }

    private static void keep(JsonNode said, ObjectNode metadata) {
        KEPT.stream().filter(said::has).forEach(field -> metadata.set(field, said.get(field)));
    }

    /** Says of another question about the call that it shows the arguments as they were edited. */
    public Question marked(Question asked, Instant now) {
        Question kept = Gate.annotated(asked, metadata -> {
            Gate.show(metadata, arguments.deepCopy(), ToolArguments.write(arguments));
            keep(Gate.metadata(before), metadata);
        });
        return edited(kept, now);
    }

    /**
     * The question that is asked in the place of another one, about the same arguments: it keeps what is about the tools, what rules have
     * said of the call, and that somebody had edited it, who has a voice again if the edit was theirs.
     */
    public static Question inPlaceOf(Call.Asked asked, Question next, Rules rules) {
        JsonNode said = Gate.metadata(asked.question());
        Question kept = Gate.annotated(next, metadata -> Stream.of(KEPT, MARKS, rules.names())
                .flatMap(Collection::stream)
                .filter(field -> said.has(field) && !metadata.has(field))
                .forEach(field -> metadata.set(field, said.get(field).deepCopy())));
        String by = said.path(EDITED_BY).asText();
        return asked.votes().stream().anyMatch(vote -> vote.answeredBy().equals(by)) ? openToEditor(kept) : kept;
    }

    /** The same question, which the editor may answer like everybody else: nobody wants other eyes, but policies want more of the answer. */
    public static Question openToEditor(Question edited) {
        return Gate.annotated(edited, metadata -> metadata.put(OPEN_TO_EDITOR, true));
    }

    public static boolean isOpenToEditor(Question edited) {
        return Gate.metadata(edited).path(OPEN_TO_EDITOR).booleanValue();
    }

    private static Optional<QuestionTemplate> template(GatedTool tool) {
        return tool.policies().isEmpty()
                ? Optional.empty()
                : Optional.of(tool.policies().ofAll());
    }

    /** Asks as it was asked before. A sentence with arguments is made anew, because it had the earlier ones. */
    private Question asBefore(Instant now) {
        Interrupt interrupt = before.interrupt().copy();
        ObjectNode metadata = Objects.requireNonNull(interrupt.metadata());
        ObjectNode langchain4j = metadata.withObject("/langchain4j");
        langchain4j.remove(OUTDATED);
        langchain4j.remove(rules.names());
        langchain4j.remove(OPEN_TO_EDITOR);
        if (langchain4j.path("approvals") instanceof ObjectNode approvals) {
            approvals.putArray("have");
        }
        Gate.show(langchain4j, arguments.deepCopy(), ToolArguments.write(arguments));
        PendingInterrupt asked = PendingInterrupt.of(interrupt);
        String message = asked instanceof PendingInterrupt.Approval
                ? MessageTemplate.standard(asked.toolName()).render(asked.arguments(), Optional.empty())
                : asked.message();
        Duration later = Duration.between(before.askedAt(), now);
        List<TimeStep> timeline =
                before.timeline().stream().map(step -> step.later(later)).toList();
        if (langchain4j.has("timeline")) {
            langchain4j.set("timeline", QuestionTemplate.describe(timeline));
        }
        Instant expiresAt = interrupt.expiresAt();
        Interrupt again = new Interrupt(
                Ids.interrupt(),
                interrupt.reason(),
                message,
                interrupt.toolCallId(),
                interrupt.responseSchema(),
                expiresAt == null ? null : expiresAt.plus(later),
                metadata);
        return edited(new Question(before.kind(), again, now, before.kept(), timeline), now);
    }

    private Question edited(Question asked, Instant now) {
        ObjectNode from = shownBefore();
        String changes = from.get("args") instanceof ObjectNode was ? ChangesInWords.between(was, arguments) : "";
        Question marked = Gate.annotated(asked, metadata -> metadata.put(EDITED_BY, editor.id())
                .set(EDITED_FROM, from.put("at", now.toString())));
        return Gate.said(marked, ModelTexts.shown(editor.id()) + " has edited this call" + changes + ". ");
    }

    private ObjectNode shownBefore() {
        ObjectNode from = JsonNodeFactory.instance.objectNode();
        JsonNode said = Gate.metadata(before);
        if (said.get("args") instanceof ObjectNode was) {
            Gate.show(from, was.deepCopy(), ToolArguments.write(was));
        }
        if (said.at("/approvals/have") instanceof ArrayNode votes && !votes.isEmpty()) {
            from.set("approvals", votes.deepCopy());
        }
        return from;
    }
}
