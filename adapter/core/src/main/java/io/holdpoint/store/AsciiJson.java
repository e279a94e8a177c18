package io.holdpoint.store;

/**
 * JSON text with everything that is not ASCII escaped, and back. Outside its strings a JSON text is ASCII, so this is done
 * without parsing. Jackson's own escaping is not used, because its parser refuses half of a surrogate pair in a field
 * name if it is escaped, and takes it if it is not.
 */
final class AsciiJson {

    private static final int FIRST_ESCAPED = 0x7f;
    private static final int ESCAPE_LENGTH = "\\uffff".length();

    private AsciiJson() {}

    static String escape(String json) {
        int from = 0;
        while (from < json.length() && json.charAt(from) < FIRST_ESCAPED) {
            from++;
        }
        if (from == json.length()) {
            return json;
        }
        StringBuilder ascii = new StringBuilder(json.length() + 64).append(json, 0, from);
        for (int i = from; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c < FIRST_ESCAPED) {
                ascii.append(c);
            } else {
                ascii.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    ascii.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
        return ascii.toString();
    }

    static String unescape(String ascii) {
        int escape = ascii.indexOf('\\');
        if (escape < 0) {
            return ascii;
        }
        StringBuilder json = new StringBuilder(ascii.length());
        int from = 0;
        while (escape >= 0 && escape + 1 < ascii.length()) {
            int end = escape + 2;
            if (ascii.charAt(escape + 1) == 'u' && escape + ESCAPE_LENGTH <= ascii.length()) {
                end = escape + ESCAPE_LENGTH;
                int c = hex(ascii, escape + 2);
                if (c >= FIRST_ESCAPED) {
                    json.append(ascii, from, escape).append((char) c);
                    from = end;
                }
            }
            escape = ascii.indexOf('\\', end);
        }
        return json.append(ascii, from, ascii.length()).toString();
    }

    /** The value of four digits; -1 if they are none, which is for the parser to say. */
    private static int hex(String text, int from) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
