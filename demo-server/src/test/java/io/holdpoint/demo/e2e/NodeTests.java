package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tests of {@code src/test/e2e}, which use the official AG-UI client in Node.js. */
final class NodeTests {

    private static final Path SOURCES = Path.of("src", "test", "e2e");
    private static final Path INSTALLED_LOCK = Path.of("node_modules", "installed-package-lock.json");

    private static final Pattern COUNTS = Pattern.compile("ℹ (tests|pass|skipped) .*");

    private NodeTests() {}

    /**
     * Runs tests, says how many there were, and fails with everything that they wrote if one of them fails. Without
     * Node.js they are skipped, except on a build server.
     *
     * @param environment tells them of the servers
     * @param demos what is shown of if they fail
     * @param files relative to {@code src/test/e2e}; none for all whose name ends with {@code .test.mjs}
     */
    static void run(Map<String, String> environment, List<DemoProcess> demos, String... files) throws Exception {
        requireNode();
        Path project = DemoProcess.buildDirectory().resolve("e2e");
        copySources(project);
        install(project);

        List<String> node = new ArrayList<>(List.of("node", "--test", "--test-reporter=spec"));
        node.addAll(List.of(files));
        try (ChildProcess tests = command(project, environment, node)) {
            int status = tests.waitFor();
            assertThat(status)
                    .as(
                            "%s%n%nThe servers wrote:%n%s",
                            tests.output(),
                            String.join(
                                    "\n\n",
                                    demos.stream().map(DemoProcess::output).toList()))
                    .isZero();
            System.out.println(tests.output()
                    .lines()
                    .filter(line -> COUNTS.matcher(line).matches())
                    .collect(Collectors.joining(", ", "The official client: ", "")));
        }
    }

    private static void requireNode() throws Exception {
        for (String tool : List.of("node", "npm")) {
            try (ChildProcess version = command(Path.of("."), Map.of(), List.of(tool, "--version"))) {
                assertThat(version.waitFor()).as(version.output()).isZero();
            } catch (IOException missing) {
                String message = "NOT TESTED: the official AG-UI client. It needs Node.js 20 or later, and '" + tool
                        + "' is not on the PATH.";
                assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
                System.err.println(message);
                abort(message);
            }
        }
    }

    /** Tests of an earlier build that were since renamed must not run. */
    private static void copySources(Path project) throws IOException {
        Files.createDirectories(project);
        for (Path old : list(project)) {
            if (Files.isRegularFile(old)) {
                Files.delete(old);
            }
        }
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Path relative = SOURCES.relativize(source);
                if (!relative.startsWith("node_modules")) {
                    Path target = project.resolve(relative);
                    Files.createDirectories(target.getParent());
                    Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** Once for each state of the lock file. */
    private static void install(Path project) throws Exception {
        Path lock = project.resolve("package-lock.json");
        Path installed = project.resolve(INSTALLED_LOCK);
        if (Files.exists(installed) && Files.mismatch(lock, installed) == -1) {
            return;
        }
        List<String> npm = List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        try (ChildProcess install = command(project, Map.of(), npm)) {
            assertThat(install.waitFor()).as(install.output()).isZero();
        }
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ChildProcess command(Path directory, Map<String, String> environment, List<String> command)
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
