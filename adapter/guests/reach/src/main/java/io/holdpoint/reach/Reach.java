package io.holdpoint.reach;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.internal.reach.ReachGuest;
import io.holdpoint.internal.run.Inside;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Reaches people outside of an agent's own clients: notifiers tell them of questions, and links lead them to the question.
 *
 * <pre>{@code
 * Holdpoint agent = Holdpoint.builder(Assistant.class)
 *         ...
 *         .with(Reach.notifier("mail", mailer), Reach.links(Links.signed(address, key)))
 *         .build();
 * Reach.of(agent.as(ada)).link(threadId, interruptId, "grace");
 * }</pre>
 *
 * <p>Immutable, thread-safe.
 */
public final class Reach {

    private final Holdpoint agent;
    private final Inside inside;
    private final ReachGuest guest;

    private Reach(Holdpoint agent) {
        this.agent = agent;
        this.inside = Inside.of(agent);
        this.guest = ReachGuest.of(agent);
    }

    /**
     * Adds a notifier, which tells people of questions and of what came of them. A new one is told of what happens from then on. By its
     * name it goes on after a restart and on other servers. If another notifier of the agent has the name, {@code build()} throws the same
     * exception.
     *
     * @throws IllegalArgumentException unless the name has 1 to 64 letters, digits, '-', '_' and '.'
     */
    public static Extension notifier(String name, ApprovalNotifier notifier) {
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw ReachGuest.refused(name);
        }
        return agent -> ReachGuest.of(agent).add(name, notifier);
    }

    /**
     * Sets what makes and reads the links that people get in messages ({@link #link}), for instance {@link Links#signed}. Without it there
     * are none, and their route does not exist. {@link HoldpointBuilder#people} is asked about the person of a link that decides, when it is
     * opened and when its button is pressed; without it, that person has no roles.
     */
    public static Extension links(Links made) {
        return agent -> ReachGuest.of(agent).use(made);
    }

    /** Returns the links and notifiers of an agent, for the caller to whom the agent is bound. */
    public static Reach of(Holdpoint agent) {
        return new Reach(agent);
    }

    /**
     * Makes the link to an open interrupt for one person. It counts until the interrupt expires, 7 days at most.
     *
     * @return empty without {@link #links}, if the caller of this method has no such open interrupt, or if the person has requested a call
     *     about which only others may decide
     */
    public Optional<URI> link(String threadId, String interruptId, String person) {
        boolean isOpen =
                agent.pending(threadId).stream().anyMatch(open -> open.id().equals(interruptId));
        return isOpen
                ? guest.links.address(inside.thread(inside.caller(), threadId), interruptId, person)
                : Optional.empty();
    }

    /** Opens a link by the last segment of its address, for the person who is signed in; {@link Caller#ANONYMOUS} is nobody. */
    public LinkView openLink(String token) {
        return guest.links.open(inside.caller(), token);
    }

    /** Takes the answer to the question of a link if that is {@link LinkView.State#OPEN}, like {@link Holdpoint#decide}. */
    public LinkView pressLink(String token, ResumeEntry answer) {
        return guest.links.press(inside.caller(), token, answer, inside.runs());
    }

    /** Returns the state of each notifier, as this server knows it, for health checks. */
    public List<ReaderStatus> notifiers() {
        return guest.notifiers();
    }
}
