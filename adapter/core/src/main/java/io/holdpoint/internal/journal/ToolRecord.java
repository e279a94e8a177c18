package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.GatedTool.Asks;
import io.holdpoint.internal.gate.PolicyReader.Recorded;
import io.holdpoint.store.AuditEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells about which tools of an agent people are asked: a line in the log, and an event. Once when the agent is built, and once about each
 * tool that a provider gives it later.
 */
public final class ToolRecord {

    private static final Logger LOG = LoggerFactory.getLogger(ToolRecord.class);

    private ToolRecord() {}

    public static void ofStart(AgentConfig<?> config) {
        if (!config.isTool()) { // it has the tools of an agent that was built
            write(config, config.policyReader.unrecorded(), AuditEvent.Kind.BUILT);
        }
    }

    /** Tells of the tools that were looked at since, if there are any. */
    public static void ofMore(AgentConfig<?> config) {
        List<Recorded> more = config.policyReader.unrecorded();
        if (!more.isEmpty()) {
            write(config, more, AuditEvent.Kind.PROVIDED);
        }
    }

    private static void write(AgentConfig<?> config, List<Recorded> unsorted, AuditEvent.Kind kind) {
        List<Recorded> tools = new ArrayList<>(unsorted);
        tools.sort(Comparator.comparing(each -> each.tool().name()));
        if (LOG.isInfoEnabled()) {
            LOG.info(
                    "{}{}: people are always asked about [{}], under conditions about [{}], never about [{}]{}",
                    kind == AuditEvent.Kind.BUILT ? "Tools" : "Tools of providers",
                    config.name.isEmpty() ? "" : " of the agent \"" + config.name + "\"",
                    names(tools, Asks.ALWAYS),
                    names(tools, Asks.BY_CONDITION),
                    names(tools, Asks.NEVER),
                    kind == AuditEvent.Kind.BUILT && !config.toolProviders.isEmpty()
                            ? "; tools of providers are looked at when they are given"
                            : "");
        }
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        for (Asks asks : Asks.values()) {
            ObjectNode fingerprints = detail.putObject(Audit.name(asks));
            for (Recorded each : tools) {
                if (each.tool().asks() == asks) {
                    fingerprints.put(each.tool().name(), each.fingerprint());
                }
            }
        }
        ObjectNode annotated = detail.putObject(Audit.ANNOTATED);
        for (Recorded each : tools) {
            Asks asks = each.tool().asksByAnnotation();
            if (asks != Asks.NEVER) {
                annotated.put(each.tool().name(), Audit.name(asks));
            }
        }
        try {
            config.store.audit(Optional.empty(), List.of(Audit.ofAgent(config.clock.instant(), "", kind, detail)));
        } catch (RuntimeException e) {
            LOG.warn("The audit trail does not have the tools of the agent \"{}\": the store failed", config.name, e);
        }
    }

    private static String names(List<Recorded> tools, Asks asks) {
        return tools.stream()
                .filter(each -> each.tool().asks() == asks)
                .map(each -> each.tool().name() + " " + each.fingerprint().substring(0, 8))
                .collect(Collectors.joining(", "));
    }
}
