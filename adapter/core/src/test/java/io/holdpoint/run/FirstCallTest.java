package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the first approval of a new JVM loads: classes are most of what it costs. */
class FirstCallTest {

    /** The validator of JSON schemas alone would be 200 more. */
    @Test
    void aHoldAndItsPlainApprovalNeedNoValidatorOfSchemas() throws IOException, InterruptedException {
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
