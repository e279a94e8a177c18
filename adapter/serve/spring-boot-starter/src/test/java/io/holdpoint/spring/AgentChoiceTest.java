package io.holdpoint.spring;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.service.spring.AiServiceWiringMode;
import dev.langchain4j.spring.LangChain4jAutoConfig;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.KeptConnection;
import io.holdpoint.testing.Logs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Which AI Services become agents, and how the others go on. */
@Logs("Exception encountered during context initialization")
class AgentChoiceTest {

    private static final List<String> PAID = new CopyOnWriteArrayList<>();

    @TempDir
    Path folder;

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

    @AiService(wiringMode = AiServiceWiringMode.EXPLICIT, chatModel = "model", tools = "sandboxTools")
    interface Sandbox {
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

    static class SandboxTools {
        @Tool
        @RequiresApproval
        String pay(int amount) {
            PAID.add("played " + amount);
            return "played";
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
    static class TwoPeople {
        @Bean
        ApprovalAuthorizer approvers() {
            return ApprovalAuthorizer.role("approver");
        }

        @Bean
        ToolPolicy two() {
            return ToolPolicy.named("pay").approvals(Approvals.of(2));
        }

        @Bean
        Function<String, Optional<Caller>> directory() {
            return id -> id.equals("grace") ? Optional.empty() : Optional.of(Caller.of(id, "approver"));
        }

        @Bean
        Function<String, String> ofTheApplication() {
            return String::trim;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneMemoryForAll {
        @Bean
        ChatMemory memory() {
            return MessageWindowChatMemory.withMaxMessages(10);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMemories {
        @Bean
        ChatMemoryProvider memories(ChatMemoryStore store) {
            return id -> MessageWindowChatMemory.builder()
                    .id(id)
                    .maxMessages(10)
                    .chatMemoryStore(store)
                    .build();
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

    @Test
    void aDirectoryIsAskedWhoEarlierVotersAreNow() {
        with(Assistant.class).withUserConfiguration(TwoPeople.class).run(context -> {
            Holdpoint agent = context.getBean(Holdpoint.class);
            context.getBean(ScriptedModel.class)
                    .calls(call("c", "pay", "{\"amount\":6}"))
                    .says("Done.");
            ResumeEntry approval = agent.send("t", "Pay 6").approvals().get(0).approve();

            agent.as(Caller.of("grace", "approver")).decide("t", approval);
            assertThat(agent.as(Caller.of("heidi", "approver")).decide("t", approval))
                    .isInstanceOf(Decided.Waits.class);
            assertThat(agent.as(Caller.of("iris", "approver")).decide("t", approval))
                    .isInstanceOf(Decided.Runs.class);
        });
    }

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

    /** Its agents are shut down for good: answers would be refused one by one, long after somebody had restarted the context. */
    @Test
    void aContextThatWasStoppedIsNotStartedAgain() {
        with(Assistant.class).run(context -> {
            context.getSourceApplicationContext().stop();

            assertThatThrownBy(() -> context.getSourceApplicationContext().start())
                    .hasStackTraceContaining("cannot be started again")
                    .hasStackTraceContaining("Refresh a new context");
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

    static class PlainTools {
        @Tool
        String transfer(int amount) {
            return "transferred";
        }
    }

    @Test
    void aPolicyThatReachesNoAgentIsRefused() {
        ApplicationContextRunner plain = with(Summarizer.class)
                .withInitializer(context -> ((GenericApplicationContext) context).removeBeanDefinition("payTools"))
                .withBean(PlainTools.class)
                .withBean("limit", ToolPolicy.class, () -> ToolPolicy.named("transfer"));
        plain.run(context -> {
            FailureAnalysis analysis = new AgentChoiceException.Analyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("[limit]", "would run without asking");
            assertThat(analysis.getAction()).contains("holdpoint.agents=summarizer");
        });
        plain.withPropertyValues("holdpoint.agents=summarizer").run(context -> {
            context.getBean(ScriptedModel.class).calls(call("c", "transfer", "{\"amount\":5}"));
            assertThat(context.getBean(Holdpoint.class).send("t", "Pay 5")).isInstanceOf(RunResult.Interrupted.class);
        });
    }

    @Test
    @Logs("The policies [limit] reach the agents [own] only if their builders were given them")
    void aPolicyBesideAnAgentOfTheApplicationsOwnIsWarnedOf() {
        runner.withInitializer(context -> ((GenericApplicationContext) context).removeBeanDefinition("payTools"))
                .withBean("limit", ToolPolicy.class, () -> ToolPolicy.named("time"))
                .withBean("own", Holdpoint.class, () -> Holdpoint.builder(Assistant.class)
                        .chatModel(new ScriptedModel())
                        .build())
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void oneMemoryForAllThreadsIsRefused() {
        with(Assistant.class).withUserConfiguration(OneMemoryForAll.class).run(context -> assertThat(
                        context.getStartupFailure())
                .hasStackTraceContaining("Declare a ChatMemoryProvider"));
    }

    @Test
    void aMemoryProviderOfTheApplicationCanUseTheStoreOfMemories() {
        with(Assistant.class)
                .withConfiguration(Boot.DATA_SOURCE)
                .withUserConfiguration(OwnMemories.class)
                .withPropertyValues(
                        "holdpoint.store=jdbc", "spring.datasource.url=jdbc:sqlite:" + folder.resolve("memories.db"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(ScriptedModel.class).says("Hello.");

                    context.getBean(Holdpoint.class).send("t", "Hi");

                    assertThat(context.getBean(ChatMemoryStore.class).getMessages("t"))
                            .contains(UserMessage.from("Hi"), AiMessage.from("Hello."));
                });
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

    /** Serves them by Tomcat, with one database. */
    @Test
    void anApplicationThatTellsCallersItselfBindsTheAgentItInjects() {
        ApplicationContextRunner secured = with(Assistant.class)
                .withConfiguration(AutoConfigurations.of(HoldpointSecurityAutoConfiguration.class));
        secured.run(context ->
                assertThat(context.getBean(Holdpoint.class).pending("t")).isEmpty());

        secured.withBean("tenants", CallerResolver.class, () -> request -> Optional.empty())
                .run(context -> {
                    Holdpoint agent = context.getBean(Holdpoint.class);
                    assertThatThrownBy(() -> agent.pending("t"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("agent.as(caller)");
                    assertThat(agent.as(Caller.of("ada")).pending("t")).isEmpty();
                    assertThat(AgentsHealth.of(context.getBeanProvider(Holdpoint.class))
                                    .failure())
                            .isEmpty();
                });
    }

    /** As it must be on every server: see the same test of the Javalin plugin. */
    @Test
    void aTokenInOtherLettersIsNotTheOneThatCameBeforeItOnTheConnection() {
        List<String> seen = new CopyOnWriteArrayList<>();
        CallerResolver callers = request -> {
            for (String name : List.of("Authorization", "Cookie")) {
                Optional.ofNullable(request.getHeader(name)).ifPresent(seen::add);
            }
            return Optional.of(Caller.of("ada"));
        };
        served().withBean("callers", CallerResolver.class, () -> callers).run(context -> {
            try (KeptConnection proxy = new KeptConnection(Boot.port(context))) {
                for (String token : List.of("spring2026", "Spring2026", "SPRING2026")) {
                    proxy.get("/agents/cashier/capabilities", "Authorization", "Bearer " + token);
                    proxy.get("/agents/cashier/capabilities", "Cookie", "sid=" + token);
                }
            }
        });
        assertThat(seen)
                .containsExactly(
                        "Bearer spring2026",
                        "sid=spring2026",
                        "Bearer Spring2026",
                        "sid=Spring2026",
                        "Bearer SPRING2026",
                        "sid=SPRING2026");
    }

    private WebApplicationContextRunner served() {
        return new WebApplicationContextRunner(Boot::context)
                .withPropertyValues("server.address=127.0.0.1")
                .withInitializer(context -> AutoConfigurationPackages.register(
                        (BeanDefinitionRegistry) context, "io.holdpoint.spring.nowhere"))
                .withConfiguration(Boot.TOMCAT)
                .withConfiguration(Boot.DATA_SOURCE)
                .withConfiguration(AutoConfigurations.of(
                        LangChain4jAutoConfig.class,
                        HoldpointAutoConfiguration.class,
                        HoldpointWebAutoConfiguration.class))
                .withUserConfiguration(Models.class)
                .withBean("payTools", PayTools.class)
                .withBean("sandboxTools", SandboxTools.class)
                .withInitializer(context -> {
                    for (Class<?> each : List.of(Cashier.class, Sandbox.class)) {
                        ((BeanDefinitionRegistry) context)
                                .registerBeanDefinition(each.getSimpleName(), new RootBeanDefinition(each));
                    }
                })
                .withPropertyValues(
                        "server.port=0",
                        "holdpoint.store=jdbc",
                        "spring.datasource.url=jdbc:sqlite:" + folder.resolve("agents.db"));
    }

    private static String post(AssertableWebApplicationContext context, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + Boot.port(context) + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static String said(String text) {
        return """
                {"protocolVersion":"1.0","threadId":"t","runId":"r-%s","messages":[{"id":"m-%s","role":"user","content":"%s"}]}""".formatted(text, text, text);
    }

    private static String approved(String interrupt, String run) {
        return """
                {"protocolVersion":"1.0","threadId":"t","runId":"%s","messages":[],"resume":[
                {"interruptId":"%s","status":"resolved","payload":{"approved":true}}]}""".formatted(run, interrupt);
    }

    @Test
    void theEndpointsSpeakOneFormToEverybodyIfTheApplicationSaysSo() {
        served().withPropertyValues("holdpoint.dialect=interrupts_draft").run(context -> {
            context.getBean(ScriptedModel.class).says("Hello.");

            assertThat(post(context, "/agents/cashier", said("Hi"))).contains("\"outcome\":\"success\"");
            assertThat(post(
                            context,
                            "/agents/cashier/history",
                            "{\"threadId\":\"t\",\"runId\":\"r\",\"protocolVersion\":\"1.0\"}"))
                    .contains("\"outcome\":\"success\"");
        });
    }

    @Test
    void anAnswerNeverReachesTheToolOfTheSameNameOfAnotherAgentInTheSameDatabase() {
        PAID.clear();
        served().run(context -> {
            ScriptedModel model = context.getBean(ScriptedModel.class)
                    .calls(call("c", "pay", "{\"amount\":5}"))
                    .calls(call("c", "pay", "{\"amount\":7}"));
            assertThat(post(context, "/agents/sandbox", said("five"))).contains("\"interrupt\"");
            String question = pending(context, "sandbox");

            assertThat(post(context, "/agents/cashier", approved(question, "x1")))
                    .contains("THREAD_NOT_FOUND");
            assertThat(post(context, "/agents/cashier", said("seven"))).contains("\"interrupt\"");
            assertThat(post(context, "/agents/cashier", approved(question, "x2")))
                    .contains("INTERRUPT_");
            assertThat(PAID).isEmpty();

            model.says("Played.");
            assertThat(post(context, "/agents/sandbox", approved(question, "r2")))
                    .contains("Played.");
            assertThat(PAID).containsExactly("played 5");
            assertThat(model.lastMessages()).hasSize(3); // none of the other agent's
            assertThat(post(context, "/agent", said("none"))).contains("AGENT_NOT_FOUND");
        });
        served().run(
                        context -> { // the same after a restart
                            context.getBean(ScriptedModel.class).says("Paid.");
                            assertThat(context.getBean("sandbox", Holdpoint.class)
                                            .pending("t"))
                                    .isEmpty();
                            assertThat(post(context, "/agents/cashier", approved(pending(context, "cashier"), "r3")))
                                    .contains("Paid.");
                            assertThat(PAID).containsExactly("played 5", "paid 7");
                        });
    }

    private static String pending(ApplicationContext context, String agent) {
        return context.getBean(agent, Holdpoint.class).pending("t").get(0).id();
    }

    @Test
    void anAgentHasItsBeansNameOnlyBesideAnother() {
        ApplicationContextRunner shared = with(Assistant.class).withBean(Store.class, InMemoryStore::new);
        shared.run(context -> assertThat(threads(context)).containsExactly(""));
        shared.withBean("own", Holdpoint.class, () -> Holdpoint.builder(Assistant.class)
                        .chatModel(new ScriptedModel())
                        .build())
                .run(context -> assertThat(threads(context)).containsExactly("assistant"));
    }

    /** The names by which the store has a thread after one of the agent. */
    private static List<String> threads(ApplicationContext context) {
        context.getBean(ScriptedModel.class).says("Hi.");
        context.getBean("assistant", Holdpoint.class).send("t", "Go");
        Store store = context.getBean(Store.class);
        return Stream.of("", "assistant")
                .filter(name -> store.of(name).find("t").isPresent())
                .toList();
    }

    @Test
    @Logs("Agents are served at every address of this machine, and nobody has to sign in: *CallerResolver*")
    void endpointsAreThereWithAgentsOnlyAndSayThatNobodyHasToSignIn() {
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
    void withoutSpringMvcTheStartFailsUnlessNobodyWantsEndpoints() {
        ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
                .withInitializer(context -> AutoConfigurationPackages.register(
                        (BeanDefinitionRegistry) context, "io.holdpoint.spring.nowhere"))
                .withConfiguration(
                        AutoConfigurations.of(LangChain4jAutoConfig.class, HoldpointAutoConfiguration.class));
        reactive.run(context -> assertThat(context).hasNotFailed());
        ReactiveWebApplicationContextRunner withAgent =
                reactive.withBean(Holdpoint.class, () -> Holdpoint.builder(Assistant.class)
                        .chatModel(new ScriptedModel())
                        .build());
        withAgent.run(context -> assertThat(new AgentChoiceException.Analyzer()
                        .analyze(context.getStartupFailure())
                        .getAction())
                .contains("spring-boot-starter-web", "holdpoint.endpoints=false"));
        withAgent.withPropertyValues("holdpoint.endpoints=false").run(context -> assertThat(context)
                .hasNotFailed());
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
                                agent.client(client -> client.exposeReasoning(!name.equals("assistant"))))
                .run(context -> assertThat(context.getBean(Holdpoint.class)
                                .capabilities()
                                .reasoning()
                                .supported())
                        .isFalse()); // it is shown by default
    }
}
