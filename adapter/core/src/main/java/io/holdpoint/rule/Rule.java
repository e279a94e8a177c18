package io.holdpoint.rule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ProposedCall;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Has a say in whether a call runs, given to {@link io.holdpoint.HoldpointBuilder#rules} or {@link io.holdpoint.ToolPolicy#rules}. A rule
 * can only tighten: it can make a person be asked, refuse an answer and keep a call from running, and nothing that it says lets a call run that
 * no person has approved.
 * Whatever it throws counts as its strict side. The order of the rules of an agent does not matter, and none sees another one but one of
 * its own name. Must be thread-safe, and the same on every server of an agent. The agent reads {@link #name}, {@link #tools},
 * {@link #within}, {@link #unredacted} and {@link #terms} once, when it is built.
 */
public interface Rule {

    /**
     * The name of its section in {@code metadata.langchain4j} of a question and in the details of the audit trail: letters only, and none that
     * stands there already. Two rules of an agent have two names.
     */
    String name();

    /**
     * The names of the tools that it is about, each of which the agent must have when it is built; empty, as by default, for every tool that
     * {@link #concerns} says.
     */
    default Set<String> tools() {
        return Set.of();
    }

    /**
     * Tells whether it is about a tool. Asked when a tool is looked at first, so it must always answer the same. By default it is.
     *
     * @param known whether what the tool does can be taken back, if that is said
     */
    default boolean concerns(ToolSpecification tool, Optional<Reversibility> known) {
        return true;
    }

    /**
     * Says what it has to say about a call that the model has proposed and no policy denies, before any call of the same message runs.
     * Neither this call nor its arguments have been approved, and the arguments may change by an edit: what must hold of the call that runs
     * belongs into {@link #beforeBody}.
     */
    default Say onProposal(Proposal proposal) {
        return Say.NOTHING;
    }

    /**
     * The longest time that is waited for {@link #onProposal}, which then works on a thread of its own, for all rules and calls of a message at
     * once. Zero, as by default, for a rule that is quick: it works on the thread of the run.
     */
    default Duration within() {
        return Duration.ZERO;
    }

    /** Returns what counts as said where {@link #onProposal} has thrown, or has not come back in time. A person is asked in any case. */
    default Say unsaid(String why) {
        return Say.ASK;
    }

    /**
     * Says what it wants of the answers to the questions of a policy that it belongs to ({@link io.holdpoint.ToolPolicy#rules}), or of the
     * questions about the tools that it is about. It wants nothing by default. All that was asked is kept with the question.
     */
    default Terms terms() {
        return Terms.NONE;
    }

    /** Refuses a tool that its terms do not fit, with an {@link IllegalArgumentException}, when the agent is built or the tool is found. */
    default void requireFitting(ToolSpecification tool) {}

    /**
     * Returns the rule of a call about which two policies ask that each have a rule of this name: it wants what both want. By default they
     * must be equal, or it is an {@link IllegalArgumentException}.
     */
    default Rule and(Rule other) {
        if (!equals(other)) {
            throw new IllegalArgumentException("two rules have the name \"" + name() + "\". Let them be equal.");
        }
        return this;
    }

    /**
     * Says why an answer is not taken, in a sentence for the person who gives it; empty if it is. It is asked about each answer that would
     * let a call run and that the question and the authorizer allow. A refused answer changes nothing. Questions of an agent that works in a
     * tool are for the rules of that agent. A rule that wants a member is asked wherever it was wanted when the question was asked; one
     * without, about the tools that this server has looked at since it started: what must hold in any case belongs into {@link #beforeBody}.
     */
    default Optional<String> onAnswer(Answering answer) {
        return Optional.empty();
    }

    /**
     * Says what a question about a call shows under the rule's name, unless the rule has said something of the proposal, or before the claim;
     * nothing, as by default, or a section, and a sentence why a person is asked. It is asked whenever a question is made about a call that may run: of a
     * proposal, of a call that somebody has edited where others have to approve that, and of one that is asked about again. The section is kept with the
     * question, for {@link #beforeClaim}; the kind of what it says changes nothing.
     *
     * @param call with the arguments that the question shows; a copy
     * @param before its section of the question in whose place this one comes, about the same call; a copy, empty for the first question
     */
    default Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
        return Say.NOTHING;
    }

    /**
     * Says whether an approved call may be claimed, right before it is: {@link Say.Kind#NOTHING}, as by default, if it may. With {@link
     * Say.Kind#ASK} nothing is claimed and nothing runs: the call gets a new question, with the section and the sentence of what was said,
     * about the arguments that would have run, and earlier votes do not count for it; that it ends is the rule's affair. With {@link
     * Say.Kind#DENY} the call does not run. It is asked about calls that a person has approved, also to be tried again; not about those
     * that nobody was asked about, that go on after a question of their tool, or that a client executes. It is asked as well about an edit where
     * several people have to approve: only with {@link Say.Kind#NOTHING} it is its editor's approval of what the next question shows. Of a
     * call of an idempotent tool that would go on by itself after its server has died, any other word has a person asked what came of it.
     */
    default Say beforeClaim(Approved approved) {
        return Say.NOTHING;
    }

    /**
     * Says why a call must not run, in a sentence for the model; empty if it may. It is asked right before the body is entered, also of calls
     * that nobody was asked about, with the arguments that run. Calls that a client executes have no body here.
     */
    default Optional<String> beforeBody(ProposedCall call) {
        return Optional.empty();
    }

    /**
     * Returns the later calls that an approval of this call is an approval of as well; by default there are none. It is asked once the body of a
     * call that a person has approved has come to its end, with the arguments that have run, which the question has shown. Each call for which
     * a policy asks, and lets approvals of the same call be remembered ({@link io.holdpoint.store.Grant.Scope#SAME_CALL}), is so remembered, for
     * that policy's time, on this thread, as often as is said here, and in one commit with the result; each other one, and each of a tool that is
     * another one than people were shown, is asked about as always. None is remembered if the thread has no room for all of them.
     *
     * @param shown the rule's section of the question that was answered; a copy, missing if it has none
     */
    default List<Intended> intended(ProposedCall call, JsonNode shown) {
        return List.of();
    }

    /**
     * The members of its section that never quote arguments: where an {@link io.holdpoint.hook.ArgumentRedactor} is set, the audit trail keeps
     * these only. None by default.
     */
    default Set<String> unredacted() {
        return Set.of();
    }
}
