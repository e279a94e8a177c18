package io.holdpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.agent.OuterRun;
import io.holdpoint.internal.gate.RepeatableTool;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.turn.DelegatingCall;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An agent that works for another one. Each call has a thread, found again by the call it is of; so it goes on where it was,
 * whenever and wherever it is executed again. Thread-safe.
 */
final class AgentTool implements ToolProvider, RepeatableTool, InnerAgent {

    private static final String TASK = "task";

    /** The failures after which the question is open as before. */
    private static final Set<ErrorCode> ANSWER_REFUSED = Set.of(
            ErrorCode.INTERRUPT_PAYLOAD_INVALID,
            ErrorCode.INTERRUPT_FORBIDDEN,
            ErrorCode.INTERRUPT_EXPIRED,
            ErrorCode.THREAD_NOT_FOUND);

    /** Kept with the question whether a halted agent is to go on. */
    private static final JsonNode HALTED = TextNode.valueOf("halted");

    private static final String STORE_FAILED = "the store has failed";

    /** The number of events in which calls are looked for that have run. */
    private static final int MOST_TOLD = 1_000;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

    private final String name;
    private final ToolProviderResult tools;
    private final Holdpoint agent;
    private final AgentConfig<?> config;

    AgentTool(String name, String description, Holdpoint agent, AgentConfig<?> config) {
        this.name = name;
        this.agent = agent;
        this.config = config;
        ToolSpecification specification = ToolSpecification.builder()
                .name(name)
                .description(description)
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty(TASK, "The task, with everything that is to be known for it")
                        .required(TASK)
                        .build())
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
        agent.runs.timekeeper.look(only);
    }

    @Override
    public Optional<ThreadRecord> thread(String other, String threadId, String toolCallId) {
        return config.store.find(threadOf(other, threadId, toolCallId));
    }

    private static String threadOf(String other, String threadId, String toolCallId) {
        return ToolArguments.sha256(Store.threadOf(other, threadId) + '\0' + toolCallId);
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
                && context.managedParameters().get(ToolCallContext.class) instanceof DelegatingCall call)) {
            throw new IllegalStateException(execute(request, context.chatMemoryId()));
        }
        String threadId = threadOf(call.agentName(), call.threadId(), call.toolCallId());
        boolean isKnown = config.store.head(threadId).isPresent();
        if (isKnown && call.isFirstAttempt()) {
            throw new IllegalStateException(
                    "the task was not done, because a call before it had its id. Call it again.");
        }
        Holdpoint worker = agent.as(call.owner());
        OuterRun outer = call.run();
        config.outerRuns.put(threadId, outer);
        String text;
        try {
            RunResult result = whenFree( // a server that has died may have begun, and left nothing but its lease
                    () -> config.store.head(threadId).isPresent()
                            ? goOn(worker, threadId, call)
                            : worker.send(threadId, task(request)),
                    AgentTool::isBusy);
            text = text(result, threadId, worker, call);
        } catch (StoreException e) {
            text = text(
                    new RunResult.Failed(ErrorCode.RUN_FAILED, STORE_FAILED, Optional.of(e)), threadId, worker, call);
        } finally {
            config.outerRuns.remove(threadId, outer);
        }
        return ToolExecutionResult.builder().resultText(text).build();
    }

    private static String task(ToolExecutionRequest request) {
        try {
            JsonNode task = AguiCodec.mapper()
                    .readTree(Objects.requireNonNullElse(request.arguments(), ""))
                    .path(TASK);
            if (task.isTextual() && !task.textValue().isBlank()) {
                return task.textValue();
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the arguments are not JSON", e);
        }
        throw new IllegalArgumentException(TASK + ": is missing; say what the agent is to do");
    }

    private RunResult goOn(Holdpoint worker, String threadId, DelegatingCall call) {
        if (call.kept().filter(HALTED::equals).isPresent()
                && !last(call.answers()).booleanValue()) {
            throw new IllegalStateException("it was halted, and a person has said that it is not to go on");
        }
        for (Call asked : calls(threadId)) {
            String interruptId = asked.openQuestion()
                    .map(question -> question.interrupt().id())
                    .orElse("");
            Answer answer = call.delegatedAnswers().get(interruptId);
            if (answer == null || isVote(asked, answer)) {
                continue;
            }
            Holdpoint giver = agent.as(call.giver(answer));
            Decided decided = whenFree(
                    () -> giver.decideHere(threadId, interruptId, answer),
                    outcome ->
                            outcome instanceof Decided.Refused refused && refused.code() == ErrorCode.RUN_IN_PROGRESS);
            if (decided instanceof Decided.Runs runs) {
                return runs.result().join();
            } else if (decided instanceof Decided.Refused refused) {
                return new RunResult.Failed(refused.code(), refused.message(), Optional.empty());
            }
        }
        askFirst(threadId, call);
        return whenFree(() -> worker.resume(threadId), AgentTool::isBusy);
    }

    private static boolean isBusy(RunResult result) {
        return result.failure()
                .filter(failure -> failure.code() == ErrorCode.RUN_IN_PROGRESS)
                .isPresent();
    }

    /** Tells whether an answer has come before, and was not enough. */
    private static boolean isVote(Call asked, Answer answer) {
        return asked.votes().stream()
                .anyMatch(vote -> vote.answeredBy().equals(answer.answeredBy())
                        && Objects.equals(vote.payload(), answer.payload()));
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

    private void askFirst(String threadId, DelegatingCall call) {
        List<Question> open = open(threadId);
        if (!open.isEmpty()) {
            throw call.delegate(open.get(0), "");
        }
    }

    /** A run of a server that has died keeps the thread for a while. */
    private <T> T whenFree(Supplier<T> attempt, Predicate<T> isBusy) {
        long start = System.nanoTime();
        T outcome = attempt.get();
        while (isBusy.test(outcome) && System.nanoTime() - start < 2 * config.leaseDuration.toNanos()) {
            LockSupport.parkNanos(PAUSE);
            outcome = attempt.get();
        }
        return outcome;
    }

    private String text(RunResult result, String threadId, Holdpoint worker, DelegatingCall call) {
        if (result instanceof RunResult.Completed completed) {
            return textOf(completed, threadId);
        }
        if (result instanceof RunResult.Interrupted) {
            askFirst(threadId, call);
        }
        if (result instanceof RunResult.Failed failed) {
            if (ANSWER_REFUSED.contains(failed.code())) {
                askAgain(failed, open(threadId), call);
            } else if (failed.code() == ErrorCode.AGENT_HALTED) {
                waitForRelease(failed, threadId, call);
            } else if (isOfStore(failed)
                    || Journal.hasClaims(config.store.find(threadId))) { // which is not for the model to try again
                if (worker.resume(threadId) instanceof RunResult.Completed completed) {
                    return textOf(completed, threadId);
                }
                askFirst(threadId, call);
            }
            throw new IllegalStateException(
                    failed.code() + ": " + failed.message() + whatRan(threadId),
                    failed.cause().orElse(null));
        }
        throw new IllegalStateException("The agent's run did not finish: " + result);
    }

    private String textOf(RunResult.Completed completed, String threadId) {
        return completed.text().isEmpty() ? lastText(threadId) : completed.text();
    }

    /** Tells whether the store has failed, perhaps after a call had run: what it has decides how the task goes on. */
    private static boolean isOfStore(RunResult.Failed failed) {
        return failed.cause().filter(StoreException.class::isInstance).isPresent();
    }

    /** The calls of the task that have run, which the model must not take for failed with it. */
    private String whatRan(String threadId) {
        List<String> ran = config.store.auditTrail(threadId, 0, MOST_TOLD).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.EXECUTED)
                .flatMap(event -> event.toolName().stream())
                .toList();
        return ran.isEmpty() ? "" : ". Calls that ran before: " + String.join(", ", ran);
    }

    private static void askAgain(RunResult.Failed refused, List<Question> open, DelegatingCall call) {
        for (Question question : open) {
            if (open.size() == 1
                    || refused.message().contains(question.interrupt().id())) {
                throw call.delegate(question, " (" + refused.message() + ")");
            }
        }
    }

    /** A halt takes nothing away: the open question stays one, and work that has begun goes on when a person says so. */
    private void waitForRelease(RunResult.Failed halted, String threadId, DelegatingCall call) {
        List<Question> open = open(threadId);
        if (!open.isEmpty()) {
            Question next = open.stream()
                    .filter(question -> call.delegatedAnswers()
                            .containsKey(question.interrupt().id()))
                    .findFirst()
                    .orElse(open.get(0));
            throw call.delegate(next, " (" + halted.message() + ")");
        }
        if (config.store.head(threadId).isPresent()) {
            throw call.interrupt(ToolInterrupt.confirmation("The agent that works in \"" + name + "\" was halted in the"
                            + " middle of its work. Shall it go on? Say yes when the halt is released.")
                    .keeping(HALTED));
        }
    }

    private static JsonNode last(List<JsonNode> answers) {
        return answers.get(answers.size() - 1);
    }

    /** The answer of a run that had ended before: its server died before the other agent had heard of it. */
    private String lastText(String threadId) {
        String last = "";
        for (Message message : config.store.transcript(threadId)) {
            if (message instanceof Message.Assistant said && said.content() != null) {
                last = said.content();
            }
        }
        return last;
    }
}
