package io.holdpoint.people;

import io.holdpoint.agui.TokenUsage;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The judgement of a {@link SecondOpinion} on a call.
 *
 * @param reason one sentence for the person who decides; quoted to them, and cut
 * @param usage the tokens that it took, which count for the limits of the turn and of the day; {@code null} if no model was asked, or
 *     it reports none
 */
public record Opinion(
        Concern concern, String reason, @Nullable TokenUsage usage) {

    /** The weight of a concern. */
    public enum Concern {
        /** No concern about the call. */
        NONE,
        /** A person who is asked anyway should know of it. */
        SOME,
        /** A person has to look at the call. */
        SERIOUS,
        /** There is no opinion: it failed, came too late, or was not in its form. A person has to look at the call. */
        UNKNOWN;

        /** The name on the wire: {@code serious}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Opinion {
        Objects.requireNonNull(concern, "the concern of a second opinion is null");
        Objects.requireNonNull(reason, "the reason of a second opinion is null");
    }

    /** An opinion that took no tokens. */
    public Opinion(Concern concern, String reason) {
        this(concern, reason, null);
    }

    /** Says whether a person has to look at the call, whatever a condition says or somebody has allowed before. */
    public boolean insists() {
        return concern == Concern.SERIOUS || concern == Concern.UNKNOWN;
    }
}
