package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.store.AuditEvent;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once, when an agent is built, about which of its tools people are asked: a line in the log, and an event. */
final class ToolRecord {

    private static final Logger LOG = LoggerFactory.getLogger(ToolRecord.class);

    private ToolRecord() {}

    static void write(AgentConfig<?> config) {
        if (config.isTool()) {
            return; // it has the tools of an agent that was built
        }
        List<GatedTool> tools = config.policyReader
                .all()
                .sorted(Comparator.comparing(GatedTool::name))
                .toList();
        LOG.info(
                "The agent \"{}\" asks people about the tools [{}], and not about [{}]{}",
                config.name,
                names(tools.stream().filter(GatedTool::isGuarded).toList()),
                names(tools.stream().filter(tool -> !tool.isGuarded()).toList()),
                config.toolProviders.isEmpty() ? "" : "; tools of providers are looked at when they are given");
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        ObjectNode gated = detail.putObject("gated");
        ObjectNode ungated = detail.putObject("ungated");
        tools.forEach(tool -> (tool.isGuarded() ? gated : ungated).put(tool.name(), tool.fingerprint()));
        try {
            config.store.audit(List.of(Audit.ofAgent(config.clock.instant(), "", AuditEvent.Kind.BUILT, detail)));
        } catch (RuntimeException e) {
            LOG.warn("The audit trail does not have the tools of the agent \"{}\": the store failed", config.name, e);
        }
    }

    private static String names(List<GatedTool> tools) {
        return tools.stream()
                .map(tool -> tool.name() + " " + tool.fingerprint().substring(0, 8))
                .collect(Collectors.joining(", "));
    }
}
