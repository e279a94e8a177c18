package io.holdpoint.internal.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.internal.LogText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hooks of an agent, each list in the order of calls. Written like {@link AgentConfig}, of which it is a part. */
public final class Hooks {

    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

    public List<Interceptor> interceptors = new ArrayList<>();
    public Set<String> storedForwardedProps = Set.of();

    Hooks copy() {
        Hooks copy = new Hooks();
        copy.interceptors = List.copyOf(interceptors);
        copy.storedForwardedProps = storedForwardedProps;
        return copy;
    }

    /** Shows an input to the hooks; throws if one refuses it ({@link RunRejectedException}), or fails ({@link HookFailedException}). */
    public RunAgentInput take(Caller caller, RunAgentInput given) {
        RunAgentInput input = given;
        for (Interceptor hook : interceptors) {
            input = taken(hook, caller, input);
        }
        return input;
    }

    @SuppressWarnings("ConstantConditions") // null: nobody checks what an application's hook returns
    private static RunAgentInput taken(Interceptor hook, Caller caller, RunAgentInput before) {
        String name = name("interceptor", hook);
        RunAgentInput after;
        try {
            after = hook.input(caller, before);
        } catch (RunRejectedException e) {
            throw e;
        } catch (Throwable e) { // checked ones too: not every hook is written in Java
            throw new HookFailedException(name, e);
        }
        if (after == null) {
            throw new HookFailedException(name + " returned null");
        }
        if (!after.threadId().equals(before.threadId()) || !after.runId().equals(before.runId())) {
            throw new HookFailedException(name + " changed the thread or the run of an input");
        }
        return after;
    }

    /** Opens what surrounds the body of a tool; if one fails, those before it are closed. */
    public ObservedWork.Scope enter(ToolCallContext call) {
        List<ObservedWork.Scope> open = new ArrayList<>();
        try {
            for (Interceptor each : interceptors) {
                open.add(each.tool(call));
            }
        } catch (Throwable e) { // checked ones too: not every hook is written in Java
            close(open);
            throw e;
        }
        return () -> close(open);
    }

    private static void close(List<ObservedWork.Scope> open) {
        for (int last = open.size() - 1; last >= 0; last--) {
            try {
                open.get(last).close();
            } catch (Throwable e) { // the tool has done its work
                LOG.warn("A tool's scope failed to close", LogText.silent(e));
            }
        }
    }

    static String name(String kind, Object hook) {
        return "The " + kind + " " + hook.getClass().getName();
    }

    /**
     * The hooks of one run. The failure of an interceptor is remembered, so that the run can end for it: events are sent from
     * within tools, callbacks of the model, and the end of the run itself, none of which may break off there. Thread-safe, but
     * {@link #interception} must not be called twice at a time.
     */
    public static final class RunHooks {

        private static final Set<Class<? extends Event>> DELTAS =
                Set.of(TextMessageEvent.Content.class, ReasoningEvent.MessageContent.class);

        private static final Set<Class<? extends Event>> CHANGEABLE =
                Set.of(ToolCallEvent.Result.class, MessagesSnapshotEvent.class);

        private final Hooks hooks;
        public final RunInfo run;
        private volatile Optional<HookFailedException> failure = Optional.empty();
        private volatile Runnable whenFailed = () -> {};

        public RunHooks(Hooks hooks, Caller caller, String ownerId, RunAgentInput input) {
            this.hooks = hooks;
            JsonNode forwarded = input.forwardedProps();
            this.run = new RunInfo(
                    caller,
                    ownerId,
                    input.threadId(),
                    input.runId(),
                    forwarded == null ? MissingNode.getInstance() : forwarded);
        }

        /** The data that the client passes through with this run's own input, as far as it is stored with the turn. */
        public @Nullable JsonNode storedForwardedProps() {
            return run.forwardedProps() instanceof ObjectNode sent
                            && sent.properties().stream().anyMatch(this::isStored)
                    ? sent.deepCopy().retain(hooks.storedForwardedProps)
                    : null;
        }

        private boolean isStored(Map.Entry<String, JsonNode> property) {
            return hooks.storedForwardedProps.contains(property.getKey());
        }

        /** The data of this run's own input, if they count, with those stored with the turn: they came with the message. */
        public JsonNode forwardedProps(boolean ownCount, @Nullable JsonNode stored) {
            JsonNode own = ownCount ? run.forwardedProps().deepCopy() : MissingNode.getInstance();
            if (!(stored instanceof ObjectNode kept)) {
                return own;
            }
            return own instanceof ObjectNode all ? all.setAll(kept) : kept.deepCopy();
        }

        /** Lets a function choose the model of the run; {@link HookFailedException} if it throws, or returns {@code null}. */
        public <M> Optional<M> model(Optional<Function<RunInfo, M>> models) {
            try {
                return models.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Objects.requireNonNull(models.get().apply(run), "it returned null"));
            } catch (Throwable e) { // checked ones too: not every hook is written in Java
                throw new HookFailedException(Hooks.name("model function", models.get()), e);
            }
        }

        /**
         * Sets what stops the run when an interceptor has failed: called once at most, from within {@link #interception}, and must
         * not wait.
         */
        public void whenFailed(Runnable stops) {
            whenFailed = stops;
        }

        public Optional<HookFailedException> failure() {
            return failure;
        }

        /** Gives the events to send in place of one that is neither the first nor the last of the run, if there are interceptors. */
        public Optional<Function<Event, List<Event>>> interception() {
            return hooks.interceptors.isEmpty() ? Optional.empty() : Optional.of(this::intercepted);
        }

        /** After an interceptor has failed, no further one is called, and events that they might change are not sent. */
        private List<Event> intercepted(Event event) {
            if (failure.isEmpty()) {
                try {
                    return throughAll(event);
                } catch (HookFailedException e) {
                    if (HookFailedException.refusal(e).isEmpty()) {
                        LOG.error("Run {} on thread {} is stopped", run.runId(), run.threadId(), LogText.silent(e));
                    }
                    failure = Optional.of(e);
                    whenFailed.run();
                }
            }
            return isFree(event) ? List.of() : List.of(event);
        }

        private List<Event> throughAll(Event event) {
            List<Event> events = List.of(event);
            for (Interceptor interceptor : hooks.interceptors) {
                List<Event> next = new ArrayList<>();
                for (Event each : events) {
                    next.addAll(through(interceptor, each));
                }
                events = next;
            }
            return events;
        }

        private List<Event> through(Interceptor interceptor, Event event) {
            String name = Hooks.name("interceptor", interceptor);
            List<Event> made;
            try {
                made = List.copyOf(interceptor.event(run, event));
            } catch (Throwable e) { // checked ones too; a null is found here as well
                throw new HookFailedException(name, e);
            }
            if (!(made.size() == 1 && made.get(0) == event) && !isAllowed(event, made)) {
                throw new HookFailedException(name + " may not make " + types(made) + " of a " + event.type());
            }
            return made;
        }

        /** Without what is in them: the log is not for what users say. */
        private static List<String> types(List<Event> events) {
            return events.stream().map(Event::type).toList();
        }

        // --- the limits of an interceptor, as Interceptor states them

        /** Checks whether an interceptor may change or drop an event at all. */
        static boolean isFree(Event event) {
            return event instanceof FreeEvent
                    || DELTAS.contains(event.getClass())
                    || CHANGEABLE.contains(event.getClass());
        }

        /** Checks whether an interceptor may send these events in place of that one. */
        static boolean isAllowed(Event event, List<Event> made) {
            List<Event> others =
                    made.stream().filter(each -> !(each instanceof FreeEvent)).toList();
            if (event instanceof FreeEvent) {
                return others.isEmpty();
            }
            if (DELTAS.contains(event.getClass())) {
                return others.stream()
                        .allMatch(each -> outline(each).equals(outline(event)) && each.contentLength() > 0);
            }
            if (CHANGEABLE.contains(event.getClass())) {
                return others.size() == 1 && outline(others.get(0)).equals(outline(event));
            }
            return others.equals(List.of(event));
        }

        /** The parts of an event that an interceptor may not change. */
        private static List<?> outline(Event event) {
            List<Object> outline = new ArrayList<>(Arrays.asList(event.type(), event.messageId(), event.toolCallId()));
            if (event instanceof MessagesSnapshotEvent snapshot) {
                snapshot.messages().forEach(message -> outline.add(outline(message)));
            }
            return outline;
        }

        private static List<?> outline(Message message) {
            List<?> calls = message instanceof Message.Assistant assistant ? assistant.toolCalls() : List.of();
            String answered = message instanceof Message.Tool tool ? tool.toolCallId() : "";
            return List.of(message.id(), message.role(), calls, answered);
        }
    }
}
