package io.holdpoint.tutorials.t00;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Projects as users have them, built by Maven with the jars and POMs of this build: that of the text, and one for each way to serve an agent. Their
 * local repository is that of this build, with the library in it as {@code mvn install} would put it there.
 */
class EmptyFolderIT {

    private static final Path TEXT = Path.of("00-empty-folder.md");
    private static final Path PROGRAMS = Path.of("src", "main", "java", "io", "holdpoint", "tutorials");
    private static final String VERSION = System.getProperty("holdpoint.version");

    private static final boolean OFFLINE = System.getProperty("maven.offline").equals("offline=true");
    private static final Path REPOSITORY =
            Path.of("target", "repository-of-users").toAbsolutePath();

    /** Spring Boot's own versions count where it manages them; the starter's tests run with these. */
    private static final String MANAGED_BY_BOOT = Stream.of(
                    "org.slf4j:slf4j-api",
                    "org.jspecify:jspecify",
                    "com.fasterxml.jackson.core:jackson-annotations",
                    "com.fasterxml.jackson.core:jackson-core",
                    "com.fasterxml.jackson.core:jackson-databind")
            .map(managed -> "<exclude>" + managed + "</exclude>")
            .collect(Collectors.joining());

    @TempDir
    private Path folder;

    @BeforeAll
    static void install() throws IOException {
        Path shared = Path.of(System.getProperty("localRepository"));
        Path ours = REPOSITORY.resolve("io").resolve("holdpoint");
        Files.createDirectories(ours);
        link(shared, REPOSITORY, "io");
        link(shared.resolve("io"), REPOSITORY.resolve("io"), "holdpoint");
        put(ours, "holdpoint-parent", Path.of("..", ".."));
        put(ours, "holdpoint-adapter", Path.of(".."));
        put(ours, "holdpoint-langchain4j", Path.of("..", "core"));
        for (String module : List.of("agui", "jdbc", "guests")) {
            put(ours, "holdpoint-" + module, Path.of("..", module));
        }
        for (String group : List.of("guests", "serve", "tools")) {
            try (Stream<Path> modules = Files.list(Path.of("..", group))) {
                for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml")))
                        .toList()) {
                    put(ours, "holdpoint-" + module.getFileName(), module);
                }
            }
        }
    }

    private static void link(Path from, Path to, String except) throws IOException {
        try (Stream<Path> groups = Files.list(from)) {
            for (Path group : groups.filter(path -> !path.endsWith(except)).toList()) {
                Path link = to.resolve(group.getFileName());
                Files.deleteIfExists(link);
                Files.createSymbolicLink(link, group.toAbsolutePath());
            }
        }
    }

    private static void put(Path ours, String artifact, Path module) throws IOException {
        Path target = Files.createDirectories(ours.resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION;
        Files.copy(module.resolve("pom.xml"), target.resolve(name + ".pom"), REPLACE_EXISTING);
        Path jar = module.resolve("target").resolve(name + ".jar");
        if (Files.exists(jar)) {
            Files.copy(jar, target.resolve(jar.getFileName()), REPLACE_EXISTING);
        }
    }

    @Test
    void theProjectOfTheTextPrintsWhatTheTextShows() throws Exception {
        requirePlugin("org/codehaus/mojo/exec-maven-plugin/3.6.4/exec-maven-plugin-3.6.4.jar");
        String text = Files.readString(TEXT);
        Files.writeString(folder.resolve("pom.xml"), pom());
        program(block("java", text));

        assertThat(maven("y\n", "compile", "exec:java")).isEqualTo(block("text", text));
    }

    @Test
    void theProgramsOfOtherTutorialsRunThereToo() throws Exception {
        String pom = pom().replace(
                        "    </dependencies>",
                        dependency("io.holdpoint:holdpoint-validation:" + VERSION)
                                + dependency("jakarta.validation:jakarta.validation-api:3.1.1")
                                + dependency("com.zaxxer:HikariCP:7.1.0")
                                + dependency("io.holdpoint:holdpoint-follow:" + VERSION) + "    </dependencies>");
        Files.writeString(folder.resolve("pom.xml"), pom);
        for (String tutorial : List.of("01", "03", "07", "08")) {
            Path folderOfClass = Files.createDirectories(sources().resolve("t" + tutorial));
            Files.copy(PROGRAMS.resolve("t" + tutorial).resolve("Main.java"), folderOfClass.resolve("Main.java"));
        }
        maven("", "compile");

        assertThat(folder.resolve("target").resolve("classes"))
                .isDirectoryRecursivelyContaining("glob:**/t08/Main.class");
    }

    @Test
    void whatUsersGetIsNotOlderThanWhatTheLibraryAsksFor() throws Exception {
        Files.writeString(
                folder.resolve("pom.xml"),
                project(
                        "parent",
                        "<packaging>pom</packaging><modules><module>core</module><module>javalin</module>"
                                + "<module>boot</module></modules>"));
        module("core", checked(""), "holdpoint-langchain4j", "holdpoint-test");
        module("javalin", checked(""), "holdpoint-javalin");
        String boot = dependency(
                "org.springframework.boot:spring-boot-dependencies:" + System.getProperty("spring-boot.version"));
        module(
                "boot",
                checked(MANAGED_BY_BOOT) + "<dependencyManagement><dependencies>"
                        + boot.replace("</version>", "</version><type>pom</type><scope>import</scope>")
                        + "</dependencies></dependencyManagement>",
                "holdpoint-spring-boot-starter");

        assertThat(maven("", "validate")).isEmpty();
    }

    private static String checked(String excluded) {
        return "<build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>"
                + "<artifactId>maven-enforcer-plugin</artifactId><version>3.6.2</version><executions><execution><goals>"
                + "<goal>enforce</goal></goals><configuration><rules><requireUpperBoundDeps><excludes>" + excluded
                + "</excludes></requireUpperBoundDeps></rules></configuration></execution></executions></plugin></plugins>"
                + "</build>";
    }

    /** That of the text; for resources, Maven takes the plugin that this build has. */
    private static String pom() throws IOException {
        String resources = dependency("org.apache.maven.plugins:maven-resources-plugin:3.3.1");
        return block("xml", Files.readString(TEXT))
                .replace("        <plugins>", "        <plugins>" + resources.replace("dependency>", "plugin>"));
    }

    private static String project(String artifact, String content) {
        return "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>"
                + (artifact.equals("parent")
                        ? "<groupId>com.example</groupId><version>1</version>"
                        : "<parent><groupId>com.example</groupId><artifactId>parent</artifactId><version>1</version></parent>")
                + "<artifactId>" + artifact + "</artifactId>" + content + "</project>";
    }

    private void module(String name, String content, String... dependencies) throws IOException {
        String all = Stream.of(dependencies)
                .map(artifact -> dependency("io.holdpoint:" + artifact + ":" + VERSION))
                .collect(Collectors.joining());
        Files.writeString(
                Files.createDirectory(folder.resolve(name)).resolve("pom.xml"),
                project(name, content + "<dependencies>" + all + "</dependencies>"));
    }

    private static String dependency(String coordinates) {
        String[] parts = coordinates.split(":");
        return "<dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId><version>"
                + parts[2] + "</version></dependency>";
    }

    private Path sources() {
        return folder.resolve(Path.of("src", "main", "java"));
    }

    private void program(String java) throws IOException {
        Files.writeString(Files.createDirectories(sources()).resolve("Main.java"), java);
    }

    private static String block(String language, String text) {
        return Pattern.compile("(?m)^```" + language + "\\n(?s:(.*?))^```$")
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    /** Nothing else in the build uses it, so a build without a network may not have it. */
    private static void requirePlugin(String jar) {
        if (OFFLINE && !Files.exists(REPOSITORY.resolve(jar))) {
            String message =
                    "NOT TESTED: the project of tutorial 0. Maven is offline, and its repository has no " + jar;
            System.err.println(message);
            abort(message);
        }
    }

    /** What a build prints that succeeds. */
    private String maven(String typed, String... goals) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-q",
                "-B",
                "-Dmaven.repo.local=" + REPOSITORY));
        if (OFFLINE) {
            command.add("-o");
        }
        command.addAll(List.of(goals));
        Path printed = folder.resolve("printed.txt");
        Path errors = folder.resolve("errors.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile())
                .start();
        process.getOutputStream().write(typed.getBytes(UTF_8));
        process.getOutputStream().close();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        String output = Files.readString(printed).replaceAll("\\e\\[[0-9;]*m", "");
        assertThat(process.exitValue()).as(output + Files.readString(errors)).isZero();
        return output;
    }
}
