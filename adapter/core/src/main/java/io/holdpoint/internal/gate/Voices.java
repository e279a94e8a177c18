package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Asked;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.TimeStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The people that a question needs, as its metadata has them:
 * {@code approvals: {"needed": 2, "groups"?: [{"needed": 2, "audience": "treasury"}], "have": [{"by", "at"}]}}. The stored question is
 * the only authority on them. Whoever was asked as well by an escalation counts for every group. Immutable.
 */
public record Voices(Approvals approvals, List<Audience> escalated) {

    /** One approval of anybody who may decide: what a question without these metadata needs. */
    static final Approvals ONE = Approvals.of(1);

    /** The field of a question's metadata with the call that asks it in the name of another agent. */
    public static final String DELEGATED_BY = "delegatedBy";

    private static final String APPROVALS = "approvals";

    public static Voices of(Question question) {
        JsonNode stored = stored(question);
        if (question.kind() != Question.Kind.APPROVALS || stored.isMissingNode()) {
            return new Voices(ONE, List.of());
        }
        List<Approvals.Group> groups = groups(stored);
        return new Voices(
                groups.isEmpty() ? Approvals.of(stored.path("needed").asInt()) : new Approvals(groups),
                escalated(question));
    }

    /** Those whom a question's policy names: that of the agent in whose name it is asked, if it is another one. */
    public static List<Audience> named(Question question) {
        return question.kind() == Question.Kind.APPROVALS || isDelegated(question)
                ? groups(stored(question)).stream()
                        .map(Approvals.Group::audience)
                        .flatMap(Optional::stream)
                        .toList()
                : List.of();
    }

    private static JsonNode stored(Question question) {
        return Gate.metadata(question).path(APPROVALS);
    }

    /** Checks whether a question is asked in the name of another agent. */
    public static boolean isDelegated(Question question) {
        return Gate.metadata(question).has(DELEGATED_BY);
    }

    /** The yes or no to a call of another agent, without the rest of the answer. Empty unless it is an answer to such a question. */
    public static Optional<ObjectNode> verdict(Question question, JsonNode payload) {
        return isDelegated(question) && ApprovalForm.isVerdict(payload)
                ? Optional.of(payload.<ObjectNode>deepCopy().retain(ApprovalForm.APPROVED))
                : Optional.empty();
    }

    private static List<Approvals.Group> groups(JsonNode stored) {
        List<Approvals.Group> groups = new ArrayList<>();
        for (JsonNode group : stored.path("groups")) {
            Optional<Audience> audience =
                    Optional.ofNullable(group.get("audience")).map(name -> Audience.role(name.asText()));
            groups.add(new Approvals.Group(group.path("needed").asInt(), audience));
        }
        return groups;
    }

    /** The people to whom time has put a question as well. */
    public static List<Audience> escalated(Question question) {
        return done(question, TimeStep.Kind.ESCALATE).stream()
                .map(step -> Audience.role(step.path("audience").asText()))
                .toList();
    }

    /** The steps of one kind that time has passed: those that the policy of a question named, without those that are left. */
    public static List<JsonNode> done(Question question, TimeStep.Kind kind) {
        if (question.followsAttempt() && !isDelegated(question)) {
            return List.of(); // a question of a tool has no policy, unless an agent works in it
        }
        List<JsonNode> named = new ArrayList<>();
        for (JsonNode step : Gate.metadata(question).path("timeline")) {
            if (step.path("step").asText().equalsIgnoreCase(kind.name())) {
                named.add(step);
            }
        }
        int left = (int)
                question.timeline().stream().filter(step -> step.kind() == kind).count();
        return named.subList(0, Math.max(0, named.size() - left));
    }

    static void require(ObjectNode langchain4j, Approvals approvals) {
        ObjectNode json = langchain4j.putObject(APPROVALS).put("needed", approvals.needed());
        if (!approvals.equals(Approvals.of(approvals.needed()))) {
            ArrayNode groups = json.putArray("groups");
            for (Approvals.Group group : approvals.groups()) {
                ObjectNode each = groups.addObject().put("needed", group.needed());
                group.audience().ifPresent(audience -> each.put("audience", audience.name()));
            }
        }
        json.putArray("have");
    }

    /** A question that begins with the approval of who has made it by an edit. */
    public static Asked begun(Question question, Caller editor, Instant now) {
        return asked(
                question,
                List.of(new Answer(Answer.How.RESOLVED, ApprovalForm.approval(), editor.id(), now, editor.roles())));
    }

    /** The votes with one more, unless that caller has voted already. */
    public static List<Answer> with(List<Answer> votes, Answer vote) {
        List<Answer> all = new ArrayList<>(votes);
        if (votes.stream().noneMatch(each -> each.answeredBy().equals(vote.answeredBy()))) {
            all.add(vote);
        }
        return all;
    }

    /** The same question with these votes, of which it tells. */
    public static Asked asked(Question question, List<Answer> votes) {
        Question told = Gate.annotated(question, metadata -> {
            ArrayNode have = metadata.withObject("/" + APPROVALS).putArray("have");
            votes.forEach(vote -> have.addObject()
                    .put("by", vote.answeredBy())
                    .put("at", vote.answeredAt().toString()));
        });
        return new Asked(told, Optional.empty(), votes);
    }

    /** The people that two policies need together: fewer of no audience are among those that the other one needs. */
    public static Approvals strictest(Approvals one, Approvals other) {
        if (one.equals(other) || isWithin(other, one)) {
            return one;
        } else if (isWithin(one, other)) {
            return other;
        }
        List<Approvals.Group> both = new ArrayList<>(one.groups());
        both.addAll(other.groups());
        return new Approvals(both);
    }

    private static boolean isWithin(Approvals fewer, Approvals more) {
        return fewer.needed() <= more.needed()
                && fewer.groups().stream().allMatch(group -> group.audience().isEmpty());
    }

    public boolean areSeveral() {
        return approvals.needed() > 1;
    }

    /** Tells whether a caller belongs to those who are asked. */
    public boolean include(Caller caller) {
        for (Approvals.Group group : approvals.groups()) {
            if (fits(group, caller)) {
                return true;
            }
        }
        return false;
    }

    public boolean areEnough(List<Answer> votes) {
        return counting(voters(votes)) == approvals.needed();
    }

    /** Tells whether the approval of a caller counts besides those that there are. */
    public boolean lack(Caller caller, List<Answer> votes) {
        List<Caller> voters = voters(votes);
        int before = counting(voters);
        voters.add(caller);
        return !isAmong(caller, votes) && counting(voters) > before;
    }

    public static boolean isAmong(Caller caller, List<Answer> votes) {
        for (Answer vote : votes) {
            if (vote.answeredBy().equals(caller.id())) {
                return true;
            }
        }
        return false;
    }

    public static boolean isOfSamePeople(List<Answer> votes, List<Answer> others) {
        return votes.stream()
                .map(Answer::answeredBy)
                .toList()
                .equals(others.stream().map(Answer::answeredBy).toList());
    }

    private static List<Caller> voters(List<Answer> votes) {
        List<Caller> voters = new ArrayList<>(votes.size() + 1);
        for (Answer vote : votes) {
            voters.add(voter(vote));
        }
        return voters;
    }

    public static Caller voter(Answer vote) {
        return new Caller(vote.answeredBy(), vote.roles());
    }

    /** Counts each person once, in the place that leaves the most places to the others. */
    public int counting(List<Caller> voters) {
        List<Approvals.Group> places = new ArrayList<>();
        for (Approvals.Group group : approvals.groups()) {
            for (int i = 0; i < group.needed() && i < voters.size(); i++) {
                places.add(group);
            }
        }
        @Nullable Caller[] taken = new Caller[places.size()];
        int seated = 0;
        for (Caller voter : voters) {
            seated += seat(voter, places, taken, new boolean[taken.length]) ? 1 : 0;
        }
        return seated;
    }

    private boolean seat(Caller voter, List<Approvals.Group> places, @Nullable Caller[] taken, boolean[] tried) {
        for (int i = 0; i < taken.length; i++) {
            if (!tried[i] && fits(places.get(i), voter)) {
                tried[i] = true;
                Caller sits = taken[i];
                if (sits == null || seat(sits, places, taken, tried)) {
                    taken[i] = voter;
                    return true;
                }
            }
        }
        return false;
    }

    private boolean fits(Approvals.Group group, Caller caller) {
        return group.audience().isEmpty()
                || group.audience().get().has(caller)
                || escalated.stream().anyMatch(audience -> audience.has(caller));
    }
}
