package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.ToolArguments.MalformedException;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Intended;
import io.holdpoint.rule.Outlook;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets people approve a list of calls at once, before the model proposes them: a rule for a tool that has the list as its one parameter, {@code
 * List<IntendedCall> calls}. Its question shows the list; who answers may take calls out of it and change them. Once the tool has run, each call of
 * the approved list runs without a question, as often as the list says, in this conversation, for the time that its own tool's policy says
 * ({@link io.holdpoint.RequiresApproval#rememberFor()}). Anything else is asked about as always.
 *
 * <p>A list approves only calls whose tool lets approvals of the same call be remembered ({@link io.holdpoint.store.Grant.Scope#SAME_CALL}): never one that
 * cannot be taken back, that several people or certain ones have to approve, of which something must be repeated, or that has an {@link Effect}. The question says which calls of
 * the list will still be asked about, in words and in {@code metadata.langchain4j.intended}: {@code {"stillAsked": [1, 2]}}, the places in the list
 * from 0; its other members are what the approval is held to: a call of a tool that has changed since then is asked about, too. The model is told what is wrong, and nobody is asked, if the list is empty or has more than {@value #MOST} calls, or if one of them names no
 * tool of the agent or this one, has arguments that are no JSON object, that its tool would refuse or to which it would add its defaults, or is to be made less than once or more than {@value #MOST_TIMES} times.
 *
 * <p>The approval is a {@link io.holdpoint.store.Grant} for each call of the list: it is listed, revoked, ended by a denial and checked before each call
 * as any other. All of them are stored in one commit with the tool's result. Stateless.
 */
public final class IntendedCalls implements Rule {

    /** The most calls in a list. */
    public static final int MOST = 50;

    /** The most times that a call of a list may be made. */
    public static final int MOST_TIMES = 100;

    private static final int MOST_BLANKS = 100;

    private static final String STILL_ASKED = "stillAsked";
    private static final String ASKED = "asked";
    private static final String TOOLS = "tools";
    private static final String TOOL = "tool";
    private static final String ARGUMENTS = "arguments";
    private static final String TIMES = "times";

    @Override
    public String name() {
        return "intended";
    }

    @Override
    public void requireFitting(ToolSpecification tool) {
        if (tool.parameters() == null
                || tool.parameters().properties().size() != 1
                || !(tool.parameters().properties().values().iterator().next() instanceof JsonArraySchema list)
                || !(list.items() instanceof JsonObjectSchema entry)
                || !entry.properties().keySet().equals(Set.of(TOOL, ARGUMENTS, TIMES))
                || !(entry.properties().get(TOOL) instanceof JsonStringSchema)
                || !(entry.properties().get(ARGUMENTS) instanceof JsonStringSchema)
                || !(entry.properties().get(TIMES) instanceof JsonIntegerSchema)) {
            throw new IllegalArgumentException(
                    "the rule \"intended\" is for a tool whose one parameter is a List<IntendedCall>. Give it that, or remove the rule.");
        }
    }

    @Override
    public Say onProposal(Proposal proposal) {
        Optional<String> wrong = wrong(proposal.call());
        if (wrong.isPresent()) {
            return Say.deny(wrong.get());
        }
        ObjectNode section = JsonNodeFactory.instance.objectNode();
        List<String> why = new ArrayList<>();
        List<Intended> list = read(proposal.call());
        for (int i = 0; i < list.size(); i++) {
            Outlook expected = proposal.outlook().apply(list.get(i));
            ApprovalVerdict outlook = expected.verdict();
            section.withObject("/" + TOOLS).put(list.get(i).toolName(), expected.toolSha256());
            if (outlook instanceof ApprovalVerdict.Deny deny) {
                return Say.deny(place(i) + deny.reason());
            }
            if (outlook instanceof ApprovalVerdict.RequireApproval asked) {
                section.withArray("/" + ASKED).add(hash(list.get(i)));
                String reason = asked.reason().map(text -> ": " + text).orElse("");
                why.add(stillAsked(section, list, i, reason));
            }
        }
        return said(section, why);
    }

    /** Holds whoever is asked once more, about an edit or in its place, to what the first question was held to. */
    @Override
    public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
        ObjectNode section = before.orElse(JsonNodeFactory.instance.objectNode());
        if (!section.has(TOOLS) || wrong(call).isPresent()) {
            return Say.NOTHING;
        }
        section.retain(TOOLS, ASKED);
        List<String> why = new ArrayList<>();
        List<Intended> list = read(call);
        for (int i = 0; i < list.size(); i++) {
            if (asked(section).contains(hash(list.get(i)))) {
                why.add(stillAsked(section, list, i, ""));
            }
        }
        return said(section, why);
    }

    private static Say said(ObjectNode section, List<String> why) {
        return why.isEmpty() ? Say.remark(section) : Say.ask(String.join(" ", why), section);
    }

    private static String stillAsked(ObjectNode section, List<Intended> list, int index, String reason) {
        section.withArray("/" + STILL_ASKED).add(index);
        return "Call " + (index + 1) + " (" + list.get(index).toolName() + ") will still be asked about" + reason + ".";
    }

    private static Set<String> asked(JsonNode section) {
        Set<String> asked = new HashSet<>();
        section.path(ASKED).forEach(each -> asked.add(each.asText()));
        return asked;
    }

    @Override
    public Optional<String> onAnswer(Answering answer) {
        return wrong(answer.call());
    }

    /** Names none of a list that would not have been taken, and no call of which the question said that it will be asked about. */
    @Override
    public List<Intended> intended(ProposedCall call, JsonNode shown) {
        if (wrong(call).isPresent()) {
            return List.of();
        }
        Set<String> asked = asked(shown);
        return read(call).stream()
                .filter(each -> !asked.contains(hash(each)))
                .map(each -> new Intended(
                        each.toolName(),
                        each.arguments(),
                        each.times(),
                        shown.path(TOOLS).path(each.toolName()).asText()))
                .toList();
    }

    private static List<Intended> read(ProposedCall call) {
        List<Intended> intended = new ArrayList<>();
        for (JsonNode each : list(call)) {
            ObjectNode arguments = arguments(each).orElseThrow();
            intended.add(new Intended(
                    each.path(TOOL).asText(), arguments, each.path(TIMES).intValue(), ""));
        }
        return intended;
    }

    private static String hash(Intended call) {
        return call.toolName() + " " + ToolArguments.sha256(ToolArguments.write(call.arguments()));
    }

    private static JsonNode list(ProposedCall call) {
        return call.arguments().isEmpty()
                ? JsonNodeFactory.instance.arrayNode()
                : call.arguments().iterator().next();
    }

    /** Reads them from a text that shows them to a person: nothing in it stands for something else, or fills the screen with blanks. */
    private static Optional<ObjectNode> arguments(JsonNode entry) {
        String text = entry.path(ARGUMENTS).asText();
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            ObjectNode read = ToolArguments.parse(text);
            String plain = ToolArguments.write(read);
            boolean isPlain = escapes(text) == escapes(plain) && text.length() <= 2 * plain.length() + MOST_BLANKS;
            return isPlain ? Optional.of(read) : Optional.empty();
        } catch (MalformedException e) {
            return Optional.empty();
        }
    }

    private static int escapes(String json) {
        return json.split("\\\\u", -1).length;
    }

    /** A sentence about what is wrong with the list by itself, for whoever has made it. */
    private static Optional<String> wrong(ProposedCall call) {
        JsonNode list = list(call);
        if (list.isEmpty() || list.size() > MOST) {
            return Optional.of("the list has " + list.size() + " calls. Name 1 to " + MOST + " calls");
        }
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.get(i);
            int times = entry.path(TIMES).canConvertToInt() ? entry.path(TIMES).intValue() : 0;
            if (entry.path(TOOL).asText().equals(call.toolName())) {
                return Optional.of(place(i) + "it is a list of calls itself. Leave it out");
            }
            if (times < 1 || times > MOST_TIMES) {
                return Optional.of(place(i) + TIMES + " must be from 1 to " + MOST_TIMES);
            }
            if (arguments(entry).isEmpty()) {
                return Optional.of(place(i) + ARGUMENTS
                        + " must be a JSON object, as a text, with each character as itself and few blanks");
            }
        }
        return Optional.empty();
    }

    private static String place(int index) {
        return "call " + (index + 1) + " of the list: ";
    }

    /** The places in the list quote nothing. */
    @Override
    public Set<String> unredacted() {
        return Set.of(STILL_ASKED);
    }
}
