package io.holdpoint.spring;

import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.Holdpoint;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Makes agents of AI Services, with a store, and shuts them down. After LangChain4j, whose AI Services are looked at. */
@AutoConfiguration(afterName = "dev.langchain4j.spring.LangChain4jAutoConfig")
@EnableConfigurationProperties(HoldpointProperties.class)
class HoldpointAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor holdpointAiServices(Environment environment) {
        return new AiServiceBeans(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "holdpoint.store", havingValue = "jdbc")
    Store holdpointStore(ObjectProvider<DataSource> dataSource) {
        return JdbcStore.create(required(dataSource));
    }

    private static DataSource required(ObjectProvider<DataSource> dataSource) {
        return dataSource.getIfAvailable(() -> {
            throw new AgentChoiceException(
                    "holdpoint.store=jdbc keeps threads in the database of the DataSource, and there is no DataSource.",
                    "Add spring-boot-starter-jdbc and a driver, and set spring.datasource.url; or remove holdpoint.store.");
        });
    }

    /** Keeps the memories of agents, and those of a {@code ChatMemoryProvider} of the application that uses it. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "holdpoint.store", havingValue = "jdbc")
    ChatMemoryStore holdpointChatMemoryStore(ObjectProvider<DataSource> dataSource) {
        return JdbcChatMemoryStore.create(required(dataSource));
    }

    /** Endpoints that are promised, and that WebFlux cannot have, must not be missed by their clients only. */
    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnProperty(name = "holdpoint.endpoints", matchIfMissing = true)
    SmartInitializingSingleton holdpointNeedsSpringMvc(ListableBeanFactory beans) {
        return () -> {
            if (beans.getBeanNamesForType(Holdpoint.class, true, false).length > 0) {
                throw new AgentChoiceException(
                        "Agents are served by Spring MVC, and this is an application with WebFlux only.",
                        "Add spring-boot-starter-web (Spring Boot prefers Spring MVC then), or set"
                                + " holdpoint.endpoints=false and call the agents from your own code.");
            }
        };
    }

    @Bean
    AgentLifecycle holdpointLifecycle(ListableBeanFactory beans, HoldpointProperties properties) {
        return new AgentLifecycle(() -> beans.getBeansOfType(Holdpoint.class).values(), properties.shutdownGrace());
    }
}
