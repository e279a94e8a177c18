package io.holdpoint.oversight.seal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the audit trail of an agent: {@code TrailSeal.of(store, "support").into(folder).signedBy("example.com/support", key).seal()}. It
 * copies the feed to {@code trail.jsonl}, each entry with the hash of the one before, and signs how far it has come in {@code checkpoint}.
 * It only reads the store. A job calls {@link #seal} again and again, and goes on where the checkpoint ends, after a crash too.
 *
 * <p>The lines depend on the feed alone, so that two sealers of one store write the same chain, each in its folder; in one folder, the
 * second one is refused while the first one works. Thread-safe.
 */
public final class TrailSeal {

    private static final int PAGE = 500;
    private static final Logger LOG = LoggerFactory.getLogger(TrailSeal.class);

    private final Store store;
    private final Path folder;
    private final String name;
    private final List<KeyPair> keys;
    private @Nullable Place known;

    /** The end of what is sealed: the last entry, with the hash of the one before it, and where the file goes on. */
    private record Place(long size, String previous, String head, long position, long offset, String checkpoint) {}

    private TrailSeal(Store store, Path folder, String name, List<KeyPair> keys) {
        this.store = store;
        this.folder = folder;
        this.name = name;
        this.keys = keys;
    }

    /**
     * Begins a seal, which needs {@link #signedBy} before it works. Its folder is the working directory, unless {@link #into} sets another.
     *
     * @param agent the name of the agent whose trail is sealed; empty for the one without a name
     */
    public static TrailSeal of(Store store, String agent) {
        return new TrailSeal(store.of(agent), Path.of(""), "", List.of());
    }

    /**
     * Returns a seal that works in this folder, which is made if it is not there. It must be of this trail alone: it gets {@code trail.jsonl},
     * {@code checkpoint}, and a file that is locked during the work.
     */
    public TrailSeal into(Path folder) {
        return new TrailSeal(store, folder, name, keys);
    }

    /**
     * Returns a seal that these keys sign. Without a key, {@link #seal} and {@link #purge} refuse to work. A name or a key that cannot sign
     * is an {@link IllegalArgumentException} of {@link #seal}, not of this method.
     *
     * @param name of the trail and of its keys, such as {@code example.com/support}, without white space and plus signs
     * @param keys Ed25519; several while a new one takes the place of an old one: all sign
     */
    public TrailSeal signedBy(String name, KeyPair... keys) {
        return new TrailSeal(store, folder, name, List.of(keys));
    }

    /** The keys by which others verify, {@link SignedNote#verifierKey}: they have to get them on another way than the trail. */
    public List<String> verifierKeys() {
        return keys.stream()
                .map(key -> SignedNote.verifierKey(name, key.getPublic()))
                .toList();
    }

    /**
     * Seals what was added to the feed, and returns the new checkpoint.
     *
     * @throws IllegalStateException if the folder does not have what was sealed or cannot be gone on from, or the store is another one or an
     *     older one, which the message explains, or if another sealer works in it, or if nobody signs; what was sealed stays as it is
     * @throws IllegalArgumentException if the name or a key cannot sign
     * @throws IOException if the folder cannot be read or written; the next call goes on
     */
    public synchronized Checkpoint seal() throws IOException {
        return locked(() -> {
            Place place = place();
            compareWithStore(place);
            for (List<Fed> page = page(place); !page.isEmpty(); page = page(place)) {
                place = append(place, page);
            }
            if (Files.size(trail()) > place.offset
                    && store.feed(place.position, 1, false).isEmpty()) {
                throw refused("has more behind entry " + place.size
                        + " than the store, and no checkpoint covers it: it was added, or purged from the store");
            }
            Checkpoint last = Checkpoint.parse(place.checkpoint);
            if (!verifierKeys().stream().allMatch(last.note()::isSignedBy)) { // another key
                place = sign(place.size, place.previous, place.head, place.position, place.offset);
            }
            known = place;
            return Checkpoint.parse(place.checkpoint);
        });
    }

    /**
     * Removes events, whose hashes stay, from the sealed trail: what the store's retention has removed, or a person's threads. The trail can be
     * verified as before.
     *
     * @param old chooses the events to remove; it is asked about each one that is still there
     * @return how many were removed
     * @throws IllegalStateException as {@link #seal} does, and if the trail has lines that no checkpoint covers yet
     * @throws IllegalArgumentException as {@link #seal} does
     * @throws IOException if the folder cannot be read or written; the trail then is the one before or the one after
     */
    public synchronized int purge(Predicate<AuditEvent> old) throws IOException {
        return locked(() -> {
            known = null; // what is written again is verified before
            Place place = place();
            if (Files.size(trail()) > place.offset) {
                throw refused("has lines that no checkpoint covers yet: call seal() first");
            }
            Path rest = folder.resolve("trail.new");
            int purged = 0;
            try (BufferedReader lines = Files.newBufferedReader(trail());
                    OutputStream out = Files.newOutputStream(rest)) {
                for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                    SealedLine line = SealedLine.read(text.getBytes(StandardCharsets.UTF_8))
                            .orElseThrow();
                    boolean isOld = line.event()
                            .filter(event -> old.test(RecordJson.read(event.toString(), AuditEvent.class)))
                            .isPresent();
                    purged += isOld ? 1 : 0;
                    out.write((isOld ? line.withoutEvent() : line).bytes());
                    out.write('\n');
                }
            }
            replace(rest, trail());
            known = null; // it is shorter
            return purged;
        });
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T locked(Work<T> work) throws IOException {
        if (keys.isEmpty()) {
            throw new IllegalStateException("nobody signs: expected signedBy(name, key) before seal()");
        }
        Files.createDirectories(folder);
        try (FileChannel file =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.tryLock()) {
            if (lock == null) {
                throw refused("is locked: another sealer works in it. Seal again later");
            }
            return work.run();
        } catch (OverlappingFileLockException e) {
            throw refused("is locked: another sealer of this process works in it. Seal again later");
        }
    }

    private IllegalStateException refused(String what) {
        return new IllegalStateException("The sealed trail in " + folder + " " + what + ".");
    }

    private Path trail() {
        return folder.resolve("trail.jsonl");
    }

    private Path checkpoint() {
        return folder.resolve("checkpoint");
    }

    /** Finds the end of what the checkpoint covers, which is verified once in each process. */
    private Place place() throws IOException {
        if (Files.notExists(checkpoint())) {
            if (Files.exists(trail())) {
                throw refused("has no checkpoint: somebody has removed it. Put it back, or begin another folder");
            }
            Place begin = sign(0, SealedLine.NONE, SealedLine.NONE, 0, 0);
            Files.createFile(trail());
            return begin;
        }
        String text = Files.readString(checkpoint());
        if (known != null && known.checkpoint.equals(text) && Files.size(trail()) >= known.offset) {
            return known;
        }
        Checkpoint last;
        try {
            last = Checkpoint.parse(text);
        } catch (IllegalArgumentException e) {
            throw refused("has a checkpoint that cannot be read (" + e.getMessage()
                    + "). Put back the one that was there, or begin another folder");
        }
        if (last.size() == 0 && Files.notExists(trail())) { // stopped between the two
            Files.createFile(trail());
        }
        if (!last.origin().equals(name) || verifierKeys().stream().noneMatch(last.note()::isSignedBy)) {
            throw refused("has a checkpoint that no key of " + name
                    + " has signed: give the key that did, beside the new one");
        }
        TrailVerifier sealed = TrailVerifier.compare(trail(), last.size(), List.of(last));
        if (!sealed.findings().isEmpty()) {
            throw refused("is not as it was sealed: " + String.join("; ", sealed.findings()));
        }
        return new Place(last.size(), sealed.previous(), last.head(), sealed.position(), sealed.end(), text);
    }

    private List<Fed> page(Place place) {
        return store.feed(place.position, PAGE);
    }

    /**
     * Looks for the last sealed event in the store: a backup that was put back, or a server that lacks the last commits, gives positions again, and
     * what has them now would never be sealed. A purge removes the oldest events, so nothing behind the last sealed one is gone as long as that is there.
     */
    private void compareWithStore(Place place) {
        List<Fed> next = place.size == 0 ? List.of() : store.feed(place.position - 1, 1, false);
        boolean isBehind =
                place.size > 0 && next.isEmpty() && !store.feed(0, 1, false).isEmpty();
        boolean isThere = !next.isEmpty() && next.get(0).position() == place.position;
        if (isBehind
                || isThere
                        && !line(place.size, next.get(0), place.previous).hash().equals(place.head)) {
            throw refused("ends with event " + place.position + ", and the store has "
                    + (isBehind ? "fewer" : "another one there")
                    + ": a backup was put back, another server has taken over that lacks the last events, or somebody has changed it."
                    + " Keep the folder, and begin another one");
        }
        if (!next.isEmpty() && !isThere) {
            LOG.warn(
                    "The store no longer has the last event that was sealed in {}: others behind it may have been purged before they were"
                            + " sealed. Seal more often, or keep the audit trail longer.",
                    folder);
        }
    }

    private static SealedLine line(long n, Fed fed, String previous) {
        try {
            return SealedLine.of(n, fed.position(), previous, (ObjectNode)
                    CanonicalJson.read(RecordJson.fromAscii(RecordJson.write(fed.event()))));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An audit event is not written as JSON", e);
        }
    }

    /** Writes a page behind the checkpoint, and then the next checkpoint. */
    private Place append(Place place, List<Fed> page) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long n = place.size;
        String previous = place.previous;
        String head = place.head;
        for (Fed fed : page) {
            SealedLine line = line(++n, fed, head);
            bytes.writeBytes(line.bytes());
            bytes.write('\n');
            previous = head;
            head = line.hash();
        }
        write(bytes.toByteArray(), place);
        return sign(n, previous, head, page.get(page.size() - 1).position(), place.offset + bytes.size());
    }

    /** Writes a page. A sealer that was stopped before its checkpoint has written the beginning of the same page. */
    private void write(byte[] bytes, Place place) throws IOException {
        try (FileChannel file = FileChannel.open(trail(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer there = ByteBuffer.allocate((int) Math.min(bytes.length, file.size() - place.offset));
            while (there.hasRemaining() && file.read(there, place.offset + there.position()) >= 0) {}
            int written = there.capacity();
            if (!Arrays.equals(there.array(), Arrays.copyOf(bytes, written))) {
                throw refused("has lines behind entry " + place.size
                        + " that are not those of the store, and no checkpoint covers them."
                        + " Compare them, and remove them to go on");
            }
            ByteBuffer rest = ByteBuffer.wrap(bytes, written, bytes.length - written);
            while (rest.hasRemaining()) {
                file.write(rest, place.offset + rest.position());
            }
            file.force(true);
        }
    }

    private Place sign(long size, String previous, String head, long position, long offset) throws IOException {
        SignedNote note = new SignedNote(Checkpoint.text(name, size, head), List.of());
        for (KeyPair key : keys) {
            note = note.signedBy(name, key);
        }
        Path next = folder.resolve("checkpoint.new");
        Files.writeString(next, note.toString());
        replace(next, checkpoint());
        return new Place(size, previous, head, position, offset, note.toString());
    }

    private static void replace(Path by, Path file) throws IOException {
        try (FileChannel written = FileChannel.open(by, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Files.move(by, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
