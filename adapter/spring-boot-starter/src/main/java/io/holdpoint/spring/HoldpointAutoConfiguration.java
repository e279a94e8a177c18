package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import io.holdpoint.spring.HoldpointProperties.StoreKind;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Makes agents of AI Services, with a store, and shuts them down. After LangChain4j, whose AI Services are looked at. */
@AutoConfiguration(afterName = "dev.langchain4j.spring.LangChain4jAutoConfig")
@EnableConfigurationProperties(HoldpointProperties.class)
class HoldpointAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(HoldpointAutoConfiguration.class);

    @Bean
    static BeanFactoryPostProcessor holdpointAiServices(Environment environment) {
        return new AiServiceBeans(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    Store holdpointStore(HoldpointProperties properties, ObjectProvider<DataSource> dataSources) {
        if (properties.store() == StoreKind.JDBC) {
            return JdbcStore.create(dataSources.getObject());
        }
        LOG.info("Threads and held calls are kept in memory: a restart loses them. Set holdpoint.store=jdbc to keep them in"
                + " the database of the DataSource");
        return new InMemoryStore();
    }

    @Bean
    AgentLifecycle holdpointLifecycle(ListableBeanFactory beans, HoldpointProperties properties) {
        return new AgentLifecycle(
                () -> beans.getBeansOfType(Holdpoint.class).values(), properties.shutdownGrace());
    }
}
