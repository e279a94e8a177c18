package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javalin.config.JavalinState;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Javalin that would never call the plugin is found when the plugin is created. */
class JavalinVersionTest {

    /** Run with classes of its own. */
    public static final class Program {

        private Program() {}

        public static void create() {
            new AgUiPlugin(config -> {});
        }
    }

    private static void createWithout(Class<?> missing) throws Throwable {
        List<URL> path = new ArrayList<>();
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : all.split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader own = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.equals(missing.getName())) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        }) {
            own.loadClass(Program.class.getName()).getMethod("create").invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void anotherVersionIsNamed() throws Throwable {
        createWithout(String.class);
        assertThatThrownBy(() -> createWithout(JavalinState.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs Javalin 7, but found 7.")
                .hasMessageContaining("404");
    }
}
