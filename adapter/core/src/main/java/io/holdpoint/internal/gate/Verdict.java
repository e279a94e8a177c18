package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.store.Call.Question;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The gate's word on one call of a batch, with the call's arguments. Immutable. */
public final class Verdict {

    private final Kind kind;
    private final String arguments;
    private final @Nullable Ask ask;
    private final @Nullable String refusal;

    /** The three verdicts. */
    public enum Kind {
        /** The call may run once the whole batch may. */
        ALLOW,
        /** A person must be asked. */
        ASK,
        /** The call does not run, and no person is asked. */
        REFUSE
    }

    private record Ask(Question question, Optional<Preview> preview, ProposedCall call) {}

    private Verdict(Kind kind, String arguments, @Nullable Ask ask, @Nullable String refusal) {
        this.kind = kind;
        this.arguments = arguments;
        this.ask = ask;
        this.refusal = refusal;
    }

    static Verdict allow(String arguments) {
        return new Verdict(Kind.ALLOW, arguments, null, null);
    }

    static Verdict ask(String arguments, Question question, Optional<Preview> preview, ProposedCall call) {
        return new Verdict(Kind.ASK, arguments, new Ask(question, preview, call), null);
    }

    static Verdict refuse(String arguments, String refusal) {
        return new Verdict(Kind.REFUSE, arguments, null, refusal);
    }

    public Kind kind() {
        return kind;
    }

    /** The canonical text; as proposed if the arguments are malformed, and cut if they are too long. */
    public String arguments() {
        return arguments;
    }

    /** The question of an {@link Kind#ASK}, without the preview, which may be costly. */
    public Question question() {
        return asked().question();
    }

    /** Computes the preview of an {@link Kind#ASK}, if there is one, and adds it to the question that is really asked. */
    public Question withPreview(Question asked) {
        Ask own = asked();
        if (own.preview().isEmpty()) {
            return asked;
        }
        Interrupt interrupt = asked.interrupt().copy();
        ObjectNode metadata = Objects.requireNonNull(interrupt.metadata());
        own.preview().get().addTo(metadata.withObject("/langchain4j"), own.call());
        return new Question(asked.kind(), interrupt, asked.askedAt());
    }

    /** The text for the model of a {@link Kind#REFUSE}. */
    public String refusal() {
        return Objects.requireNonNull(refusal);
    }

    private Ask asked() {
        return Objects.requireNonNull(ask);
    }
}
