package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the first approval of a new JVM loads: classes are most of what it costs. */
class FirstCallTest {

    /** No more than these: whoever needs fewer lowers the number. Half of all were lambdas, each a class that a loop does without. */
    private static final int CLASSES = 536;

    private static final int LAMBDAS = 133;

    /** The validator of JSON schemas alone would be 200 more. */
    @Test
    void aHoldAndItsPlainApprovalLoadFewClasses() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstCallTest.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> lines;
        try (var output = process.inputReader()) {
            lines = output.lines().toList();
        }

        assertThat(process.waitFor()).as("%s", lines).isZero();
        assertThat(lines)
                .anyMatch(line -> line.contains(RunResult.Completed.class.getName()))
                .noneMatch(line -> line.contains("com.networknt"));
        List<String> ours = lines.stream()
                .flatMap(line -> Pattern.compile("] (io\\.holdpoint\\.\\S+)")
                        .matcher(line)
                        .results())
                .map(loaded -> loaded.group(1))
                .filter(name -> !name.matches(".*(\\.test\\.|\\.testing\\.|FirstCallTest).*"))
                .toList();
        Map<String, Long> lambdas = ours.stream()
                .filter(name -> name.contains("$$Lambda"))
                .collect(Collectors.groupingBy(name -> name.replaceFirst("\\$\\$Lambda.*", ""), Collectors.counting()));
        assertThat(ours.size()).as("classes of ours").isLessThanOrEqualTo(CLASSES);
        assertThat(lambdas.values().stream().mapToLong(each -> each).sum())
                .as("lambdas, by the class that has them: %s", lambdas)
                .isLessThanOrEqualTo(LAMBDAS);
    }

    public static void main(String[] arguments) {
        Bench bench = new Bench();
        bench.model.calls(call("c", "sendEmail", Bench.MAIL)).says("Done.");
        bench.agent().send("t", "Write");
        RunResult done = bench.agent()
                .resume("t", bench.agent().pending("t").get(0).asApproval().approve());
        System.exit(done instanceof RunResult.Completed ? 0 : 1);
    }
}
