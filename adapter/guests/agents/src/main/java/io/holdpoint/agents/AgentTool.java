package io.holdpoint.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Retention.Purged;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.agent.OuterRun;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.RepeatableTool;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Preflight.Answers;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.RunningToolCall;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An agent that works for another one. Each call has a thread, found again by the call it is of; so it goes on where it was,
 * whenever and wherever it is executed again. Thread-safe.
 */
final class AgentTool implements ToolProvider, RepeatableTool, InnerAgent {

    /** The failures that say to a person why the question is asked again. */
    private static final Set<ErrorCode> SAYS_WHY = Set.of(
            ErrorCode.INTERRUPT_PAYLOAD_INVALID,
            ErrorCode.INTERRUPT_FORBIDDEN,
            ErrorCode.INTERRUPT_EXPIRED,
            ErrorCode.THREAD_NOT_FOUND,
            ErrorCode.INPUT_INVALID,
            ErrorCode.INPUT_REJECTED,
            ErrorCode.AGENT_HALTED);

    /** The failures in which an answer has not arrived, so that it is given once more. */
    private static final Set<ErrorCode> COMES_LATER =
            Set.of(ErrorCode.RUN_FAILED, ErrorCode.RUN_IN_PROGRESS, ErrorCode.SHUTTING_DOWN);

    private static final Set<AuditEvent.Kind> STARTED =
            Set.of(AuditEvent.Kind.CLAIMED, AuditEvent.Kind.EXECUTED, AuditEvent.Kind.FAILED);

    /** Kept with the question whether a halted agent is to go on. */
    private static final JsonNode HALTED = TextNode.valueOf("halted");

    private static final String OUTDATED = " (What it shows has changed, so the approval was not taken.)";

    private static final int PAGE = 1_000;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

    private final String name;
    private final ToolProviderResult tools;
    private final AgentRuns<?> runs;
    private final AgentConfig<?> config;

    AgentTool(String name, String description, AgentConfig<?> config) {
        this.name = Task.requireName(name, Task.LONGEST_NAME);
        this.runs = new AgentRuns<>(config);
        this.config = config;
        ToolSpecification specification = ToolSpecification.builder()
                .name(name)
                .description(description)
                .metadata(Map.of("openWorldHint", true)) // what it says may be what it has read
                .parameters(Task.schema("The task, with everything that is to be known for it"))
                .build();
        this.tools = new ToolProviderResult(Map.of(specification, this));
    }

    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        return tools;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public AgentConfig<?> config() {
        return config;
    }

    /** One look at a time: several agents may have this one as a tool, and each look goes on from the one before. */
    @Override
    public synchronized void look(boolean only) {
        runs.timekeeper.look(only);
    }

    @Override
    public void keep(Duration abandoned) {
        runs.purge.keep(abandoned);
    }

    @Override
    public Purged purge(LongPredicate rest) {
        return runs.purge.purge(rest);
    }

    @Override
    public Optional<ThreadRecord> thread(String other, String threadId, String toolCallId) {
        return config.store.find(threadOf(other, threadId, toolCallId));
    }

    private static String threadOf(String other, String threadId, String toolCallId) {
        return ToolArguments.sha256(Store.memoryOf(other, threadId) + '\0' + toolCallId);
    }

    @Override
    public Optional<Reversibility> reversibility() {
        return config.policyReader.strictest();
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new IllegalStateException(
                "The tool \"" + request.name()
                        + "\" is an agent: only an agent of Holdpoint can ask what it asks. Give it to Holdpoint.builder(...).");
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        if (!(context.managedParameters() != null
                && context.managedParameters().get(ToolCallContext.class) instanceof RunningToolCall call)) {
            throw new IllegalStateException(execute(request, context.chatMemoryId()));
        }
        String task = Task.of(request);
        String threadId = threadOf(call.agentName(), call.threadId(), call.toolCallId());
        OuterRun outer = call.run();
        config.outerRuns.put(threadId, outer);
        try {
            return ToolExecutionResult.builder()
                    .resultText(work(task, threadId, call))
                    .build();
        } catch (ToolInterrupt.Raised | Told e) {
            throw e;
        } catch (
                Exception
                        e) { // of a store, checked ones too: the call has no result before it is known what came of it
            throw new Failures.TurnFailedError(e);
        } finally {
            config.outerRuns.remove(threadId, outer);
        }
    }

    private String work(String task, String threadId, RunningToolCall call) {
        boolean isKnown = isKnown(threadId);
        if (isKnown && call.isFirstAttempt()) {
            throw new Told("the task was not done, because a call before it had its id. Call it again.");
        }
        if (call.kept().filter(HALTED::equals).isPresent()
                && !last(call.answers()).booleanValue()) {
            throw new Told("it was halted, and a person has said that it is not to go on."
                    + ModelTexts.ranBefore(ran(threadId)));
        }
        RunResult result = whenFree( // a server that has died may have begun, and left nothing but its lease
                call,
                () -> isKnown(threadId)
                        ? goOn(threadId, call)
                        : run(call, input(threadId, new Message.User(Ids.message(), MessageContent.text(task)))),
                AgentTool::isBusy);
        if (result.failure().isPresent() && leavesUnknownOutcome(threadId)) {
            result = run(call, input(threadId)); // which asks about them
        }
        return text(result, threadId, call);
    }

    private boolean leavesUnknownOutcome(String threadId) {
        return config.store
                .find(threadId)
                .flatMap(ThreadRecord::batch)
                .flatMap(batch -> OutcomeUnknown.askAbout(batch, config.clock.instant()))
                .isPresent();
    }

    /** Works for the owner of the call's thread, who has signed in before, or is nobody in particular. */
    private RunResult run(RunningToolCall call, RunAgentInput input) {
        try {
            return runs.start(call.owner(), input, EventEmitter.NOBODY, Runnable::run)
                    .join();
        } catch (RunRejectedException e) {
            return new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e));
        }
    }

    private static RunAgentInput input(String threadId, Message... said) {
        return RunAgentInput.of(threadId, Ids.run(), List.of(said));
    }

    private boolean isKnown(String threadId) {
        return config.store.head(threadId).isPresent();
    }

    private RunResult goOn(String threadId, RunningToolCall call) {
        for (Call asked : calls(threadId)) {
            Optional<Given> given = given(asked, call);
            if (given.isEmpty() || Restart.hasArrived(given.get().answer(), asked)) {
                continue;
            }
            String interruptId = asked.openQuestion().orElseThrow().interrupt().id();
            Optional<Answer> edit = given.get().edit();
            Answer answer = edit.orElse(given.get().answer());
            boolean byLink = Answer.LINK.equals(answer.via());
            Answers ofEdit = byLink ? Answers.FOR_OTHERS_BY_LINK : Answers.FOR_OTHERS;
            Answers how = edit.isPresent() ? ofEdit : byLink ? Answers.BY_LINK : Answers.ONE_BY_ONE;
            RunAgentInput input =
                    input(threadId).withResume(List.of(ResumeEntry.resolved(interruptId, answer.payload())));
            Decided decided = whenFree(
                    call,
                    () -> runs.decide(call.giver(answer), input, how, Runnable::run, true),
                    outcome ->
                            outcome instanceof Decided.Refused refused && refused.code() == ErrorCode.RUN_IN_PROGRESS);
            if (decided instanceof Decided.Runs runs) {
                return runs.result().join();
            } else if (decided instanceof Decided.Refused refused) {
                return new RunResult.Failed(refused.code(), refused.message(), Optional.empty());
            } else if (edit.isPresent()) {
                return goOn(threadId, call); // to the question about the edited call, with the answer
            }
        }
        askFirst(threadId, call);
        if (isTooLate(threadId, call)) {
            throw new Told(
                    ModelTexts.taskEnded(ErrorCode.INTERRUPT_EXPIRED.name(), "") + ModelTexts.ranBefore(ran(threadId)));
        }
        return whenFree(call, () -> run(call, input(threadId)), AgentTool::isBusy);
    }

    /** Checks whether the question that was answered last had ended here unanswered: then nothing has run by the answer. */
    private boolean isTooLate(String threadId, RunningToolCall call) {
        return call.answered().stream()
                .map(asked -> Restart.askedAs(asked.question()))
                .filter(id -> !id.isEmpty())
                .reduce((earlier, later) -> later)
                .flatMap(id -> config.store
                        .findBatch(threadId, Store.By.INTERRUPT, id)
                        .flatMap(batch -> batch.asked(id))
                        .flatMap(asked -> asked.asked(id)))
                .flatMap(Call.Asked::answer)
                .filter(answer -> answer.how() != Answer.How.RESOLVED)
                .isPresent();
    }

    /** The edit or the answer that is next for the open question of a call; the answer also where the edit has arrived. */
    private Optional<Given> given(Call asked, RunningToolCall call) {
        Optional<Question> open = asked.openQuestion();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Optional<Given> own = Optional.ofNullable(
                Given.of(call.answered()).get(open.get().interrupt().id()));
        if (own.isPresent()) {
            boolean isEdit = own.get()
                    .edit()
                    .filter(edit -> QuestionKind.isEdited(open.get(), Objects.requireNonNull(edit.payload())))
                    .isPresent();
            return isEdit ? own : own.map(Given::withoutEdit);
        }
        return ofEdit(asked, open.get(), call)
                .filter(before -> before.isOf(open.get(), config.policyReader.rules.names()))
                .map(Given::withoutEdit);
    }

    /** The answer to an edited call, as it was asked here before the other agent had the edit. */
    private static Optional<Given> ofEdit(Call asked, Question open, RunningToolCall call) {
        Optional<String> editor = PendingInterrupt.of(open.interrupt()).editedBy();
        return asked.questions().stream()
                .map(before -> Given.of(call.answered()).get(before.interrupt().id()))
                .filter(before ->
                        before != null && before.edit().map(Answer::answeredBy).equals(editor))
                .filter(before -> editor.isPresent())
                .reduce((earlier, later) -> later);
    }

    private static boolean isBusy(RunResult result) {
        return result.failure()
                .filter(failure -> failure.code() == ErrorCode.RUN_IN_PROGRESS)
                .isPresent();
    }

    private List<Call> calls(String threadId) {
        return config.store
                .find(threadId)
                .flatMap(ThreadRecord::batch)
                .map(Batch::calls)
                .orElse(List.of());
    }

    private List<Question> open(String threadId) {
        return calls(threadId).stream()
                .flatMap(call -> call.openQuestion().stream())
                .toList();
    }

    private void askFirst(String threadId, RunningToolCall call) {
        for (Call asked : calls(threadId)) {
            if (asked.openQuestion().isPresent()) {
                Question open = asked.openQuestion().get();
                boolean isNew =
                        !Given.of(call.answered()).containsKey(open.interrupt().id());
                boolean isOutdated = isNew && ofEdit(asked, open, call).isPresent();
                throw call.delegate(open, isOutdated ? OUTDATED : "");
            }
        }
    }

    /** A run of a server that has died keeps the thread for a while. */
    private <T> T whenFree(RunningToolCall call, Supplier<T> attempt, Predicate<T> isBusy) {
        RunStop outer = call.run().stop();
        long start = System.nanoTime();
        T outcome = attempt.get();
        while (isBusy.test(outcome)
                && !outer.isAtOnce()
                && System.nanoTime() - start < 2 * config.leaseDuration.toNanos()) {
            LockSupport.parkNanos(PAUSE);
            outcome = attempt.get();
        }
        outer.caller.own().close(); // an interrupt that the other run has left must not reach a store
        return outcome;
    }

    /** The record decides, not the code: only of a task that has ended is the model told. */
    private String text(RunResult result, String threadId, RunningToolCall call) {
        if (result instanceof RunResult.Failed failed) {
            askAgain(failed, open(threadId), call);
            if (COMES_LATER.contains(failed.code())
                    && calls(threadId).stream()
                            .anyMatch(asked -> given(asked, call).isPresent())) {
                throw notNow(failed);
            }
        }
        askFirst(threadId, call);
        if (result instanceof RunResult.Completed completed) {
            Optional<String> said = completed.text().isEmpty() ? lastText(threadId) : Optional.of(completed.text());
            return said.orElseThrow(() -> withoutAnswer(threadId));
        }
        if (result instanceof RunResult.Failed failed) {
            if (failed.code() == ErrorCode.AGENT_HALTED) {
                throw call.interrupt(ToolInterrupt.confirmation("The agent that works in \"" + name
                                + "\" was halted. Shall it go on? Say yes when the halt is released.")
                        .keeping(HALTED));
            }
            if (Failures.goesOn(failed.code())) {
                throw notNow(failed);
            }
            throw new Told(
                    ModelTexts.taskEnded(failed.code().name(), reason(failed)) + ModelTexts.ranBefore(ran(threadId)));
        }
        throw withoutAnswer(threadId);
    }

    /** The failure of the run around it, which goes on from here when it gets its input again. */
    private Failures.TurnException notNow(RunResult.Failed failed) {
        boolean isPassedOn = failed.code() != ErrorCode.RUN_IN_PROGRESS; // no run of this thread is meant
        return new Failures.TurnException(
                isPassedOn ? failed.code() : ErrorCode.RUN_FAILED,
                "The agent in the tool \"" + name + "\" failed: " + failed.code() + ": " + failed.message(),
                failed.cause().orElse(null));
    }

    private Told withoutAnswer(String threadId) {
        return new Told("The task has ended without an answer." + ModelTexts.ranBefore(ran(threadId)));
    }

    /** The application's own words, or what does not fit: the other sentences are for clients. */
    private static String reason(RunResult.Failed failed) {
        return failed.code() == ErrorCode.INPUT_REJECTED || failed.code() == ErrorCode.INPUT_INVALID
                ? failed.message()
                : "";
    }

    /** The calls of the task that were started, with what is known of their end. */
    private List<String> ran(String threadId) {
        Map<String, AuditEvent> last = new LinkedHashMap<>();
        List<AuditEvent> page;
        long offset = 0;
        do {
            page = config.store.auditTrail(threadId, offset, PAGE);
            offset += page.size();
            page.stream()
                    .filter(event -> STARTED.contains(event.kind()))
                    .forEach(event -> last.put(event.toolCallId().orElse(""), event));
        } while (page.size() == PAGE);
        List<String> ran = new ArrayList<>();
        last.forEach((toolCallId, event) -> {
            String tool = event.toolName().orElse("");
            Optional<InnerAgent> inner = config.inner(tool);
            if (inner.isPresent()) {
                ran.addAll(inner.get().started(config.name, threadId, toolCallId));
            } else {
                ran.add(event.kind() == AuditEvent.Kind.EXECUTED ? tool : ModelTexts.perhaps(tool));
            }
        });
        return ran;
    }

    @Override
    public List<String> started(String other, String threadId, String toolCallId) {
        return ran(threadOf(other, threadId, toolCallId));
    }

    @Override
    public void letGo(String other, String threadId, String toolCallId) {
        Optional<ThreadRecord> thread = thread(other, threadId, toolCallId);
        if (thread.flatMap(ThreadRecord::batch).filter(Batch::isOpen).isPresent()) {
            runs.active.cancel(Caller.of(thread.get().owner()), thread.get().threadId());
        }
    }

    /** An answer that was not taken, and a halt, take nothing away: the open question stays one. */
    private static void askAgain(RunResult.Failed refused, List<Question> open, RunningToolCall call) {
        if (!SAYS_WHY.contains(refused.code()) || open.isEmpty()) {
            return;
        }
        Question next = open.stream()
                .filter(question ->
                        refused.message().contains(question.interrupt().id()))
                .findFirst()
                .or(() -> open.stream()
                        .filter(question -> Given.of(call.answered())
                                .containsKey(question.interrupt().id()))
                        .findFirst())
                .orElse(open.get(0));
        throw call.delegate(next, " (" + refused.message() + ")");
    }

    /** Says to the model how the task has ended. It has no cause, which LangChain4j would say in its place. */
    private static final class Told extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        Told(String what) {
            super(what);
        }
    }

    private static JsonNode last(List<JsonNode> answers) {
        return answers.get(answers.size() - 1);
    }

    /** The answer of a run that had ended before: its server died before the other agent had heard of it. Empty if nothing is kept of it. */
    private Optional<String> lastText(String threadId) {
        List<Message> kept = config.store.transcript(threadId);
        String last = "";
        for (Message message : kept) {
            if (message instanceof Message.Assistant said && said.content() != null) {
                last = said.content();
            }
        }
        return kept.isEmpty() ? Optional.empty() : Optional.of(last);
    }
}
