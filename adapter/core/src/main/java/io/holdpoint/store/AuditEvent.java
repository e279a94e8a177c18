package io.holdpoint.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a call or a thread, as those who answer for it want to read it later. Immutable.
 *
 * <p>{@link Kind#PROPOSED}, {@link Kind#HELD}, {@link Kind#VOTED}, {@link Kind#VOIDED}, {@link Kind#DECIDED}, {@link Kind#EXPIRED},
 * {@link Kind#CLAIMED}, {@link Kind#EXECUTED}, {@link Kind#FAILED} and {@link Kind#NOT_EXECUTED} are the transitions of a call, and are
 * written in the same transaction as the transition: there is neither without the other. The rest changes nothing.
 *
 * <p>{@code arguments} are a JSON object, or whatever the agent's redactor made of it. Arguments that are not one JSON object
 * are a JSON text, cut. A value that must not be kept is absent, and {@code argumentsWithheld} says why.
 *
 * @param runId the run in which it happened; empty if it happened in none
 * @param caller id of the caller that the run works for, or who did it
 * @param about the call and the interrupt it happened to
 * @param detail what else belongs to it, see {@link Kind}; a JSON object, possibly empty
 */
public record AuditEvent(
        Instant at, String threadId, String runId, String caller, Kind kind, Subject about, ObjectNode detail) {

    /** The call and the interrupt that an event happened to, if it happened to one. */
    public record Subject(Optional<String> toolCallId, Optional<String> toolName, Optional<String> interruptId) {}

    /** Longest text of an error, and of arguments that are not a JSON object, in characters; what is longer is cut. */
    public static final int MAX_TEXT_LENGTH = 500;

    /** The event. */
    public enum Kind {
        /**
         * The model proposed a call: {@code {"arguments": {...}, "argumentsSha256": "..."}}. The hash is that of the
         * arguments as proposed, not of what is kept of them. If the model has told of them, with the model and the tokens of the answer,
         * which are the same for all calls of one message: {@code "usage": {"provider"?: "openai", "model"?: "...", "inputTokens"?:
         * 812, "outputTokens"?: 40, "totalTokens"?: 852}}. If no model did, but a caller: {@code "proposedBy": "<id of the caller>"}.
         */
        PROPOSED,
        /**
         * A person is asked about it, for the first time or because an attempt has an unknown outcome:
         * {@code {"reason": "tool_call", "characters": 120, "expiresAt"?: "...", "reversibility"?: "irreversible",
         * "labels"?: {"amount": {"description": "the amount"}}}}, with the length of what the person has to read, and the titles and
         * descriptions of arguments, up to 100 characters each, what rules say, under their names, and {@code "why"}, the reasons of conditions and
         * rules, unless the agent has a redactor. If a remembered decision no longer counts:
         * {@code "unusedGrant": {"id": "...", "why": "expired" | "tool_changed" | "used_up" | "not_allowed"}}. If somebody else has to
         * approve arguments that a person has edited: {@code "editedBy": "...", "arguments": {...}, "argumentsSha256": "..."}.
         */
        HELD,
        /** The open interrupt was given to a client again; noted once for each caller. */
        PRESENTED,
        /**
         * A person answered: {@code {"how": "RESOLVED", "payload": {...}}}, or cancelled: {@code {"how": "CANCELLED"}}, or
         * did so to say something else: {@code {"how": "STEERED_AWAY"}}. The payload is there as it came; its
         * {@code editedArgs} are arguments. If it lets the call run with others than were shown: {@code "edited": true}. If it came from
         * the page behind a link: {@code "via": "link"}.
         * {@code "sha256"} is that of the record, {@link Call.Asked#sha256}.
         */
        DECIDED,
        /**
         * A person approved a call that needs several approvals, and this one is not enough: {@code {"needed": 2, "have": 1,
         * "payload": {...}, "sha256": "..."}}. The event that is enough is {@link #DECIDED}, with the names of all: {@code "voices": ["grace",
         * "heidi"]}. {@code "via"} is as there.
         */
        VOTED,
        /**
         * Approvals no longer count, because somebody has edited the call, or because these people may no longer decide:
         * {@code {"voices": ["grace"]}}.
         */
        VOIDED,
        /**
         * The answer also allows calls like this one, see {@link Grant}:
         * {@code {"grant": "...", "scope": "tool", "expiresAt": "..."}}. If it has bounds: {@code "within": "within 100 of amount in
         * PT24H, the same vendor"}. Of a later call that was approved with this one ({@link io.holdpoint.rule.Rule#intended}), {@code toolName} is the later
         * one's, and the event stands with this one's result.
         */
        GRANTED,
        /**
         * The call runs unasked, although it might have been asked about. By a remembered decision: {@code {"grant": "..."}}, with
         * {@code "notAsked": "within 100 of amount in PT24H"} if it has bounds; or after rules have looked at it, with what they say under
         * their names: {@code {"<name of the rule>": {...}}}.
         */
        ALLOWED,
        /**
         * A remembered decision was taken back, or a person has denied a call that it covers: {@code {"grant": "..."}}. The call is the
         * one with which it was given; unless it was denied, it happened in no run.
         */
        REVOKED,
        /** The people who may decide were reminded of the question: {@code {"by": "time", "due": "..."}}. */
        REMINDED,
        /** They were warned that the question expires: {@code {"by": "time", "due": "..."}}. */
        WARNED,
        /** Others were asked as well: {@code {"by": "time", "due": "...", "audience": "manager"}}. */
        ESCALATED,
        /** Somebody who may decide has given the question more time: {@code {"expiresAt": "...", "sha256": "..."}}. */
        EXTENDED,
        /** Somebody who may decide has handed it to another one who may ({@code "to"}), or to a group, and all who may decide it still may: {@code {"to" or "audience": "henry", "reason"?: "...", "sha256": "..."}}. */
        HANDED,
        /** The time for an answer has passed. If it passed by itself: {@code {"by": "time"}}. */
        EXPIRED,
        /**
         * The tool is about to be entered: {@code {"arguments"?: {...}, "argumentsSha256": "...", "attempt": 1}}, with the
         * arguments that it gets if a person has edited them; those of {@link #PROPOSED} otherwise. If a remembered
         * decision lets it through: {@code "grant": "..."}.
         */
        CLAIMED,
        /** The tool returned. If a person said so, and no tool did: {@code {"reported": true}}; if the client
         * executed it: {@code {"byClient": true}}. */
        EXECUTED,
        /**
         * The tool ended with an error, or its outcome stays unknown: {@code {"error"?: "..."}}. There is no text of the tool
         * if the agent has a redactor: it could quote arguments.
         */
        FAILED,
        /**
         * The tool was not entered and will not be: {@code {"error"?: "...", "refused"?: true}}; {@code refused} if that was before anybody
         * was asked, because a policy denies the call or its arguments do not fit. There is no text if the agent has a redactor
         * and the call was refused before anybody was asked: it could quote arguments.
         */
        NOT_EXECUTED,
        /**
         * The unfinished work of the thread was removed without being read, because it cannot be read: {@code {"batch"?: "...",
         * "mayHaveRun": false}}. One event for each call that had no result as far as the trail tells; if there is none, one
         * without a call.
         */
        DISCARDED,
        /**
         * The end of the thread's transcript was cut off, to say or answer something else in its place: {@code {"from":
         * "<id of the first message>", "messages": 4}}. No effect of a tool is undone.
         */
        CUT,
        /** An answer that was given before came again. It changed nothing; noted once for each caller. */
        REPLAYED,
        /**
         * A run lost its right to write; what it wanted to write was dropped:
         * {@code {"lost": [{"kind": "EXECUTED", "toolCallId": "..."}]}}. Empty if that was no transition of a call.
         */
        LEASE_LOST,
        /**
         * An agent was halted: {@code {"reason": "..."}}. In the trail of no thread: its id is empty.
         */
        HALTED,
        /** The halt of an agent was ended: {@code {"reason": "..."}}. In the same trail. */
        RELEASED,
        /**
         * A policy that only looks on would have had a person asked about the call ({@link io.holdpoint.ToolPolicy#shadow}): {@code
         * {"policy": "..."}}.
         */
        WOULD_ASK,
        /** Such a policy would have denied the call: {@code {"policy": "...", "reason"?: "..."}}. */
        WOULD_DENY,
        /**
         * An agent was built: {@code {"always": {"sendEmail": "<fingerprint>"}, "byCondition": {"pay": "<fingerprint>"}, "never": {"search":
         * "<fingerprint>"}, "annotated": {"sendEmail": "always"}}}: people are asked about every call of a tool, about some, or about none,
         * and how much of that its annotation says. A fingerprint is a hash of all that a tool is to the model and to people: name,
         * description, parameters, method, and its policies, of which a condition is only the name of its class. Tools of providers
         * are not known then. In the same trail; observers are not told, because an application that builds its agent may not be ready.
         */
        BUILT,
        /**
         * A provider has given the agent tools (of an MCP server, for instance, or other agents) that it has not had since it was built, or
         * that have another fingerprint: the same of these tools. Each node tells of 1,000 tools at most.
         */
        PROVIDED
    }

    /**
     * Says whether the event adds nothing that another one of the same trail does not: both are {@link Kind#PRESENTED}, or both
     * {@link Kind#REPLAYED}, about the same interrupt and for the same caller. A client can bring them about as often as it
     * likes.
     *
     * @return whether this one need not be kept next to it
     */
    public boolean repeats(AuditEvent other) {
        return (kind == Kind.PRESENTED || kind == Kind.REPLAYED)
                && kind == other.kind
                && interruptId().equals(other.interruptId())
                && caller.equals(other.caller);
    }

    /** The id of the call that the event happened to, if it happened to one. */
    public Optional<String> toolCallId() {
        return about.toolCallId();
    }

    /** The tool of that call. */
    public Optional<String> toolName() {
        return about.toolName();
    }

    /** The id of the interrupt that the event is about, if it is about one. */
    public Optional<String> interruptId() {
        return about.interruptId();
    }

    /** A copy, which may be changed. */
    @Override
    public ObjectNode detail() {
        return detail.deepCopy();
    }
}
