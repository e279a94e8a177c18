package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.moderation.Moderation;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Moderate;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.AiServiceMethod;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.memory.RememberedMessage;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DailyTokens;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The way of a turn's user message to the model: a method takes it, retrieval augments it, guardrails check it, the memory gets
 * it. Each step is done once and noted; when the turn is run again or continued, the notes are used instead.
 */
public final class TurnPreparation {

    private final Run run;
    private final boolean prepared;
    private final boolean gated;
    private final @Nullable TokenUsage usedBefore;
    /** All tokens of the turn in the runs before this one. */
    private final long spentBefore;
    /** The tokens that the run had used for another turn. */
    private final long usedElsewhere;

    private volatile TurnRecord turn;
    private volatile String counted = "";
    private volatile Optional<UserMessage> augmented = Optional.empty();
    private volatile Optional<Method> taker = Optional.empty();
    private volatile Optional<Future<Moderation>> moderation = Optional.empty();

    /** With {@code gated}, an earlier run has gated a batch of the turn. */
    TurnPreparation(Run run, TurnRecord turn, boolean gated) {
        this.run = run;
        this.turn = turn;
        this.gated = gated;
        this.prepared = turn.prepared().remembered() != null;
        this.usedBefore = usage(turn.prepared().usage());
        Optional<TurnRecord> last = run.found.isPresent() ? run.found.get().turn() : Optional.empty();
        long spent = turn.prepared().spent();
        this.spentBefore = last.isPresent() && isThis(last.get())
                ? Math.max(spent, last.get().prepared().spent())
                : spent;
        this.usedElsewhere = run.usage.tokens();
    }

    private boolean isThis(TurnRecord stored) {
        return stored.userMessageId().equals(turn.userMessageId());
    }

    private long spent() {
        return spentBefore + run.usage.tokens() - usedElsewhere;
    }

    /** The turn as the thread has it, with the tokens that were used since that was stored, if they are limited. */
    public Optional<TurnRecord> spentSince() {
        long now = spent();
        return run.limits.tokensPerTurn() == Long.MAX_VALUE
                        || now <= turn.prepared().spent()
                ? Optional.empty()
                : run.thread().flatMap(ThreadRecord::turn).filter(this::isThis).map(stored -> stored.withSpent(now));
    }

    /** The user message as it came in. */
    public UserMessage said() {
        return run.userMessages.read(turn.userMessage());
    }

    /** Notes the method that takes the turn; a continued turn must reach the same one. */
    void takenBy(Method method) {
        String key = AiServiceMethod.key(method);
        String before = turn.prepared().method();
        if (before != null && !before.equals(key)) {
            throw new Failures.MisuseException("The turn was taken by " + before + ", but is continued by " + key
                    + ". method(turn -> ...) must give the same method for the same turn.");
        }
        taker = Optional.of(method);
        turn = turn.withMethod(key);
    }

    /**
     * Moderates the messages beside the model, once in a turn, if the method asks for it. LangChain4j looks at the outcome after the
     * gate, and moderates on a thread where no turn is found. Messages of which an earlier run has gated a batch have passed.
     */
    public void moderates(ModerationModel model, List<ChatMessage> messages) {
        if (!gated
                && moderation.isEmpty()
                && taker.filter(method -> method.isAnnotationPresent(Moderate.class))
                        .isPresent()) {
            List<ChatMessage> said = AiServices.removeToolMessages(messages);
            moderation = Optional.of(
                    CompletableFuture.supplyAsync(() -> model.moderate(said).content(), AgentConfig.THREADS));
        }
    }

    /** Throws if moderation has flagged the messages, before a person is asked about them. */
    public void requireModerated() {
        if (moderation.isPresent()) {
            try (CallingThread.Scope foreign = run.stop.caller.foreign()) {
                AiServices.verifyModerationIfNeeded(moderation.get());
            }
        }
    }

    /** The user message after augmentation and input guardrails, if it was prepared before. */
    public Optional<UserMessage> userMessage() {
        String before = prepared ? turn.prepared().message() : null;
        return before == null ? Optional.empty() : Optional.of(run.userMessages.read(turn.messageOf(before)));
    }

    public void prepares(UserMessage message) {
        turn = turn.withPrepared(run.userMessages.write(message));
    }

    /** The contents that retrieval found, if it was asked before. */
    public Optional<List<Content>> retrieved() {
        return prepared
                ? Optional.of(turn.prepared().retrieved().stream()
                        .map(ChatMessageJson::readRetrieved)
                        .toList())
                : Optional.empty();
    }

    /**
     * The message as retrieval has augmented it, if it was more than one text: LangChain4j takes the parts of such a message as
     * they were before, unless their number is the same.
     */
    public Optional<UserMessage> augmented() {
        return augmented;
    }

    public void augments(UserMessage message) {
        augmented = Optional.of(message);
    }

    public void retrieves(@Nullable List<Content> contents) {
        List<Content> found = contents == null ? List.of() : contents;
        turn = turn.withRetrieved(found.stream().map(ChatMessageJson::write).toList());
    }

    /** The user message as the chat memory got it, if it has it. */
    public Optional<RememberedMessage> remembered() {
        return RememberedMessage.of(turn, run.userMessages);
    }

    /** Stored before the memory has it, or with it, so that a retry can tell that it is there. */
    public void remembers(UserMessage message, String memoryBefore) {
        turn = turn.withRemembered(run.userMessages.write(message), memoryBefore);
        Commit commit = Commit.empty().turn(turn);
        if (run.lease.keepsMemory()) {
            run.journal.later(commit);
        } else {
            run.journal.commit(commit);
        }
    }

    /** Counts a round of tool calls, and the tokens of the answer that has made them. */
    TurnRecord nextRound(Optional<ChatResponse> answer) {
        TokenUsage usage = answer.isPresent() ? answer.get().tokenUsage() : null;
        turn = used(turn.withNextRound(), usage).withSpent(spent());
        return turn;
    }

    /** A turn that has used so many tokens more. */
    static TurnRecord used(TurnRecord turn, @Nullable TokenUsage more) {
        TokenUsage used = TokenUsage.sum(usage(turn.prepared().usage()), more);
        return used == null
                ? turn
                : turn.withSpent(turn.prepared().spent() + UsageMeter.tokens(more))
                        .withUsage(new io.holdpoint.agui.TokenUsage(
                                null,
                                null,
                                count(used.inputTokenCount()),
                                count(used.outputTokenCount()),
                                count(used.totalTokenCount()),
                                null,
                                null,
                                null));
    }

    /** The turn as its batch has it: rules have used tokens for the batch, too. */
    void continues(TurnRecord withBatch) {
        turn = withBatch;
    }

    /** A count that can be read again: models report strange ones. */
    private static @Nullable Integer count(@Nullable Integer reported) {
        return reported == null ? null : Math.max(0, reported);
    }

    static @Nullable TokenUsage usage(io.holdpoint.agui.@Nullable TokenUsage noted) {
        return noted == null ? null : new TokenUsage(noted.inputTokens(), noted.outputTokens(), noted.totalTokens());
    }

    /** The tokens of the turn in the runs before this one. */
    public @Nullable TokenUsage usedBefore() {
        return usedBefore;
    }

    /** Throws if the turn may not use more tokens, or the owner of the thread not today. */
    public void requireTokens() {
        long used = spent();
        if (used >= run.limits.tokensPerTurn()) {
            throw new Failures.TurnException(
                    ErrorCode.TOO_MANY_TOKENS, "the turn has used " + used + " tokens (Limits.tokensPerTurn)");
        }
        if (run.limits.tokensPerDay() < Long.MAX_VALUE) {
            long today = DailyTokens.of(run.store, run.owner, LocalDate.now(run.clock)) + run.journal.unspent();
            if (today >= run.limits.tokensPerDay()) {
                throw new Failures.TurnException(
                        ErrorCode.TOKENS_USED_UP,
                        run.owner + " has used " + today + " tokens today (Limits.tokensPerDay)");
            }
        }
    }

    /** Checks whether an earlier run has begun the turn. */
    public boolean isContinued() {
        return prepared;
    }

    public String userMessageId() {
        return turn.userMessageId();
    }

    /**
     * Notes the calls of a settled batch that a person declined, and counts those that the gate refused as well: the same is not asked
     * again, and too much ends the turn. Calls that were too many for one message are not looked at.
     */
    void countDeclined(Batch batch) {
        if (!batch.isSettled() || batch.id().equals(counted)) {
            return;
        }
        counted = batch.id();
        Set<String> declined = new LinkedHashSet<>(turn.declined());
        int inARow = turn.declinedInARow();
        int looked = Math.min(batch.calls().size(), Limits.CALLS_PER_MESSAGE);
        for (Call call : batch.calls().subList(0, looked)) {
            String key = TurnRecord.key(call);
            boolean repeated = call.attempts().isEmpty() && turn.declined().contains(key);
            if (ToolApproval.declined(call) || repeated) {
                declined.add(key);
                inARow++;
            } else if (ToolApproval.asked(call).isPresent()) {
                inARow = 0;
            } else if (isRefused(call)) {
                inARow++;
            }
        }
        turn = turn.withDeclined(List.copyOf(declined), inARow);
    }

    /** A tool that does not exist is the application's affair. */
    private static boolean isRefused(Call call) {
        return call.state() == Call.State.NOT_EXECUTED
                && call.asked().isEmpty()
                && !call.proposal().toolSha256().isEmpty();
    }

    /** The text that ends the turn instead of another answer of the model, if too much was declined or refused. */
    Optional<String> endsWith(int limit) {
        return turn.declinedInARow() >= limit
                        && taker.filter(TurnPreparation::mayEndWithText).isPresent()
                ? Optional.of(ModelTexts.endOfTurn(turn.declinedInARow()))
                : Optional.empty();
    }

    /** Checks whether a method can return a text that the model has not written. */
    private static boolean mayEndWithText(Method method) {
        Type type = method.getGenericReturnType();
        return type == TokenStream.class
                || type == String.class
                || (type instanceof ParameterizedType result
                        && result.getRawType() == Result.class
                        && result.getActualTypeArguments()[0] == String.class);
    }
}
