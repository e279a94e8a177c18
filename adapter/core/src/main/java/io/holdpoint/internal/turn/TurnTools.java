package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.PolicyReader;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools that one turn can call, as the gate knows them. Thread-safe. */
public final class TurnTools {

    private static final Logger LOG = LoggerFactory.getLogger(TurnTools.class);

    private final Map<String, GatedTool> byName = new ConcurrentHashMap<>();
    private final PolicyReader policies;
    public final Gate gate;
    /** The run in which calls are decided about. */
    public final Gate.Scope scope;

    final Grants grants;

    public TurnTools(PolicyReader policies, Gate gate, Gate.Scope scope, Grants grants) {
        this.policies = policies;
        this.gate = gate;
        this.scope = scope;
        this.grants = grants;
    }

    /**
     * Takes note of a tool. Of two tools of one name LangChain4j runs one and ignores the other; whichever that is, a name
     * keeps every policy that applies to either.
     */
    public GatedTool add(ToolSpecification specification, ToolExecutor executor) {
        GatedTool added = policies.of(specification, executor);
        byName.merge(specification.name(), added, GatedTool::and);
        return added;
    }

    /** Checks whether a tool of the client can be gated: a policy that does not fit must not fail every run that brings it. */
    public boolean canTake(ToolSpecification ofClient) {
        try {
            policies.of(ofClient, ClientTool.INSTANCE);
            return true;
        } catch (IllegalConfigurationException e) {
            LOG.warn("The tool \"{}\" of the client is left out: {}", ofClient.name(), e.getMessage());
            return false;
        }
    }

    Optional<GatedTool> find(String toolName) {
        return Optional.ofNullable(toolName).map(byName::get);
    }
}
