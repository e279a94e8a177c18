package io.holdpoint.crash;

import java.util.List;
import java.util.stream.Stream;

/** What a person says, in the language of {@link Script}, and how it is decided. Every scenario ends with a plain word. */
enum Scenario {
    ONE_CALL("transfer:ada"),
    MIXED("transfer:ada,visit:eve,transfer:bob,transfer:cleo"),
    CHAIN("transfer:ada,visit:eve transfer:finn"),
    IDEMPOTENT("post:ada,transfer:eve"),
    STEERED("transfer:ada,visit:eve", "never mind"),
    UNGATED("visit:ada,visit:eve");

    /** An argument that is denied. */
    static final String DENIED = "bob";

    /** An argument that is edited. */
    static final String EDITED = "cleo";

    /** What it is edited to. */
    static final String EDITED_TO = "dora";

    private static final String LAST = "bye";

    private final String first;
    private final List<String> steering;

    Scenario(String first, String... steering) {
        this.first = first;
        this.steering = List.of(steering);
    }

    /**
     * Something to say.
     *
     * @param steers whether it is said instead of deciding
     */
    record Utterance(String text, boolean steers) {}

    List<Utterance> utterances() {
        return Stream.concat(
                        Stream.concat(
                                Stream.of(new Utterance(first, false)),
                                steering.stream().map(text -> new Utterance(text, true))),
                        Stream.of(new Utterance(LAST, false)))
                .toList();
    }

    boolean isSteered() {
        return !steering.isEmpty();
    }
}
