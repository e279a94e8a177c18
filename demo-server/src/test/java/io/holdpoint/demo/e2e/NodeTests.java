package io.holdpoint.demo.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tests of {@code src/test/e2e}, which use the official AG-UI client in Node.js. */
final class NodeTests {

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
        NodeProject project = NodeProject.install(
                Path.of("src", "test", "e2e"), DemoProcess.buildDirectory(), "the official AG-UI client");
        List<String> node = new ArrayList<>(List.of("node", "--test", "--test-reporter=spec"));
        node.addAll(files.length == 0 ? List.of("all.mjs") : List.of(files));
        try {
            String output = project.run(environment, node);
            System.out.println(output.lines()
                    .filter(line -> COUNTS.matcher(line).matches())
                    .collect(Collectors.joining(", ", "The official client: ", "")));
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\n\nThe servers wrote:\n"
                            + demos.stream().map(DemoProcess::output).collect(Collectors.joining("\n\n")),
                    e);
        }
    }
}
