package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import io.holdpoint.BatchMode;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.events.AssistantReasoning;
import io.holdpoint.internal.events.AssistantText;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.store.Batch;
import io.holdpoint.store.BatchState;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.TurnRecord;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the AI Service, as its decorators share it: what the model said, the batch that is being worked on, what the
 * memory and the transcript get. Ends exactly once. Callbacks may come on several threads.
 */
public final class Turn {

    private final Run run;
    private final TurnTools tools;
    private final TurnEnd end;
    private final AssistantText text;
    private final ModelStream stream = new ModelStream();
    private final AssistantReasoning reasoning;

    private final TurnPreparation preparation;
    private final Optional<String> continued;
    private final ClientContext context;

    private volatile Optional<LiveBatch> live;
    private volatile Optional<String> replay;
    private volatile Optional<ToolLoop> loop = Optional.empty();
    private volatile boolean finalMessage;
    private volatile String counted = "";
    private volatile Optional<String> finalText = Optional.empty();
    private volatile Optional<Throwable> modelFailure = Optional.empty();

    /**
     * @param unfinished the batch to go on from, if the turn is continued
     * @param context what came along with the run's input
     */
    public Turn(
            Run run,
            TurnTools tools,
            TurnRecord turn,
            Optional<Batch> unfinished,
            ClientContext context,
            Consumer<TurnOutcome> ended) {
        this.run = run;
        this.tools = tools;
        this.preparation = new TurnPreparation(run, turn, unfinished.isPresent());
        this.end = new TurnEnd(ended);
        this.text = new AssistantText(run.events());
        this.reasoning = new AssistantReasoning(run.events(), run.config().reasoning);
        this.continued = unfinished.map(Batch::id);
        this.live = unfinished.map(batch -> new LiveBatch(run, batch));
        this.replay = unfinished.map(Batch::assistantMessage);
        this.context = context;
    }

    /** Before the AI Service is called: a continued turn announces the results that it already has. */
    public void begins() {
        live.ifPresent(LiveBatch::announceSettled);
    }

    public String threadId() {
        return run.threadId();
    }

    public String runId() {
        return run.runId();
    }

    /** What the client offers the model in this run. */
    public List<ToolSpecification> clientTools() {
        return context.tools();
    }

    public TurnTools tools() {
        return tools;
    }

    /** The AI Service is built: this is its loop. */
    public void runsIn(ToolLoop ofService) {
        loop = Optional.of(ofService);
    }

    public TurnPreparation preparation() {
        return preparation;
    }

    /** The AI Service is called. */
    public void calls(Method method, boolean outputGuardrails) {
        preparation.takenBy(method);
        text.onlyFinal(outputGuardrails);
        reasoning.silent(outputGuardrails);
    }

    /** What the model is asked: with what came along with the run's input. */
    public ChatRequest withContext(ChatRequest request) {
        return context.addTo(request);
    }

    // --- the model answers

    /**
     * Looks at attempts of unknown outcome when the tools are known, before the stored message is handed on: of a tool that
     * must not run twice any more, a person has to say what came of it. A tool that has gone does not run anyway.
     *
     * @return whether somebody is asked, which ends the turn
     */
    public boolean asksAgain() {
        return end.notBefore(this::asksAgainNow);
    }

    private boolean asksAgainNow() {
        Optional<Batch> asked = live.flatMap(
                stored -> OutcomeUnknown.askAbout(stored.batch(), run.clock().instant(), this::mayRunAgain));
        asked.ifPresent(batch -> {
            run.commit(Commit.of(batch));
            end.with(new TurnOutcome.Held(batch));
        });
        return asked.isPresent();
    }

    private boolean mayRunAgain(Call call) {
        return tools.find(call.toolName())
                .map(tool -> call.idempotent() && tool.idempotent())
                .orElse(true);
    }

    public Optional<AiMessage> takeReplay() {
        Optional<String> stored = replay;
        replay = Optional.empty();
        return stored.map(json -> ChatMessageJson.read(AiMessage.class, json));
    }

    public boolean hasFinalMessage() {
        return finalMessage;
    }

    public ToolCallIds toolCallIds() {
        return new ToolCallIds(id -> run.store().hasToolCall(threadId(), id));
    }

    public ChatResponse received(ChatResponse response, ToolCallIds ids, ModelProvider provider) {
        run.usage().count(provider, response);
        AiMessage message = ids.applyTo(response.aiMessage());
        requireSomething(response.finishReason(), message);
        reasoning.complete(message.thinking());
        finalMessage = !message.hasToolExecutionRequests();
        finalText = Optional.ofNullable(message.text()).filter(said -> finalMessage);
        return message == response.aiMessage()
                ? response
                : response.toBuilder().aiMessage(message).build();
    }

    /** What is no answer must not end the turn as if it were one. */
    private static void requireSomething(@Nullable FinishReason reason, AiMessage message) {
        if (reason == FinishReason.CONTENT_FILTER) {
            throw new ContentFilteredException("the model's provider filtered the answer");
        }
        String said = message.text();
        if (!message.hasToolExecutionRequests()
                && (said == null || said.isBlank())
                && message.attributes().isEmpty()) {
            throw new EmptyAnswerException();
        }
    }

    /**
     * A text in the place of the model's next answer, if a person has declined too much. The model is not asked.
     */
    public Optional<ChatResponse> endsWithText() {
        live.map(LiveBatch::batch)
                .filter(Batch::isSettled)
                .filter(batch -> !batch.id().equals(counted))
                .ifPresent(batch -> {
                    counted = batch.id();
                    preparation.declined(batch.calls());
                });
        return preparation.endsWith(tools.gate().limits().declinedInARow()).map(said -> {
            finalMessage = true;
            finalText = Optional.of(said);
            return ChatResponse.builder().aiMessage(AiMessage.from(said)).build();
        });
    }

    public ChatResponse receivedInReprompt(ChatResponse response, ModelProvider provider) {
        run.usage().count(provider, response);
        return response;
    }

    /**
     * Decides about a message with tool calls, and stores the decision before anything runs.
     *
     * @return the message to go on with; empty if the turn is held, which ends it
     */
    public Optional<AiMessage> gate(AiMessage proposed) {
        return end.notBefore(() -> gateNow(proposed));
    }

    private Optional<AiMessage> gateNow(AiMessage proposed) {
        ToolLoop rounds = loop.orElseThrow();
        preparation.requireModerated();
        TurnRecord turn = preparation.nextRound();
        if (turn.rounds() > rounds.maxRounds()) {
            throw new TooManyRoundsException(rounds.maxRounds());
        }
        GatedBatch gated = new BatchGate(tools, rounds, turn).gate(threadId(), proposed, text.messageId());
        Batch batch = gated.batch();
        Commit commit = live.map(before -> before.finishedIn(Commit.empty())).orElseGet(Commit::empty);
        Message.Assistant announced = text.endsWithToolCalls(gated.message());
        run.commit(commit.with(batch)
                .append(reasoning.taken())
                .append(List.of(announced))
                .turn(turn));
        announced.toolCalls().forEach(call -> run.events()
                .toolCall(announced.id(), call.id(), call.name(), call.arguments()));
        LiveBatch next = new LiveBatch(run, batch);
        live = Optional.of(next);
        if (next.isOpen() && !runsSomething(batch)) {
            end.with(new TurnOutcome.Held(batch));
        }
        if (end.isReached()) {
            return Optional.empty();
        }
        next.announceSettled();
        return Optional.of(gated.message());
    }

    /** In eager mode, calls of an open batch that nobody is asked about run first. */
    private boolean runsSomething(Batch batch) {
        return run.mode() == BatchMode.EAGER
                && batch.calls().stream()
                        .anyMatch(call ->
                                !call.state().isSettled() && call.openQuestion().isEmpty());
    }

    /**
     * Looks at the batch before the model goes on from it.
     *
     * @return whether somebody has to be asked first, or the client has something to do: both end the turn
     */
    public boolean pauses() {
        Optional<LiveBatch> paused = live.filter(present -> isPaused());
        paused.map(LiveBatch::batch)
                .ifPresent(batch -> end.with(
                        batch.state() == BatchState.OPEN
                                ? new TurnOutcome.Held(batch)
                                : new TurnOutcome.LeftToClient(batch)));
        return paused.isPresent();
    }

    /** Whether the batch lacks results that do not come in this run, so that it cannot enter the memory. */
    public boolean isPaused() {
        return live.filter(present -> present.isOpen() || present.waitsForClient())
                .isPresent();
    }

    // --- tools run

    public SharedState state() {
        return run.state();
    }

    public RunWatch watch() {
        return run.watch();
    }

    public Progress progress() {
        return run.progress();
    }

    public EventEmitter events() {
        return run.events();
    }

    public Instant now() {
        return run.clock().instant();
    }

    /** Runs a tool's body, from its claim to its result: the turn does not end in between, and a turn that has ended starts none. */
    public <T> T whileRunning(Supplier<T> body) {
        if (run.stop().reason().isPresent()) {
            end.with(new TurnOutcome.Stopped()); // whoever stops the run may not have come to it yet
        }
        return end.notBefore(body);
    }

    /** For what the store does not check, because it is not told. */
    public void requireLease() {
        run.lease().require();
    }

    public Optional<LiveBatch> batchOf(ToolExecutionRequest request) {
        return live.filter(present -> !finalMessage && present.has(request.id()));
    }

    /** Whether the present batch is the one that the turn goes on from: an earlier run may have remembered it. */
    public boolean continuesItsBatch() {
        return live.map(LiveBatch::batch).map(Batch::id).equals(continued);
    }

    public void batchRemembered() {
        live.ifPresent(LiveBatch::remembered);
    }

    // --- text

    public void partialText(String delta) {
        text.partial(delta);
    }

    public void partialThinking(String delta) {
        reasoning.partial(delta);
    }

    public void partialToolCall(String toolCallId, String toolName, String delta) {
        text.partialToolCall(toolCallId, toolName, delta);
    }

    /**
     * Runs what follows a final message. Output guardrails may ask the model again and wait for it, which they must not do
     * on the model's own thread.
     */
    public void afterFinalMessage(Runnable callback) {
        if (text.isOnlyFinal()) {
            run.execute(() -> guarded(callback));
        } else {
            callback.run();
        }
    }

    /** What the model said last, unless output guardrails may have changed it. */
    public Optional<String> finalText() {
        return text.isOnlyFinal() ? Optional.empty() : finalText;
    }

    // --- the end

    /** The AI Service is done. */
    public void completed(@Nullable Object value, String finalText) {
        if (pauses()) {
            return;
        }
        end.notBefore(() -> {
            completeNow(value, finalText);
            return this;
        });
    }

    private void completeNow(@Nullable Object value, String finalText) {
        Commit commit = live.map(last -> last.finishedIn(Commit.empty())).orElseGet(Commit::empty);
        List<Message> messages = text.endsWithText(finalText);
        run.commit(commit.append(reasoning.taken()).append(messages).turnFinished());
        end.with(new TurnOutcome.Completed(value, finalText));
    }

    public void failed(Throwable cause) {
        Throwable unwrapped = TurnFailure.unwrap(cause);
        boolean ofModel =
                modelFailure.filter(reported -> isIn(reported, unwrapped)).isPresent();
        end.with(new TurnOutcome.Failed(unwrapped, ofModel ? Failures.Origin.MODEL : Failures.Origin.ELSEWHERE));
    }

    /** The model threw something, or reported it. It becomes the failure of the turn unless the application sees to it. */
    public void modelFailed(Throwable cause) {
        modelFailure = Optional.of(cause);
    }

    private static boolean isIn(Throwable wanted, Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each == wanted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks the model.
     *
     * @throws RuntimeException what the model throws
     */
    public <T> T asking(Supplier<T> model) {
        try {
            return model.get();
        } catch (RuntimeException | Error e) {
            modelFailed(e);
            throw e;
        }
    }

    /**
     * Ends the turn from outside: the model is told to stop writing, no further tool starts, and what comes late changes nothing.
     *
     * @param atOnce whether tools that are running are not waited for
     */
    public void stop(boolean atOnce) {
        if (atOnce) {
            end.atOnceWith(new TurnOutcome.Stopped());
        } else {
            end.with(new TurnOutcome.Stopped());
        }
        stream.cancel();
    }

    /** What was thought before a message that never came to its end; nothing more is heard of it from now on. */
    public List<Message> thoughtSoFar() {
        return reasoning.breakOff();
    }

    /** What was said of a message that never came to its end; nothing more of it is said from now on. */
    public Optional<Message.Assistant> saidSoFar() {
        return text.breakOff();
    }

    /** What the model answers with, and how it can be told to stop. */
    public ModelStream stream() {
        return stream;
    }

    /** Runs a callback of the model: whatever it throws is the failure of the turn, and nothing runs after the end. */
    public void guarded(Runnable callback) {
        if (end.isReached()) {
            return;
        }
        try {
            callback.run();
        } catch (Throwable e) {
            failed(e);
        }
    }

    public boolean isOver() {
        return end.isReached();
    }
}
