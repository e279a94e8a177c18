package io.holdpoint.people;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.rule.Terms;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Says what a call would do, and what must still hold when it runs: a rule, for {@link io.holdpoint.ToolPolicy#rules} or {@link
 * io.holdpoint.RequiresApproval#rules}. The plan is made when a question about the call is asked, and once more right before the call is
 * claimed, with the arguments that would run. If the facts of the two are the same, the call runs; else nothing runs, and a new question shows
 * what has changed. This narrows the time in which the world can change unseen to that between the second look and the body; what must not
 * change at all needs the tool's own transaction.
 *
 * <p>It is asked again as well, and never runs, where there is no plan because making it throws, takes longer than {@link #within}, or gives
 * more than {@link #MAX_LENGTH} characters or {@value #MOST_FACTS} facts; where the plan was valid for a shorter time than the answer took; and
 * where somebody has edited the arguments and the plan is another one by that. Each of these happens {@value #MOST_TIMES} times at most about a
 * call; after that the call does not run, and the model is told why. An approval is one of the effect that was shown: it is not remembered for
 * later calls, and a policy that offers that besides an effect is refused when the agent is built. A call of an idempotent tool goes on by itself
 * after its server has died only if it would run as well; else a person is asked first what came of it. Calls that nobody is asked about because of a
 * condition run without a plan: nothing was shown of them that could have to hold.
 *
 * <p>{@link Plans} shows the plan of an edit before it is sent. An approval that has the {@code fingerprint} of it in its member {@code effect} runs
 * without being shown once more, as long as the plan is still that one.
 *
 * <p>Questions have it in {@code metadata.langchain4j.effect}: {@code {"plan", "facts"?, "within"?, "validFor"?, "fingerprint"?, "changed"?: {"was",
 * "is"}, "why"?, "reason"?, "times"?}}.
 */
@FunctionalInterface
public interface Effect extends Rule {

    /** The longest plan, in characters of its JSON with its facts. */
    int MAX_LENGTH = 100_000;

    /** The most facts of a plan. */
    int MOST_FACTS = 50;

    /** The longest fact, in characters of its JSON. */
    int MAX_FACT_LENGTH = 1_000;

    /** The most questions about one call for the same reason. */
    int MOST_TIMES = 3;

    /**
     * Makes the plan of a call. It must be quick, thread-safe and without effects, and is called on a thread of its own, which is interrupted
     * when its time is over.
     *
     * @param call with the arguments that would run, edited ones too; a copy
     */
    Plan plan(ProposedCall call) throws Exception;

    @Override
    default String name() {
        return "effect";
    }

    /** The longest time that is waited for a plan: by default, 5 seconds. */
    @Override
    default Duration within() {
        return Duration.ofSeconds(5);
    }

    @Override
    default Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
        return Say.remark(FoundPlan.of(this, call).shown(before.orElseGet(JsonNodeFactory.instance::objectNode)));
    }

    /** Takes the fingerprint of what was on the screen. */
    @Override
    default Terms terms() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
        return Terms.optional(schema.put(
                "description",
                "The fingerprint of the plan of the edited arguments, if it was shown. Leave it out otherwise."));
    }

    @Override
    default Optional<String> onAnswer(Answering answer) {
        return FoundPlan.isOfAnother(answer)
                ? Optional.of("the answer is about another effect than the question shows. Read the question again")
                : Optional.empty();
    }

    @Override
    default Say beforeClaim(Approved approved) {
        return FoundPlan.of(this, approved.call()).comparedWith(approved);
    }

    /** The reason in one word, and how often it was asked for it: facts and plans may quote arguments. */
    @Override
    default Set<String> unredacted() {
        return Set.of("why", "times");
    }
}
