package io.holdpoint.reach;

import io.holdpoint.PendingInterrupt;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page behind a link, when it is opened or after a button was pressed. Immutable.
 *
 * @param sentences how it stands, or, where the person decides, whose conversation asks; none if there is nothing to say
 * @param question what the person decides, or has decided; there if it is {@link State#OPEN}, {@link State#POINTER}, {@link State#REFUSED},
 *     {@link State#WAITS} or {@link State#DECIDED}
 * @param page the application's own page, if there is one
 */
public record LinkView(State state, List<Sentence> sentences, Optional<PendingInterrupt> question, Optional<URI> page) {

    /** Makes the view of what it is given. */
    public LinkView {
        sentences = List.copyOf(sentences);
    }

    /**
     * A sentence for a reader of any language. Immutable.
     *
     * @param text the English one, which is its name where translations are looked up; {@code {name}} is the place of a value
     * @param values what stands in its places, which is not translated
     */
    public record Sentence(String text, Map<String, String> values) {

        private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

        /** Makes the sentence of what it is given. */
        public Sentence {
            values = Map.copyOf(values);
        }

        /** Returns it in English. */
        @Override
        public String toString() {
            return PLACE.matcher(text)
                    .replaceAll(place -> Matcher.quoteReplacement(values.getOrDefault(place.group(1), place.group())));
        }
    }

    /** The state of a link. */
    public enum State {
        /** The person may decide now, with a button. */
        OPEN(200),
        /** The person may decide, in the application: the tool's policy lets no link do it. */
        POINTER(200),
        /** The person has approved, and others have to as well. */
        WAITS(200),
        /** The person has decided. */
        DECIDED(200),
        /** The link leads to the page: its person has to sign in. */
        SIGN_IN(401),
        /** The person may not decide, or somebody else is signed in. */
        FORBIDDEN(403),
        /** The link is not one of this agent: it was forged or cut, or its key is no longer in use. */
        INVALID(404),
        /** The answer could not be taken, and can be given again. */
        REFUSED(409),
        /** Somebody else has decided, or time has. */
        SETTLED(410),
        /** The call was edited since the link was made. */
        STALE(410),
        /** The link or its question has expired. */
        EXPIRED(410);

        private final int status;

        State(int status) {
            this.status = status;
        }

        /** Returns the HTTP status of the page. */
        public int status() {
            return status;
        }
    }

    /** Returns all sentences in English; empty if there are none. */
    public String sentence() {
        return sentences.stream().map(Sentence::toString).collect(Collectors.joining(" "));
    }

    /** The page of a link that no agent has made, whether there is such an agent or not. */
    public static LinkView invalid() {
        String text =
                "This link is not valid. It may have been cut, or its key is no longer in use: open it again from the message,"
                        + " or ask for a new one.";
        return new LinkView(State.INVALID, List.of(new Sentence(text, Map.of())), Optional.empty(), Optional.empty());
    }
}
