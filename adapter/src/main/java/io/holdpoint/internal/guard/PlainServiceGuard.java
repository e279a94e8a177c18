package io.holdpoint.internal.guard;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes plain {@code AiServices.builder(...)} refuse tools marked {@link io.holdpoint.RequiresApproval}: nothing would
 * gate them there. Switched off by the system property {@value #PROPERTY} = {@code true}.
 *
 * <p>LangChain4j takes the first {@code AiServiceContextFactory} it finds; where another one is in use (Quarkus brings
 * one), plain AI Services are not covered, and the first agent that is built says so in the log.
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

    /** Logs once if LangChain4j uses another factory. */
    public static void warnIfNotInUse() {
        if (LOOKED.compareAndSet(false, true)
                && !(AiServiceContext.create(Runnable.class) instanceof GuardedServiceContext)) {
            LOG.warn("Another AiServiceContextFactory is in use: a tool marked @RequiresApproval that is given to an AI"
                    + " Service outside of Holdpoint runs without asking. Give such tools to Holdpoint only.");
        }
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
