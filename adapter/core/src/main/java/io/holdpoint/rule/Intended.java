package io.holdpoint.rule;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A call that nobody has proposed yet, about which people decide in advance: see {@link Rule#intended}. Immutable.
 *
 * @param toolName the tool's name as the model sees it
 * @param arguments its arguments; a copy
 * @param times how often it may be made, at least once
 * @param toolSha256 the hash of the tool as it was when people were shown the call ({@link Outlook}); empty before that
 */
public record Intended(String toolName, ObjectNode arguments, int times, String toolSha256) {

    public Intended {
        arguments = arguments.deepCopy();
    }

    /** Returns a copy of the arguments. */
    @Override
    public ObjectNode arguments() {
        return arguments.deepCopy();
    }
}
