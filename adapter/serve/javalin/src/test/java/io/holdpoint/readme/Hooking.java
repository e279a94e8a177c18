package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

final class Hooking {

    private Hooking() {}

    // readme
    record Subscriptions(Set<String> expired) implements Interceptor {

        @Override
        public RunAgentInput input(Caller caller, RunAgentInput input) {
            if (expired.contains(caller.id())) {
                throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "Your subscription has expired.");
            }
            List<ContextEntry> context = new ArrayList<>(input.context());
            context.add(new ContextEntry("The user's account", caller.id()));
            return input.withContext(context);
        }
    }
    // end

    // readme
    static final class HouseStyle implements Interceptor {

        @Override
        public List<Event> event(RunInfo run, Event event) {
            return event instanceof TextMessageEvent.Content text
                    ? List.of(new TextMessageEvent.Content(
                            text.messageId(), text.delta().replace("!", ".")))
                    : List.of(event);
        }
    }
    // end

    // readme
    record RunsAtWork(Set<String> runIds) implements RunObserver {

        RunsAtWork() {
            this(ConcurrentHashMap.newKeySet());
        }

        @Override
        public void started(RunInfo run) {
            runIds.add(run.runId());
        }

        @Override
        public void ended(RunInfo run, RunResult result) {
            runIds.remove(run.runId());
        }
    }
    // end

    static Holdpoint agent(
            StreamingChatModel model, StreamingChatModel largeModel, Set<String> expired, RunsAtWork atWork) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(
                        run -> run.forwardedProps().path("model").asText().equals("large") ? largeModel : model)
                .interceptors(new Subscriptions(expired), new HouseStyle())
                .observers(atWork)
                .build();
        // end
        return agent;
    }
}
