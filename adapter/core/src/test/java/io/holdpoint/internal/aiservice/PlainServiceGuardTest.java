package io.holdpoint.internal.aiservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import io.holdpoint.AsksUser;
import io.holdpoint.RequiresApproval;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.OfficeTools;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Isolated;

/** Plain AI Services do not get annotated tools, whatever way they are given. */
@Isolated("sets a system property")
class PlainServiceGuardTest {

    interface Assistant {
        String chat(String message);
    }

    /** Nothing to ask anybody about. */
    public static final class Harmless {
        @Tool
        public String time() {
            return "now";
        }
    }

    /** A tool whose superclass nobody has marked. */
    public static class Wiping {
        @Tool
        public String wipe(String what) {
            return what;
        }
    }

    /** Marks it for those who implement it. */
    public interface Dangerous {
        @RequiresApproval
        String wipe(String what);
    }

    /** Brings both together. */
    public static final class DangerousWiping extends Wiping implements Dangerous {}

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    private AiServices<Assistant> plain() {
        return AiServices.builder(Assistant.class).chatModel(model);
    }

    private static void requireRefused(Executable given) {
        assertThatThrownBy(given::execute)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(OfficeTools.class.getName() + ".")
                .hasMessageContaining("Holdpoint.builder(Assistant.class).tools(...)")
                .hasMessageContaining("-Dio.holdpoint.allowUngatedTools=true");
    }

    @AfterEach
    void resetProperty() {
        System.clearProperty(PlainServiceGuard.PROPERTY);
    }

    @Test
    void anObjectIsRefused() {
        requireRefused(() -> plain().tools(tools));
    }

    @Test
    void aCollectionOfObjectsIsRefused() {
        requireRefused(() -> plain().tools(List.<Object>of(new Harmless(), tools)));
    }

    @Test
    void aMapOfSpecificationsIsRefused() {
        Map<ToolSpecification, ToolExecutor> map = new LinkedHashMap<>();
        for (AiServiceTool tool : ToolService.findTools(tools)) {
            map.put(tool.toolSpecification(), tool.toolExecutor());
        }

        requireRefused(() -> plain().tools(map));
    }

    @Test
    void aListOfToolsIsRefused() {
        requireRefused(() -> plain().tools(ToolService.findTools(tools)));
    }

    @Test
    void aProviderIsRefusedAtItsFirstUse() {
        Assistant assistant = plain().toolProvider(request -> new ToolProviderResult(ToolService.findTools(tools)))
                .build();

        requireRefused(() -> assistant.chat("Go"));
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void aDynamicProviderIsRefusedAlsoInALaterRound() {
        List<AiServiceTool> present = new ArrayList<>(ToolService.findTools(new Harmless()));
        model.answers(request -> {
            present.addAll(ToolService.findTools(tools));
            return AiMessage.from(ScriptedModel.call("c1", "time", "{}"));
        });
        Assistant assistant = plain().toolProvider(new DynamicTools(present)).build();

        requireRefused(() -> assistant.chat("Go"));
        assertThat(model.requests()).hasSize(1);
    }

    @Test
    void aListOfToolsIsRefusedForAnAnnotationOfTheObjectsInterface() {
        List<AiServiceTool> found = ToolService.findTools(new DangerousWiping());

        assertThatThrownBy(() -> plain().tools(found))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("wipe()");
    }

    @Test
    void aProviderIsRefusedForAnAnnotationOfTheObjectsInterface() {
        Assistant assistant = plain().toolProvider(
                        request -> new ToolProviderResult(ToolService.findTools(new DangerousWiping())))
                .build();

        assertThatThrownBy(() -> assistant.chat("Go"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("wipe()");
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void whatToolSearchCouldFindIsRefusedAtItsFirstUse() {
        Assistant assistant = plain().toolProvider(request -> new ToolProviderResult(ToolService.findTools(tools)))
                .toolSearchStrategy(SimpleToolSearchStrategy.builder().build())
                .build();

        requireRefused(() -> assistant.chat("Go"));
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void whereAnotherFactoryIsInUseItIsSaidWhatIsNotCovered() {
        AiServiceContext ofAnother = new AiServiceContext(Assistant.class) {};

        assertThat(PlainServiceGuard.gap(AiServiceContext.create(Assistant.class)))
                .isEmpty();
        assertThat(PlainServiceGuard.gap(ofAnother).orElseThrow())
                .contains(ofAnother.getClass().getName())
                .contains("AiServices.builder", "AgenticServices.agentBuilder", "tool provider");
    }

    @Test
    void otherToolsAreWelcome() {
        model.says("Hello.");

        assertThat(plain().tools(new Harmless()).build().chat("Hi")).isEqualTo("Hello.");
    }

    @Test
    void thePropertySwitchesItOff() {
        System.setProperty(PlainServiceGuard.PROPERTY, "true");
        model.calls(ScriptedModel.call("c1", "deleteRecords", "{\"table\":\"x\"}"))
                .says("Done.");

        plain().tools(tools).build().chat("Go");

        assertThat(tools.effects()).containsExactly("deleteRecords x");
    }

    /** Asks and has no body. */
    public interface Questions {
        @Tool
        @AsksUser
        String ask(String question);
    }

    /** Brings a body. */
    public static class Answering implements Questions {
        @Tool
        @Override
        public String ask(String question) {
            return "yes";
        }
    }

    private static void requireRefusedQuestion(Executable given) {
        assertThatThrownBy(given::execute)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(Questions.class.getName() + ".ask()")
                .hasMessageContaining("Holdpoint.builder(Assistant.class).questions(Questions.class)");
    }

    @Test
    void whoImplementsAQuestionIsRefused() {
        Object proxy = Proxy.newProxyInstance(
                Questions.class.getClassLoader(), new Class<?>[] {Questions.class}, (self, method, arguments) -> "yes");

        requireRefusedQuestion(() -> plain().tools(new Answering()));
        requireRefusedQuestion(() -> plain().tools(List.of(new Harmless(), new Answering() {})));
        requireRefusedQuestion(() -> plain().tools(proxy));
        requireRefusedQuestion(() -> plain().tools(Questions.class));
        requireRefusedQuestion(() -> plain().tools(ToolService.findTools(new Answering())));
        requireRefusedQuestion(() -> plain().tools(ToolService.findTools(proxy)));
    }

    @Test
    void aClassIsNoTool() {
        assertThatThrownBy(() -> plain().tools(Harmless.class))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("must be an object");
    }

    @Test
    void whoImplementsAQuestionIsRefusedAtTheFirstUseOfAProvider() {
        ToolProvider provider = request -> new ToolProviderResult(ToolService.findTools(new Answering()));
        Assistant assistant = plain().toolProvider(provider).build();

        requireRefusedQuestion(() -> assistant.chat("Hi"));
    }
}
