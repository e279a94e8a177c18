package io.holdpoint.oversight.seal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares a sealed trail with its checkpoints, and names each entry that was changed, removed, added or moved. It needs no database: {@code
 * java -jar holdpoint-verify.jar trail.jsonl checkpoint --key example.com/support+1f2e3d4c+AZ...}.
 */
public final class TrailVerifier {

    private static final String USAGE =
            "usage: java -jar holdpoint-verify.jar <trail> <checkpoint>... --key <key of a verifier, or file with keys>...";

    /** More entries than these that are missing one after the other are named together. */
    private static final int MOST_NAMED = 100;

    /** A line as it stands in the file; its hash is empty if it cannot be read. */
    private record Stands(int line, long n, long position, String previous, String hash, boolean hasItsEvent) {

        @Override
        public String toString() {
            return "line " + line + (hash.isEmpty() ? "" : " (event " + position + ")");
        }
    }

    private static final Stands BEGIN = new Stands(0, 0, 0, SealedLine.NONE, SealedLine.NONE, true);

    private final List<Checkpoint> checkpoints;
    private final Checkpoint largest;
    /** All of them, to name what was found; none as long as each line follows the one before it, or a trail of years would not fit in memory. */
    private final List<Stands> lines = new ArrayList<>();

    private final boolean keepsLines;
    private final List<String> findings = new ArrayList<>();
    private final Map<Long, String> heads = new HashMap<>();
    private Stands last = BEGIN;
    private boolean isChain = true;
    private int purged;
    private long end;

    private TrailVerifier(List<Checkpoint> checkpoints, boolean keepsLines) {
        this.checkpoints = checkpoints;
        this.keepsLines = keepsLines;
        this.largest = checkpoints.stream()
                .max(Comparator.comparingLong(Checkpoint::size))
                .orElseThrow(() -> new IllegalArgumentException("a trail is compared with at least one checkpoint"));
        heads.put(0L, SealedLine.NONE);
    }

    /**
     * Compares a trail with checkpoints; who has signed these is not checked.
     *
     * @param checkpoints at least one; the largest has to cover the whole trail
     * @return one sentence for each finding; empty if the trail is as it was sealed
     * @throws IllegalArgumentException if there is no checkpoint
     * @throws IOException if the trail cannot be read
     */
    public static List<String> verify(Path trail, List<Checkpoint> checkpoints) throws IOException {
        return compare(trail, Long.MAX_VALUE, checkpoints).findings();
    }

    /** Compares at most so many lines: first as a chain, and with all lines in memory only if there is something to name. */
    static TrailVerifier compare(Path trail, long most, List<Checkpoint> checkpoints) throws IOException {
        TrailVerifier chain = new TrailVerifier(checkpoints, false);
        chain.read(trail, most);
        chain.compareHeads();
        if (chain.isChain && chain.last.n() == chain.largest.size() && chain.findings.isEmpty()) {
            return chain;
        }
        TrailVerifier all = new TrailVerifier(checkpoints, true);
        all.read(trail, most);
        all.compareLines();
        all.compareHeads();
        return all;
    }

    private void read(Path trail, long most) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(trail))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int next = -1;
            while (last.line() < most && (next = in.read()) >= 0) {
                end++;
                if (next == '\n') {
                    add(SealedLine.read(bytes.toByteArray()));
                    bytes.reset();
                } else {
                    bytes.write(next);
                }
            }
            if (bytes.size() > 0) { // nothing that this library writes ends so
                add(Optional.empty());
            }
        }
    }

    private void add(Optional<SealedLine> read) {
        int at = last.line() + 1;
        Stands line = read.isEmpty()
                ? new Stands(at, -1, 0, "", "", false)
                : new Stands(
                        at,
                        read.get().n(),
                        read.get().position(),
                        read.get().previous(),
                        read.get().hash(),
                        read.get().hasItsEvent());
        purged += read.filter(each -> each.event().isEmpty()).isPresent() ? 1 : 0;
        if (keepsLines) {
            lines.add(line);
        } else {
            isChain &= line.n() == at && line.previous().equals(last.hash()) && line.hasItsEvent();
            if (checkpoints.stream().anyMatch(each -> each.size() == line.n())) {
                heads.put(line.n(), line.hash());
            }
        }
        last = line;
    }

    List<String> findings() {
        return List.copyOf(findings);
    }

    /** The end of the lines that were read, in bytes. */
    long end() {
        return end;
    }

    /** The position of the last event in the feed; 0 if there is none. */
    long position() {
        return last.position();
    }

    /** The hash of the line before the last one. */
    String previous() {
        return last.previous();
    }

    private void compareLines() {
        Set<Stands> sealed = walk(largest);
        for (Stands line : lines) {
            if (line.hash.isEmpty()) {
                findings.add(line + " was changed: it is not as an entry is written");
            } else if (!sealed.contains(line)) {
                findings.add(line + " was added: "
                        + (line.n() > largest.size() ? "no checkpoint covers it" : "what was sealed does not have it"));
            } else if (!line.hasItsEvent()) {
                findings.add(line + " was changed: its event is not the one that was sealed");
            }
        }
        compareOrder(lines.stream().filter(sealed::contains).toList());
    }

    private void compareHeads() {
        for (Checkpoint checkpoint : checkpoints) {
            if (findings.isEmpty() && !checkpoint.head().equals(heads.getOrDefault(checkpoint.size(), ""))) {
                findings.add("the checkpoint of " + checkpoint.size() + " entries was made of another trail");
            }
            if (!checkpoint.origin().equals(largest.origin())) {
                findings.add("the checkpoint of " + checkpoint.size() + " entries is of " + checkpoint.origin()
                        + ", and not of " + largest.origin());
            }
        }
    }

    /** Goes back from the signed hash, because what it covers can be trusted: the lines that are of the sealed chain, changed ones too. */
    private Set<Stands> walk(Checkpoint from) {
        Map<String, Stands> byHash = new HashMap<>();
        TreeMap<Long, Stands> byNumber = new TreeMap<>();
        String before = SealedLine.NONE;
        for (Stands line : lines) {
            if (!line.hash.isEmpty()) {
                boolean follows =
                        line.previous().equals(before); // of a line that stands twice, this one was not copied
                byHash.merge(line.hash(), line, (first, second) -> follows ? second : first);
                byNumber.putIfAbsent(line.n(), line);
            }
            before = line.hash();
        }
        Set<Stands> sealed = new HashSet<>();
        String expected = from.head();
        for (long n = from.size(); n > 0; n--) {
            Stands line = byHash.get(expected);
            boolean isVouchedFor = line != null;
            long last = Optional.ofNullable(byNumber.floorKey(n)).orElse(0L);
            if (line == null && n - last > MOST_NAMED) {
                findings.add("entries " + (last + 1) + " to " + n + " were removed, or cannot be read"
                        + after("they", byNumber.get(last)));
                n = last + 1;
            } else if (line == null) {
                line = byNumber.get(n);
                findings.add(
                        line != null
                                ? line + " was changed: it is not entry " + n + " as it was sealed"
                                : "entry " + n + " was removed, or cannot be read" + after("it", byNumber.get(n - 1)));
            }
            Stands below = byNumber.get(n - 1);
            expected = line != null ? line.previous : "";
            if (!isVouchedFor && !byHash.containsKey(expected) && below != null) {
                expected = below.hash; // nothing says what it should be: the rest may be as it was
            }
            if (line != null) {
                sealed.add(line);
                heads.put(n, line.hash);
            }
        }
        if (from.size() > 0 && findings.isEmpty() && !expected.equals(SealedLine.NONE)) {
            findings.add("line 1 was changed: it is not the first entry");
        }
        return sealed;
    }

    private static String after(String what, @Nullable Stands line) {
        return line == null ? "" : ": " + what + " followed " + line;
    }

    private void compareOrder(List<Stands> chain) {
        List<String> alone = new ArrayList<>();
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < chain.size(); i++) {
            long n = chain.get(i).n();
            long before = i == 0 ? 0 : chain.get(i - 1).n();
            long behind =
                    i == chain.size() - 1 ? Long.MAX_VALUE : chain.get(i + 1).n();
            String moved = chain.get(i) + " was moved: it is entry " + n;
            if (before != n - 1 && behind != n + 1) {
                alone.add(moved);
            }
            if (before > n) {
                steps.add(moved);
            }
        }
        if (!steps.isEmpty()) {
            findings.addAll(alone.isEmpty() ? steps : alone);
        }
    }

    /** Verifies the trail of a command line: exit code 0 if all is well, 1 if something was found, 2 if a key or another argument is missing. */
    public static void main(String[] args) {
        System.exit(run(args, System.out));
    }

    static int run(String[] args, PrintStream out) {
        List<Path> files = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        try {
            for (int i = 0; i < args.length; i++) {
                if (args[i].equals("--key") && i + 1 < args.length) {
                    keys.addAll(keys(args[++i]));
                } else {
                    files.add(Path.of(args[i]));
                }
            }
            if (files.size() < 2 || files.contains(Path.of("--key"))) {
                out.println(USAGE);
                return 2;
            }
            for (Path file : files) {
                if (Files.isDirectory(file)) {
                    out.println("a folder, not a file: " + file);
                    return 2;
                }
            }
            List<Checkpoint> checkpoints = new ArrayList<>();
            for (Path file : files.subList(1, files.size())) {
                checkpoints.add(checkpoint(file));
            }
            return report(compare(files.get(0), Long.MAX_VALUE, checkpoints), checkpoints, keys, out);
        } catch (NoSuchFileException e) {
            out.println("no such file: " + e.getMessage());
            return 2;
        } catch (IOException | InvalidKeyException e) {
            out.println(e.getMessage());
            return 2;
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return 1;
        }
    }

    private static Checkpoint checkpoint(Path file) throws IOException {
        try {
            return Checkpoint.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** Reads keys. One that is none is a mistake of whoever verifies, and says nothing about the trail. */
    private static List<String> keys(String argument) throws IOException, InvalidKeyException {
        Path file = Path.of(argument);
        boolean isFile = Files.exists(file);
        List<String> keys = isFile
                ? Files.readAllLines(file).stream()
                        .filter(line -> !line.isBlank())
                        .map(String::strip)
                        .toList()
                : List.of(argument);
        try {
            keys.forEach(SignedNote::raw);
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException(
                    isFile ? "--key " + file + ": " + e.getMessage() : "--key: no such file, and " + e.getMessage(), e);
        }
        return keys;
    }

    private static int report(TrailVerifier trail, List<Checkpoint> checkpoints, List<String> keys, PrintStream out) {
        List<String> found = new ArrayList<>(trail.findings());
        out.println(trail.last.line() + " entries, " + trail.purged + " of them purged to their hashes");
        for (Checkpoint checkpoint : checkpoints) {
            out.println("checkpoint of " + checkpoint.size() + " entries, " + checkpoint.origin());
            for (String key : keys) {
                if (checkpoint.note().isSignedBy(key)) {
                    out.println("  signed by " + key);
                } else {
                    found.add("the checkpoint of " + checkpoint.size() + " entries is not signed by " + key);
                }
            }
        }
        found.forEach(out::println);
        if (!found.isEmpty()) {
            out.println("NOT as it was sealed");
            return 1;
        }
        out.println(
                keys.isEmpty() ? "The signature was NOT checked: say with --key whom you trust" : "as it was sealed");
        return keys.isEmpty() ? 2 : 0;
    }
}
