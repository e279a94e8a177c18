package io.holdpoint.store.jdbc;

import io.holdpoint.agui.JsonValues;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ids and names as columns hold them: readable by a person, and taken by every encoding. Clients choose ids, so they may
 * hold anything, NUL and half surrogate pairs included, and be longer than an index takes.
 */
final class StoredText {

    /** An id that is longer when written is replaced by its hash. */
    static final int MAX_KEY = 200;

    private static final Pattern ESCAPED = Pattern.compile("\\\\(?:\\\\|u([0-9a-fA-F]{4}))");

    private StoredText() {}

    /** The form of an id in a key. Different ids have different keys. */
    static String key(String id) {
        if (id.length() <= MAX_KEY) {
            String written = write(id);
            if (written.length() <= MAX_KEY) {
                return written;
            }
        }
        // write() never begins like this: it doubles every backslash or lets it be followed by u
        return "\\#" + sha256(write(id)); // as written, because UTF-8 would make all half surrogate pairs the same
    }

    /** Printable ASCII. */
    static String write(String text) {
        StringBuilder written = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                written.append("\\\\");
            } else if (c >= ' ' && c <= '~') {
                written.append(c);
            } else {
                written.append("\\u").append(HexFormat.of().toHexDigits(c));
            }
        }
        return written.toString();
    }

    /** The text that was written. */
    static String read(String written) {
        return written.indexOf('\\') < 0
                ? written
                : ESCAPED.matcher(written).replaceAll(escaped -> {
                    String hex = escaped.group(1);
                    return Matcher.quoteReplacement(hex == null ? "\\" : "" + (char) HexFormat.fromHexDigits(hex));
                });
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(JsonValues.sha256(text));
    }
}
