package io.holdpoint.micrometer;

import io.holdpoint.ErrorCode;
import java.util.Locale;
import java.util.Optional;

/** Values of tags. */
final class Words {

    private Words() {}

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static String of(Optional<ErrorCode> code) {
        return code.map(Enum::name).orElse("none");
    }
}
