package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.GatedTool.Asks;
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
                "The agent \"{}\" asks people about every call of the tools [{}], under conditions about [{}], and not about"
                        + " [{}]{}",
                config.name,
                names(tools, Asks.ALWAYS),
                names(tools, Asks.BY_CONDITION),
                names(tools, Asks.NEVER),
                config.toolProviders.isEmpty() ? "" : "; tools of providers are looked at when they are given");
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        for (Asks asks : Asks.values()) {
            ObjectNode fingerprints = detail.putObject(Audit.name(asks));
            tools.stream()
                    .filter(tool -> tool.asks() == asks)
                    .forEach(tool -> fingerprints.put(tool.name(), tool.fingerprint()));
        }
        ObjectNode annotated = detail.putObject(Audit.ANNOTATED);
        tools.stream()
                .filter(tool -> tool.asksByAnnotation() != Asks.NEVER)
                .forEach(tool -> annotated.put(tool.name(), Audit.name(tool.asksByAnnotation())));
        try {
            config.store.audit(List.of(Audit.ofAgent(config.clock.instant(), "", AuditEvent.Kind.BUILT, detail)));
        } catch (RuntimeException e) {
            LOG.warn("The audit trail does not have the tools of the agent \"{}\": the store failed", config.name, e);
        }
    }

    private static String names(List<GatedTool> tools, Asks asks) {
        return tools.stream()
                .filter(tool -> tool.asks() == asks)
                .map(tool -> tool.name() + " " + tool.fingerprint().substring(0, 8))
                .collect(Collectors.joining(", "));
    }
}
