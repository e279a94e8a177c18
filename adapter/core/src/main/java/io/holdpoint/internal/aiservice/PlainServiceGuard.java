package io.holdpoint.internal.aiservice;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes AI Services that Holdpoint does not build refuse tools marked {@link io.holdpoint.RequiresApproval}, which would not be
 * gated there. Those are the ones of plain {@code AiServices.builder(...)}, and the agents of agentic systems
 * ({@code AgenticServices.agentBuilder(...)}, declarative ones included), which LangChain4j builds the same way. Tools given
 * as objects, maps and lists are refused when they are given; those of a tool provider, and what tool search can find in
 * them, when the provider is first used. Switched off by the system property {@value #PROPERTY} = {@code true}.
 *
 * <p>Not covered: what never becomes a tool of an AI Service, such as a method that an agentic workflow calls as a non-AI
 * agent; tools behind an executor that is not LangChain4j's own, whose method cannot be seen; an {@code AiServiceContext} that
 * an application creates itself. LangChain4j takes the first {@code AiServiceContextFactory} it finds; where another one is in
 * use (Quarkus brings one), none of this is covered, and the first agent that is built says so in the log.
 */
public final class PlainServiceGuard implements AiServiceContextFactory {

    /** Set to {@code true}, it lets plain AI Services have annotated tools, which they then run without asking. */
    public static final String PROPERTY = "io.holdpoint.allowUngatedTools";

    private static final Logger LOG = LoggerFactory.getLogger(PlainServiceGuard.class);
    private static final AtomicBoolean LOOKED = new AtomicBoolean();

    @Override
    public AiServiceContext create(Class<?> aiServiceClass) {
        return new GuardedServiceContext(aiServiceClass);
    }

    /** Logs once what is not covered if LangChain4j uses another factory. */
    public static void warnIfNotInUse() {
        if (LOOKED.compareAndSet(false, true)) {
            gap(AiServiceContext.create(Runnable.class)).ifPresent(LOG::warn);
        }
    }

    /** Describes the gap where AI Services are built on contexts like this one, if there is one. */
    static Optional<String> gap(AiServiceContext inUse) {
        return inUse instanceof GuardedServiceContext
                ? Optional.empty()
                : Optional.of("Another AiServiceContextFactory is in use, it creates "
                        + inUse.getClass().getName()
                        + ": a tool marked @RequiresApproval runs without asking if it is given to an AI Service outside of"
                        + " Holdpoint (AiServices.builder), to an agent of an agentic system (AgenticServices.agentBuilder), or"
                        + " comes from a tool provider of either. Give such tools to Holdpoint only, which gates them as"
                        + " always.");
    }

    private static final class GuardedServiceContext extends AiServiceContext {

        GuardedServiceContext(Class<?> aiServiceClass) {
            super(aiServiceClass);
            if (!Boolean.getBoolean(PROPERTY)) {
                toolService = new GuardingToolService(aiServiceClass);
            }
        }
    }
}
