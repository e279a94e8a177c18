package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.oversight.seal.Checkpoint;
import io.holdpoint.oversight.seal.SignedNote;
import io.holdpoint.oversight.seal.TrailSeal;
import io.holdpoint.store.InMemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealingTest {

    @TempDir
    Path folder;

    @Test
    void theKeyOfTwoFilesSignsAndAWitnessDoesToo() throws Exception {
        KeyPair made = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Files.write(folder.resolve("seal.pub"), made.getPublic().getEncoded());
        Files.write(folder.resolve("seal.key"), made.getPrivate().getEncoded());
        KeyPair auditors = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();

        TrailSeal seal = TrailSeal.of(new InMemoryStore(), "support")
                .into(folder)
                .signedBy("example.com/support", Sealing.key(folder));
        Checkpoint witnessed = Checkpoint.parse(Sealing.witnessed(seal.seal(), auditors));

        assertThat(seal.verifierKeys()).allMatch(witnessed.note()::isSignedBy);
        assertThat(witnessed.note().isSignedBy(SignedNote.verifierKey("auditor.example.org", auditors.getPublic())))
                .isTrue();
    }
}
