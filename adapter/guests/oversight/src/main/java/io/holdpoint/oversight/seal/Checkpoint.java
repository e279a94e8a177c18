package io.holdpoint.oversight.seal;

import java.util.Base64;
import java.util.HexFormat;

/**
 * The statement of a signature under a sealed trail: so many entries, up to this hash. As a note, it is three lines: origin, size, and the hash in
 * Base64. Immutable.
 *
 * @param origin whose trail it is, such as {@code example.com/support}
 * @param size how many entries the trail had
 * @param head hash of the last of them, which covers all before it, in hexadecimal
 * @param note with its signatures
 */
public record Checkpoint(String origin, long size, String head, SignedNote note) {

    /**
     * Reads a checkpoint.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Checkpoint parse(String text) {
        SignedNote note = SignedNote.parse(text);
        String[] lines = note.text().split("\n");
        try {
            byte[] head = Base64.getDecoder().decode(lines[2]);
            Checkpoint read = new Checkpoint(
                    lines[0], Long.parseLong(lines[1]), HexFormat.of().formatHex(head), note);
            if (head.length == 32 && read.size >= 0 && note.text().equals(text(read.origin, read.size, read.head))) {
                return read;
            }
        } catch (RuntimeException e) {
            // said below
        }
        throw new IllegalArgumentException("not a checkpoint: expected an origin, a size and a hash in three lines");
    }

    static String text(String origin, long size, String head) {
        return origin + "\n" + size + "\n"
                + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(head)) + "\n";
    }
}
