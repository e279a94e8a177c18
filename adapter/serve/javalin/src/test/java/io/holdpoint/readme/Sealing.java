package io.holdpoint.readme;

import io.holdpoint.oversight.seal.Checkpoint;
import io.holdpoint.oversight.seal.TrailSeal;
import io.holdpoint.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;

final class Sealing {

    private Sealing() {}

    static Checkpoint sealed(Store store, KeyPair key) throws IOException {
        // readme
        TrailSeal seal = TrailSeal.of(store, "support").into(Path.of("sealed")).signedBy("example.com/support", key);
        Checkpoint checkpoint = seal.seal(); // in a job, every few minutes
        // end
        return checkpoint;
    }

    static String witnessed(Checkpoint checkpoint, KeyPair auditorsKey) {
        // readme
        String witnessed =
                checkpoint.note().signedBy("auditor.example.org", auditorsKey).toString();
        // end
        return witnessed;
    }

    static KeyPair key(Path folder) throws IOException, GeneralSecurityException {
        // readme
        KeyFactory ed25519 = KeyFactory.getInstance("Ed25519");
        KeyPair key = new KeyPair(
                ed25519.generatePublic(new X509EncodedKeySpec(Files.readAllBytes(folder.resolve("seal.pub")))),
                ed25519.generatePrivate(new PKCS8EncodedKeySpec(Files.readAllBytes(folder.resolve("seal.key")))));
        // end
        return key;
    }
}
