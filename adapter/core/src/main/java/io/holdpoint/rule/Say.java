package io.holdpoint.rule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.TokenUsage;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The word of a {@link Rule} on a proposed call. Immutable.
 *
 * @param kind what follows from it
 * @param section what the question about the call and the audit trail say of it, under the rule's name; {@code null} for nothing
 * @param why why the call is denied, in a sentence for the model, or why a person is asked, in a sentence before that of the question; {@code
 *     null} for none, which a denial must have
 * @param usage the tokens that it took, which count for the limits of the turn and of the day; {@code null} if it took none
 */
public record Say(
        Kind kind,
        @Nullable ObjectNode section,
        @Nullable String why,
        @Nullable TokenUsage usage) {

    /** The consequence of what a rule says. */
    public enum Kind {
        /** It is left to policies and people. */
        NOTHING,
        /** A person is asked, whatever policies say or somebody has had remembered. */
        ASK,
        /** The call does not run, and nobody is asked. */
        DENY
    }

    /** A word that changes nothing and shows nothing. */
    public static final Say NOTHING = new Say(Kind.NOTHING, null, null, null);

    /** A word that makes a person be asked, and shows nothing. */
    public static final Say ASK = new Say(Kind.ASK, null, null, null);

    public Say {
        Objects.requireNonNull(kind, "kind");
        if (kind == (why == null ? Kind.DENY : Kind.NOTHING)) {
            throw new IllegalArgumentException("why: what is denied must have one, and what says nothing has none");
        }
        section = section == null ? null : section.deepCopy();
    }

    /** Denies the call, and tells the model why. */
    public static Say deny(String why) {
        return new Say(Kind.DENY, null, why, null);
    }

    /** Leaves it to policies and people; the question, if there is one, and the trail have a section about it. */
    public static Say remark(ObjectNode section) {
        return NOTHING.with(section);
    }

    /** Makes a person be asked; the question has a section about it. */
    public static Say ask(ObjectNode section) {
        return ASK.with(section);
    }

    /** Makes a person be asked, and tells them why in a sentence; the question has a section about it. */
    public static Say ask(String why, ObjectNode section) {
        return new Say(Kind.ASK, section, why, null);
    }

    /** Returns the same with a section. */
    public Say with(ObjectNode said) {
        return new Say(kind, said, why, usage);
    }

    /** Returns the same with the tokens that it took. */
    public Say using(TokenUsage tokens) {
        return new Say(kind, section, why, tokens);
    }

    /** Returns a copy of the section. */
    @Override
    public @Nullable ObjectNode section() {
        return section == null ? null : section.deepCopy();
    }

    /** Returns the section, if there is one. */
    public Optional<ObjectNode> said() {
        return Optional.ofNullable(section());
    }
}
