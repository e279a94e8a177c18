package io.holdpoint.forged;

import java.util.List;

/** What came of an input: the types of a stream and the code of its error, or a code without a stream. */
record Heard(List<String> types, String code) {

    static Heard withoutStream(String code) {
        return new Heard(List.of(), code);
    }
}
