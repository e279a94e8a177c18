package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.AsksUser;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@link AsksUser} is misused. */
class AsksUserMisuseTest {

    private final ScriptedModel model = new ScriptedModel();

    interface WithBody {
        @Tool
        @AsksUser
        default String ask(String question) {
            return "yes";
        }
    }

    interface Static {
        @Tool
        @AsksUser
        static String ask(String question) {
            return "yes";
        }
    }

    interface NoTool {
        @AsksUser
        String ask(String question);
    }

    interface Mixed {
        @Tool
        @AsksUser
        String other(String question);

        @Tool
        String ask(String question);
    }

    interface MixedDefault {
        @Tool
        @AsksUser
        String other(String question);

        default String ask() {
            return "";
        }
    }

    interface Approved {
        @Tool
        @AsksUser
        @RequiresApproval
        String ask(String question);
    }

    interface Nothing {
        @Tool
        @AsksUser
        void ask(String question);
    }

    record Tree(String name, List<Tree> children) {}

    interface Recursive {
        @Tool
        @AsksUser
        Tree ask(String question);
    }

    interface Perhaps {
        @Tool
        @AsksUser
        Optional<String> ask(String question);
    }

    interface Later {
        @Tool
        @AsksUser
        CompletableFuture<String> ask(String question);
    }

    interface Streamed {
        @Tool
        @AsksUser
        TokenStream ask(String question);
    }

    interface Dated {
        @Tool
        @AsksUser
        LocalDate ask(String question);
    }

    record Note(String text, Optional<String> author) {}

    interface PerhapsInside {
        @Tool
        @AsksUser
        Note ask(String question);
    }

    interface Raw {
        @Tool
        @AsksUser
        @SuppressWarnings("rawtypes")
        List ask(String question);
    }

    interface Anything {
        @Tool
        @AsksUser
        Object ask(String question);
    }

    interface Mapped {
        @Tool
        @AsksUser
        Map<String, String> ask(String question);
    }

    record Empty() {}

    interface NoFields {
        @Tool
        @AsksUser
        Empty ask(String question);
    }

    interface BadPlaceholder {
        @Tool
        @AsksUser(message = "Well, {{whom}}")
        String ask(String question);
    }

    interface BadDuration {
        @Tool
        @AsksUser(expiresAfter = "soon")
        String ask(String question);
    }

    interface NoJson {
        @Tool
        @AsksUser(responseSchema = "{minimum: 3}")
        int ask(String question);
    }

    interface NoSchema {
        @Tool
        @AsksUser(responseSchema = "{\"minimum\":\"three\"}")
        int ask(String question);
    }

    interface NoObject {
        @Tool
        @AsksUser(responseSchema = "true")
        JsonNode ask(String question);
    }

    interface UnknownField {
        @Tool
        @AsksUser(responseSchema = "{\"properties\":{\"nmae\":{\"minLength\":1}}}")
        Note2 ask(String question);
    }

    record Note2(String name) {}

    static Stream<Arguments> misuses() {
        return Stream.of(
                Arguments.of(WithBody.class, "has a body"),
                Arguments.of(Static.class, "has a body"),
                Arguments.of(NoTool.class, "Add @Tool"),
                Arguments.of(Mixed.class, "does not carry @AsksUser"),
                Arguments.of(MixedDefault.class, "does not carry @AsksUser"),
                Arguments.of(Approved.class, "Remove @RequiresApproval"),
                Arguments.of(Nothing.class, "returns nothing"),
                Arguments.of(Recursive.class, "contains itself"),
                Arguments.of(Perhaps.class, "java.util.Optional<java.lang.String> cannot be asked for"),
                Arguments.of(PerhapsInside.class, "java.util.Optional<java.lang.String> cannot be asked for"),
                Arguments.of(Later.class, "cannot be asked for"),
                Arguments.of(Streamed.class, "cannot be asked for"),
                Arguments.of(Dated.class, "cannot be asked for"),
                Arguments.of(Raw.class, "does not say of what"),
                Arguments.of(Anything.class, "Say with responseSchema"),
                Arguments.of(Mapped.class, "Say with responseSchema"),
                Arguments.of(NoFields.class, "has no fields"),
                Arguments.of(BadPlaceholder.class, "{{whom}}"),
                Arguments.of(BadDuration.class, "not an ISO-8601 duration"),
                Arguments.of(NoJson.class, "not JSON"),
                Arguments.of(NoSchema.class, "/minimum"),
                Arguments.of(NoObject.class, "not a JSON object"),
                Arguments.of(UnknownField.class, "nmae"));
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void aMisuseIsFoundWhenTheInterfaceIsGivenAndNamesClassAndMethod(Class<?> questions, String problem) {
        HoldpointBuilder<?> builder = Shape.STREAMING.builder(model);

        assertThatThrownBy(() -> builder.questions(questions))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(questions.getName() + ".ask()")
                .hasMessageContaining(problem);
    }

    interface Fine {
        @Tool
        @AsksUser
        String ask(String question);
    }

    /** Brings a body. */
    public static class Implemented implements Fine {
        @Tool
        @Override
        public String ask(String question) {
            return "yes";
        }
    }

    /** Carries the annotation itself. */
    public abstract static class Abstract {
        @Tool
        @AsksUser
        public abstract String ask(String question);
    }

    sealed interface Sealed permits OnlyOne {
        @Tool
        @AsksUser
        String ask(String question);
    }

    record OnlyOne() implements Sealed {
        @Override
        public String ask(String question) {
            return "";
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Abstract.class, Implemented.class, Sealed.class, Runnable.class, AsksUser.class})
    void onlyAnInterfaceWithQuestionsCanBeGiven(Class<?> other) {
        HoldpointBuilder<?> builder = Shape.STREAMING.builder(model);

        assertThatThrownBy(() -> builder.questions(other))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("questions(" + other.getName() + ".class)");
    }

    static Stream<Object> toolsThatWouldRun() {
        return Stream.of(new Implemented(), Fine.class, new Implemented() {});
    }

    @ParameterizedTest
    @MethodSource("toolsThatWouldRun")
    void anImplementationIsNoTool(Object tool) {
        HoldpointBuilder<?> builder = Shape.STREAMING.builder(model);

        assertThatThrownBy(() -> builder.tools(tool))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(Fine.class.getName() + ".ask()")
                .hasMessageContaining("questions(");
    }

    @ParameterizedTest
    @MethodSource("toolsThatWouldRun")
    void neitherIsItInTheCustomizer(Object tool) {
        HoldpointBuilder<?> builder = Shape.BLOCKING.builder(model, service -> service.tools(List.of(tool)));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(Fine.class.getName() + ".ask()");
    }

    @Test
    @Logs("Run * on thread * failed")
    void neitherIsItFromAProviderFromWhichItFailsTheRun() {
        ToolProvider provider = request -> new ToolProviderResult(ToolService.findTools(new Implemented()));
        Holdpoint agent = Shape.STREAMING.builder(model).toolProviders(provider).build();
        model.calls(call("c1", "ask", "{}"));

        RunResult failed = agent.send("t", "Go");

        assertThat(((RunResult.Failed) failed).cause().orElseThrow())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(Fine.class.getName() + ".ask()");
    }
}
