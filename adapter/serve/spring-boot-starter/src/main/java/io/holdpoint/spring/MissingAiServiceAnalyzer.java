package io.holdpoint.spring;

import dev.langchain4j.service.spring.AiService;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.StringUtils;

/** Explains that an AI Service which is injected somewhere has become an agent. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingAiServiceAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, NoSuchBeanDefinitionException cause) {
        Class<?> type = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().resolve();
        if (type == null || !type.isAnnotationPresent(AiService.class)) {
            return null;
        }
        String bean = StringUtils.uncapitalize(type.getSimpleName());
        return new FailureAnalysis(
                type.getName()
                        + " is injected, but it is an agent: its tools need approval, so a call of it may end with a"
                        + " question in place of an answer.",
                "Inject io.holdpoint.Holdpoint (bean name " + bean
                        + ") and call send(...) and resume(...), or leave the"
                        + " conversation to the endpoint of the agent. If it needs none of these tools, set"
                        + " @AiService(wiringMode = EXPLICIT).",
                cause);
    }
}
