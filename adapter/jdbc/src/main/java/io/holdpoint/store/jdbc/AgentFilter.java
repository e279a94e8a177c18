package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store;

/** Finds the threads of one agent by the text of their ids. */
final class AgentFilter {

    private static final String END = StoredText.write(String.valueOf(Store.AGENT_END));

    private final String prefix;

    AgentFilter(String agent) {
        prefix = agent.isEmpty() ? "" : StoredText.write(Store.threadOf(agent, ""));
    }

    /** A condition on the thread {@code t}, with one parameter. */
    String condition() {
        return condition("t.id_text");
    }

    /** A condition on an id as it is written, with one parameter. A written backslash is two, of which the second could begin what looks like the end. */
    String condition(String idText) {
        return prefix.isEmpty()
                ? "REPLACE(" + idText + ", '\\\\', '') NOT LIKE ? ESCAPE '!'"
                : "SUBSTR(" + idText + ", 1, " + prefix.length() + ") = ?";
    }

    String parameter() {
        return prefix.isEmpty() ? "%" + END + "%" : prefix;
    }
}
