package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The events of one AG-UI run, in order of arrival. */
record AguiRun(List<JsonNode> events) {

    List<String> types() {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    List<JsonNode> ofType(String type) {
        return events.stream()
                .filter(event -> event.path("type").asText().equals(type))
                .toList();
    }

    /** The last event: {@code RUN_FINISHED} or {@code RUN_ERROR}. */
    JsonNode end() {
        return events.get(events.size() - 1);
    }

    /** {@code success}, {@code interrupt} or {@code cancelled}; empty if the run failed. */
    String outcome() {
        return end().at("/outcome/type").asText();
    }

    List<JsonNode> interrupts() {
        return Json.elements(end().at("/outcome/interrupts"));
    }

    /** The results of a call that this run reported. */
    List<JsonNode> results(String toolCallId) {
        return ofType("TOOL_CALL_RESULT").stream()
                .filter(event -> event.path("toolCallId").asText().equals(toolCallId))
                .toList();
    }

    /** The ids of the calls that this run reported, in order. */
    List<String> callIds() {
        return ofType("TOOL_CALL_START").stream()
                .map(event -> event.path("toolCallId").asText())
                .toList();
    }

    /** The thread's messages as the run left them. */
    List<JsonNode> snapshot() {
        List<JsonNode> snapshots = ofType("MESSAGES_SNAPSHOT");
        return snapshots.isEmpty()
                ? List.of()
                : Json.elements(snapshots.get(snapshots.size() - 1).path("messages"));
    }
}
