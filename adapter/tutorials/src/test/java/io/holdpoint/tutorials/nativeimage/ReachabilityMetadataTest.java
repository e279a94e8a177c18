package io.holdpoint.tutorials.nativeimage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.agent.RecordedInvocationsPublisher;

/** What the published jars tell GraalVM's native-image: all that runs reach, and nothing that is not there. */
class ReachabilityMetadataTest {

    private static final String FILE = "META-INF/native-image/io.holdpoint/%s/reachability-metadata.json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> ARTIFACTS = List.of(
            "holdpoint-agui",
            "holdpoint-langchain4j",
            "holdpoint-jdbc",
            "holdpoint-servlet",
            "holdpoint-javalin",
            "holdpoint-agents",
            "holdpoint-people",
            "holdpoint-validation",
            "holdpoint-kotlin");

    /** By name; with the jar whose file has the entry. */
    private record Entry(String jar, JsonNode json) {}

    private final ClassLoader loader = getClass().getClassLoader();
    private final Map<String, Entry> types = new LinkedHashMap<>();
    private final Map<String, Entry> proxies = new LinkedHashMap<>();
    private final Map<String, Entry> resources = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    ReachabilityMetadataTest() throws IOException {
        for (String artifact : ARTIFACTS) {
            String name = FILE.formatted(artifact);
            String jar = jarOf(name);
            JsonNode metadata = JSON.readTree(loader.getResourceAsStream(name));
            for (JsonNode json : metadata.path("reflection")) {
                JsonNode type = json.path("type");
                if (type.isObject()) {
                    List<String> names = new ArrayList<>();
                    type.path("proxy").forEach(each -> names.add(each.asText()));
                    proxies.put(String.join(",", names), new Entry(jar, json));
                } else {
                    types.put(type.asText(), new Entry(jar, json));
                }
            }
            for (JsonNode json : metadata.path("resources")) {
                resources.put(json.path("glob").asText(), new Entry(jar, json));
            }
        }
    }

    /** The jar or the folder of classes that has a resource. */
    private String jarOf(String resource) {
        URL found = loader.getResource(resource);
        assertThat(found).as(resource).isNotNull();
        return found.toString().replace(resource, "");
    }

    @Test
    @Tag("deep")
    void whatRunsOnSqliteReachIsThere() throws Exception {
        assertThat(reachedWith("jdbc:sqlite:" + folder.resolve("tutorial.db"))).allMatch(this::isThere);
    }

    @Test
    @Tag("deep")
    void whatRunsOnPostgresReachIsThere() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            assertThat(reachedWith(postgres.getJdbcUrl("postgres", "postgres"))).allMatch(this::isThere);
        }
    }

    private List<String> reachedWith(String database) throws Exception {
        Path agent = Path.of(RecordedInvocationsPublisher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path reached = folder.resolve("reached");
        Path log = folder.resolve("log");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-javaagent:" + agent + "=+io.holdpoint,+com.fasterxml.jackson,+dev.langchain4j",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordedRun.class.getName(),
                        reached.toString(),
                        database)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(run.waitFor()).as(Files.readString(log)).isZero();
        assertThat(reached).isNotEmptyFile();
        return Files.readAllLines(reached);
    }

    private boolean isThere(String reached) {
        String[] words = reached.split("[ #]");
        return switch (words[0]) {
            case "type" -> types.containsKey(words[1]);
            case "member" ->
                types.containsKey(words[1]) && hasMember(types.get(words[1]).json(), words[2]);
            case "proxy" -> proxies.containsKey(words[1]);
            default -> resources.containsKey(words[1]);
        };
    }

    private static boolean hasMember(JsonNode type, String name) {
        boolean isConstructor = name.equals(type.path("type").asText());
        String all = isConstructor ? "allDeclaredConstructors" : "allDeclaredMethods";
        return type.path(all).asBoolean()
                || Stream.of("methods", "fields")
                        .flatMap(kind -> type.path(kind).findValuesAsText("name").stream())
                        .anyMatch(isConstructor ? "<init>"::equals : name::equals);
    }

    /** A run meets a few kinds of events and of messages; what belongs to those that are there is there too. */
    @Test
    void theOtherKindsOfWhatIsThereAreThereToo() throws Exception {
        for (String name : types.keySet()) {
            Class<?> type = Class.forName(name, false, loader);
            if (name.startsWith("io.holdpoint.agui.") || name.startsWith("io.holdpoint.store.")) {
                assertThat(belongingTo(type)).as(name).isSubsetOf(types.keySet());
                assertThat(!type.isRecord() || hasMember(types.get(name).json(), name))
                        .as("constructor of " + name)
                        .isTrue();
            }
        }
    }

    /** Our types among its kinds, its interfaces and the components of a record. */
    private static Collection<String> belongingTo(Class<?> type) {
        List<Type> found = new ArrayList<>(Arrays.asList(type.getInterfaces()));
        if (type.isSealed()) {
            found.addAll(Arrays.asList(type.getPermittedSubclasses()));
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                found.add(component.getGenericType());
            }
        }
        return found.stream()
                .flatMap(each ->
                        each instanceof ParameterizedType of ? Stream.of(of.getActualTypeArguments()) : Stream.of(each))
                .map(Type::getTypeName)
                .filter(name -> name.startsWith("io.holdpoint."))
                .toList();
    }

    @Test
    void whatIsThereExists() throws Exception {
        for (Map.Entry<String, Entry> each : types.entrySet()) {
            Class<?> type = Class.forName(each.getKey(), false, loader);
            if (each.getKey().startsWith("io.holdpoint.")) {
                assertThat(each.getValue().jar())
                        .as(each.getKey())
                        .isEqualTo(jarOf(each.getKey().replace('.', '/') + ".class"));
            }
            for (JsonNode field : each.getValue().json().path("fields")) {
                assertThat(type.getDeclaredField(field.path("name").asText())).isNotNull();
            }
            for (JsonNode method : each.getValue().json().path("methods")) {
                assertThat(memberOf(type, method)).isNotNull();
            }
        }
        for (String names : proxies.keySet()) {
            for (String name : names.split(",")) {
                assertThat(Class.forName(name, false, loader)).isInterface();
            }
        }
        for (Map.Entry<String, Entry> resource : resources.entrySet()) {
            if (resource.getKey().startsWith("io/holdpoint/")) {
                assertThat(resource.getValue().jar()).isEqualTo(jarOf(resource.getKey()));
            }
            assertThat(loader.getResource(resource.getKey()))
                    .as(resource.getKey())
                    .isNotNull();
        }
    }

    private Object memberOf(Class<?> type, JsonNode method) throws ReflectiveOperationException {
        List<Class<?>> parameters = new ArrayList<>();
        for (JsonNode parameter : method.path("parameterTypes")) {
            parameters.add(Class.forName(parameter.asText(), false, loader));
        }
        String name = method.path("name").asText();
        Class<?>[] array = parameters.toArray(new Class<?>[0]);
        return name.equals("<init>") ? type.getDeclaredConstructor(array) : type.getDeclaredMethod(name, array);
    }
}
