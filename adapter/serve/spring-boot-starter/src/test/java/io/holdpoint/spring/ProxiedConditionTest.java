package io.holdpoint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.spring.LangChain4jAutoConfig;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

/** An aspect around a condition does not put another object of its class, which knows nothing, in its place. */
class ProxiedConditionTest {

    @AiService
    interface Assistant {
        String chat(String text);
    }

    /** Knows what it was told after it was made, as a bean whose fields are injected. */
    static class Blocked implements ApprovalCondition {

        private final Set<String> names = new HashSet<>();

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return ApprovalVerdict.requireApprovalIf(
                    names.contains(call.arguments().path("to").asText()));
        }
    }

    static class PayTools {

        final List<String> paid = new ArrayList<>();

        @Tool
        @RequiresApproval(when = Blocked.class)
        String pay(String to) {
            paid.add(to);
            return "paid";
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theBeanIsAsked(boolean isSubclass) {
        Blocked blocked = new Blocked();
        blocked.names.add("bob");
        ProxyFactory proxy = new ProxyFactory(blocked);
        proxy.setProxyTargetClass(isSubclass);
        new ApplicationContextRunner()
                .withInitializer(context -> {
                    AutoConfigurationPackages.register(
                            (GenericApplicationContext) context, "io.holdpoint.spring.nowhere");
                    ((GenericApplicationContext) context)
                            .registerBeanDefinition("assistant", new RootBeanDefinition(Assistant.class));
                })
                .withConfiguration(AutoConfigurations.of(LangChain4jAutoConfig.class, HoldpointAutoConfiguration.class))
                .withBean("model", ScriptedModel.class)
                .withBean(PayTools.class)
                .withBean("blocked", ApprovalCondition.class, () -> (ApprovalCondition) proxy.getProxy())
                .run(context -> {
                    context.getBean(ScriptedModel.class)
                            .calls("pay", Map.of("to", "bob"))
                            .says("Paid.");

                    assertThat(context.getBean(Holdpoint.class).send("t", "Pay Bob"))
                            .isInstanceOf(RunResult.Interrupted.class);
                    assertThat(context.getBean(PayTools.class).paid).isEmpty();
                });
    }
}
