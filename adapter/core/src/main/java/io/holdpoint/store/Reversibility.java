package io.holdpoint.store;

import io.holdpoint.agui.Interrupt;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;

/** Says whether what a tool does can be taken back; the later, the stricter. Of several that are said of a tool, the strictest counts. */
public enum Reversibility {
    /** It changes nothing. */
    READ_ONLY,
    /** The application can take it back. */
    REVERSIBLE,
    /** Somebody else can take it back: a bank, or the recipient. */
    EXTERNALLY_REVERSIBLE,
    /** It cannot be taken back. An approval of it is never remembered, and never given by a signed link. */
    IRREVERSIBLE;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Reads the class of the tool that an interrupt is about; empty if the tool has none. */
    public static Optional<Reversibility> of(Interrupt interrupt) {
        String name = interrupt.metadata() == null
                ? ""
                : interrupt.metadata().path("langchain4j").path("reversibility").asText();
        for (Reversibility each : values()) {
            if (each.wireName().equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Finds the strictest one; empty if there is none. */
    public static Optional<Reversibility> strictest(Collection<Reversibility> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(Collections.max(all));
    }

    /** The name on the wire: {@code irreversible}. */
    public String wireName() {
        return wireName;
    }
}
