package io.holdpoint.crash;

/** The lines that a process writes: a word, and one line of text. */
enum Line {
    /** The command is done; the text says how. */
    DONE,
    /** An event left; the text is its JSON. */
    EVENT,
    /** A point was passed; the text is its name. */
    POINT,
    /** A point is reached, and the process stays there; the text is its name. */
    AT,
    /** A provider would have refused what the model was asked; the text says why. */
    VIOLATION,
    /** The command failed; the text is the exception. */
    FAILURE;

    /** A line as it was read. */
    record Read(Line line, String text) {}

    String with(String text) {
        return name() + " " + text.replace('\n', ' ').replace('\r', ' ');
    }

    static Read read(String written) {
        int space = written.indexOf(' ');
        return new Read(valueOf(written.substring(0, space)), written.substring(space + 1));
    }
}
