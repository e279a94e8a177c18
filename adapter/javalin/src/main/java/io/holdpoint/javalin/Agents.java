package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.Optional;

/**
 * The agents of a plugin: which one a request is for is in its path. Immutable.
 *
 * @param unnamed the one at the path without an id
 * @param named the others, by their ids
 */
record Agents(Optional<Holdpoint> unnamed, Map<String, Holdpoint> named) {

    /** The parameter of the path. */
    static final String ID = "agentId";

    /** The agent that a request is for. */
    Holdpoint of(Context ctx) throws Refusal {
        String id = ctx.pathParamMap().get(ID);
        return Optional.ofNullable(id)
                .map(named::get)
                .or(() -> id == null ? unnamed : Optional.empty())
                .orElseThrow(() -> new Refusal(
                        HttpStatus.NOT_FOUND, ErrorCode.AGENT_NOT_FOUND, "There is no agent of this id here."));
    }
}
