package io.holdpoint.oversight.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.AuditEvent.Subject;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sealed trail: what was changed is found and named, and a sealer that is stopped anywhere goes on. */
class SealedTrailTest {

    private static final String NAME = "example.com/support";
    private static final KeyPair KEY = newKey();
    private static final int EVENTS = 12;

    @TempDir
    Path folder;

    static KeyPair newKey() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AuditEvent event(int i) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        detail.putObject("arguments")
                .put("to", "Z\u00fcrich \u20ac \ud83d\ude00 \ud83d half\n")
                .put("amount", new BigDecimal("19.90"))
                .put("\ud800", i);
        return new AuditEvent(
                Instant.parse("2026-11-28T10:00:00Z").plusSeconds(i),
                "thread-" + i % 3,
                "run-" + i,
                "ada",
                Kind.PROPOSED,
                new Subject(Optional.of("call-" + i), Optional.of("pay"), Optional.empty()),
                detail);
    }

    static Store filled(Store store, int from, int to) {
        for (int i = from; i < to; i++) {
            store.of("support").audit(Optional.empty(), List.of(event(i)));
        }
        return store;
    }

    private static String text(SealedLine line) {
        return new String(line.bytes(), StandardCharsets.UTF_8);
    }

    private static TrailSeal seal(Store store, Path into) {
        return TrailSeal.of(store, "support").into(into).signedBy(NAME, KEY);
    }

    private static List<String> findings(Path trail, Checkpoint... checkpoints) throws IOException {
        return TrailVerifier.verify(trail, List.of(checkpoints));
    }

    /** A trail that was sealed once, and files that are changed. */
    private static final class Sealed {

        static final Path FOLDER = create();
        static final Path TRIED = FOLDER.resolve("tried.jsonl");
        static final Checkpoint CHECKPOINT = sealed();
        static final byte[] BYTES = bytes();
        static final List<String> LINES =
                new String(BYTES, StandardCharsets.UTF_8).lines().toList();

        private static Path create() {
            try {
                return Files.createTempDirectory(Path.of("target"), "sealed");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static Checkpoint sealed() {
            try {
                return seal(filled(new InMemoryStore(), 0, EVENTS), FOLDER).seal();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static byte[] bytes() {
            try {
                return Files.readAllBytes(FOLDER.resolve("trail.jsonl"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        static List<String> verify(byte[] trail) throws IOException {
            Files.write(TRIED, trail);
            return findings(TRIED, CHECKPOINT);
        }

        static List<String> verify(List<String> lines) throws IOException {
            return verify((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aSealedTrailIsAsItWasSealed() throws IOException {
        assertThat(Sealed.LINES).hasSize(EVENTS);
        assertThat(Sealed.verify(Sealed.BYTES)).isEmpty();
        assertThat(Sealed.CHECKPOINT.size()).isEqualTo(EVENTS);
        assertThat(Sealed.LINES.get(0))
                .contains("19.90")
                .contains("Z\u00fcrich \u20ac")
                .contains("\\ud83d half\\n");
    }

    @Property(tries = 2000)
    void anyByteThatIsChangedIsFoundInItsLine(@ForAll @IntRange(max = 1_000_000) int at, @ForAll byte by)
            throws IOException {
        byte[] changed = Sealed.BYTES.clone();
        int place = at % changed.length;
        if (changed[place] == by) {
            return;
        }
        int line = 1;
        for (int i = 0; i < place; i++) {
            line += changed[i] == '\n' ? 1 : 0;
        }
        changed[place] = by;

        List<String> found = Sealed.verify(changed);

        assertThat(found).isNotEmpty();
        assertThat(found.get(0)).matches("(line|entry) " + line + "\\b.*|(line|entry) " + (line + 1) + "\\b.*");
        assertThat(String.join("; ", found)).matches("(?s).*(line|entry) " + line + "\\b.*");
    }

    @Property(tries = 300)
    void whateverIsDoneToLinesIsFound(@ForAll Random random) throws IOException {
        List<String> lines = new ArrayList<>(Sealed.LINES);
        for (int times = 0; times <= random.nextInt(3); times++) {
            int at = random.nextInt(lines.size());
            switch (random.nextInt(4)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(random.nextInt(lines.size() + 1), lines.get(at));
                case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
                default ->
                    lines.add(
                            at,
                            text(SealedLine.of(at + 1, 99, SealedLine.NONE, JsonNodeFactory.instance.objectNode())));
            }
        }
        if (!lines.equals(Sealed.LINES)) {
            assertThat(Sealed.verify(lines)).isNotEmpty();
        }
    }

    @Test
    void whatWasDoneToALineIsNamed() throws IOException {
        List<String> without = new ArrayList<>(Sealed.LINES);
        without.remove(4);
        assertThat(Sealed.verify(without))
                .containsExactly("entry 5 was removed, or cannot be read: it followed line 4 (event 4)");

        assertThat(Sealed.verify(Sealed.LINES.subList(0, EVENTS - 1)))
                .containsExactly("entry 12 was removed, or cannot be read: it followed line 11 (event 11)");

        List<String> swapped = new ArrayList<>(Sealed.LINES);
        Collections.swap(swapped, 4, 5);
        assertThat(Sealed.verify(swapped))
                .containsExactly(
                        "line 5 (event 6) was moved: it is entry 6", "line 6 (event 5) was moved: it is entry 5");

        List<String> moved = new ArrayList<>(Sealed.LINES);
        moved.add(0, moved.remove(9));
        assertThat(Sealed.verify(moved)).containsExactly("line 1 (event 10) was moved: it is entry 10");

        List<String> twice = new ArrayList<>(Sealed.LINES);
        twice.add(2, twice.get(6));
        assertThat(Sealed.verify(twice))
                .containsExactly("line 3 (event 7) was added: what was sealed does not have it");

        List<String> changed = new ArrayList<>(Sealed.LINES);
        changed.set(4, changed.get(4).replace("\"ada\"", "\"bob\""));
        assertThat(Sealed.verify(changed))
                .containsExactly("line 5 (event 5) was changed: its event is not the one that was sealed");

        changed.set(4, Sealed.LINES.get(4).replace("\"position\":5", "\"position\":6"));
        assertThat(Sealed.verify(changed))
                .containsExactly("line 5 (event 6) was changed: it is not entry 5 as it was sealed");

        List<String> more = new ArrayList<>(Sealed.LINES);
        SealedLine last = SealedLine.read(more.get(EVENTS - 1).getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
        more.add(text(SealedLine.of(EVENTS + 1, 13, last.hash(), JsonNodeFactory.instance.objectNode())));
        assertThat(Sealed.verify(more)).containsExactly("line 13 (event 13) was added: no checkpoint covers it");
    }

    /** Whoever gives the trail to somebody else gives the checkpoint, too. */
    @Test
    void aCheckpointOfMoreEntriesThanAnybodyCountsIsSaidInASentence() throws IOException {
        for (long size : new long[] {1_000_000, Long.MAX_VALUE}) {
            Checkpoint endless =
                    Checkpoint.parse(new SignedNote(Checkpoint.text(NAME, size, "ab".repeat(32)), List.of())
                            .signedBy(NAME, KEY)
                            .toString());

            assertThat(findings(Sealed.FOLDER.resolve("trail.jsonl"), endless))
                    .hasSizeLessThan(300)
                    .contains("entries 13 to " + size
                            + " were removed, or cannot be read: they followed line 12 (event 12)");
        }
    }

    @Test
    void aHistoryThatWasWrittenAnewDoesNotFitTheCheckpoint() throws IOException {
        List<String> forged = new ArrayList<>();
        String previous = SealedLine.NONE;
        for (String text : Sealed.LINES) {
            SealedLine old =
                    SealedLine.read(text.getBytes(StandardCharsets.UTF_8)).orElseThrow();
            ObjectNode event = old.event().orElseThrow().put("caller", "mallory");
            SealedLine line = SealedLine.of(old.n(), old.position(), previous, event);
            previous = line.hash();
            forged.add(text(line));
        }

        assertThat(Sealed.verify(forged)).first().asString().startsWith("line 12 (event 12) was changed");
    }

    @Test
    void aSealerThatIsStoppedAtAnyByteGoesOnAsIfItWasNot() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        seal(store, folder).seal();
        byte[] before = Files.readAllBytes(folder.resolve("trail.jsonl"));
        byte[] checkpointBefore = Files.readAllBytes(folder.resolve("checkpoint"));
        filled(store, 3, 5);
        seal(store, folder).seal();
        byte[] whole = Files.readAllBytes(folder.resolve("trail.jsonl"));
        byte[] checkpoint = Files.readAllBytes(folder.resolve("checkpoint"));
        int step = Depth.of(29, 3);
        for (int cut = before.length;
                cut <= whole.length;
                cut += cut < whole.length ? Math.min(step, whole.length - cut) : 1) {
            Files.write(folder.resolve("trail.jsonl"), Arrays.copyOf(whole, cut));
            Files.write(folder.resolve("checkpoint"), checkpointBefore);
            Files.write(folder.resolve("checkpoint.new"), Arrays.copyOf(checkpoint, cut % checkpoint.length));

            seal(store, folder).seal();

            assertThat(Files.readAllBytes(folder.resolve("trail.jsonl"))).isEqualTo(whole);
            assertThat(Files.readAllBytes(folder.resolve("checkpoint"))).isEqualTo(checkpoint);
        }
    }

    @Test
    void aSealerThatIsStoppedBeforeItsFirstLineBegins() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        Path other = folder.resolve("other");
        seal(new InMemoryStore(), folder).seal();
        Files.delete(folder.resolve("trail.jsonl"));

        assertThat(seal(store, folder).seal().head())
                .isEqualTo(seal(store, other).seal().head());
    }

    @Test
    void twoSealersOfOneStoreWriteTheSameChain() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        TrailSeal one = seal(store, folder.resolve("1"));
        TrailSeal two = seal(store, folder.resolve("2"));
        one.seal();
        filled(store, 3, 1203);
        two.seal();
        one.seal();

        assertThat(folder.resolve("1/trail.jsonl")).hasSameBinaryContentAs(folder.resolve("2/trail.jsonl"));
        assertThat(folder.resolve("1/checkpoint")).hasSameBinaryContentAs(folder.resolve("2/checkpoint"));
    }

    @Test
    void ofTwoSealersInOneFolderOneIsRefused() throws Exception {
        Store store = filled(new InMemoryStore(), 0, 3);
        try (FileChannel file =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatThrownBy(() -> seal(store, folder).seal())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another sealer");
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        CountDownLatch begin = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            TrailSeal mine = seal(store, folder);
            int from = 10 + 50 * i;
            all.add(pool.submit(() -> {
                begin.await();
                for (int j = 0; j < 50; j++) {
                    filled(store, from + j, from + j + 1);
                    try {
                        mine.seal();
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("another sealer");
                    }
                }
                return null;
            }));
        }
        begin.countDown();
        for (Future<?> each : all) {
            each.get();
        }
        pool.shutdown();

        Checkpoint last = seal(store, folder).seal();

        assertThat(last.size()).isEqualTo(203);
        assertThat(findings(folder.resolve("trail.jsonl"), last)).isEmpty();
    }

    @Test
    void aSealerGoesOnWithNothingThatWasChanged() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        seal(store, folder).seal();
        Path trail = folder.resolve("trail.jsonl");
        byte[] whole = Files.readAllBytes(trail);
        filled(store, 3, 4);

        Files.writeString(trail, new String(whole, StandardCharsets.UTF_8).replace("ada", "bob"));
        refused(store, "line 1 (event 1) was changed");
        Files.write(trail, Arrays.copyOf(whole, whole.length - 1));
        refused(store, "line 3");
        Files.writeString(trail, new String(whole, StandardCharsets.UTF_8) + "{}\n");
        refused(store, "not those of the store");
        Files.write(trail, whole);
        Path checkpoint = folder.resolve("checkpoint");
        String signed = Files.readString(checkpoint);
        Files.delete(checkpoint);
        refused(store, "has no checkpoint");
        Files.writeString(checkpoint, signed.substring(0, 20));
        refused(store, "has a checkpoint that cannot be read");
        Files.writeString(checkpoint, signed);
        assertThatThrownBy(() -> TrailSeal.of(store, "support")
                        .into(folder)
                        .signedBy(NAME, newKey())
                        .seal())
                .hasMessageContaining("no key of " + NAME + " has signed");

        assertThat(seal(store, folder).seal().size()).isEqualTo(4);
        Files.writeString(trail, Files.readString(trail) + "{}\n");
        refused(store, "more behind entry 4");
    }

    private void refused(Store store, String why) {
        assertThatThrownBy(() -> seal(store, folder).seal())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPurgeLeavesHashesAndTheTrailGoesOn() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 6);
        TrailSeal seal = seal(store, folder);
        Checkpoint before = seal.seal();

        int purged = seal.purge(event -> event.threadId().endsWith("thread-1"));

        Path trail = folder.resolve("trail.jsonl");
        assertThat(purged).isEqualTo(2);
        assertThat(trail).content().doesNotContain("thread-1").contains("thread-2");
        assertThat(findings(trail, before)).isEmpty();
        assertThat(seal.purge(event -> true)).isEqualTo(4);
        filled(store, 6, 7);
        Checkpoint after = seal.seal();
        assertThat(after.size()).isEqualTo(7);
        assertThat(findings(trail, before, after)).isEmpty();
    }

    @Test
    @Logs({"The store no longer has the last event that was sealed in *"})
    void whatTheStoreHasPurgedStaysSealedAndAGapIsToldOf() throws IOException {
        try (TestDatabase database = TestDatabase.sqlite()) {
            Store store = filled(JdbcStore.create(database.dataSource()), 0, 3);
            seal(store, folder).seal();
            filled(store, 3, 6);
            Instant fifth = Instant.parse("2026-11-28T10:00:04Z");
            assertThat(store.of("support").purge(Store.Old.AUDIT_EVENT, fifth, 100))
                    .isEqualTo(4);

            Checkpoint after = seal(store, folder).seal();

            assertThat(after.size()).isEqualTo(5);
            assertThat(findings(folder.resolve("trail.jsonl"), after)).isEmpty();
        }
    }

    /** A backup, or a standby that had not got the last commits: what comes now has positions that are sealed already. */
    @Test
    void aStoreThatHasLostItsLastEventsIsNotSealedOn() throws IOException {
        seal(filled(new InMemoryStore(), 0, 5), folder).seal();
        Store back = filled(new InMemoryStore(), 0, 3);
        refused(back, "ends with event 5, and the store has fewer: a backup was put back");
        filled(back, 10, 12);
        refused(back, "ends with event 5, and the store has another one there");
        filled(back, 12, 15);
        refused(back, "begin another one");

        assertThat(seal(back, folder.resolve("other")).seal().size()).isEqualTo(8);
        assertThat(seal(filled(new InMemoryStore(), 0, 6), folder).seal().size())
                .isEqualTo(6);
    }

    /** As PostgreSQL does after a start while a transaction of another program lasts. */
    @Test
    void aSealerThatWasStoppedWaitsForWhatTheFeedHoldsBack() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        seal(store, folder).seal();
        byte[] before = Files.readAllBytes(folder.resolve("checkpoint"));
        filled(store, 3, 5);
        Checkpoint after = seal(store, folder).seal();
        Files.write(folder.resolve("checkpoint"), before);
        Store slow = new ForwardingStore() {

            @Override
            protected Store store() {
                return store;
            }

            @Override
            public List<Fed> feed(long position, int limit, boolean complete) {
                return complete ? List.of() : super.feed(position, limit, false);
            }
        };

        assertThat(seal(slow, folder).seal().size()).isEqualTo(3);
        assertThat(seal(store, folder).seal()).isEqualTo(after);
    }

    @Test
    void anotherKeyTakesThePlaceOfTheOldOne() throws IOException {
        Store store = filled(new InMemoryStore(), 0, 3);
        Checkpoint old = seal(store, folder).seal();
        KeyPair next = newKey();
        String oldKey = SignedNote.verifierKey(NAME, KEY.getPublic());
        String nextKey = SignedNote.verifierKey(NAME, next.getPublic());

        Checkpoint both = TrailSeal.of(store, "support")
                .into(folder)
                .signedBy(NAME, next, KEY)
                .seal();
        TrailSeal alone = TrailSeal.of(store, "support").into(folder).signedBy(NAME, next);
        filled(store, 3, 4);
        Checkpoint after = alone.seal();

        assertThat(both.size()).isEqualTo(3);
        assertThat(List.of(oldKey, nextKey)).allMatch(both.note()::isSignedBy);
        assertThat(after.note().isSignedBy(nextKey)).isTrue();
        assertThat(after.note().isSignedBy(oldKey)).isFalse();
        assertThat(findings(folder.resolve("trail.jsonl"), old, both, after)).isEmpty();
        assertThat(alone.verifierKeys()).containsExactly(nextKey);
    }

    @Test
    void anOlderCheckpointOfAWitnessFindsAFork() throws IOException {
        Checkpoint ours =
                seal(filled(new InMemoryStore(), 0, 3), folder.resolve("ours")).seal();
        Store forked = filled(filled(new InMemoryStore(), 0, 2), 7, 9);
        Checkpoint fork = seal(forked, folder.resolve("fork")).seal();

        assertThat(findings(folder.resolve("fork/trail.jsonl"), fork, ours))
                .containsExactly("the checkpoint of 3 entries was made of another trail");
    }

    @Test
    void sqliteIsSealed() throws IOException {
        try (TestDatabase database = TestDatabase.sqlite()) {
            sealsThe(JdbcStore.create(database.dataSource()));
        }
    }

    @Test
    @Tag("deep")
    void postgresIsSealedToo() throws IOException {
        try (TestDatabase database = TestDatabase.postgres()) {
            sealsThe(JdbcStore.create(database.dataSource()));
        }
    }

    private void sealsThe(Store store) throws IOException {
        filled(store, 0, 700);
        Checkpoint first = seal(store, folder).seal();
        filled(store, 700, 703);
        Checkpoint second = seal(store, folder).seal();

        assertThat(first.size()).isEqualTo(700);
        assertThat(findings(folder.resolve("trail.jsonl"), first, second)).isEmpty();
        assertThat(seal(store, folder.resolve("again")).seal()).isEqualTo(second);
    }

    @Test
    void theProgramSaysWhatItHasFound() throws IOException {
        Path trail = Sealed.FOLDER.resolve("trail.jsonl");
        Path checkpoint = Sealed.FOLDER.resolve("checkpoint");
        String key = SignedNote.verifierKey(NAME, KEY.getPublic());
        Path keys = Files.writeString(folder.resolve("keys"), key + "\n");
        Path changed = Files.writeString(
                folder.resolve("changed"),
                new String(Sealed.BYTES, StandardCharsets.UTF_8).replace("call-3", "call-4"));
        KeyPair witness = newKey();
        String witnessKey = SignedNote.verifierKey("auditor.example.org", witness.getPublic());
        Path witnessed = Files.writeString(
                folder.resolve("witnessed"),
                Sealed.CHECKPOINT
                        .note()
                        .signedBy("auditor.example.org", witness)
                        .toString());

        assertThat(run(0, trail, checkpoint, "--key", key)).endsWith("as it was sealed\n");
        assertThat(run(0, trail, checkpoint, "--key", keys)).contains("12 entries, 0 of them purged");
        assertThat(run(0, trail, witnessed, "--key", key, "--key", witnessKey))
                .contains("signed by auditor.example.org+");
        assertThat(run(1, trail, checkpoint, "--key", witnessKey)).contains("is not signed by auditor.example.org+");
        assertThat(run(1, changed, checkpoint, "--key", key))
                .contains("line 4 (event 4) was changed")
                .endsWith("NOT as it was sealed\n");
        assertThat(run(2, trail, checkpoint)).contains("NOT checked");
        assertThat(run(2, trail)).startsWith("usage: ");
        assertThat(run(2, trail, folder.resolve("none"), "--key", key)).startsWith("no such file");
        assertThat(run(2, Sealed.FOLDER, checkpoint, "--key", key))
                .isEqualTo("a folder, not a file: " + Sealed.FOLDER + "\n");
        assertThat(run(2, trail, checkpoint, "--key")).startsWith("usage: ");
        assertThat(run(2, trail, checkpoint, "--key", folder.resolve("misspelt")))
                .startsWith("--key: no such file, and not the key of a verifier, such as example.com/support+")
                .endsWith("misspelt\n");
        Path empty = Files.writeString(folder.resolve("notKeys"), "nonsense\n");
        assertThat(run(2, trail, checkpoint, "--key", empty))
                .startsWith("--key " + empty)
                .endsWith("nonsense\n");
        assertThat(run(1, trail, trail, "--key", key)).startsWith(trail + ": not a signed note");
    }

    private static String run(int expected, Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] args = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
        int code = TrailVerifier.run(args, new PrintStream(out, true, StandardCharsets.UTF_8));
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(expected);
        return text;
    }
}
