package io.holdpoint.crash;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Who answers. Says the same whenever asked the same. */
final class Person {

    static final String OUTCOME_UNKNOWN = "langchain4j:outcome_unknown";

    /** What is answered when nobody knows whether a call took effect. */
    enum OnUnknown {
        /** Looks it up, and says what is true: run it again if it took no effect. */
        LOOKS,
        RETRIES,
        SAYS_DONE,
        SAYS_NOT_DONE,
        CANCELS
    }

    private final OnUnknown onUnknown;
    private final Effects effects;
    private final Map<String, ResumeEntry> said = new HashMap<>();
    private final Map<String, List<String>> actions = new HashMap<>();

    Person(OnUnknown onUnknown, Effects effects) {
        this.onUnknown = onUnknown;
        this.effects = effects;
    }

    ResumeEntry answer(Interrupt interrupt) {
        ResumeEntry known = said.get(interrupt.id());
        if (known != null) {
            return known;
        }
        ResumeEntry answer = interrupt.reason().equals(OUTCOME_UNKNOWN) ? onUnknown(interrupt) : decide(interrupt);
        said.put(interrupt.id(), answer);
        return answer;
    }

    /** What was answered to the questions about a call of unknown outcome, oldest first. */
    List<String> actions(String toolCallId) {
        return actions.getOrDefault(toolCallId, List.of());
    }

    boolean wasAskedAboutOutcome() {
        return !actions.isEmpty();
    }

    private static ResumeEntry decide(Interrupt interrupt) {
        String to = Objects.requireNonNull(interrupt.metadata())
                .at("/langchain4j/args/to")
                .asText();
        ObjectNode payload = AguiCodec.mapper().createObjectNode();
        payload.put("approved", !to.equals(Scenario.DENIED));
        if (to.equals(Scenario.EDITED)) {
            payload.putObject("editedArgs").put("to", Scenario.EDITED_TO);
        }
        return ResumeEntry.resolved(interrupt.id(), payload);
    }

    private ResumeEntry onUnknown(Interrupt interrupt) {
        String toolCallId = Objects.requireNonNull(interrupt.toolCallId());
        String action =
                switch (onUnknown) {
                    case LOOKS -> effects.of(toolCallId).isEmpty() ? "retry" : "done";
                    case RETRIES -> "retry";
                    case SAYS_DONE -> "done";
                    case SAYS_NOT_DONE -> "not_done";
                    case CANCELS -> "cancelled";
                };
        actions.computeIfAbsent(toolCallId, id -> new ArrayList<>()).add(action);
        return action.equals("cancelled")
                ? ResumeEntry.cancelled(interrupt.id())
                : ResumeEntry.resolved(
                        interrupt.id(), AguiCodec.mapper().createObjectNode().put("action", action));
    }
}
