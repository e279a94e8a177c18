package io.holdpoint.rule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The demands of a {@link Rule} on the answers to a question. They are kept with the question: answers are held to what was asked, whatever the
 * settings say by then. Immutable.
 *
 * @param field the schema of a member that an approval has besides, under the rule's name; {@code null} for none
 * @param isWanted whether an approval must have the member. Such an approval is given by hand each time: it is not remembered, and no link gives it.
 *     One that may have it is not remembered either, whichever policies ask: it is about what was shown of this call
 */
public record Terms(@Nullable ObjectNode field, boolean isWanted) {

    /** Wants nothing. */
    public static final Terms NONE = new Terms(null, false);

    public Terms {
        field = field == null ? null : field.deepCopy();
    }

    /** Wants a member in each approval, with this schema. */
    public static Terms field(ObjectNode schema) {
        return new Terms(schema, true);
    }

    /** Takes a member in the approvals of calls that may be edited, with this schema. */
    public static Terms optional(ObjectNode schema) {
        return new Terms(schema, false);
    }

    /** Returns a copy of the schema. */
    @Override
    public @Nullable ObjectNode field() {
        return field == null ? null : field.deepCopy();
    }
}
