package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sentences that a model reads about calls that did not run, or not as proposed: what happened, who decided it, and
 * whether to repeat the call. Texts of people and applications are quoted and cut.
 */
public final class ModelTexts {

    /** Longest reason of a person that is passed on, in characters. */
    public static final int MAX_REASON_LENGTH = 1_000;

    public static final String TOOL_CHANGED =
            "The tool has changed since this call was proposed; an approval given before does not count for it.";
    public static final String ARGUMENTS_CHANGED = "The stored arguments are not the ones that were approved.";
    public static final String DECISION_CHANGED = "The stored record of who decided about it, and how, was changed.";
    public static final String MAY_NOT_APPROVE = "Somebody whose answer it needs may no longer give that answer.";
    public static final String TOOL_GONE = "The tool is not offered now.";
    /** The calls of a message that is brought to its end without the model. */
    public static final String GIVEN_UP = "The calls of its message were given up before.";

    public static final String HALTED = "The agent was halted before.";

    private static final int MAX_VIOLATIONS = 5;
    private static final String NOT_AGAIN = "Do not repeat this call unless the user asks for it.";

    private ModelTexts() {}

    private static String notExecuted(String toolName, String what, String advice) {
        return "The call of " + quoted(toolName) + " was not executed. " + what + " " + advice;
    }

    // Not approved

    public static String declined(String toolName, @Nullable String reason) {
        return notExecuted(toolName, "A person declined this call. " + why(reason), NOT_AGAIN);
    }

    private static String why(@Nullable String reason) {
        return isBlank(reason) ? "No reason was given." : "Their reason: " + quoted(reason) + ".";
    }

    /** The same call was declined before in the same turn, or its question was cancelled or expired. */
    public static String repeated(String toolName) {
        return notExecuted(
                toolName,
                "The same call was not approved before, and nobody was asked again.",
                "Do not repeat it; tell the user, or do something else.");
    }

    /** The user's own text, not the model's: ends a turn in which one call after another was not approved, or refused by the gate. */
    public static String endOfTurn(int calls) {
        return "I stop here: " + calls + " calls in a row were not approved, or were refused. Tell me how to go on.";
    }

    /** With {@code votes}, some of the people whose approval it needs have given it, or have edited the call. */
    public static String cancelled(String toolName, boolean votes) {
        return notExecuted(
                toolName, nobody(votes) + " answered the request for approval: it was cancelled.", NOT_AGAIN);
    }

    /** The same of a request whose time was over. */
    public static String expired(String toolName, boolean votes) {
        return notExecuted(
                toolName, nobody(votes) + " answered the request for approval in time: it expired.", NOT_AGAIN);
    }

    private static String nobody(boolean votes) {
        return votes ? "Not everybody whose approval it needs" : "Nobody";
    }

    /** A later version of this library has stored the answer. */
    public static String notUnderstood(String toolName) {
        return notExecuted(
                toolName,
                "The request for approval was answered in a way that this server does not know.",
                "Call it again if it is still needed.");
    }

    /** A call that nobody was asked about, in a batch that a new message, a person or its time has brought to its end. */
    public static String superseded(String toolName) {
        return notExecuted(toolName, "The calls of its message were given up before it was started.", NOT_AGAIN);
    }

    public static String runCancelled(String toolName) {
        return notExecuted(toolName, "The run was cancelled before this call was started.", NOT_AGAIN);
    }

    /** A call of such a batch that a person has approved. */
    public static String abandoned(String toolName) {
        return notExecuted(
                toolName,
                "It was approved, but the calls of its message were given up before it was started.",
                NOT_AGAIN);
    }

    /** The user was asked for the call's result. */
    public static String unanswered(String toolName) {
        return notExecuted(
                toolName,
                "The user was asked and gave no answer.",
                "Do not ask the same again; go on without the answer, or say what is missing.");
    }

    // Refused by the gate

    /**
     * A refusal of the gate: why, and what the model can do about it. Whose arguments were refused, and who was asked about them, depends on
     * when the gate refused them, so each of its texts is for one of these moments.
     */
    public record Refusal(String toolName, String why, String advice) {

        /** The model has proposed these arguments. */
        public String asProposed() {
            return notExecuted(
                    toolName,
                    why.substring(0, 1).toUpperCase(Locale.ROOT) + why.substring(1) + ".",
                    "Nobody was asked. " + advice);
        }

        /** A person has approved the call as it was proposed. */
        public String asApproved() {
            return notExecuted(toolName, "A person approved this call, but " + now(), advice);
        }

        /** A person has approved the call with other arguments. */
        public String asEdited(String arguments) {
            return notExecuted(
                    toolName,
                    "A person approved this call with edited arguments, " + shown(arguments) + ", but with those " + why
                            + ".",
                    advice);
        }

        /** A call that has run already was to run again, or to go on. */
        public String again() {
            return "But " + now();
        }

        /** A person has edited the arguments of a call that has failed. */
        public String again(String arguments) {
            return "They edited the arguments to " + shown(arguments) + ", but with those " + why + ". " + advice;
        }

        private String now() {
            return "by now " + why + ".";
        }
    }

    /** A condition or a rule of the application denies the call. */
    public static Refusal denied(String toolName, String reason) {
        return new Refusal(
                toolName, "it is not allowed: " + quoted(reason), "Do not repeat this call with the same arguments.");
    }

    static Refusal malformed(String toolName, @Nullable String problem) {
        return new Refusal(
                toolName,
                "its arguments are not exactly one valid JSON object: " + problem,
                "Call it again with corrected arguments.");
    }

    /** Names the first few violations, each with the JSON path of its argument. */
    static Refusal invalid(String toolName, List<String> violations) {
        String named =
                violations.stream().limit(MAX_VIOLATIONS).map(ModelTexts::named).collect(Collectors.joining("; "));
        return new Refusal(
                toolName,
                "its arguments are not what the tool takes, or break its constraints: " + named,
                "Call it again with corrected arguments.");
    }

    /** A violation of the arguments as a whole has an empty path. */
    private static String named(String violation) {
        return cut(violation.startsWith(": ") ? violation.substring(2) : violation);
    }

    static Refusal tooLong(String toolName, int limit) {
        return new Refusal(
                toolName,
                "its arguments are longer than " + limit + " characters",
                "Call it again with shorter arguments, or several times with a part each.");
    }

    public static String tooMany(String toolName, int limit) {
        return notExecuted(
                toolName,
                "It is one of more than " + limit + " calls of one message, and only the first " + limit
                        + " are looked at.",
                "Nobody was asked. Call it again in a later message if it is still needed.");
    }

    /** As many people as may be were asked already. */
    public static String tooManyQuestions(String toolName, int limit) {
        return notExecuted(
                toolName,
                "It needs the approval of a person, and " + limit
                        + " calls of this turn were asked about already, which is the limit.",
                "Nobody was asked. Propose no further call that needs approval; tell the user what is left to do.");
    }

    public static String cannotAsk(String toolName) {
        return notExecuted(
                toolName,
                "It may need the approval of a person, and approval cannot be asked here.",
                "Answer without this call.");
    }

    /** Policies want more of a call as a person has edited it than those have said who approved it. */
    public static Refusal needsOthers(String toolName) {
        return new Refusal(
                toolName,
                "other people have to approve it, or in another way",
                "Call it again with these arguments if it is still needed.");
    }

    /** The tool came to need approval after its call was gated. */
    public static String needsApprovalByNow(String toolName) {
        return notExecuted(
                toolName,
                "The tool needs the approval of a person by now, and nobody was asked about this call.",
                "Call it again if it is still needed.");
    }

    public static String argumentsChanged(String toolName) {
        return notExecuted(toolName, ARGUMENTS_CHANGED, NOT_AGAIN);
    }

    public static String decisionChanged(String toolName) {
        return notExecuted(toolName, DECISION_CHANGED, NOT_AGAIN);
    }

    public static String mayNotApprove(String toolName) {
        return notExecuted(toolName, MAY_NOT_APPROVE, "Call it again if it is still needed: people are asked again.");
    }

    /** It could not be found out whether an approved call may still run. */
    public static String notChecked(String toolName) {
        return notExecuted(
                toolName, "Whether it may still run could not be checked.", "Call it again if it is still needed.");
    }

    public static String halted(String toolName) {
        return notExecuted(toolName, HALTED, "Call it again if it is still needed.");
    }

    public static String toolChanged(String toolName) {
        return notExecuted(toolName, TOOL_CHANGED, "Call it again as it is now if it is still needed.");
    }

    public static String toolGone(String toolName) {
        return notExecuted(toolName, TOOL_GONE, "Call it again only if it is offered again.");
    }

    // Started, and not finished

    public static String unknownOutcome(String toolName) {
        return "The outcome of the call of " + quoted(toolName)
                + " is unknown: it was started, and its result is not known."
                + " It may or may not have had its effect. It was not started again. Tell the user to check before"
                + " anything is repeated.";
    }

    /** The body of a tool did not end in time. */
    public static String tookTooLong(String toolName, Duration limit) {
        return "The call of " + quoted(toolName) + " did not end within " + limit.toMillis() / 1000.0
                + " seconds and was interrupted. It may or may not have had its effect. Tell the user to check before"
                + " anything is repeated.";
    }

    /** The person's own text, not the model's: asks what became of a call of unknown outcome. */
    public static String unknownOutcomeQuestion(String toolName) {
        return "The run was stopped while " + quoted(toolName)
                + " was running. It is not known whether it took effect.";
    }

    /** The same, of a body that did not end in time. */
    public static String tookTooLongQuestion(String toolName, Duration limit) {
        return quoted(toolName) + " did not end within " + limit.toMillis() / 1000.0
                + " seconds and was interrupted. It"
                + " may still be running, and it is not known whether it took effect.";
    }

    /** The same, of a body whose thread was interrupted. */
    public static String interruptedQuestion(String toolName) {
        return quoted(toolName) + " was interrupted while it was running. It is not known whether it took effect.";
    }

    /** The same, where nobody can be asked. */
    public static String interrupted(String toolName) {
        return "The call of " + quoted(toolName)
                + " was interrupted. It may or may not have had its effect. Tell the user to"
                + " check before anything is repeated.";
    }

    /** The task of an agent in a tool has ended without an answer, for a reason that stays. */
    public static String taskEnded(String code, String reason) {
        return "The task has ended without an answer (" + code + ")" + (reason.isEmpty() ? "" : ": " + reason) + ".";
    }

    /** The calls of a task that has ended, which the model must not take for failed with it; they follow another sentence. */
    public static String ranBefore(List<String> calls) {
        return calls.isEmpty()
                ? ""
                : " Calls that ran before: " + String.join(", ", calls)
                        + ". Do not have them done again without asking the user.";
    }

    /** A call that was started, and of which nobody knows that it had its effect. */
    public static String perhaps(String toolName) {
        return toolName + " (it failed, or its outcome is not known)";
    }

    /** A person found that a call of unknown outcome took effect. */
    public static String confirmedDone(String toolName, @Nullable String note) {
        return "The call of " + quoted(toolName) + " took effect, as a person has confirmed."
                + " Its own result is not known; what you read here was supplied by that person. " + noted(note) + " "
                + NOT_AGAIN;
    }

    /** A person found that a call of unknown outcome had no effect. */
    public static String confirmedNotDone(String toolName, @Nullable String note) {
        return "The call of " + quoted(toolName) + " had no effect, as a person has confirmed:"
                + " it was interrupted, and it was not started again. " + noted(note) + " " + NOT_AGAIN;
    }

    /** A call of unknown outcome was to run again; the reason is one of the constants of this class. */
    public static String notRetried(String toolName, String why) {
        return unknownOutcome(toolName) + " It was to be run again. " + why;
    }

    /** The tool asked something while it ran, and got no answer. */
    public static String unfinished(String toolName) {
        return "The call of " + quoted(toolName)
                + " was not finished: it asked a person for something and got no answer. " + NOT_AGAIN;
    }

    /** The tool asked something while it ran, and a person declined. */
    public static String unfinished(String toolName, @Nullable String reason) {
        return "The call of " + quoted(toolName)
                + " was not finished: it asked for something, and a person declined. " + why(reason) + " "
                + NOT_AGAIN;
    }

    /** The call was to go on after an answer; the reason is one of the constants of this class. */
    public static String notContinued(String toolName, String why) {
        return "The call of " + quoted(toolName) + " was not finished. It was to go on after an answer. " + why;
    }

    // Failed

    /** The person's own text, not the model's: asks whether a failed call is tried again. */
    public static String failedQuestion(String toolName) {
        return "The call of " + quoted(toolName) + " failed. Try it again?";
    }

    public static String gaveUp(String error, @Nullable String note) {
        String said = isBlank(note) ? "" : " Their note: " + quoted(note) + ".";
        return error + "\n\nA person decided not to try it again." + said + " " + NOT_AGAIN;
    }

    /** A failed call of which nobody has said whether to try it again. */
    public static String notTriedAgain(String error) {
        return error + "\n\nIt was not tried again: nobody answered whether to. " + NOT_AGAIN;
    }

    /** A person wanted a failed call to be tried again; says why it is not. */
    public static String notTriedAgain(String error, String why) {
        return error + "\n\nA person decided to try it again. " + why;
    }

    // Before a result

    public static String suppliedNotice(String toolName) {
        return "Note: " + quoted(toolName)
                + " was not executed. A person answered in its place; what follows was supplied by that person.";
    }

    public static String finishedByPerson(String toolName) {
        return "Note: " + quoted(toolName)
                + " asked a person and was not finished. The person answered in its place; what follows was supplied by that"
                + " person.";
    }

    /** There is no room for them in what a thread remembers. */
    public static final String LATER_ARE_ASKED =
            "Note: the calls that were approved with this one cannot be remembered here. People are asked about each of them.";

    public static String editNotice(String toolName, String arguments) {
        return "Note: a person edited the arguments. " + quoted(toolName)
                + " was executed with these arguments instead of the proposed ones: " + arguments;
    }

    /** The tool has a mistake that the developer is told about. */
    public static String toolIsBroken(String toolName) {
        return "The call of " + quoted(toolName) + " failed: the tool does not work at present. " + NOT_AGAIN;
    }

    /** The tool has returned something that nobody can be told. */
    public static String resultUnreadable(String toolName) {
        return quoted(toolName) + " was executed, but what it returned cannot be read. " + NOT_AGAIN;
    }

    public static String approvalNotice(String toolName, String comment) {
        return "Note: the person who approved the call of " + quoted(toolName) + " said: " + quoted(comment) + ".";
    }

    /** A person's words for others to read: as long as the model gets them, without characters that hide or reorder text. */
    public static String shown(String words) {
        return MessageTemplate.visible(cut(words));
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    private static String noted(@Nullable String note) {
        return isBlank(note) ? "They left no note." : "Their note: " + quoted(note) + ".";
    }

    private static String quoted(@Nullable String text) {
        return MessageTemplate.visible(
                TextNode.valueOf(cut(String.valueOf(text))).toString());
    }

    private static String cut(String text) {
        return MessageTemplate.cut(text, MAX_REASON_LENGTH);
    }
}
