package io.holdpoint.rule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The demands of a {@link Rule} on the answers to a question. They are kept with the question: answers are held to what was asked, whatever the
 * settings say by then. Immutable.
 *
 * @param field the schema of a member that an approval must have besides, under the rule's name; {@code null} for none. An approval with such
 *     a member is given by hand each time: it is not remembered, and no link gives it
 */
public record Terms(@Nullable ObjectNode field) {

    /** Wants nothing. */
    public static final Terms NONE = new Terms(null);

    public Terms {
        field = field == null ? null : field.deepCopy();
    }

    /** Wants a member in each approval, with this schema. */
    public static Terms field(ObjectNode schema) {
        return new Terms(schema);
    }

    /** Returns a copy of the schema. */
    @Override
    public @Nullable ObjectNode field() {
        return field == null ? null : field.deepCopy();
    }
}
