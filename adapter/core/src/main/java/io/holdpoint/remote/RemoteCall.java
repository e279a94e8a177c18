package io.holdpoint.remote;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.ThreadStatus;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.agui.client.AguiClientException;
import io.holdpoint.agui.client.Transcript;
import io.holdpoint.internal.gate.ToolArguments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One execution of a {@link RemoteAgent}'s call, from a start or an answer to the end or the next question. Not thread-safe. */
final class RemoteCall {

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);
    private static final int RECONNECTS = 5;

    /** The most bytes of a run's events. */
    private static final long LONGEST_RUN = 16_000_000;

    /** The statuses of a server that has taken nothing of a request, and may take it another time. */
    private static final Set<Integer> NOT_NOW = Set.of(401, 403, 409, 429, 503);

    private static final Logger LOG = LoggerFactory.getLogger(RemoteCall.class);

    /**
     * Kept until the answers are there: the open interrupts, the answers to the first of them that are given already, the number
     * of the call's answers before the next ones, and the conversation.
     */
    private record Kept(
            List<Interrupt> interrupts,
            @JsonSetter(nulls = Nulls.AS_EMPTY) List<JsonNode> given,
            int before,
            List<Message> messages) {}

    private record Heard(
            @Nullable Event event,
            Event.@Nullable Terminal end,
            @Nullable Throwable failure) {}

    private final String name;
    private final AguiClient client;
    private final Duration timeout;
    private final boolean hasRoutes;
    private final ToolCallContext call;
    private final String threadId;
    private final Optional<Kept> kept;
    private Transcript transcript = new Transcript();
    private final long startedAt = System.nanoTime();
    private boolean forwards = true;
    /** The agent may have got the answers. */
    private boolean mayHaveArrived;

    RemoteCall(String name, AguiClient client, Duration timeout, boolean hasRoutes, ToolCallContext call) {
        this.name = name;
        this.client = client;
        this.timeout = timeout;
        this.hasRoutes = hasRoutes;
        this.call = call;
        this.threadId = "remote-" + hash(call.threadId(), call.toolCallId(), call.idempotencyKey());
        this.kept = call.kept().map(json -> AguiCodec.mapper().convertValue(json, Kept.class));
    }

    private static String hash(String... parts) {
        return ToolArguments.sha256(String.join("\n", parts)).substring(0, 40);
    }

    String execute(String task) {
        List<JsonNode> answers = kept.map(this::answers).orElse(List.of());
        if (kept.isPresent() && answers.size() < kept.get().interrupts().size()) {
            throw ask(kept.get(), answers.size(), agent() + " asks: ");
        }
        String messageId = "task-" + hash(threadId, task);
        List<Message> messages = kept.map(Kept::messages)
                .orElseGet(() -> List.of(new Message.User(messageId, MessageContent.text(task))));
        ObjectNode none = AguiCodec.mapper().createObjectNode(); // some servers insist on the fields
        ObjectNode replacesNone = AguiCodec.mapper().createObjectNode(); // the same task once more gets the same answer
        replacesNone.putObject("holdpoint").putNull("replaces");
        RunAgentInput input = RunAgentInput.of(threadId, UUID.randomUUID().toString(), messages)
                .withState(none)
                .withForwardedProps(replacesNone)
                .withResume(kept.map(asked -> entries(asked, answers)).orElse(List.of()));
        try {
            return result(hasRoutes ? takenUpOrStarted(input, messageId) : start(input));
        } catch (AguiClientException e) {
            if (kept.isPresent() && isAway(e)) {
                throw askAgain(kept.get(), answers, e);
            }
            // without a cause: LangChain4j would tell the model the cause's message in place of this one
            IllegalStateException told = new IllegalStateException(agent() + " could not be asked: " + e.getMessage());
            told.addSuppressed(e);
            throw told;
        }
    }

    private List<JsonNode> answers(Kept asked) {
        List<JsonNode> answers = new ArrayList<>(asked.given());
        answers.addAll(call.answers().subList(asked.before(), call.answers().size()));
        return answers;
    }

    private static List<ResumeEntry> entries(Kept asked, List<JsonNode> answers) {
        List<ResumeEntry> entries = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            entries.add(ResumeEntry.resolved(asked.interrupts().get(i), answers.get(i)));
        }
        return entries;
    }

    /** Checks whether the agent has certainly not got the answers, and may get them another time. */
    private boolean isAway(AguiClientException e) {
        return !mayHaveArrived && (!isRefusal(e) || NOT_NOW.contains(e.status()));
    }

    /** Asks the last question once more, so that no answer is used up; those before it stay. */
    private ToolInterrupt.Raised askAgain(Kept asked, List<JsonNode> answers, AguiClientException e) {
        LOG.warn("The answer to the agent \"{}\" did not arrive; its last question is asked again", name, e);
        int last = answers.size() - 1;
        Kept again = new Kept(
                asked.interrupts(), answers.subList(0, last), call.answers().size(), asked.messages());
        throw ask(
                again, last, agent() + " could not be reached, so your answer has not arrived there. It asks again: ");
    }

    // --- runs

    private Event.Terminal start(RunAgentInput input) {
        input.messages().forEach(transcript::add);
        return run(input);
    }

    private Event.Terminal run(RunAgentInput input) {
        try {
            return await(events -> client.run(input, events));
        } catch (AguiClientException e) {
            mayHaveArrived = !e.isUnreached() && !NOT_NOW.contains(e.status());
            throw e;
        }
    }

    /** Looks first where the thread is: an earlier execution of this call may have started it, or answered. */
    private Event.Terminal takenUpOrStarted(RunAgentInput input, String messageId) {
        Event.Terminal present = follow();
        List<Message> there = transcript.messages();
        boolean isKnown = there.stream().anyMatch(message -> message.id().equals(messageId));
        boolean isUnanswered = isKnown && there.get(there.size() - 1).id().equals(messageId);
        boolean waitsForUs =
                isKnown && kept.isPresent() && ids(kept.get().interrupts()).equals(ids(open(present)));
        if (isKnown && !isUnanswered && !waitsForUs && !isLeft(present)) {
            return present;
        }
        try {
            return isKnown ? run(input) : start(input);
        } catch (AguiClientException e) {
            if (isRefusal(e)) {
                throw e; // there is no run to be found again
            }
            Event.Terminal now = follow();
            boolean hasArrived = transcript.messages().stream()
                    .anyMatch(message -> message.id().equals(messageId));
            boolean stillWaits = waitsForUs && ids(open(now)).equals(ids(open(present)));
            if (!hasArrived || isLeft(now) || stillWaits) {
                mayHaveArrived &= !stillWaits;
                throw e;
            }
            return now;
        }
    }

    /** The thread as it is on a server of Holdpoint, once no run is active on it; empty and at its end if there is none. */
    private Event.Terminal follow() {
        for (int attempt = 1; ; attempt++) {
            transcript = new Transcript();
            try {
                Event.Terminal end = await(events -> client.history(threadId, true, events));
                if (!ThreadStatus.RUNNING.wireName().equals(status(end))) {
                    return end;
                }
            } catch (AguiClientException e) {
                if (e.code().filter(ErrorCode.THREAD_NOT_FOUND.name()::equals).isPresent()) {
                    return new RunEvent.Finished(threadId, "none", RunFinishedOutcome.success(), null, List.of());
                }
                if (isRefusal(e) || attempt == RECONNECTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static boolean isRefusal(AguiClientException e) {
        return e.status() != 0 && e.status() != 200;
    }

    private static String status(Event.Terminal end) {
        return end instanceof RunEvent.Finished finished && finished.base().metadata() != null
                ? finished.base().metadata().at("/langchain4j/thread").asText()
                : "";
    }

    /** Checks whether the thread has a turn that no run works on. */
    private static boolean isLeft(Event.Terminal end) {
        return ThreadStatus.UNFINISHED.wireName().equals(status(end));
    }

    private static List<Interrupt> open(Event.Terminal end) {
        return end instanceof RunEvent.Finished finished
                        && finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted
                ? interrupted.interrupts()
                : List.of();
    }

    private static Set<String> ids(List<Interrupt> interrupts) {
        return interrupts.stream().map(Interrupt::id).collect(Collectors.toSet());
    }

    /** Hears a stream to its end, on the tool's own thread, so that the events of the call come one after another. */
    private Event.Terminal await(Function<Consumer<Event>, AguiClient.Run> start) {
        BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        AtomicLong streamed = new AtomicLong();
        AguiClient.Run run = start.apply(event -> {
            if (streamed.addAndGet(AguiCodec.writeEventBytes(event).length) > LONGEST_RUN) {
                throw new IllegalStateException(agent() + " said more than " + LONGEST_RUN
                        + " bytes in one run, and was not heard further. The outcome of its work is not known.");
            }
            heard.add(new Heard(event, null, null));
        });
        run.end().whenComplete((end, failure) -> heard.add(new Heard(null, end, failure)));
        try {
            while (true) {
                Heard next = heard.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                requireGoingOn();
                if (next != null && next.event() != null) {
                    transcript.accept(next.event());
                    forward(next.event());
                } else if (next != null && next.end() != null) {
                    return next.end();
                } else if (next != null) {
                    throw failure(next.failure());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(agent() + " was not waited for.", e);
        } finally {
            run.close();
        }
    }

    private RuntimeException failure(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause instanceof RuntimeException e
                ? e
                : new IllegalStateException(agent() + " could not be heard: " + cause, cause);
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(agent() + " was not waited for.", e);
        }
        requireGoingOn();
    }

    private void requireGoingOn() {
        boolean isLate = System.nanoTime() - startedAt > timeout.toNanos();
        if (!isLate && !call.isStopping()) {
            return;
        }
        if (hasRoutes) {
            client.cancel(threadId)
                    .orTimeout(CANCEL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .exceptionally(failure -> false) // it may be unreachable, which is why it takes so long
                    .join();
        }
        throw new IllegalStateException(
                isLate
                        ? agent() + " did not finish within " + timeout + ". The outcome of its work is not known."
                        : agent() + " was stopped. The outcome of its work is not known.");
    }

    private void forward(Event event) {
        String delta = null;
        String messageId = null;
        if (event instanceof TextMessageEvent.Content content) {
            delta = content.delta();
            messageId = content.messageId();
        } else if (event instanceof TextMessageEvent.Chunk chunk) {
            delta = chunk.delta();
            messageId = chunk.messageId();
        }
        if (delta == null || !forwards) {
            return;
        }
        ObjectNode value = about().put("toolCallId", call.toolCallId()).put("agent", name);
        if (messageId != null) {
            value.put("messageId", messageId);
        }
        try {
            call.emit(RemoteAgent.TEXT, value.put("delta", delta));
        } catch (IllegalArgumentException e) {
            forwards = false; // longer than a result may be: the result has the rest
        }
    }

    // --- the end of a run

    private String result(Event.Terminal end) {
        if (end instanceof RunEvent.Error error) {
            throw new IllegalStateException(
                    agent() + " failed: " + error.message() + (error.code() == null ? "" : " (" + error.code() + ")"));
        }
        List<Interrupt> open = open(end);
        if (!open.isEmpty()) {
            List<Message> conversation = hasRoutes ? List.of() : transcript.messages();
            throw ask(new Kept(open, List.of(), call.answers().size(), conversation), 0, agent() + " asks: ");
        }
        RunEvent.Finished finished = (RunEvent.Finished) end;
        if (finished.outcome() instanceof RunFinishedOutcome.Cancelled) {
            throw new IllegalStateException(agent() + " was cancelled on its server.");
        }
        if (finished.outcome() instanceof RunFinishedOutcome.Success success
                && !success.pendingToolCallIds().isEmpty()) {
            throw new IllegalStateException(agent() + " waits for tools of its client, and has none here.");
        }
        String text = lastText();
        if (!text.isEmpty()) {
            return text;
        }
        return finished.result() == null
                ? agent() + " has finished without an answer."
                : AguiCodec.write(finished.result());
    }

    private String lastText() {
        String text = "";
        for (Message message : transcript.messages()) {
            if (message instanceof Message.User) {
                text = "";
            } else if (message instanceof Message.Assistant said
                    && said.content() != null
                    && !said.content().isBlank()) {
                text = said.content();
            }
        }
        return text;
    }

    // --- questions

    private ToolInterrupt.Raised ask(Kept asked, int index, String beginning) {
        Interrupt theirs = asked.interrupts().get(index);
        ObjectNode metadata = about();
        ObjectNode source = metadata.putObject("remoteAgent")
                .put("name", name)
                .put("interruptId", theirs.id())
                .put("reason", theirs.reason());
        if (theirs.toolCallId() != null) {
            source.put("toolCallId", theirs.toolCallId());
        }
        if (theirs.metadata() != null) {
            source.set("metadata", theirs.metadata());
        }
        String message = theirs.message() == null ? "It waits for an answer: " + theirs.reason() : theirs.message();
        ToolInterrupt ours = question(theirs.reason(), beginning + message)
                .metadata(metadata)
                .keeping(AguiCodec.mapper().valueToTree(asked));
        if (theirs.responseSchema() != null) {
            ours = ours.schema(theirs.responseSchema());
        }
        if (theirs.expiresAt() != null) {
            Duration left = Duration.between(Instant.now(), theirs.expiresAt());
            if (left.compareTo(LONGEST) < 0) {
                ours = ours.expiresAfter(left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
            }
        }
        return call.interrupt(ours);
    }

    /** A question of the agent's own reason, unless only Holdpoint itself asks for that. */
    private static ToolInterrupt question(String reason, String message) {
        try {
            return ToolInterrupt.of(reason, message);
        } catch (ToolInterrupt.MisuseException e) {
            String last = reason.substring(reason.lastIndexOf(':') + 1).replaceAll("[^A-Za-z0-9_.-]", "_");
            String shown = last.isEmpty() ? "interrupt" : last.substring(0, Math.min(100, last.length()));
            return ToolInterrupt.of("remote:" + shown, message);
        }
    }

    private String agent() {
        return "The agent \"" + name + "\"";
    }

    private static ObjectNode about() {
        return AguiCodec.mapper().createObjectNode();
    }
}
