package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console as a program, with lines piped in, against the packaged server. */
class ConsoleIT {

    private static final Path JAR = Path.of("..", "adapter", "tools", "console", "target", "holdpoint-console.jar");

    private static DemoProcess demo;

    private int earlier;

    @BeforeAll
    static void start() throws Exception {
        demo = DemoProcess.start(Map.of());
    }

    @AfterAll
    static void stop() {
        demo.close();
    }

    @BeforeEach
    void count() throws Exception {
        earlier = allEffects().size();
    }

    private record Spoken(int status, String output) {}

    private Spoken console(String url, String thread, String... lines) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                JAR.toString(),
                "--url",
                url));
        if (!thread.isEmpty()) {
            command.addAll(List.of("--thread", thread));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Spoken(process.waitFor(), output);
    }

    private String agent() {
        return demo.url() + "/agent";
    }

    /** Those of this test. */
    private String effects() throws Exception {
        List<JsonNode> all = allEffects();
        return all.subList(earlier, all.size()).toString();
    }

    private static List<JsonNode> allEffects() throws Exception {
        List<JsonNode> effects = new ArrayList<>();
        try (InputStream in = demo.url().resolve("/demo/effects").toURL().openStream()) {
            new ObjectMapper().readTree(in).forEach(effects::add);
        }
        return effects;
    }

    @Test
    void aCallIsApproved() throws Exception {
        Spoken spoken = console(agent(), "", "Pay 200 euros to Bob", "a");

        assertThat(spoken.output())
                .contains(
                        "* transferMoney", "Transfer 200 euros to \"Bob\"?", "amount: 200", "= Transferred 200 euros");
        assertThat(spoken.status()).isZero();
        assertThat(effects()).contains("\"amount\":200");
    }

    @Test
    void aCallIsEditedInAnotherProcess() throws Exception {
        Spoken asked = console(agent(), "t1", "Pay 200 euros to Bob");
        assertThat(asked.status()).isEqualTo(3);
        assertThat(asked.output()).contains("1 question(s) of thread t1 are still open");
        assertThat(effects()).isEqualTo("[]");

        Spoken answered = console(agent(), "t1", "edit", "5", "");

        assertThat(answered.output()).contains("= Transferred 5 euros");
        assertThat(answered.status()).isZero();
        assertThat(effects()).contains("\"amount\":5", "\"to\":\"Bob\"");
    }

    @Test
    void aWrongEditIsRefusedAndAskedAgain() throws Exception {
        Spoken spoken = console(agent(), "", "Pay 200 euros to Bob", "edit", "much", "", "deny too much");

        assertThat(spoken.output()).contains("INTERRUPT_PAYLOAD_INVALID");
        assertThat(spoken.status()).isZero();
        assertThat(effects()).isEqualTo("[]");
    }

    @Test
    void aQuestionIsAnswered() throws Exception {
        Spoken spoken = console(agent(), "", "Ask me to confirm that the order is complete", "yes");

        assertThat(spoken.output()).contains("The order is complete?", "You said yes.");
        assertThat(spoken.status()).isZero();
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        Spoken spoken = console("http://127.0.0.1:1/agent", "", "Hi");

        assertThat(spoken.output()).contains("! ");
        assertThat(spoken.status()).isEqualTo(1);
    }

    @Test
    void misuseIsSaid() throws Exception {
        assertThat(console("nowhere", "").status()).isEqualTo(2);
    }
}
