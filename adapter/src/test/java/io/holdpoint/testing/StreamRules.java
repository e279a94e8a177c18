package io.holdpoint.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.flipkart.zjsonpatch.JsonPatch;
import io.holdpoint.agui.ActivityDeltaEvent;
import io.holdpoint.agui.ActivitySnapshotEvent;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEndEvent;
import io.holdpoint.agui.ReasoningMessageContentEvent;
import io.holdpoint.agui.ReasoningMessageEndEvent;
import io.holdpoint.agui.ReasoningMessageStartEvent;
import io.holdpoint.agui.ReasoningStartEvent;
import io.holdpoint.agui.RunErrorEvent;
import io.holdpoint.agui.RunFinishedEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.RunStartedEvent;
import io.holdpoint.agui.StateDeltaEvent;
import io.holdpoint.agui.StateSnapshotEvent;
import io.holdpoint.agui.StepFinishedEvent;
import io.holdpoint.agui.StepStartedEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.TextMessageEndEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.ToolCallArgsEvent;
import io.holdpoint.agui.ToolCallEndEvent;
import io.holdpoint.agui.ToolCallResultEvent;
import io.holdpoint.agui.ToolCallStartEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What every stream of one run must be like, whatever happened in the run. */
public final class StreamRules {

    private final Set<String> openTexts = new HashSet<>();
    private final Set<String> texts = new HashSet<>();
    private final Set<String> openSpans = new HashSet<>();
    private final Set<String> openReasoning = new HashSet<>();
    private final Map<String, JsonNode> activities = new HashMap<>();
    private final Set<String> openSteps = new HashSet<>();
    private final Map<String, StringBuilder> openCalls = new HashMap<>();
    private final Map<String, String> calls = new HashMap<>();
    private final Map<String, String> results = new HashMap<>();
    private Optional<MessagesSnapshotEvent> snapshot = Optional.empty();
    private Optional<JsonNode> state = Optional.empty();
    private boolean changed;

    private final boolean abandoned;
    private final boolean followed;

    private StreamRules(boolean abandoned, boolean followed) {
        this.abandoned = abandoned;
        this.followed = followed;
    }

    /** Everything that was sent live is in the snapshot that ends the run, if there is one. */
    public static void check(List<Event> events) {
        new StreamRules(false, false).checkAll(events);
    }

    /**
     * The same, but a model message that was sent live and came to nothing is missing in the snapshot: a batch could not be
     * continued, and was given up for a new message in the same run.
     */
    public static void checkWithAbandoned(List<Event> events) {
        new StreamRules(true, false).checkAll(events);
    }

    /** The same, but of a stream that joined a run: there is more than one snapshot, and each has what was sent before it. */
    public static void checkFollowed(List<Event> events) {
        new StreamRules(false, true).checkAll(events);
    }

    private void checkAll(List<Event> events) {
        assertThat(events).as("a stream has events").isNotEmpty();
        frame(events);
        events.forEach(event -> take(events, event));
        end(events);
    }

    private void frame(List<Event> events) {
        Event first = events.get(0);
        Event last = events.get(events.size() - 1);
        assertThat(first).isInstanceOfAny(RunStartedEvent.class, RunErrorEvent.class);
        assertThat(last).isInstanceOfAny(RunFinishedEvent.class, RunErrorEvent.class);
        assertThat(events.stream().filter(StreamRules::ends))
                .as("terminal events")
                .hasSize(1);
        assertThat(events.stream().filter(RunStartedEvent.class::isInstance))
                .as("RUN_STARTED")
                .hasSize(first instanceof RunStartedEvent ? 1 : 0);
        if (first instanceof RunStartedEvent started) {
            assertThat(started.protocolVersion()).isEqualTo("1.0");
            if (last instanceof RunFinishedEvent finished) {
                assertThat(finished.threadId()).isEqualTo(started.threadId());
                assertThat(finished.runId()).isEqualTo(started.runId());
            }
        }
    }

    private static boolean ends(Event event) {
        return event instanceof RunFinishedEvent || event instanceof RunErrorEvent;
    }

    /** Rather than replace the state by something that is shorter than the patch. */
    private static boolean presentsTheThread(List<Event> events, StateSnapshotEvent whole) {
        return events.get(events.indexOf(whole) + 1) instanceof MessagesSnapshotEvent;
    }

    private void take(List<Event> events, Event event) {
        noNulls(event);
        if (event instanceof TextMessageStartEvent start) {
            assertThat(texts.add(start.messageId()))
                    .as("text opened once: %s", start)
                    .isTrue();
            openTexts.add(start.messageId());
        } else if (event instanceof TextMessageContentEvent content) {
            assertThat(openTexts).contains(content.messageId());
            assertThat(content.delta()).isNotEmpty();
        } else if (event instanceof ReasoningStartEvent start) {
            assertThat(openSpans.add(start.messageId())).isTrue();
        } else if (event instanceof ReasoningMessageStartEvent start) {
            assertThat(openSpans).as("within its span: %s", start).contains(start.messageId());
            assertThat(texts.add(start.messageId()))
                    .as("opened once: %s", start)
                    .isTrue();
            assertThat(openReasoning).isEmpty();
            openReasoning.add(start.messageId());
        } else if (event instanceof ReasoningMessageContentEvent content) {
            assertThat(openReasoning).contains(content.messageId());
            assertThat(content.delta()).isNotEmpty();
        } else if (event instanceof ReasoningMessageEndEvent end) {
            assertThat(openReasoning.remove(end.messageId())).isTrue();
        } else if (event instanceof ReasoningEndEvent end) {
            assertThat(openReasoning).isEmpty();
            assertThat(openSpans.remove(end.messageId())).isTrue();
        } else if (event instanceof ActivitySnapshotEvent activity) {
            texts.add(activity.messageId());
            activities.put(activity.messageId(), activity.content());
        } else if (event instanceof ActivityDeltaEvent delta) {
            assertThat(activities).as("known before: %s", delta).containsKey(delta.messageId());
            activities.compute(delta.messageId(), (id, content) -> JsonPatch.apply(delta.patch(), content));
        } else if (event instanceof StepStartedEvent start) {
            assertThat(openSteps.add(start.stepName()))
                    .as("no such step is open: %s", start)
                    .isTrue();
        } else if (event instanceof StepFinishedEvent finished) {
            assertThat(openSteps.remove(finished.stepName()))
                    .as("open before: %s", finished)
                    .isTrue();
        } else if (event instanceof TextMessageEndEvent end) {
            assertThat(openTexts.remove(end.messageId()))
                    .as("open before: %s", end)
                    .isTrue();
        } else if (event instanceof ToolCallStartEvent start) {
            assertThat(openTexts).as("text is closed before calls").isEmpty();
            assertThat(openSpans).as("reasoning is closed before calls").isEmpty();
            assertThat(openCalls.put(start.toolCallId(), new StringBuilder())).isNull();
            assertThat(calls).doesNotContainKey(start.toolCallId());
        } else if (event instanceof ToolCallArgsEvent args) {
            assertThat(openCalls).containsKey(args.toolCallId());
            openCalls.get(args.toolCallId()).append(args.delta());
        } else if (event instanceof ToolCallEndEvent end) {
            StringBuilder arguments = openCalls.remove(end.toolCallId());
            assertThat(arguments).as("open before: %s", end).isNotNull();
            calls.put(end.toolCallId(), arguments.toString());
        } else if (event instanceof ToolCallResultEvent result) {
            assertThat(results.put(result.toolCallId(), result.messageId()))
                    .as("one result: %s", result)
                    .isNull();
        } else if (event instanceof StateSnapshotEvent whole) {
            state.filter(known -> changed && presentsTheThread(events, whole))
                    .ifPresent(known -> assertThat(whole.snapshot())
                            .as("the snapshot is what the patches led to")
                            .isEqualTo(known));
            state = Optional.of(whole.snapshot());
        } else if (event instanceof StateDeltaEvent delta) {
            assertThat(delta.delta()).as("a patch changes something").isNotEmpty();
            state = state.map(known -> JsonPatch.apply(delta.delta(), known));
            changed = true;
        } else if (event instanceof MessagesSnapshotEvent messages) {
            snapshot = Optional.of(messages);
            if (followed) {
                agrees(messages.messages());
            }
        }
    }

    private void end(List<Event> events) {
        assertThat(openTexts).as("texts left open").isEmpty();
        assertThat(openSpans).as("reasoning left open").isEmpty();
        assertThat(openSteps).as("steps left open").isEmpty();
        assertThat(openCalls).as("calls left open").isEmpty();
        snapshot.filter(present -> !followed).ifPresent(present -> agrees(present.messages()));
        if (events.get(events.size() - 1) instanceof RunFinishedEvent finished
                && finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted) {
            holds(events, interrupted.interrupts());
        }
    }

    /** Ids in the snapshot are unique, and those that were live are there again. */
    private void agrees(List<Message> messages) {
        List<String> ids = messages.stream().map(Message::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ids).containsAll(results.values());
        Map<String, String> proposed = new HashMap<>();
        for (Message message : messages) {
            if (message instanceof Message.Assistant assistant) {
                for (ToolCall call : assistant.toolCalls()) {
                    assertThat(proposed.put(call.id(), call.arguments()))
                            .as("tool call ids are unique in the thread: %s", call.id())
                            .isNull();
                }
            } else if (message instanceof Message.Activity activity && activities.containsKey(activity.id())) {
                assertThat(activity.content())
                        .as("the snapshot is what the patches led to")
                        .isEqualTo(activities.get(activity.id()));
            } else if (message instanceof Message.Tool tool) {
                assertThat(proposed).containsKey(tool.toolCallId());
            }
        }
        if (!abandoned) {
            assertThat(ids).containsAll(texts);
            assertThat(proposed).containsAllEntriesOf(calls);
        }
    }

    private void holds(List<Event> events, List<Interrupt> interrupts) {
        assertThat(events.get(events.size() - 3)).isInstanceOf(StateSnapshotEvent.class);
        assertThat(events.get(events.size() - 2)).isInstanceOf(MessagesSnapshotEvent.class);
        assertThat(interrupts).extracting(Interrupt::id).doesNotHaveDuplicates();
        assertThat(interrupts).allSatisfy(interrupt -> {
            assertThat(interrupt.id().length()).isGreaterThanOrEqualTo(32);
            assertThat(results).doesNotContainKey(interrupt.toolCallId());
        });
    }

    private static void noNulls(Event event) {
        JsonNode json = AguiCodec.toTree(event);
        json.properties().forEach(field -> assertThat(field.getValue().isNull())
                .as("%s is null in %s", field.getKey(), json)
                .isFalse());
        json.path("outcome").path("interrupts").forEach(interrupt -> interrupt
                .properties()
                .forEach(field -> assertThat(field.getValue().isNull())
                        .as(interrupt.toString())
                        .isFalse()));
    }
}
