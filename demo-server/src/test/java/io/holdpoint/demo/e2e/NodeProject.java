package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A directory with a lock file, copied to the build directory and installed there. The Spring Boot starter uses it as well. */
public final class NodeProject {

    private static final Path INSTALLED = Path.of("node_modules", "installed");

    private final Path directory;

    private NodeProject(Path directory) {
        this.directory = directory;
    }

    /**
     * Installs a project. Without Node.js the test is skipped, except on a build server.
     *
     * @param sources its directory
     * @param build the directory of the build, which gets a copy
     * @param tested what is not tested without it
     * @return the project
     */
    public static NodeProject install(Path sources, Path build, String tested) throws Exception {
        return install(sources, build, tested, List.of());
    }

    /** As {@link #install(Path, Path, String)}, with options for {@code npm}, the same ones in all tests of a build. */
    static NodeProject install(Path sources, Path build, String tested, List<String> options) throws Exception {
        requireNode(tested);
        NodeProject project = new NodeProject(build.resolve(sources.getFileName()));
        Path lock = build.resolve(sources.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // test classes run in two processes
            project.copy(sources);
            project.install(options);
        }
        return project;
    }

    /**
     * Runs a command to its end.
     *
     * @param environment is added to the environment
     * @param command starts in the project's directory
     * @return what it wrote
     */
    public String run(Map<String, String> environment, List<String> command) throws Exception {
        try (ChildProcess process = start(directory, environment, command)) {
            int status = process.waitFor();
            assertThat(status).as(process.output()).isZero();
            return process.output();
        }
    }

    private static void requireNode(String tested) throws Exception {
        for (String tool : List.of("node", "npm")) {
            try (ChildProcess version = start(Path.of("."), Map.of(), List.of(tool, "--version"))) {
                assertThat(version.waitFor()).as(version.output()).isZero();
            } catch (IOException missing) {
                String message = "NOT TESTED: " + tested + ". It needs Node.js 20 or later, and '" + tool
                        + "' is not on the PATH.";
                assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
                System.err.println(message);
                abort(message);
            }
        }
    }

    /** Tests of an earlier build that were since renamed must not run; what is there already may be running. */
    private void copy(Path from) throws IOException {
        Files.createDirectories(directory);
        for (Path old : list(directory)) {
            if (Files.isRegularFile(old) && !Files.exists(from.resolve(old.getFileName()))) {
                Files.delete(old);
            }
        }
        try (Stream<Path> sources = Files.walk(from)) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Path relative = from.relativize(source);
                if (!relative.startsWith("node_modules")) {
                    Path target = directory.resolve(relative);
                    Files.createDirectories(target.getParent());
                    if (!Files.exists(target) || Files.mismatch(source, target) != -1) {
                        Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    /** Once for each state of the lock file. */
    private void install(List<String> options) throws Exception {
        String wanted = options + Files.readString(directory.resolve("package-lock.json"));
        Path installed = directory.resolve(INSTALLED);
        if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
            return;
        }
        List<String> npm = new ArrayList<>(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
        npm.addAll(options);
        try (ChildProcess install = start(directory, Map.of(), npm)) {
            assertThat(install.waitFor()).as(install.output()).isZero();
        }
        Files.writeString(installed, wanted);
    }

    private static ChildProcess start(Path directory, Map<String, String> environment, List<String> command)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment);
        return ChildProcess.start(builder, line -> {});
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }
}
