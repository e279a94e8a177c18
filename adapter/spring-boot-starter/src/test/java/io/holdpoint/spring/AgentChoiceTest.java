package io.holdpoint.spring;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.service.spring.AiServiceWiringMode;
import dev.langchain4j.spring.LangChain4jAutoConfig;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Which AI Services become agents, and how the others go on. */
@Logs("Exception encountered during context initialization")
class AgentChoiceTest {

    private static final List<String> PAID = new ArrayList<>();

    @AiService
    interface Assistant {
        String chat(String text);
    }

    @AiService
    interface Summarizer {
        String summarize(String text);
    }

    @AiService(wiringMode = AiServiceWiringMode.EXPLICIT, chatModel = "model", tools = "payTools")
    interface Cashier {
        String chat(String text);
    }

    interface Paying {
        String pay(int amount);
    }

    static class PayTools implements Paying {
        @Tool
        @RequiresApproval
        @Override
        public String pay(int amount) {
            PAID.add("paid " + amount);
            return "paid";
        }
    }

    static class ClockTools {
        @Tool
        String time() {
            return "noon";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Models {
        @Bean
        ScriptedModel model() {
            return new ScriptedModel();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneMemoryForAll {
        @Bean
        ChatMemory memory() {
            return MessageWindowChatMemory.withMaxMessages(10);
        }
    }

    /** As an aspect on an interface makes them. */
    @Configuration(proxyBeanMethods = false)
    static class JdkProxies {
        @Bean
        static BeanPostProcessor proxies() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (!(bean instanceof PayTools)) {
                        return bean;
                    }
                    ProxyFactory proxy = new ProxyFactory(bean);
                    proxy.addAdvice((MethodInterceptor) invocation -> {
                        PAID.add("aspect");
                        return invocation.proceed();
                    });
                    return proxy.getProxy();
                }
            };
        }
    }

    static class NeedsAssistant {
        NeedsAssistant(Assistant assistant) {}
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withInitializer(context -> AutoConfigurationPackages.register(
                    (GenericApplicationContext) context, "io.holdpoint.spring.nowhere"))
            .withConfiguration(AutoConfigurations.of(LangChain4jAutoConfig.class, HoldpointAutoConfiguration.class))
            .withUserConfiguration(Models.class)
            .withBean("payTools", PayTools.class)
            .withBean(ClockTools.class);

    private ApplicationContextRunner with(Class<?>... aiServices) {
        return runner.withInitializer(context -> {
            for (Class<?> each : aiServices) {
                ((GenericApplicationContext) context)
                        .registerBeanDefinition(each.getSimpleName(), new RootBeanDefinition(each));
            }
        });
    }

    @Test
    void theOnlyOneThatGetsGatedToolsIsAnAgent() {
        with(Assistant.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Holdpoint.class).doesNotHaveBean(Assistant.class);
            Holdpoint agent = context.getBean("assistant", Holdpoint.class);
            context.getBean(ScriptedModel.class).calls(call("c", "pay", "{\"amount\":5}"));
            assertThat(agent.send("t", "Pay 5")).isInstanceOf(RunResult.Interrupted.class);
        });
    }

    @Test
    void ofSeveralTheApplicationSaysWhichOneAndTheOthersWorkWithoutGatedTools() {
        with(Assistant.class, Summarizer.class)
                .withPropertyValues("holdpoint.agents=assistant")
                .run(context -> {
                    assertThat(context).hasSingleBean(Holdpoint.class);
                    ScriptedModel model = context.getBean(ScriptedModel.class).says("In short.");
                    assertThat(context.getBean(Summarizer.class).summarize("..."))
                            .isEqualTo("In short.");
                    assertThat(model.requests().get(0).toolSpecifications())
                            .extracting(tool -> tool.name())
                            .containsExactly("time");
                });
    }

    @Test
    void theOneThatIsWiredExplicitlyIsTheAgent() {
        with(Cashier.class, Summarizer.class).run(context -> {
            assertThat(context.getBean("cashier")).isInstanceOf(Holdpoint.class);
            assertThat(context).hasSingleBean(Summarizer.class);
        });
    }

    @Test
    void withoutAChoiceTheFailureNamesBothWays() {
        with(Assistant.class, Summarizer.class).run(context -> {
            FailureAnalysis analysis = new AgentChoiceException.Analyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("[assistant, summarizer]", "payTools");
            assertThat(analysis.getAction()).contains("holdpoint.agents=assistant", "wiringMode = EXPLICIT");
        });
        with(Assistant.class).withPropertyValues("holdpoint.agents=asistant").run(context -> assertThat(
                        context.getStartupFailure())
                .hasStackTraceContaining("names \"asistant\", which is no AI Service")
                .hasStackTraceContaining("[assistant]"));
    }

    @Test
    void oneMemoryForAllThreadsIsRefused() {
        with(Assistant.class).withUserConfiguration(OneMemoryForAll.class).run(context -> assertThat(
                        context.getStartupFailure())
                .hasStackTraceContaining("Declare a ChatMemoryProvider"));
    }

    @Test
    void anInjectedAiServiceThatIsAnAgentIsExplained() {
        with(Assistant.class).withBean(NeedsAssistant.class).run(context -> assertThat(new MissingAiServiceAnalyzer()
                        .analyze(context.getStartupFailure())
                        .getAction())
                .contains("Inject io.holdpoint.Holdpoint (bean name assistant)"));
    }

    @Test
    void aToolBehindAJdkProxyIsGatedAndKeepsItsAspect() {
        PAID.clear();
        with(Assistant.class).withUserConfiguration(JdkProxies.class).run(context -> {
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Paying.class)))
                    .isTrue();
            Holdpoint agent = context.getBean(Holdpoint.class);
            context.getBean(ScriptedModel.class)
                    .calls(call("c", "pay", "{\"amount\":5}"))
                    .says("Done.");

            agent.send("t", "Pay 5");
            assertThat(PAID).isEmpty();
            agent.resume("t", agent.pending("t").get(0).asApproval().approve());

            assertThat(PAID).containsExactly("aspect", "paid 5");
        });
    }

    @Test
    void severalAgentsHaveAStoreEachOrAreRefused() {
        ApplicationContextRunner two =
                with(Assistant.class, Summarizer.class).withPropertyValues("holdpoint.agents=assistant,summarizer");
        two.run(context -> {
            context.getBean(ScriptedModel.class).calls(call("c", "pay", "{\"amount\":5}"));
            context.getBean("assistant", Holdpoint.class).send("t", "Pay 5");
            assertThat(context.getBean("summarizer", Holdpoint.class).pending("t"))
                    .isEmpty();
        });
        two.withBean(Store.class, InMemoryStore::new).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining("several agents would share one store"));
    }

    @Test
    void endpointsAreThereWithAgentsOnly() {
        WebApplicationContextRunner web = new WebApplicationContextRunner()
                .withInitializer(context -> AutoConfigurationPackages.register(
                        (BeanDefinitionRegistry) context, "io.holdpoint.spring.nowhere"))
                .withConfiguration(AutoConfigurations.of(
                        LangChain4jAutoConfig.class,
                        HoldpointAutoConfiguration.class,
                        HoldpointWebAutoConfiguration.class));
        web.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AgUiController.class));
        web.withBean(Holdpoint.class, () -> Holdpoint.builder(Assistant.class)
                        .chatModel(new ScriptedModel())
                        .build())
                .run(context -> assertThat(context).hasSingleBean(AgUiController.class));
    }

    @Test
    void nothingIsThereWithoutAgents() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Holdpoint.class));
    }

    @Test
    void customizersChangeTheAgent() {
        with(Assistant.class)
                .withBean(
                        AgentCustomizer.class,
                        () -> (name, agent) ->
                                agent.limits(Limits.DEFAULT.withMessages(name.equals("assistant") ? 7 : 8)))
                .run(context -> assertThat(
                                context.getBean(Holdpoint.class).limits().messages())
                        .isEqualTo(7));
    }
}
