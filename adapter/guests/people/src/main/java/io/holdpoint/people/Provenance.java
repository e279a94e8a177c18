package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ProposedCall;
import io.holdpoint.internal.people.Origins;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Read;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Reversibility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Knows which texts of a conversation nobody vouches for: a rule, given to {@code Holdpoint.builder(...).rules(...)}. Once a conversation has
 * read such a text, no condition, no remembered approval and no bounds let a call of a gated tool run: a person is asked, and reads first what the
 * conversation has read. Tools that need no approval run as before. It stays so for the whole conversation, also when its chat memory has let go
 * of the text or has summed it up, until the message is cut off or the thread is purged.
 *
 * <p>The result of a tool is {@link Source#TRUSTED} unless {@link #source} says otherwise, or the tool's metadata has MCP's {@code openWorldHint}
 * set, as an agent that works as a tool has, here or remote; the result of a tool that this server has not looked at is {@link Source#UNTRUSTED}. The task that another
 * agent gives to one that works as its tool is {@link Source#UNTRUSTED}, what retrieval finds is {@link Source#TRUSTED}, and what the user says is theirs.
 *
 * <p>Questions about gated tools have {@code metadata.langchain4j.provenance: {"tools"?, "read"?: [{"tool", "toolCallId"?, "name"?}], "more"?: 7, "arguments"?: {"/path":
 * {"from": "user" | "tool" | "retrieved" | "task" | "model", "toolName"?, "toolCallId"?, "at"?, "untrusted"?}}, "stopped"?}}. Where an argument came from is a search for its text: it says where
 * the value stands first, and not why the model has taken it.
 */
public final class Provenance implements Rule {

    /** Whose words a text is. */
    public enum Source {
        /** The application vouches for it. */
        TRUSTED,
        /** The user has written it. */
        USER,
        /** The words of somebody for whom nobody vouches. */
        UNTRUSTED
    }

    private static final Map<Source, String> WORDS = Map.of(
            Source.TRUSTED, "what the application vouches for", Source.USER, "the user", Source.UNTRUSTED, "others");

    private static final String OPEN_WORLD = "openWorldHint";
    private static final String UNKNOWN = "a tool that is not known";
    private static final int NAMED = 3;

    /** The most texts that are looked at for a name, and that a question has, of those that were read. */
    private static final int MOST_READ = 50;

    private final Map<String, Source> said;
    private final Source retrieved;
    private final Source tasks;
    private final Set<String> loosened;
    private final List<Wanted> wanted;

    /** An argument of a tool whose value has to stand in the words of certain sources. */
    private record Wanted(String toolName, String argument, Set<Source> sources) {}

    /** The tools that this server has looked at. */
    private final Map<String, Source> known = new ConcurrentHashMap<>();

    private Provenance(
            Map<String, Source> said, Source retrieved, Source tasks, Set<String> loosened, List<Wanted> wanted) {
        this.said = Map.copyOf(said);
        this.retrieved = retrieved;
        this.tasks = tasks;
        this.loosened = Set.copyOf(loosened);
        this.wanted = List.copyOf(wanted);
    }

    /** Knows the hints of tools only. */
    public static Provenance ofHints() {
        return new Provenance(Map.of(), Source.TRUSTED, Source.UNTRUSTED, Set.of(), List.of());
    }

    /** Knows that nobody vouches for the results of these tools, and the hints of others. */
    public static Provenance untrusted(String... toolNames) {
        return ofHints().source(Source.UNTRUSTED, toolNames);
    }

    /**
     * Says whose words the results of tools are, whatever their hints say. Until this server has looked at a tool of each name, calls of gated tools
     * are asked about: a misspelt name must not open anything.
     */
    public Provenance source(Source source, String... toolNames) {
        Map<String, Source> all = new HashMap<>(said);
        for (String tool : toolNames) {
            all.put(tool, source);
        }
        return new Provenance(all, retrieved, tasks, loosened, wanted);
    }

    /**
     * Says whose words it is what retrieval finds. With {@link Source#UNTRUSTED} a conversation counts as having read something from its second turn
     * on, whatever was found in the first: the record does not keep what was found in earlier turns.
     */
    public Provenance retrieved(Source source) {
        return new Provenance(said, source, tasks, loosened, wanted);
    }

    /** Says whose words the tasks are that other agents give to this one. */
    public Provenance tasks(Source source) {
        return new Provenance(said, retrieved, source, loosened, wanted);
    }

    /** Lets policies and people decide about calls of these tools whatever was read; the audit trail says so of each that it concerns. */
    public Provenance loosenedFor(String... toolNames) {
        Set<String> all = new HashSet<>(loosened);
        all.addAll(List.of(toolNames));
        return new Provenance(said, retrieved, tasks, all, wanted);
    }

    /**
     * Has a person asked about calls of a gated tool unless the value of an argument stands first in the words of one of these sources: {@code
     * asksUnless("pay", "iban", Source.USER)}. It is asked as well where the value was not found, because the model has made it, it is shorter than five
     * characters and no number, or the search has stopped; and of tools that it is {@linkplain #loosenedFor loosened for}. As long as no tool has
     * the name, every call of a gated tool is asked about: a name that is written wrongly must not open what it was to close.
     *
     * @param argument its name as the model sees it, or the path to a part of it, {@code "payment.iban"}
     */
    public Provenance asksUnless(String toolName, String argument, Source... sources) {
        List<Wanted> all = new ArrayList<>(wanted);
        all.add(new Wanted(toolName, argument, Set.of(sources)));
        return new Provenance(said, retrieved, tasks, loosened, all);
    }

    @Override
    public String name() {
        return "provenance";
    }

    /** Takes note of the tool, whose results later calls may come from. */
    @Override
    public boolean concerns(ToolSpecification tool, Optional<Reversibility> reversibility) {
        Source hinted = McpHints.isSet(tool, OPEN_WORLD) ? Source.UNTRUSTED : Source.TRUSTED;
        known.merge(
                tool.name(), said.getOrDefault(tool.name(), hinted), BinaryOperator.maxBy(Comparator.naturalOrder()));
        return true;
    }

    @Override
    public Say onProposal(Proposal proposal) {
        if (!proposal.gated()) {
            return Say.NOTHING;
        }
        String toolName = proposal.call().toolName();
        List<Read> conversation = proposal.conversation().get();
        List<Read> untrusted = conversation.stream()
                .filter(each -> source(each) == Source.UNTRUSTED)
                .toList();
        Set<String> why = new LinkedHashSet<>();
        Set<String> tools = new TreeSet<>();
        ArrayNode read = JsonNodeFactory.instance.arrayNode();
        for (Read each : untrusted) {
            tools.add(each.toolName());
            if (read.size() < MOST_READ) {
                String name = Origins.nameOf(each);
                why.add(described(each, name));
                read.add(reference(each, name));
            }
        }
        long messages = conversation.stream()
                .filter(each -> each.kind() == Read.Kind.MESSAGE)
                .count();
        if (retrieved == Source.UNTRUSTED && messages > (proposal.request().isEmpty() ? 0 : 1)) { // a proposal has none
            why.add("what was retrieved in earlier turns");
        }
        int more = untrusted.size() - read.size();
        tools.remove("");
        ObjectNode section = JsonNodeFactory.instance.objectNode();
        if (!why.isEmpty()) {
            tools.forEach(section.putArray("tools")::add);
            section.set("read", read);
            if (more > 0) {
                section.put("more", more);
            }
        }
        Origins origins = Origins.of(proposal.call().arguments(), conversation, this::source);
        origins.addTo(section);
        Set<String> unseen = new TreeSet<>(said.keySet());
        unseen.removeAll(known.keySet());
        String unfounded = unfounded(toolName, origins);
        boolean isOpen = why.isEmpty() && unseen.isEmpty();
        if (!isOpen && loosened.contains(toolName)) {
            section.put("loosened", true);
        } else if (!why.isEmpty()) {
            return Say.ask((sentence(why, more) + " " + unfounded).strip(), section);
        } else if (!unseen.isEmpty()) {
            return Say.ask(
                    "What this conversation has read is not known: no tool has the name " + String.join(", ", unseen)
                            + ".",
                    section);
        }
        if (!unfounded.isEmpty()) {
            return Say.ask(unfounded, section);
        }
        // the trail of calls that nobody need be asked about does not grow
        return section.has("loosened") || proposal.asks() && !section.isEmpty() ? Say.remark(section) : Say.NOTHING;
    }

    /**
     * Shows what the conversation has read before each question about the call, whoever has edited it since. Where the values of the arguments stand
     * first is not searched again.
     */
    @Override
    public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
        ObjectNode section = before.orElse(JsonNodeFactory.instance.objectNode());
        if (!section.has("read")) {
            return Say.NOTHING;
        }
        section.retain("tools", "read", "more", "loosened");
        Set<String> why = new LinkedHashSet<>();
        section.path("read")
                .forEach(each -> why.add(
                        described(each.path("tool").asText(), each.path("name").asText())));
        return section.has("loosened")
                ? Say.remark(section)
                : Say.ask(sentence(why, section.path("more").asInt()), section);
    }

    /** Says which arguments do not stand where they have to; empty if all do. */
    private String unfounded(String toolName, Origins origins) {
        List<String> said = new ArrayList<>();
        for (Wanted each : wanted) {
            Source found = origins.sources().get("/" + each.argument().replace('.', '/'));
            if (!known.containsKey(each.toolName())) {
                said.add("No tool has the name \"" + each.toolName() + "\", of which values are wanted.");
            } else if (each.toolName().equals(toolName)
                    && (found == null || !each.sources().contains(found))) {
                said.add("The value of \"" + each.argument() + "\" was not found first in the words of "
                        + each.sources().stream().sorted().map(WORDS::get).collect(Collectors.joining(" or ")) + ".");
            }
        }
        return String.join(" ", said);
    }

    private Source source(Read read) {
        return switch (read.kind()) {
            case MESSAGE -> Source.USER;
            case TASK -> tasks;
            case RETRIEVED -> retrieved;
            case RESULT -> known.getOrDefault(read.toolName(), Source.UNTRUSTED);
        };
    }

    private static String described(Read read, String name) {
        return switch (read.kind()) {
            case MESSAGE -> "a message";
            case TASK -> "the task of another agent";
            case RETRIEVED -> name.isEmpty() ? "retrieved texts" : name + " (retrieved)";
            case RESULT -> described(read.toolName().isEmpty() ? UNKNOWN : read.toolName(), name);
        };
    }

    private static String described(String tool, String name) {
        return tool.isEmpty()
                ? name.isEmpty() ? "texts of others" : name
                : name.isEmpty() ? "the result of " + tool : name + " (" + tool + ")";
    }

    private static JsonNode reference(Read read, String name) {
        ObjectNode reference = JsonNodeFactory.instance.objectNode().put("tool", read.toolName());
        if (!read.toolCallId().isEmpty()) {
            reference.put("toolCallId", read.toolCallId());
        }
        return name.isEmpty() ? reference : reference.put("name", name);
    }

    private static String sentence(Set<String> read, int others) {
        int unnamed = Math.max(0, read.size() - NAMED) + others;
        return "This conversation has read "
                + (read.isEmpty() ? "texts" : read.stream().limit(NAMED).collect(Collectors.joining(", ")))
                + (unnamed > 0 ? ", and " + unnamed + " more" : "")
                + ": nobody vouches for what stands there.";
    }

    /** Documents' names come from what was read. */
    @Override
    public Set<String> unredacted() {
        return Set.of("tools", "loosened");
    }
}
