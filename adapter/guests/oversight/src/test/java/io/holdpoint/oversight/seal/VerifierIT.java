package io.holdpoint.oversight.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.InMemoryStore;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that verifies a trail, as the page about it says: its jar, in a process without anything else. */
class VerifierIT {

    private static final Path PAGE = Path.of("..", "..", "docs", "operate", "sealed-trail.md");
    private static final Path JAR = Path.of("target", "holdpoint-verify.jar");
    private static final Pattern BLOCK = Pattern.compile("```(?:sh|text)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void theCommandOfThePageSaysWhatThePageSays() throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            blocks.add(block.group(1));
        }
        KeyPair key = SealedTrailTest.newKey();
        TrailSeal seal = TrailSeal.of(SealedTrailTest.filled(new InMemoryStore(), 0, 3), "support")
                .into(folder.resolve("sealed"))
                .signedBy("example.com/support", key);
        seal.seal();
        String verifierKey = seal.verifierKeys().get(0);
        Files.writeString(folder.resolve("support.keys"), verifierKey + "\n");

        assertThat(run(blocks.get(0), 0))
                .isEqualTo(blocks.get(1).replaceAll("example.com/support\\+.*", Matcher.quoteReplacement(verifierKey)));

        Path trail = folder.resolve("sealed").resolve("trail.jsonl");
        Files.writeString(trail, Files.readString(trail).replace("call-1", "call-9"));
        assertThat(run(blocks.get(0), 1)).endsWith(blocks.get(2));
    }

    /** Events of a few weeks, with less memory than they need: a trail grows for years. */
    @Test
    void aTrailIsVerifiedThatDoesNotFitInMemory() throws Exception {
        int size = 60_000;
        String head = SealedLine.NONE;
        try (BufferedWriter trail = Files.newBufferedWriter(folder.resolve("trail.jsonl"))) {
            for (int n = 1; n <= size; n++) {
                ObjectNode event = JsonNodeFactory.instance.objectNode().put("kind", "HELD");
                SealedLine line = SealedLine.of(n, n, head, event);
                trail.write(new String(line.bytes(), StandardCharsets.UTF_8) + "\n");
                head = line.hash();
            }
        }
        KeyPair key = SealedTrailTest.newKey();
        SignedNote note = new SignedNote(Checkpoint.text("a", size, head), List.of()).signedBy("a", key);
        Files.writeString(folder.resolve("checkpoint"), note.toString());

        assertThat(run("java -jar - trail.jsonl checkpoint --key " + SignedNote.verifierKey("a", key.getPublic()), 0))
                .endsWith("as it was sealed\n");
    }

    private String run(String command, int expected) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(command.strip().split(" ")));
        words.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.set(2, JAR.toAbsolutePath().toString());
        words.add(1, "-Xmx24m");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(expected);
        return said;
    }
}
