package io.holdpoint.internal.aiservice;

import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * LangChain4j's tool service, which sees what each provider gives: when it is used, and dynamic ones in every round. Providers are wrapped
 * at registration, because LangChain4j refreshes dynamic ones through a static method.
 */
abstract class WrappingToolService extends ToolService {

    private final Map<ToolProvider, ToolProvider> wrapped = new HashMap<>();

    /** Gives the tools that are used in place of those that a provider has given. */
    abstract @Nullable ToolProviderResult provided(@Nullable ToolProviderResult given);

    @Override
    public void toolProvider(ToolProvider toolProvider) {
        if (toolProvider != null) {
            super.toolProvider(wrapped.computeIfAbsent(toolProvider, Wrapped::new));
        }
    }

    @Override
    public void toolProviders(Collection<ToolProvider> toolProviders) {
        if (toolProviders != null) {
            for (ToolProvider each : toolProviders) {
                toolProvider(each);
            }
        }
    }

    private final class Wrapped implements ToolProvider {

        private final ToolProvider provider;

        Wrapped(ToolProvider provider) {
            this.provider = provider;
        }

        @Override
        public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
            return provided(provider.provideTools(request));
        }

        @Override
        public boolean isDynamic() {
            return provider.isDynamic();
        }
    }
}
