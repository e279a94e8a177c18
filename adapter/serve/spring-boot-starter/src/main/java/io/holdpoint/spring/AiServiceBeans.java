package io.holdpoint.spring;

import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.service.spring.AiServiceWiringMode;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.ToolMethod;
import io.holdpoint.internal.gate.UserQuestion;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.beans.factory.support.ManagedList;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Replaces AI Services by agents, under the same name, after LangChain4j has wired them: those that the application names, or
 * those that get tools which need approval. An AI Service that is no agent does not get such tools by automatic wiring.
 */
final class AiServiceBeans implements BeanFactoryPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(AiServiceBeans.class);

    /** LangChain4j's factory is not public. */
    private static final String FACTORY = "dev.langchain4j.service.spring.AiServiceFactory";

    /** The name of the bean that serves agents. */
    static final String ENDPOINTS = "holdpointEndpoints";

    private static final String TOOLS = "tools";

    private final Environment environment;

    AiServiceBeans(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Map<String, Found> services = new LinkedHashMap<>();
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            if (FACTORY.equals(definition.getBeanClassName())) {
                services.put(name, Found.of(name, definition, beans));
            }
        }
        Set<String> agents = agents(services);
        boolean only = agents.size() == 1 && beans.getBeanNamesForType(Holdpoint.class, true, false).length == 0;
        for (Found service : services.values()) {
            if (agents.contains(service.name)) {
                service.becomeAgent((BeanDefinitionRegistry) beans, only);
            } else if (!service.explicit && !service.gated.isEmpty()) {
                service.leaveOutGatedTools();
            }
        }
        if (agents.isEmpty()) {
            requireNoPolicies(beans, services.keySet());
        }
        if (beans.containsBeanDefinition(ENDPOINTS)
                && beans.getBeanNamesForType(Holdpoint.class, true, false).length == 0) {
            ((BeanDefinitionRegistry) beans).removeBeanDefinition(ENDPOINTS); // their paths may be the application's
        }
    }

    /** A policy that reaches nobody would let its tool run without asking. */
    private static void requireNoPolicies(ConfigurableListableBeanFactory beans, Set<String> services) {
        List<String> policies = List.of(beans.getBeanNamesForType(ToolPolicy.class, true, false));
        List<String> own = List.of(beans.getBeanNamesForType(Holdpoint.class, true, false));
        if (!policies.isEmpty() && own.isEmpty() && !services.isEmpty()) {
            throw new AgentChoiceException(
                    "No AI Service is an agent, so the policies " + policies
                            + " would do nothing, and their tools would"
                            + " run without asking: without a tool that is annotated, the starter takes no AI Service.",
                    "Name the AI Service that is to be one: holdpoint.agents="
                            + services.iterator().next() + " (there are " + services + ").");
        }
        if (!policies.isEmpty() && !own.isEmpty()) {
            LOG.warn(
                    "The policies {} reach the agents {} only if their builders were given them: the starter gives beans to"
                            + " the agents that it makes, and these are the application's own",
                    policies,
                    own);
        }
    }

    private Set<String> agents(Map<String, Found> services) {
        List<String> named = Binder.get(environment)
                .bind("holdpoint.agents", Bindable.listOf(String.class))
                .orElse(List.of());
        for (String name : named) {
            if (!services.containsKey(name)) {
                throw new AgentChoiceException(
                        "holdpoint.agents names \"" + name + "\", which is no AI Service.",
                        "Name the bean of an interface with @AiService: " + services.keySet() + ".");
            }
        }
        if (!named.isEmpty()) {
            return Set.copyOf(named);
        }
        Set<String> explicit = new LinkedHashSet<>();
        Set<String> automatic = new LinkedHashSet<>();
        for (Found service : services.values()) {
            if (!service.gated.isEmpty()) {
                (service.explicit ? explicit : automatic).add(service.name);
            }
        }
        if (explicit.isEmpty() && automatic.size() > 1) {
            throw new AgentChoiceException(
                    "Automatic wiring gives every tool to every AI Service, so " + automatic
                            + " would all get tools that need approval: "
                            + services.get(automatic.iterator().next()).gated + ".",
                    "Say which of them is to be an agent: set holdpoint.agents="
                            + automatic.iterator().next()
                            + " (the others work without these tools), or name its tools:"
                            + " @AiService(wiringMode = EXPLICIT, tools = {...}).");
        }
        return explicit.isEmpty() ? automatic : explicit;
    }

    /** An AI Service as LangChain4j has defined it, with the names of its tools that need approval. */
    private record Found(String name, BeanDefinition definition, Class<?> type, boolean explicit, List<String> gated) {

        static Found of(String name, BeanDefinition definition, ConfigurableListableBeanFactory beans) {
            Object argument = definition
                    .getConstructorArgumentValues()
                    .getGenericArgumentValues()
                    .get(0)
                    .getValue();
            Class<?> type = argument instanceof Class<?> given
                    ? given
                    : ClassUtils.resolveClassName(String.valueOf(argument), beans.getBeanClassLoader());
            AiService annotation = type.getAnnotation(AiService.class);
            List<String> gated = tools(definition)
                    .map(RuntimeBeanReference::getBeanName)
                    .filter(tool -> isGated(beans.getType(tool, false)))
                    .toList();
            return new Found(
                    name,
                    definition,
                    type,
                    annotation != null && annotation.wiringMode() == AiServiceWiringMode.EXPLICIT,
                    gated);
        }

        private static Stream<RuntimeBeanReference> tools(BeanDefinition definition) {
            PropertyValue tools = definition.getPropertyValues().getPropertyValue(TOOLS);
            return tools != null && tools.getValue() instanceof Collection<?> values
                    ? values.stream()
                            .filter(RuntimeBeanReference.class::isInstance)
                            .map(RuntimeBeanReference.class::cast)
                    : Stream.empty();
        }

        private static boolean isGated(@Nullable Class<?> type) {
            return type != null
                    && (UserQuestion.find(type).isPresent()
                            || Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                                    .anyMatch(method -> new ToolMethod(type, method)
                                            .annotation()
                                            .isPresent()));
        }

        void becomeAgent(BeanDefinitionRegistry registry, boolean only) {
            GenericBeanDefinition agent = new GenericBeanDefinition();
            agent.setBeanClass(AgentFactory.class);
            ConstructorArgumentValues arguments = agent.getConstructorArgumentValues();
            arguments.addIndexedArgumentValue(0, type);
            arguments.addIndexedArgumentValue(1, name);
            arguments.addIndexedArgumentValue(2, only);
            agent.setPropertyValues(new MutablePropertyValues(definition.getPropertyValues()));
            agent.setPrimary(definition.isPrimary());
            registry.removeBeanDefinition(name);
            registry.registerBeanDefinition(name, agent);
        }

        void leaveOutGatedTools() {
            ManagedList<RuntimeBeanReference> others = tools(definition)
                    .filter(tool -> !gated.contains(tool.getBeanName()))
                    .collect(Collectors.toCollection(ManagedList::new));
            definition.getPropertyValues().add(TOOLS, others);
            LOG.info("The AI Service {} is no agent: it works without {}, which need approval", name, gated);
        }
    }
}
