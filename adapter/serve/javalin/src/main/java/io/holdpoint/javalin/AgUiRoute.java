package io.holdpoint.javalin;

import io.holdpoint.internal.servlet.AgUiEndpoints.Route;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.stream.Stream;

/** The requests that an agent answers over HTTP. */
public enum AgUiRoute {
    /** {@code POST}: takes a {@code RunAgentInput}, answers with a stream of events. At the agent's own path by default. */
    RUN(Route.RUN),
    /**
     * {@code POST} of {@code {"threadId"}}: stops the run of a thread, or cancels what it holds; answers with {@code {"cancelled":
     * true}}, or 404. At {@code /cancel} by default.
     */
    CANCEL(Route.CANCEL),
    /**
     * {@code POST} of {@code {"threadId", "interruptId", "status", "payload"}}: an answer to one interrupt, without a stream
     * ({@link io.holdpoint.Holdpoint#decide}); answers with status 202 and {@code {"status": "waits", "interrupts": [...]}} or
     * {@code {"status": "runs", "runId": "..."}}. Or a {@code POST} of {@code {"decisions": [...]}}, of which each has besides the
     * {@code fingerprint} of what was shown ({@link io.holdpoint.Holdpoint#decide(java.util.List)}); answers with status 202 and {@code {"decisions": [...]}},
     * with {@code threadId}, {@code interruptId} and {@code status} of each, where {@code "refused"} has {@code code} and {@code message}. At
     * {@code /decisions} by default.
     */
    DECISIONS(Route.DECISIONS),
    /**
     * {@code POST} of the same as for one decision, which is not taken and need not be complete: answers with {@code {"effect"?: {"plan", "facts"?,
     * "fingerprint"?, "why"?, ...}}}, what the call would do with its edits ({@link io.holdpoint.people.Plans}); 30 of
     * them and of hand-overs in a minute for each caller, else status 429. At {@code /plans} by default.
     */
    PLANS(Route.PLANS),
    /**
     * {@code POST} of {@code {"threadId", "interruptId", "action"}} by who may decide the question, which it does not answer ({@link
     * io.holdpoint.people.Questions}): {@code "moreTime"}, answered with {@code {"expiresAt": "..."}}; {@code "hand"}, with {@code "to"} or {@code
     * "audience"}, and {@code "reason"?}; or {@code "look"}, by who may see it ({@link io.holdpoint.follow.Follow#looking}). At {@code /questions} by default.
     */
    QUESTIONS(Route.QUESTIONS),
    /**
     * {@code GET}: what was decided lately on all threads that the caller may access ({@link io.holdpoint.follow.Follow#decided}): {@code
     * {"decisions": [{"threadId", "owner", "at", "kind", "by", "interruptId", "toolCallId", "toolName", "detail"}], "next"?}}, the newest first.
     * {@code ?before=} is the {@code next} of the page before, {@code ?limit=} the most decisions of a page, 50 by default. At {@code /decided} by default.
     */
    DECIDED(Route.DECIDED),
    /**
     * {@code POST} of {@code {"threadId"?, "tool", "arguments", "id"?}}: a call that no model made ({@link io.holdpoint.Holdpoint#propose}),
     * on a thread of its own, named by its id, unless there is another one; answers with {@code {"threadId", "id", "tool", "arguments", "state",
     * "interrupts", "result"?}}, with status 202 as long as there is no result. For the role of {@link AgUiPlugin.Config#proposalRole}. At
     * {@code /proposals} by default.
     */
    PROPOSALS(Route.PROPOSALS),
    /**
     * {@code GET}, with {@code ?threadId=} unless the thread is its own: the same of a proposal that was made. At
     * <code>/proposals/{id}</code> by default.
     */
    PROPOSAL(Route.PROPOSAL),
    /**
     * {@code POST} of {@code {"threadId", "runId"}}: a thread as it is ({@link io.holdpoint.follow.Follow#history}), with {@code
     * ?follow=true} also the run that is active on it; answers with a stream of events. At {@code /history} by default.
     */
    HISTORY(Route.HISTORY),
    /**
     * {@code GET}: the caller's open interrupts across threads ({@link io.holdpoint.follow.Follow#inbox}): {@code {"interrupts":
     * [{"threadId", "owner", "interrupt", "fingerprint", "askedAt", "expired"}], "next"?}}. {@code ?cursor=} is the {@code next} of the page
     * before, {@code ?limit=} is 50 by default, {@code ?threads=accessible} lists threads of others too. At {@code /interrupts} by
     * default.
     */
    INTERRUPTS(Route.INTERRUPTS),
    /** {@code GET}: the {@code AgentCapabilities} of the agent. At {@code /capabilities} by default. */
    CAPABILITIES(Route.CAPABILITIES),
    /**
     * {@code GET}: a stream with a line for each change of a question that the caller may see, for pages that are open. At
     * {@code /changes} by default.
     */
    CHANGES(Route.CHANGES),
    /**
     * {@code GET}: the page behind a link, {@code POST}: a button of it; both without signing in, see
     * {@link io.holdpoint.reach.Reach#links}. At <code>/links/{link}</code> by default; its address is the agent's base address and
     * this, so another path needs another {@link io.holdpoint.reach.Links}.
     */
    LINKS(Route.LINKS),
    /**
     * {@code GET}: the custom element {@code <holdpoint-card>} as a script, with which a page shows a question; without signing in. At
     * {@code /card.js} by default.
     */
    CARD(Route.CARD),
    /** {@code GET}: whether the agent is halted, since when and why, and whether the caller may halt it. At {@code /halted} by default. */
    HALTED(Route.HALTED),
    /**
     * {@code POST} of {@code {"reason"}}: halts the agent on all nodes. For the role of {@link AgUiPlugin.Config#haltRole}. At
     * {@code /halt} by default.
     */
    HALT(Route.HALT),
    /** {@code POST} of {@code {"reason"}}: ends the halt, for the same role. At {@code /release} by default. */
    RELEASE(Route.RELEASE),
    /**
     * {@code GET} with {@code ?from=&to=}, dates in UTC or instants: what became of the approvals that people were asked for, see
     * {@link io.holdpoint.oversight.Figures#toJson}. For the role of {@link AgUiPlugin.Config#figuresRole}. At {@code /figures} by default.
     */
    FIGURES(Route.FIGURES);

    final Route endpoint;

    AgUiRoute(Route endpoint) {
        this.endpoint = endpoint;
    }

    /** The methods that the agent answers. A link's page also says that another one is refused. */
    List<HandlerType> methods() {
        Stream<String> more = endpoint == Route.LINKS ? Stream.of("PUT", "PATCH", "DELETE") : Stream.empty();
        return Stream.concat(endpoint.methods().stream().filter(method -> !method.equals("HEAD")), more)
                .map(HandlerType::findOrCreate)
                .toList();
    }

    /**
     * Gives the path below the agent's own, which is empty for that one itself, unless {@link AgUiPlugin.Config#route} sets
     * another one.
     */
    public String defaultPath() {
        return endpoint.path();
    }
}
