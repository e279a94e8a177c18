package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * What an agent declares it can do. An undeclared field means unknown, not unsupported.
 *
 * <p>JSON: an object with these fields, absent ones omitted. Mirrors AG-UI's {@code AgentCapabilities}. Immutable, so
 * thread-safe.
 *
 * @param identity who the agent is, for display and discovery; {@code null} if not declared
 * @param transport how the agent can be reached; {@code null} if not declared
 * @param tools tool calling; {@code null} if not declared
 * @param output forms of output; {@code null} if not declared
 * @param state shared state and memory; {@code null} if not declared
 * @param multiAgent work with other agents; {@code null} if not declared
 * @param reasoning exposure of the reasoning; {@code null} if not declared
 * @param multimodal media in and out; {@code null} if not declared
 * @param execution execution and its limits; {@code null} if not declared
 * @param humanInTheLoop what a person can do; {@code null} if not declared
 * @param custom capabilities of no standard category, open by key; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentCapabilities(
        @Nullable IdentityCapabilities identity,
        @Nullable TransportCapabilities transport,
        @Nullable ToolsCapabilities tools,
        @Nullable OutputCapabilities output,
        @Nullable StateCapabilities state,
        @Nullable MultiAgentCapabilities multiAgent,
        @Nullable ReasoningCapabilities reasoning,
        @Nullable MultimodalCapabilities multimodal,
        @Nullable ExecutionCapabilities execution,
        @Nullable HumanInTheLoopCapabilities humanInTheLoop,
        @Nullable ObjectNode custom) {
    /** A builder with nothing declared. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds capabilities; what is not set is not declared. Not thread-safe. */
    public static final class Builder {

        private @Nullable IdentityCapabilities identity;
        private @Nullable TransportCapabilities transport;
        private @Nullable ToolsCapabilities tools;
        private @Nullable OutputCapabilities output;
        private @Nullable StateCapabilities state;
        private @Nullable MultiAgentCapabilities multiAgent;
        private @Nullable ReasoningCapabilities reasoning;
        private @Nullable MultimodalCapabilities multimodal;
        private @Nullable ExecutionCapabilities execution;
        private @Nullable HumanInTheLoopCapabilities humanInTheLoop;
        private @Nullable ObjectNode custom;

        private Builder() {}

        /** Sets who the agent is, for display and discovery. */
        public Builder identity(IdentityCapabilities identity) {
            this.identity = identity;
            return this;
        }

        /** Sets how the agent can be reached. */
        public Builder transport(TransportCapabilities transport) {
            this.transport = transport;
            return this;
        }

        /** Sets tool calling. */
        public Builder tools(ToolsCapabilities tools) {
            this.tools = tools;
            return this;
        }

        /** Sets forms of output. */
        public Builder output(OutputCapabilities output) {
            this.output = output;
            return this;
        }

        /** Sets shared state and memory. */
        public Builder state(StateCapabilities state) {
            this.state = state;
            return this;
        }

        /** Sets work with other agents. */
        public Builder multiAgent(MultiAgentCapabilities multiAgent) {
            this.multiAgent = multiAgent;
            return this;
        }

        /** Sets exposure of the reasoning. */
        public Builder reasoning(ReasoningCapabilities reasoning) {
            this.reasoning = reasoning;
            return this;
        }

        /** Sets media in and out. */
        public Builder multimodal(MultimodalCapabilities multimodal) {
            this.multimodal = multimodal;
            return this;
        }

        /** Sets execution and its limits. */
        public Builder execution(ExecutionCapabilities execution) {
            this.execution = execution;
            return this;
        }

        /** Sets what a person can do. */
        public Builder humanInTheLoop(HumanInTheLoopCapabilities humanInTheLoop) {
            this.humanInTheLoop = humanInTheLoop;
            return this;
        }

        /** Sets capabilities of no standard category, open by key. */
        public Builder custom(ObjectNode custom) {
            this.custom = custom;
            return this;
        }

        /** The capabilities. */
        public AgentCapabilities build() {
            return new AgentCapabilities(
                    identity,
                    transport,
                    tools,
                    output,
                    state,
                    multiAgent,
                    reasoning,
                    multimodal,
                    execution,
                    humanInTheLoop,
                    custom);
        }
    }
}
