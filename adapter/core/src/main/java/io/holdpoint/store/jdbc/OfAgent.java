package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store;

/** Finds the threads {@code t} of one agent by the text of their ids. */
final class OfAgent {

    private static final String END = StoredText.write(String.valueOf(Store.AGENT_END));

    private final String prefix;

    OfAgent(String agent) {
        prefix = agent.isEmpty() ? "" : StoredText.write(Store.threadOf(agent, ""));
    }

    /** A condition with one parameter. A written backslash is two, of which the second could begin what looks like the end. */
    String condition() {
        return prefix.isEmpty()
                ? "REPLACE(t.id_text, '\\\\', '') NOT LIKE ? ESCAPE '!'"
                : "SUBSTR(t.id_text, 1, " + prefix.length() + ") = ?";
    }

    String parameter() {
        return prefix.isEmpty() ? "%" + END + "%" : prefix;
    }
}
