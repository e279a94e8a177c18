package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the model is told about a call that did not run: that it did not, who decided what, and not to repeat it. */
public final class ModelTexts {

    /** Longest reason of a person that is passed on, in characters. */
    public static final int MAX_REASON_LENGTH = 1_000;

    /** The tool has other parameters by now. */
    public static final String TOOL =
            "The tool has changed since this call was proposed; an approval given before does not count for it.";

    /** The arguments are not the approved ones. */
    public static final String ARGUMENTS = "The stored arguments are not the ones that were approved.";

    /** There is no such tool. */
    public static final String GONE = "The tool does not exist any more.";

    private static final int MAX_VIOLATIONS = 5;

    private ModelTexts() {}

    /**
     * A person said no.
     *
     * @param toolName the tool
     * @param reason what the person gave as a reason, if anything
     * @return the text
     */
    public static String declined(String toolName, @Nullable String reason) {
        String why =
                reason == null || reason.isBlank() ? "No reason was given." : "Their reason: " + quoted(reason) + ".";
        return text(
                toolName,
                "A person declined this call. " + why,
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * A condition of the application said no, and nobody was asked.
     *
     * @param toolName the tool
     * @param reason what the condition gave as a reason
     * @return the text
     */
    static String denied(String toolName, String reason) {
        return text(
                toolName,
                "It is not allowed: " + quoted(reason) + ".",
                "Nobody was asked. Do not repeat this call with the same arguments.");
    }

    /**
     * The same call was proposed before in the same turn and was not allowed.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String repeated(String toolName) {
        return text(
                toolName,
                "The same call was declined before, and nobody was asked again.",
                "Do not repeat it; tell the user, or do something else.");
    }

    /**
     * What ends a turn in which one call after another was not allowed.
     *
     * @param calls how many
     * @return the text that the user reads
     */
    public static String endOfTurn(int calls) {
        return "I stop here: " + calls + " calls in a row were declined. Tell me how to go on.";
    }

    /**
     * The person let go of the question.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String cancelled(String toolName) {
        return text(
                toolName,
                "Nobody answered the request for approval: it was cancelled.",
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * The question expired.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String expired(String toolName) {
        return text(
                toolName,
                "Nobody answered the request for approval in time: it expired.",
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * An ungated call of a batch that was given up.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String superseded(String toolName) {
        return text(
                toolName,
                "The user went on without it before the other calls of the same message were decided.",
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * The model proposed something that is not a call.
     *
     * @param toolName the tool
     * @param problem what is wrong with the arguments
     * @return the text
     */
    static String malformed(String toolName, String problem) {
        return text(
                toolName,
                "Its arguments are not exactly one valid JSON object: " + problem + ".",
                "Nobody was asked. Call it again with corrected arguments.");
    }

    /**
     * The model proposed arguments that the tool does not take.
     *
     * @param toolName the tool
     * @param violations what is wrong, each with the JSON path of the argument
     * @return the text; names the first few of them
     */
    static String invalid(String toolName, List<String> violations) {
        String named = violations.stream()
                .limit(MAX_VIOLATIONS)
                .map(violation -> violation.length() <= MAX_REASON_LENGTH
                        ? violation
                        : violation.substring(0, MAX_REASON_LENGTH) + "…")
                .collect(Collectors.joining("; "));
        return text(
                toolName,
                "Its arguments do not meet the tool's constraints: " + named + ".",
                "Nobody was asked. Call it again with corrected arguments.");
    }

    /**
     * The model proposed more than is taken.
     *
     * @param toolName the tool
     * @param limit longest arguments, in characters
     * @return the text
     */
    static String tooLong(String toolName, int limit) {
        return text(
                toolName,
                "Its arguments are longer than " + limit + " characters.",
                "Nobody was asked. Call it again with shorter arguments, or several times with a part each.");
    }

    /**
     * The model proposed more calls at once than are taken.
     *
     * @param toolName the tool
     * @param limit most calls of one message
     * @return the text
     */
    public static String tooMany(String toolName, int limit) {
        return text(
                toolName,
                "It is one of more than " + limit + " calls of one message, and only the first " + limit
                        + " are looked at.",
                "Nobody was asked. Call it again in a later message if it is still needed.");
    }

    /**
     * A gated call where no question can be asked.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String cannotAsk(String toolName) {
        return text(
                toolName,
                "It needs the approval of a person, and approval cannot be asked here.",
                "Answer without this call.");
    }

    /**
     * A tool that came to need approval after its call was gated.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String nobodyWasAsked(String toolName) {
        return text(
                toolName,
                "The tool needs the approval of a person by now, and nobody was asked about this call.",
                "Call it again if it is still needed.");
    }

    /**
     * The run was cancelled before the call was started.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String runCancelled(String toolName) {
        return text(
                toolName,
                "The user cancelled the run before this call was started.",
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * The run that should have executed the call failed for good.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String abandoned(String toolName) {
        return text(
                toolName,
                "It was approved, but the run that should have executed it failed, and the user went on.",
                "Do not repeat this call unless the user asks for it.");
    }

    /**
     * What was approved is not what would run.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String changed(String toolName) {
        return text(toolName, ARGUMENTS, "Do not repeat this call unless the user asks for it.");
    }

    /**
     * The tool no longer exists.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String gone(String toolName) {
        return text(toolName, GONE, "Do not repeat this call.");
    }

    /**
     * A call was started and its result was lost.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String unknownOutcome(String toolName) {
        return "The outcome of the call of " + quoted(toolName)
                + " is unknown: it was started, and its result was lost."
                + " It may or may not have had its effect. It was not started again. Tell the user to check before"
                + " anything is repeated.";
    }

    /**
     * The tool is not the one that the call was proposed to.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String toolChanged(String toolName) {
        return text(toolName, TOOL, "Call it again as it is now if it is still needed.");
    }

    /**
     * A call of unknown outcome that was to run again, and does not.
     *
     * @param toolName the tool
     * @param why {@link #TOOL}, {@link #ARGUMENTS} or {@link #GONE}
     * @return the text
     */
    public static String notRetried(String toolName, String why) {
        return unknownOutcome(toolName) + " It was to be run again. " + why;
    }

    /**
     * A call whose result a person was to supply, and did not.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String unanswered(String toolName) {
        return text(
                toolName,
                "The user was asked and gave no answer.",
                "Do not ask the same again; go on without the answer, or say what is missing.");
    }

    /**
     * A call whose tool asked something while it ran and was not answered.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String unfinished(String toolName) {
        return "The call of " + quoted(toolName)
                + " was not finished: it asked the user for something and got no answer."
                + " Do not repeat this call unless the user asks for it.";
    }

    /**
     * A call that was to go on after an answer, and cannot.
     *
     * @param toolName the tool
     * @param why {@link #TOOL}, {@link #ARGUMENTS} or {@link #GONE}
     * @return the text
     */
    public static String notContinued(String toolName, String why) {
        return "The call of " + quoted(toolName) + " was not finished. It was to go on after an answer. " + why;
    }

    /**
     * What a person is asked about a call that failed. Nothing in it was written by the model or the tool.
     *
     * @param toolName the tool
     * @return the sentence
     */
    public static String failedQuestion(String toolName) {
        return "The call of " + quoted(toolName) + " failed. Try it again?";
    }

    /**
     * A call that failed, and that nobody wants to try again.
     *
     * @param error what the tool answered
     * @param note what the person said about it, if anything
     * @return the text
     */
    public static String gaveUp(String error, @Nullable String note) {
        String said = note == null || note.isBlank() ? "" : " Their note: " + quoted(note) + ".";
        return error + "\n\nA person decided not to try it again." + said
                + " Do not repeat this call unless the user asks for it.";
    }

    /**
     * A call that failed, and that must not be tried again with the arguments that a person gave it.
     *
     * @param error what the tool answered
     * @param refusal what the gate says of the other arguments
     * @return the text
     */
    public static String notTriedAgain(String error, String refusal) {
        return error + "\n\nA person edited the arguments to try it again. With those: " + refusal;
    }

    /**
     * What precedes a result that a person gave in place of the tool.
     *
     * @param toolName the tool
     * @return the text
     */
    public static String suppliedNotice(String toolName) {
        return "Note: " + quoted(toolName)
                + " was not executed. A person answered in its place; what follows was supplied by" + " that person.";
    }

    /**
     * What precedes the result of an edited call.
     *
     * @param toolName the tool
     * @param arguments canonical text of what was executed
     * @return the text
     */
    public static String editNotice(String toolName, String arguments) {
        return "Note: a person edited the arguments before approving. " + quoted(toolName)
                + " was executed with these arguments instead of the proposed ones: " + arguments;
    }

    private static String text(String toolName, String what, String advice) {
        return "The call of " + quoted(toolName) + " was not executed. " + what + " " + advice;
    }

    static String quoted(String text) {
        int end = text.codePointCount(0, text.length()) <= MAX_REASON_LENGTH
                ? text.length()
                : text.offsetByCodePoints(0, MAX_REASON_LENGTH);
        return TextNode.valueOf(end == text.length() ? text : text.substring(0, end) + "…")
                .toString();
    }
}
