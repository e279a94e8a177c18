package io.holdpoint.spring;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.ToolPolicy;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;

/**
 * Builds the agent of an AI Service, with the same properties as LangChain4j's factory, whose place it takes, and with what the
 * application context has for agents.
 */
final class AgentFactory implements FactoryBean<Holdpoint>, BeanFactoryAware {

    private static final Logger LOG = LoggerFactory.getLogger(AgentFactory.class);

    private final String name;
    private final boolean only;
    private final HoldpointBuilder<Object> builder;
    private Optional<ChatMemoryProvider> memoryProvider = Optional.empty();
    private Optional<ContentRetriever> contentRetriever = Optional.empty();
    private Optional<RetrievalAugmentor> retrievalAugmentor = Optional.empty();
    private ListableBeanFactory beans;

    AgentFactory(Class<Object> aiService, String name, boolean only) {
        this.name = name;
        this.only = only;
        this.builder = Holdpoint.builder(aiService);
    }

    public void setChatModel(ChatModel model) {
        builder.chatModel(model);
    }

    public void setStreamingChatModel(StreamingChatModel model) {
        builder.streamingChatModel(model);
    }

    /** One memory for all conversations, which an agent keeps apart. */
    public void setChatMemory(ChatMemory memory) {
        throw illegalConfiguration(
                "The agent %s would get the bean %s as the memory of all its threads. Declare a ChatMemoryProvider, which"
                        + " makes one for each.",
                name, memory.getClass().getName());
    }

    public void setChatMemoryProvider(ChatMemoryProvider memories) {
        memoryProvider = Optional.of(memories);
    }

    public void setContentRetriever(ContentRetriever retriever) {
        contentRetriever = Optional.of(retriever);
    }

    public void setRetrievalAugmentor(RetrievalAugmentor augmentor) {
        retrievalAugmentor = Optional.of(augmentor);
    }

    public void setModerationModel(ModerationModel model) {
        builder.aiService(service -> service.moderationModel(model));
    }

    public void setToolProvider(ToolProvider provider) {
        builder.toolProviders(provider);
    }

    /** Calls beans behind proxies through them, so that transactions and security apply. */
    public void setTools(List<Object> tools) {
        for (Object tool : tools) {
            if (AopUtils.isAopProxy(tool)) {
                builder.tools(tool, AopProxyUtils.ultimateTargetClass(tool));
            } else {
                builder.tools(tool);
            }
        }
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = (ListableBeanFactory) factory;
    }

    @Override
    public Holdpoint getObject() {
        if (retrievalAugmentor.isPresent()) { // as LangChain4j's factory chooses
            retrievalAugmentor.ifPresent(
                    augmentor -> builder.aiService(service -> service.retrievalAugmentor(augmentor)));
        } else {
            contentRetriever.ifPresent(retriever -> builder.aiService(service -> service.contentRetriever(retriever)));
        }
        memoryProvider
                .or(() -> only(ChatMemoryStore.class).map(AgentFactory::windows))
                .ifPresent(builder::chatMemoryProvider);
        HoldpointProperties properties = beans.getBean(HoldpointProperties.class);
        builder.store(store()).runTimeout(properties.runTimeout());
        if (!only) { // a store and memories that they share keep them apart by it
            builder.name(name);
        }
        all(RunObserver.class).forEach(builder::observers);
        all(Interceptor.class).forEach(builder::interceptors);
        all(ToolPolicy.class).forEach(builder::toolPolicies);
        all(ApprovalCondition.class).forEach(condition -> builder.beans(named(condition)));
        all(Rule.class).forEach(rule -> builder.beans(named(rule)));
        only(ApprovalAuthorizer.class).ifPresent(builder::approvalAuthorizer);
        people().ifPresent(builder::people);
        only(Links.class).map(Reach::links).ifPresent(builder::with);
        only(ArgumentRedactor.class).ifPresent(builder::argumentRedactor);
        beans.getBeansOfType(ApprovalNotifier.class)
                .forEach((bean, notifier) -> builder.with(Reach.notifier(bean, notifier)));
        all(AgentCustomizer.class).forEach(customizer -> customizer.customize(name, builder));
        Holdpoint agent = builder.build();
        return only(PresentCaller.class).map(agent::as).orElse(agent);
    }

    /** The default memory of agents, kept in a store. */
    private static ChatMemoryProvider windows(ChatMemoryStore store) {
        return id -> MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(HoldpointBuilder.DEFAULT_MAX_MESSAGES)
                .alwaysKeepSystemMessageFirst(true)
                .chatMemoryStore(store)
                .build();
    }

    /** Finds the object behind JDK proxies: annotations name its class, not theirs. */
    private static Object named(Object bean) {
        Object behind = Proxy.isProxyClass(bean.getClass()) ? AopProxyUtils.getSingletonTarget(bean) : null;
        return behind == null ? bean : named(behind);
    }

    private Store store() {
        Optional<Store> shared = only(Store.class);
        if (shared.isEmpty()) {
            LOG.info(
                    "The threads and held calls of {} are kept in memory: a restart loses them. holdpoint.store=jdbc keeps"
                            + " them in the database of the DataSource",
                    name);
        }
        return shared.orElseGet(InMemoryStore::new);
    }

    private Optional<Function<String, Optional<Caller>>> people() {
        ResolvableType caller = ResolvableType.forClassWithGenerics(Optional.class, Caller.class);
        ResolvableType directory =
                ResolvableType.forClassWithGenerics(Function.class, ResolvableType.forClass(String.class), caller);
        ObjectProvider<Function<String, Optional<Caller>>> declared = beans.getBeanProvider(directory);
        return Optional.ofNullable(declared.getIfAvailable());
    }

    private <T> List<T> all(Class<T> type) {
        return beans.getBeanProvider(type).orderedStream().toList();
    }

    private <T> Optional<T> only(Class<T> type) {
        return Optional.ofNullable(beans.getBeanProvider(type).getIfAvailable());
    }

    @Override
    public Class<?> getObjectType() {
        return Holdpoint.class;
    }
}
