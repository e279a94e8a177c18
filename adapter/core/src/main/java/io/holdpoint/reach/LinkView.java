package io.holdpoint.reach;

import io.holdpoint.PendingInterrupt;
import java.net.URI;
import java.util.Optional;

/**
 * The page behind a link, when it is opened or after a button was pressed. Immutable.
 *
 * @param sentence says it to the person
 * @param question what the person decides; there if it is {@link State#OPEN}
 * @param page the application's own page, if there is one
 */
public record LinkView(State state, String sentence, Optional<PendingInterrupt> question, Optional<URI> page) {

    /** The state of a link. */
    public enum State {
        /** The person may decide now. */
        OPEN(200),
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
}
