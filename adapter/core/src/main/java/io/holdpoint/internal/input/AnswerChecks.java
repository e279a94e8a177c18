package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.MessageTemplate;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.input.Plan.Rejected;
import io.holdpoint.internal.input.Preflight.Sent;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checks that a list of answers must pass, in the order of the protocol; the first failure counts. */
final class AnswerChecks {

    /** Most ids or violations that a message names, and most characters of each: the rest is the client's own input. */
    private static final int MAX_NAMED = 5;

    private static final int MAX_SHOWN = 300;

    private static final String NO_NAME = " You have no name here: set an authenticator, or use agent.as(caller).";

    private final JsonSchemas schemas = new JsonSchemas();
    private final AgentConfig<?> config;
    private final Access access;

    AnswerChecks(AgentConfig<?> config, Access access) {
        this.config = config;
        this.access = access;
    }

    Optional<Rejected> check(ResumeEntries resume, List<Question> open, Optional<ThreadRecord> thread, Sent sent) {
        if (resume.unknown().contains("")) {
            return rejected(
                    ErrorCode.INTERRUPT_UNKNOWN,
                    "The answer does not say which interrupt it is for, and the thread has had several, or none that"
                            + " waits. Name the interruptId, or send a payload with an answer for each id.");
        }
        if (!resume.unknown().isEmpty()) {
            return rejected(
                    ErrorCode.INTERRUPT_UNKNOWN,
                    "This thread never issued the interrupt " + quoted(resume.unknown())
                            + ". Answer the interrupts of the thread's last run.");
        }
        if (!resume.conflicting().isEmpty()) {
            return Optional.of(Rejected.settled(resume.conflicting()));
        }
        if (!resume.twice().isEmpty()) {
            return rejected(
                    ErrorCode.INTERRUPT_DUPLICATE,
                    "The interrupt " + quoted(List.copyOf(resume.twice()))
                            + " has two entries. Send one answer for each interrupt.");
        }
        return resume.live().isEmpty() ? Optional.empty() : checkLive(resume.live(), open, thread.orElseThrow(), sent);
    }

    private Optional<Rejected> checkLive(List<ResumeEntry> live, List<Question> open, ThreadRecord thread, Sent sent) {
        Map<String, Question> questions = new HashMap<>();
        List<String> missing = new ArrayList<>();
        for (Question question : open) {
            questions.put(question.interrupt().id(), question);
            missing.add(question.interrupt().id());
        }
        List<ResumeEntry> resolved = new ArrayList<>();
        for (ResumeEntry entry : live) {
            missing.remove(entry.interruptId());
            if (entry.status() == ResumeEntry.Status.RESOLVED) {
                resolved.add(entry);
            }
        }
        if (!missing.isEmpty() && sent.how() == Preflight.Answers.TOGETHER) {
            return rejected(
                    ErrorCode.INTERRUPT_PARTIAL_RESUME,
                    "The interrupt " + quoted(missing)
                            + " has no entry. Answer all open interrupts together; cancel those you do not decide.");
        }
        Optional<Rejected> rejected = checkDecisions(resolved, questions, thread, sent);
        return rejected.isPresent() ? rejected : refused(resolved, questions, thread, sent);
    }

    /** A cancellation is no decision: it is always allowed, and its payload is not read. */
    private Optional<Rejected> checkDecisions(
            List<ResumeEntry> resolved, Map<String, Question> questions, ThreadRecord thread, Sent sent) {
        Map<String, List<String>> violations = new HashMap<>();
        List<String> forbidden = new ArrayList<>();
        List<String> expired = new ArrayList<>();
        for (ResumeEntry entry : resolved) {
            Question question = questions.get(entry.interruptId());
            List<String> found = violations(thread, question, entry, sent);
            violations.put(entry.interruptId(), found);
            if (!access.mayDecide(sent.caller(), thread, question, entry, found.isEmpty())) {
                forbidden.add(entry.interruptId());
            } else if (isTooLate(question, sent) && !declines(question, entry.payload())) {
                expired.add(entry.interruptId());
            }
        }
        if (!forbidden.isEmpty()) {
            return rejected(
                    ErrorCode.INTERRUPT_FORBIDDEN,
                    "You may not give this answer to the interrupt " + quoted(forbidden)
                            + ". Let somebody answer who may, or cancel it."
                            + (sent.caller().id().equals(Caller.ANONYMOUS.id()) ? NO_NAME : ""));
        }
        if (!expired.isEmpty()) {
            return rejected(
                    ErrorCode.INTERRUPT_EXPIRED,
                    "The interrupt " + quoted(expired)
                            + " has expired, so the answer was not taken. Deny or cancel it.");
        }
        List<String> invalid = new ArrayList<>();
        List<String> told = new ArrayList<>();
        for (ResumeEntry entry : resolved) {
            for (String violation : violations.get(entry.interruptId())) {
                invalid.add("resume[interruptId=" + entry.interruptId() + "].payload" + violation);
                told.add(violation.startsWith("/") ? violation.substring(1) : violation.replaceFirst("^: ", ""));
            }
        }
        return invalid.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rejected(
                        ErrorCode.INTERRUPT_PAYLOAD_INVALID,
                        "The payload does not match the interrupt's responseSchema: " + joined(invalid),
                        ErrorCode.INTERRUPT_PAYLOAD_INVALID.sentence() + " " + joined(told)));
    }

    /** Asks the rules about each answer that would let its call run. */
    private Optional<Rejected> refused(
            List<ResumeEntry> resolved, Map<String, Question> questions, ThreadRecord thread, Sent sent) {
        for (ResumeEntry entry : resolved) {
            Optional<About> about = About.of(config, thread, questions.get(entry.interruptId()));
            Optional<String> why = about.isPresent() ? refusal(about.get(), entry.payload(), sent) : Optional.empty();
            if (why.isPresent()) {
                return Optional.of(new Rejected(
                        ErrorCode.INTERRUPT_PAYLOAD_INVALID,
                        "The answer to the interrupt " + quoted(List.of(entry.interruptId())) + " was not taken: "
                                + cut(why.get()),
                        cut(why.get())));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> refusal(About about, @Nullable JsonNode payload, Sent sent) {
        GatedTool tool = about.tool().orElse(null);
        if (tool == null || tool.rules().isEmpty() || payload == null) {
            return Optional.empty();
        }
        List<Rule> others = new ArrayList<>(tool.rules());
        others.removeIf(rule -> rule.terms().field() != null); // they judge by what was kept, where it was
        return about.wouldRun(payload)
                .flatMap(arguments -> Rules.refusal(
                        others, tool.name(), terms -> about.answering(typed(tool, arguments), payload, sent, terms)));
    }

    private static ObjectNode typed(GatedTool tool, ObjectNode arguments) {
        return tool.arguments().edited(arguments);
    }

    /** Returns what rules show of the call that an answer would let run, by their names. It may lack what is not about the call. */
    Map<String, ObjectNode> shown(ThreadRecord thread, Question question, ResumeEntry entry, Sent sent) {
        if (!access.mayDecide(sent.caller(), thread, question, entry, true)) {
            throw new RunRejectedException(ErrorCode.INTERRUPT_FORBIDDEN, "You may not give this answer.");
        }
        JsonNode payload = entry.payload();
        List<String> wrong = new ArrayList<>(violations(thread, question, entry, sent));
        wrong.removeIf(violation -> !violation.startsWith("/" + ApprovalForm.EDITS));
        wrong.addAll(wrong.isEmpty() ? misfits(thread, question, payload) : List.of());
        if (!wrong.isEmpty()) {
            throw new RunRejectedException(ErrorCode.INTERRUPT_PAYLOAD_INVALID, "payload" + joined(wrong));
        }
        About about = About.of(config, thread, question).orElse(null);
        GatedTool tool = about == null ? null : about.tool().orElse(null);
        ObjectNode arguments =
                tool == null || payload == null ? null : about.wouldRun(payload).orElse(null);
        if (tool == null || payload == null || arguments == null) {
            return Map.of();
        }
        Answering answering = about.answering(typed(tool, arguments), payload, sent, MissingNode.getInstance());
        return Rules.sections(tool.rules(), answering.call(), Gate.metadata(question));
    }

    /** The violations of terms that were kept with the question, each with its path. */
    private List<String> unmet(ThreadRecord thread, Question question, JsonNode payload, Sent sent) {
        About about = About.of(config, thread, question).orElse(null);
        if (about == null
                || about.kept().isEmpty()
                || !ApprovalForm.approves(payload)
                || ApprovalForm.excess(payload).isPresent()) {
            return List.of();
        }
        ObjectNode wouldRun = about.wouldRun(payload).orElseThrow();
        ObjectNode arguments = about.tool().map(tool -> typed(tool, wouldRun)).orElse(wouldRun);
        List<String> unmet = new ArrayList<>();
        for (Rules.Kept each : about.kept()) {
            each.refusal(about.call().toolName(), terms -> about.answering(arguments.deepCopy(), payload, sent, terms))
                    .ifPresent(why -> unmet.add("/" + each.name() + ": " + why));
        }
        return unmet;
    }

    /** The open question of a call: as the agent asks it that works in the call, while it does. */
    About about(ThreadRecord thread, Call call, Question question) {
        return About.of(config, thread, question).orElse(new About(config, thread, call, question));
    }

    /** The call that an open question is about, and the agent that asks it: this one, or one that works in a tool of it. */
    record About(AgentConfig<?> agent, ThreadRecord thread, Call call, Question question) {

        static Optional<About> of(AgentConfig<?> agent, ThreadRecord thread, Question question) {
            if (Voices.isDelegated(question)) {
                return Restart.inside(agent, thread.threadId(), question).flatMap(inside -> inside.question()
                        .flatMap(asked -> of(inside.agent().config(), inside.thread(), asked)));
            }
            Call call = Access.askedAbout(thread.batch(), question).orElse(null);
            return call == null ? Optional.empty() : Optional.of(new About(agent, thread, call, question));
        }

        /** Empty if this server has not looked at the tool since it started. */
        Optional<GatedTool> tool() {
            return agent.policyReader.known(call.proposal().toolSha256());
        }

        List<Rules.Kept> kept() {
            return agent.policyReader.rules.keptWith(question, tool());
        }

        Optional<ObjectNode> wouldRun(JsonNode payload) {
            return QuestionKind.of(question).wouldRun(question, payload);
        }

        Answering answering(ObjectNode arguments, JsonNode payload, Sent sent, JsonNode terms) {
            ToolSpecification tool = tool().map(GatedTool::specification)
                    .orElseGet(() ->
                            ToolSpecification.builder().name(call.toolName()).build());
            Caller owner = new Caller(
                    thread.owner(), thread.batch().orElseThrow().turn().roles());
            return new Answering(
                    new ProposedCall(
                            tool,
                            arguments,
                            owner,
                            thread.threadId(),
                            sent.input().runId(),
                            call.toolCallId()),
                    PendingInterrupt.of(question.interrupt().copy()),
                    payload.deepCopy(),
                    sent.caller(),
                    terms);
        }
    }

    private static boolean declines(Question question, @Nullable JsonNode payload) {
        return payload != null && QuestionKind.of(question).declines(question, payload);
    }

    private static String joined(List<String> violations) {
        return violations.stream().limit(MAX_NAMED).map(AnswerChecks::cut).collect(Collectors.joining("; "));
    }

    private List<String> violations(ThreadRecord thread, Question question, ResumeEntry entry, Sent sent) {
        JsonNode payload = entry.payload();
        Optional<String> excess = InputLimits.violation(question, payload);
        if (excess.isPresent()) {
            return List.of(excess.get());
        }
        List<String> violations = new ArrayList<>(
                QuestionKind.of(question).violations(question, Optional.ofNullable(payload), schemas::violations));
        if (payload != null) {
            violations.addAll(unmet(thread, question, payload, sent));
        }
        return violations.isEmpty() ? misfits(thread, question, payload) : violations;
    }

    /** Edits that the tool would not get as they are. A tool that is not known yet refuses them itself before it runs. */
    private List<String> misfits(ThreadRecord thread, Question question, @Nullable JsonNode payload) {
        if (payload == null || ApprovalForm.sentEdits(payload).isEmpty() || Voices.isDelegated(question)) {
            return List.of(); // the agent that asks sees to its own tool, and asks again
        }
        Optional<GatedTool> tool = About.of(config, thread, question).flatMap(About::tool);
        Optional<ObjectNode> edited = QuestionKind.of(question).wouldRun(question, payload);
        if (tool.isEmpty() || edited.isEmpty()) {
            return List.of();
        }
        ObjectNode complete = tool.get().arguments().complete(edited.get());
        return tool.get().taken(complete, schemas).all().stream()
                .map(misfit -> "/" + ApprovalForm.EDITS + misfit)
                .toList();
    }

    /** Answers have come in time where the agent works as a tool: the other one has seen to it when it took them. */
    private boolean isTooLate(Question question, Sent sent) {
        return !config.isTool() && question.isExpired(sent.now());
    }

    private static Optional<Rejected> rejected(ErrorCode code, String message) {
        return Optional.of(new Rejected(code, message));
    }

    private static String quoted(List<String> ids) {
        String named =
                ids.stream().limit(MAX_NAMED).map(id -> '"' + cut(id) + '"').collect(Collectors.joining(", "));
        return ids.size() <= MAX_NAMED ? named : named + " (and " + (ids.size() - MAX_NAMED) + " more)";
    }

    private static String cut(String text) {
        return MessageTemplate.cut(text, MAX_SHOWN);
    }
}
