package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the annotation counts. */
class AnnotationTest {

    private final ScriptedModel model = new ScriptedModel();

    abstract static class Base {
        @RequiresApproval
        public abstract String act(String what);
    }

    interface Acting {
        @RequiresApproval
        String act(String what);
    }

    interface GenericActing<T> {
        @RequiresApproval
        String act(T what);
    }

    interface MoreActing extends Acting {}

    static class OfSuperclass extends Base {
        @Tool
        @Override
        public String act(String what) {
            return what;
        }
    }

    static class OfInterface implements Acting {
        @Tool
        @Override
        public String act(String what) {
            return what;
        }
    }

    static class OfInheritedInterface implements MoreActing {
        @Tool
        @Override
        public String act(String what) {
            return what;
        }
    }

    static class OfGenericInterface implements GenericActing<String> {
        @Tool
        @Override
        public String act(String what) {
            return what;
        }
    }

    static class Plain {
        @Tool
        public String act(String what) {
            return what;
        }
    }

    static class OfSubclassInterface extends Plain implements Acting {}

    static class Inherited extends OfSuperclass {}

    static Stream<Object> annotatedTools() {
        return Stream.of(
                new OfSuperclass(),
                new OfInterface(),
                new OfInheritedInterface(),
                new OfGenericInterface(),
                new OfSubclassInterface(),
                new Inherited());
    }

    @ParameterizedTest
    @MethodSource("annotatedTools")
    void theAnnotationCountsWhereverItStands(Object tools) {
        model.calls(call("c1", "act", "{\"what\":\"x\"}"));

        RunResult held = Shape.STREAMING.builder(model).tools(tools).build().send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
    }

    @ParameterizedTest
    @MethodSource("annotatedTools")
    void theAnnotationCountsOnObjectsOfTheCustomizer(Object tools) {
        model.calls(call("c1", "act", "{\"what\":\"x\"}"));

        RunResult held = Shape.STREAMING
                .builder(model, service -> service.tools(tools))
                .build()
                .send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
    }

    @ParameterizedTest
    @MethodSource("annotatedTools")
    void theAnnotationCountsOnListsOfToolsOfTheCustomizer(Object tools) {
        model.calls(call("c1", "act", "{\"what\":\"x\"}"));

        RunResult held = Shape.STREAMING
                .builder(model, service -> service.tools(ToolService.findTools(tools)))
                .build()
                .send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
    }

    @ParameterizedTest
    @MethodSource("annotatedTools")
    void theAnnotationCountsOnToolsOfAProvider(Object tools) {
        ToolProvider provider = request -> new ToolProviderResult(ToolService.findTools(tools));
        model.calls(call("c1", "act", "{\"what\":\"x\"}"));

        RunResult held =
                Shape.STREAMING.builder(model).toolProviders(provider).build().send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
    }
}
