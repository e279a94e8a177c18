package io.holdpoint.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes of an application whose compiler has left the names of parameters out. */
@Logs("Parameter 'arg0' of tool method")
class ParameterNamesTest {

    private static final String SOURCE = """
            import dev.langchain4j.agent.tool.*;
            import io.holdpoint.*;

            public class Tools {
                public static class Gated {
                    @Tool @RequiresApproval(message = "Pay?") public String pay(int amount, @ToolMemoryId String thread) { return ""; }
                }
                public static class Plain {
                    @Tool public String look(int amount) { return ""; }
                }
                public static class Named {
                    @Tool @RequiresApproval public String pay(@P(name = "amount", value = "how much") int amount, @ToolMemoryId String thread) { return ""; }
                }
                public interface Asking {
                    @Tool @AsksUser boolean sure(String what);
                }
            }
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void compile() throws Exception {
        compile(folder);
    }

    static void compile(Path folder) throws Exception {
        Path source = Files.writeString(folder.resolve("Tools.java"), SOURCE);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-cp", System.getProperty("java.class.path")));
        options.addAll(List.of("-d", folder.toString(), source.toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .isZero();
    }

    static Class<?> compiled(Path folder, String name) throws Exception {
        URL[] urls = {folder.toUri().toURL()};
        return new URLClassLoader(urls, ParameterNamesTest.class.getClassLoader()).loadClass("Tools$" + name);
    }

    private Object tools(String name) throws Exception {
        return compiled(folder, name).getConstructor().newInstance();
    }

    static HoldpointBuilder<?> agent() {
        return Shape.BLOCKING.builder(new ScriptedModel());
    }

    @Test
    void aGatedToolWithoutThemIsRefusedAlsoIfItsMessageNamesNone() throws Exception {
        HoldpointBuilder<?> agent = agent().tools(tools("Gated"));

        assertThatThrownBy(agent::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Tools$Gated.pay()")
                .hasMessageContaining("\"arg0\"")
                .hasMessageContaining("Compile with -parameters")
                .hasMessageContaining("mvn clean")
                .hasMessageContaining("@P(name = ...)");
    }

    @Test
    void soIsOneThatAPolicyGates() throws Exception {
        HoldpointBuilder<?> agent = agent().tools(tools("Plain")).toolPolicies(ToolPolicy.named("look"));

        assertThatThrownBy(agent::build).hasMessageContaining("Tools$Plain.look()");
    }

    @Test
    void aToolThatNobodyIsAskedAboutIsNot() throws Exception {
        agent().tools(tools("Plain")).build();
    }

    @Test
    void namesOfTheAnnotationAreEnough() throws Exception {
        agent().tools(tools("Named")).build();
    }

    /** Compiled with names. */
    public static final class Real {

        @Tool
        @RequiresApproval
        public String pay(int arg0) {
            return "";
        }

        @Tool
        @RequiresApproval
        public String give(@P(name = "arg0", value = "how much") int amount) {
            return "";
        }
    }

    @Test
    void aParameterThatIsReallyCalledSoIsOne() {
        agent().tools(new Real()).build();
    }
}
