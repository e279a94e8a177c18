package io.holdpoint.internal.agent;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.output.TokenUsage;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import org.jspecify.annotations.Nullable;

/** The run in whose tool another agent works, which must not outlive a halt of the run's own agent, and spends its tokens. */
public record OuterRun(RunLease lease, RunStop stop, Spending spending) {

    @FunctionalInterface
    public interface Spending {

        void spends(@Nullable ModelProvider provider, @Nullable String model, @Nullable TokenUsage used);
    }
}
