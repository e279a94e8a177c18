package io.holdpoint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.spring.LangChain4jAutoConfig;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.test.ScriptedModel;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Spring 7 pauses the context of a test while the tests of another one run, and goes on with it afterwards. */
class PausedContextTest {

    @AiService
    interface Assistant {
        String chat(String text);
    }

    static class PayTools {
        @Tool
        @RequiresApproval
        String pay(int amount) {
            return "paid";
        }
    }

    @Test
    void anAgentWorksAfterAPause() {
        new ApplicationContextRunner()
                .withInitializer(context -> {
                    AutoConfigurationPackages.register((GenericApplicationContext) context, "io.holdpoint.spring.nowhere");
                    ((GenericApplicationContext) context)
                            .registerBeanDefinition("assistant", new RootBeanDefinition(Assistant.class));
                })
                .withConfiguration(AutoConfigurations.of(LangChain4jAutoConfig.class, HoldpointAutoConfiguration.class))
                .withBean("model", ScriptedModel.class)
                .withBean(PayTools.class)
                .run(context -> {
                    ConfigurableApplicationContext paused = context.getSourceApplicationContext(ConfigurableApplicationContext.class);
                    paused.pause();
                    paused.restart();

                    context.getBean(ScriptedModel.class).says("Hello.");
                    assertThat(context.getBean(Holdpoint.class).send("t", "Hi").orThrow().text())
                            .isEqualTo("Hello.");
                });
    }
}
