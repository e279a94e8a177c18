package io.holdpoint.rule;

import io.holdpoint.ProposedCall;
import io.holdpoint.store.Reversibility;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A call that the model, or a caller in its place, has proposed. Immutable.
 *
 * @param call with the complete arguments, a copy
 * @param request the user's own words of this turn; empty if another agent gives the task, or no model made the call. Neither what the model said, nor results of
 *     tools, nor retrieved texts
 * @param asks whether a person would be asked about it without any rule, unless somebody has had such calls remembered
 * @param reversibility whether what the tool does can be taken back, if that is said
 * @param gated whether a person may be asked about calls of this tool without any rule: an annotation or a policy asks about all or some of
 *     them
 * @param conversation reads what the conversation has taken in up to this call, in the order of its messages, and what retrieval has found for
 *     the turn after that: nothing that was cut off or purged, but also what its chat memory has let go of, because a summary of it, or what the
 *     model has said since, may repeat it
 * @param outlook says what would become of another call of this agent if it were proposed: denied, with the reason; asked about whatever was approved
 *     before; or allowed, if it runs unasked or by an approval that is remembered ({@link Rule#intended}). Other rules are not asked
 */
public record Proposal(
        ProposedCall call,
        String request,
        boolean asks,
        Optional<Reversibility> reversibility,
        boolean gated,
        Supplier<List<Read>> conversation,
        Function<Intended, Outlook> outlook) {}
