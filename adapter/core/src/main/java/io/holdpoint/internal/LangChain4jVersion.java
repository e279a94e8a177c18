package io.holdpoint.internal;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of one LangChain4j artifact on the class path, as its jar tells it. An application that has repacked its jars
 * into one may have none, and is taken at its word. Immutable.
 */
public record LangChain4jVersion(String artifact, String version, String place) {

    /** The oldest version that the tests run with: before it, numbers lose digits on their way to a tool. */
    static final String OLDEST = "1.18.0";

    /** The newest version of each artifact that the tests run with. */
    private static final Map<String, String> NEWEST = Map.of("langchain4j", "1.19", "langchain4j-core", "1.23");

    private static final Logger LOG = LoggerFactory.getLogger(LangChain4jVersion.class);

    /** Looks once, before the first agent is built. */
    private static final class Found {

        private static final Optional<String> UNUSABLE = unusable();

        private static Optional<String> unusable() {
            for (Optional<LangChain4jVersion> found :
                    List.of(of("langchain4j", AiServices.class), of("langchain4j-core", ChatModel.class))) {
                Optional<String> problem = found.isPresent() ? found.get().problem() : Optional.empty();
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return Optional.empty();
        }
    }

    /** Refuses a LangChain4j on the class path that is older than what is supported. */
    public static void require() {
        if (Found.UNUSABLE.isPresent()) {
            throw illegalConfiguration(Found.UNUSABLE.get());
        }
    }

    /** The problem with this version, if it is too old; a version that the tests do not know is only logged. */
    public Optional<String> problem() {
        if (compare(version, OLDEST) < 0) {
            return Optional.of("Holdpoint needs LangChain4j " + OLDEST + " or newer, but found " + artifact + " "
                    + version + " (" + place + "). Raise the version of dev.langchain4j:" + artifact
                    + ". A version that the application's own POM or a BOM sets wins over Holdpoint's, and so does that of a"
                    + " dependency which is declared before Holdpoint's, such as a starter of LangChain4j.");
        }
        String newest = NEWEST.get(artifact);
        if (compare(version, newest) > 0) {
            LOG.warn(
                    "Holdpoint is tested with {} {} to {}, but not with {} ({}).",
                    artifact,
                    OLDEST,
                    newest,
                    version,
                    place);
        }
        return Optional.empty();
    }

    /** The versions that are there, for a message. */
    public static String found() {
        return of("langchain4j", AiServices.class)
                        .map(LangChain4jVersion::version)
                        .orElse("of no known version") + ", langchain4j-core "
                + of("langchain4j-core", ChatModel.class)
                        .map(LangChain4jVersion::version)
                        .orElse("of no known version");
    }

    private static Optional<LangChain4jVersion> of(String artifact, Class<?> member) {
        String properties = "/META-INF/maven/dev.langchain4j/" + artifact + "/pom.properties";
        try (InputStream stream = member.getResourceAsStream(properties)) {
            if (stream == null) {
                return Optional.empty();
            }
            Properties found = new Properties();
            found.load(stream);
            CodeSource source = member.getProtectionDomain().getCodeSource();
            String version = found.getProperty("version");
            String place = source == null ? "unknown place" : String.valueOf(source.getLocation());
            return version == null ? Optional.empty() : Optional.of(new LangChain4jVersion(artifact, version, place));
        } catch (IOException | SecurityException e) {
            LOG.debug("The version of {} cannot be read", artifact, e);
            return Optional.empty();
        }
    }

    /** Compares as many numbers as both have; a qualifier, and what is no number, is as good as the number before it. */
    private static int compare(String one, String other) {
        String[] a = one.split("[^0-9]+");
        String[] b = other.split("[^0-9]+");
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            int order = a[i].isEmpty() || b[i].isEmpty()
                    ? 0
                    : Integer.compare(Integer.parseInt(a[i]), Integer.parseInt(b[i]));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
