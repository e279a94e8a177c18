package io.holdpoint;

import java.util.Locale;

/** The state of a thread. */
public enum ThreadStatus {
    /** The thread is at rest: the next user message goes on. */
    IDLE,
    /** Open interrupts wait for answers. */
    HELD,
    /** A run is active, here or on another node. */
    RUNNING,
    /** The client has calls of its own tools to execute: their results go on. */
    LEFT_TO_CLIENT,
    /** A turn is unfinished, and no run is active: an input with neither answers nor a message goes on with it. */
    UNFINISHED;

    /** Returns the status as {@code metadata.langchain4j.thread} of a {@code RUN_FINISHED} says it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
