package io.holdpoint.internal.aiservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.spi.services.AiServicesFactory;
import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.TestLog;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes in which LangChain4j is not as Holdpoint expects it: each test has all classes for itself. */
class ForeignHostTest {

    @TempDir
    Path services;

    /** As Quarkus: the context that comes in is thrown away. */
    public static final class DroppingFactory implements AiServicesFactory {

        @Override
        public <T> AiServices<T> create(AiServiceContext context) {
            return new AiServices<>(new AiServiceContext(context.aiServiceClass) {}) {
                @Override
                public T build() {
                    throw new IllegalStateException("a class that was not known when the application was built");
                }
            };
        }
    }

    /** Built by the library. */
    public interface Assistant {
        String chat(String message);
    }

    /** Nothing to ask anybody about. */
    public static final class Harmless {
        @Tool
        public String time() {
            return "now";
        }
    }

    /** Run with classes of their own. */
    public static final class Program {

        private Program() {}

        public static void agent() {
            Holdpoint.builder(Assistant.class)
                    .chatModel(new ScriptedModel())
                    .tools(new OfficeTools())
                    .build();
        }

        /** Returns what the model said, and what was logged. */
        public static List<String> plain() {
            TestLog.keep();
            ScriptedModel model = new ScriptedModel().says("Hello.");
            String said = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .tools(new Harmless())
                    .build()
                    .chat("Hi");
            return Stream.concat(Stream.of(said), TestLog.release().stream().map(TestLog.Line::text))
                    .toList();
        }
    }

    private Object run(String program, String missing) throws Throwable {
        List<URL> path = new ArrayList<>(List.of(services.toUri().toURL()));
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : all.split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader own = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.equals(missing)) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        }) {
            thread.setContextClassLoader(own);
            return own.loadClass(Program.class.getName()).getMethod(program).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void installs(Class<?> service, Class<?> provider) throws IOException {
        Path files = Files.createDirectories(services.resolve("META-INF/services"));
        Files.writeString(files.resolve(service.getName()), provider.getName());
    }

    @Test
    void aFactoryThatDropsTheContextIsNamedAndQuarkusIsNotSupported() throws IOException {
        installs(AiServicesFactory.class, DroppingFactory.class);

        assertThatThrownBy(() -> run("agent", ""))
                .hasMessageContaining("Quarkus is not supported: it builds AI Services itself")
                .hasMessageContaining(DroppingFactory.class.getName())
                .hasMessageNotContaining("chatModel");
    }

    @Test
    void aGuardThatDoesNotFitTakesNoAiServiceDown() throws Throwable {
        assertThat((List<?>) run("plain", "io.holdpoint.internal.gate.ToolMethod"))
                .satisfiesExactly(said -> assertThat(said).isEqualTo("Hello."), logged -> assertThat(logged)
                        .asString()
                        .contains("a tool marked @RequiresApproval runs without asking"));
    }

    @Test
    void anotherProcessIsLikeThisOne() throws Throwable {
        assertThat(run("agent", "")).isNull();
        assertThat(run("plain", "")).isEqualTo(List.of("Hello."));
    }
}
