package io.holdpoint.javalin;

import io.javalin.config.JavalinState;
import io.javalin.plugin.Plugin;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The Javalin on the class path. Before version 7, plugins are called by methods with other parameters, so ours never are. */
final class JavalinVersion {

    private JavalinVersion() {}

    static void require() {
        try {
            Plugin.class.getMethod("onInitialize", JavalinState.class);
        } catch (NoSuchMethodException | LinkageError e) {
            throw new IllegalStateException(
                    "holdpoint-javalin needs Javalin 7, but found " + found()
                            + ", which would answer 404 to every request"
                            + " without a word. Set the version of io.javalin:javalin to 7.",
                    e);
        }
    }

    private static String found() {
        try (InputStream stream =
                Plugin.class.getResourceAsStream("/META-INF/maven/io.javalin/javalin/pom.properties")) {
            Properties properties = new Properties();
            if (stream != null) {
                properties.load(stream);
            }
            return properties.getProperty("version", "another version");
        } catch (IOException e) {
            return "another version";
        }
    }
}
