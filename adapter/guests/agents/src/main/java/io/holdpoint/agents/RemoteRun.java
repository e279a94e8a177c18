package io.holdpoint.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.ThreadStatus;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ReasoningEvent;
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
import java.util.List;
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

/** A run of an agent behind an AG-UI endpoint, heard to its end on the thread that waits for it. Not thread-safe. */
abstract class RemoteRun {

    /** The agent, and how long it is waited for; with routes, its server is Holdpoint's. */
    record Remote(String name, AguiClient client, Duration timeout, boolean hasRoutes) {

        @Override
        public String toString() {
            return "The agent \"" + name + "\"";
        }
    }

    /** For a question without a schema: also a denial is for the other server, which knows what it has asked. */
    private static final ObjectNode ANY =
            AguiCodec.mapper().createObjectNode().put("description", "Any JSON; the other server says what it takes.");

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);
    private static final int RECONNECTS = 5;

    /** The most bytes of a run's events. */
    private static final long LONGEST_RUN = 16_000_000;

    /** The statuses of a server that has taken nothing of a request, and may take it another time. */
    static final Set<Integer> NOT_NOW = Set.of(401, 403, 409, 429, 503);

    private record Heard(
            @Nullable Event event,
            Event.@Nullable Terminal end,
            @Nullable Throwable failure) {}

    final Remote agent;
    final String threadId;
    Transcript transcript = new Transcript();
    /** The agent may have got the last input. */
    boolean mayHaveArrived;

    private final long startedAt = System.nanoTime();

    RemoteRun(Remote agent, String threadId) {
        this.agent = agent;
        this.threadId = threadId;
    }

    /** Takes words of the agent; without an id they go on with the message before. */
    abstract void say(@Nullable String messageId, String delta);

    /** Takes thoughts of the agent. */
    void think(String delta) {}

    /** Checks whether nobody waits for the run any longer. */
    abstract boolean isStopping();

    static String hash(String... parts) {
        return ToolArguments.sha256(String.join("\n", parts)).substring(0, 40);
    }

    RunAgentInput input(List<Message> messages, List<ResumeEntry> answers) {
        ObjectNode none = AguiCodec.mapper().createObjectNode(); // some servers insist on the fields
        ObjectNode replacesNone = AguiCodec.mapper().createObjectNode(); // the same once more gets the same answer
        replacesNone.putObject("holdpoint").putNull("replaces");
        return RunAgentInput.of(threadId, UUID.randomUUID().toString(), messages)
                .withState(none)
                .withForwardedProps(replacesNone)
                .withResume(answers);
    }

    Event.Terminal start(RunAgentInput input) {
        input.messages().forEach(transcript::add);
        return run(input);
    }

    Event.Terminal run(RunAgentInput input) {
        try {
            return await(events -> agent.client().run(input, events));
        } catch (AguiClientException e) {
            mayHaveArrived = !e.isUnreached() && !NOT_NOW.contains(e.status());
            throw e;
        }
    }

    /** The thread as it is on a server of Holdpoint, once no run is active on it; empty and at its end if there is none. */
    Event.Terminal follow() {
        for (int failures = 0; ; pause()) {
            transcript = new Transcript();
            try {
                Event.Terminal end = await(events -> agent.client().history(threadId, true, events));
                if (!ThreadStatus.RUNNING.wireName().equals(status(end))) {
                    return end;
                }
                failures = 0;
            } catch (AguiClientException e) {
                if (e.code().filter(ErrorCode.THREAD_NOT_FOUND.name()::equals).isPresent()) {
                    return new RunEvent.Finished(threadId, "none", RunFinishedOutcome.success(), null, List.of());
                }
                if (isRefusal(e) || ++failures == RECONNECTS) {
                    throw e;
                }
            }
        }
    }

    static boolean isRefusal(AguiClientException e) {
        return e.status() != 0 && e.status() != 200;
    }

    private static String status(Event.Terminal end) {
        return end instanceof RunEvent.Finished finished && finished.base().metadata() != null
                ? finished.base().metadata().at("/langchain4j/thread").asText()
                : "";
    }

    /** Checks whether the thread has a turn that no run works on. */
    static boolean isLeft(Event.Terminal end) {
        return ThreadStatus.UNFINISHED.wireName().equals(status(end));
    }

    static List<Interrupt> open(Event.Terminal end) {
        return end instanceof RunEvent.Finished finished
                        && finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted
                ? interrupted.interrupts()
                : List.of();
    }

    static Set<String> ids(List<Interrupt> interrupts) {
        return interrupts.stream().map(Interrupt::id).collect(Collectors.toSet());
    }

    /** Hears a stream to its end, on the tool's own thread, so that the events of the call come one after another. */
    private Event.Terminal await(Function<Consumer<Event>, AguiClient.Run> start) {
        BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        AtomicLong streamed = new AtomicLong();
        AguiClient.Run run = start.apply(event -> {
            if (streamed.addAndGet(AguiCodec.writeEventBytes(event).length) > LONGEST_RUN) {
                throw new IllegalStateException(agent + " said more than " + LONGEST_RUN
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
                    hear(next.event());
                } else if (next != null && next.end() != null) {
                    return next.end();
                } else if (next != null) {
                    throw failure(next.failure());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(agent + " was not waited for.", e);
        } finally {
            run.close();
        }
    }

    private void hear(Event event) {
        if (event instanceof TextMessageEvent.Content content) {
            say(content.messageId(), content.delta());
        } else if (event instanceof TextMessageEvent.Chunk chunk && chunk.delta() != null) {
            say(chunk.messageId(), chunk.delta());
        } else if (event instanceof ReasoningEvent.MessageContent content) {
            think(content.delta());
        } else if (event instanceof ReasoningEvent.MessageChunk chunk && chunk.delta() != null) {
            think(chunk.delta());
        }
    }

    private RuntimeException failure(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause instanceof RuntimeException e
                ? e
                : new IllegalStateException(agent + " could not be heard: " + cause, cause);
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(agent + " was not waited for.", e);
        }
        requireGoingOn();
    }

    private void requireGoingOn() {
        boolean isLate = System.nanoTime() - startedAt > agent.timeout().toNanos();
        if (!isLate && !isStopping()) {
            return;
        }
        if (agent.hasRoutes()) {
            agent.client()
                    .cancel(threadId)
                    .orTimeout(CANCEL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .exceptionally(failure -> false) // it may be unreachable, which is why it takes so long
                    .join();
        }
        throw new IllegalStateException(
                isLate
                        ? agent + " did not finish within " + agent.timeout()
                                + ". The outcome of its work is not known."
                        : agent + " was stopped. The outcome of its work is not known.");
    }

    /** The end of a run that has not failed. */
    RunEvent.Finished finished(Event.Terminal end) {
        if (end instanceof RunEvent.Error error) {
            throw new IllegalStateException(
                    agent + " failed: " + error.message() + (error.code() == null ? "" : " (" + error.code() + ")"));
        }
        RunEvent.Finished finished = (RunEvent.Finished) end;
        if (finished.outcome() instanceof RunFinishedOutcome.Cancelled) {
            throw new IllegalStateException(agent + " was cancelled on its server.");
        }
        return finished;
    }

    /** The words of a run that has said none. */
    String withoutWords(RunEvent.Finished finished) {
        return finished.result() == null
                ? agent + " has finished without an answer."
                : AguiCodec.write(finished.result());
    }

    // --- questions

    /** The agent's question as one of ours, which says in its metadata what it stands for. */
    static ToolInterrupt question(Remote agent, Interrupt theirs, String beginning) {
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode source = metadata.putObject("remoteAgent")
                .put("name", agent.name())
                .put("interruptId", theirs.id())
                .put("reason", theirs.reason());
        if (theirs.toolCallId() != null) {
            source.put("toolCallId", theirs.toolCallId());
        }
        if (theirs.metadata() != null) {
            source.set("metadata", theirs.metadata());
        }
        String message = theirs.message() == null ? "It waits for an answer: " + theirs.reason() : theirs.message();
        ToolInterrupt ours = of(theirs.reason(), beginning + message).metadata(metadata);
        if (theirs.responseSchema() != null && !theirs.responseSchema().isEmpty()) {
            ours = ours.schema(theirs.responseSchema());
        } else if (ours.responseSchema().isEmpty()) {
            ours = ours.schema(ANY);
        }
        if (theirs.expiresAt() != null) {
            Duration left = Duration.between(Instant.now(), theirs.expiresAt());
            if (left.compareTo(LONGEST) < 0) {
                ours = ours.expiresAfter(left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
            }
        }
        return ours;
    }

    /** A question of the agent's own reason, unless only Holdpoint itself asks for that. */
    private static ToolInterrupt of(String reason, String message) {
        try {
            return ToolInterrupt.of(reason, message);
        } catch (ToolInterrupt.MisuseException e) {
            String last = reason.substring(reason.lastIndexOf(':') + 1).replaceAll("[^A-Za-z0-9_.-]", "_");
            String shown = last.isEmpty() ? "interrupt" : last.substring(0, Math.min(100, last.length()));
            return ToolInterrupt.of("remote:" + shown, message);
        }
    }
}
