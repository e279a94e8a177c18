package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities that an agent declares. An undeclared field means unknown, not unsupported. JSON: an object with these
 * fields, absent ones omitted; each of them likewise. Mirrors AG-UI's {@code AgentCapabilities}. Immutable, so thread-safe.
 *
 * @param custom capabilities of no standard category, open by key; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentCapabilities(
        @Nullable Identity identity,
        @Nullable Transport transport,
        @Nullable Tools tools,
        @Nullable Output output,
        @Nullable State state,
        @Nullable MultiAgent multiAgent,
        @Nullable Reasoning reasoning,
        @Nullable Multimodal multimodal,
        @Nullable Execution execution,
        @Nullable HumanInTheLoop humanInTheLoop,
        @Nullable ObjectNode custom) {

    /** The identity of the agent, for display and discovery. Mirrors AG-UI's {@code IdentityCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Identity(
            @Nullable String name,
            @Nullable String type,
            @Nullable String description,
            @Nullable String version,
            @Nullable String provider,
            @Nullable String documentationUrl,
            @Nullable ObjectNode metadata) {}

    /** The ways to reach the agent. Mirrors AG-UI's {@code TransportCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Transport(
            @Nullable Boolean streaming,
            @Nullable Boolean websocket,
            @Nullable Boolean httpBinary,
            @Nullable Boolean pushNotifications,
            @Nullable Boolean resumable) {}

    /** Tool calling. Mirrors AG-UI's {@code ToolsCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Tools(
            @Nullable Boolean supported,
            @Nullable List<ClientToolSpec> items,
            @Nullable Boolean parallelCalls,
            @Nullable Boolean clientProvided) {

        /** Copies the list. */
        public Tools {
            items = items == null ? null : List.copyOf(items);
        }
    }

    /** Forms of output. Mirrors AG-UI's {@code OutputCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Output(
            @Nullable Boolean structuredOutput, @Nullable List<String> supportedMimeTypes) {

        /** Copies the list. */
        public Output {
            supportedMimeTypes = supportedMimeTypes == null ? null : List.copyOf(supportedMimeTypes);
        }
    }

    /** Shared state and memory. Mirrors AG-UI's {@code StateCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record State(
            @Nullable Boolean snapshots,
            @Nullable Boolean deltas,
            @Nullable Boolean memory,
            @Nullable Boolean persistentState) {}

    /** Work with other agents. Mirrors AG-UI's {@code MultiAgentCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MultiAgent(
            @Nullable Boolean supported,
            @Nullable Boolean delegation,
            @Nullable Boolean handoffs,
            @Nullable List<Subagent> subagents) {

        /** Copies the list. */
        public MultiAgent {
            subagents = subagents == null ? null : List.copyOf(subagents);
        }

        /** A subagent. JSON: {@code {"name":…,"description"?:…}}. Mirrors AG-UI's {@code SubagentInfo}. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Subagent(String name, @Nullable String description) {}
    }

    /** Exposure of the reasoning. Mirrors AG-UI's {@code ReasoningCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Reasoning(
            @Nullable Boolean supported,
            @Nullable Boolean streaming,
            @Nullable Boolean encrypted) {}

    /** Media in and out. Mirrors AG-UI's {@code MultimodalCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Multimodal(
            @Nullable Input input, @Nullable Output output) {
        /** Media the agent takes. Mirrors AG-UI's {@code MultimodalInputCapabilities}. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Input(
                @Nullable Boolean image,
                @Nullable Boolean audio,
                @Nullable Boolean video,
                @Nullable Boolean pdf,
                @Nullable Boolean file) {}

        /** Media the agent produces. Mirrors AG-UI's {@code MultimodalOutputCapabilities}. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Output(
                @Nullable Boolean image, @Nullable Boolean audio) {}
    }

    /**
     * Execution and its limits. Mirrors AG-UI's {@code ExecutionCapabilities}.
     *
     * @param maxExecutionTime longest run in milliseconds; {@code null} if not declared
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Execution(
            @Nullable Boolean codeExecution,
            @Nullable Boolean sandboxed,
            @Nullable Integer maxIterations,
            @Nullable Integer maxExecutionTime) {}

    /** The ways in which a person takes part. Mirrors AG-UI's {@code HumanInTheLoopCapabilities}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record HumanInTheLoop(
            @Nullable Boolean supported,
            @Nullable Boolean approvals,
            @Nullable Boolean interventions,
            @Nullable Boolean feedback,
            @Nullable Boolean interrupts,
            @Nullable Boolean approveWithEdits) {}
}
