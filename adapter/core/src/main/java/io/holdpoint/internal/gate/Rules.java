package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ProposedCall;
import io.holdpoint.internal.LogText;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Intended;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.rule.Terms;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of an agent, each asked so that whatever it throws counts as its strict side. Thread-safe. */
public final class Rules {

    private static final Logger LOG = LoggerFactory.getLogger(Rules.class);

    /** The reason that a person or a model reads where a rule has thrown. */
    private static final String FAILED = "a check of the application failed";

    private final List<Rule> all;

    /** The same, those of policies and those that modules read, by their names. */
    private final Map<String, List<Rule>> byName = new ConcurrentSkipListMap<>();

    private Rules(List<Rule> all) {
        this.all = all;
    }

    /**
     * The rules of an agent, and for what was kept with a question those of its policies. Refuses rules whose sections could not be told from
     * each other, or from what stands in a question's metadata.
     */
    public static Rules of(List<Rule> rules, List<PolicySettings> policies) {
        Set<String> names = new HashSet<>();
        List<Rule> known = new ArrayList<>(AnnotationReader.FOUND.all());
        for (Rule rule : known) {
            names.add(rule.name());
        }
        List<Rule> all = new ArrayList<>();
        for (Rule each : rules) {
            Rule rule = asBuilt(each);
            String name = rule.name();
            if (!names.add(name)) {
                throw refused(each.getClass().getName(), name);
            }
            requireName(rule, each.getClass().getName());
            all.add(rule);
        }
        all.sort(Comparator.comparing(Rule::name)); // so that their order says nothing
        Rules built = new Rules(List.copyOf(all));
        known.addAll(all);
        for (PolicySettings policy : policies) {
            known.addAll(policy.shadow ? List.of() : policy.rules);
        }
        for (Rule rule : known) {
            built.know(rule);
        }
        return built;
    }

    /** Takes note of a rule of a policy. */
    void know(Rule rule) {
        Rule known = asBuilt(rule);
        List<Rule> named = byName.computeIfAbsent(known.name(), name -> new CopyOnWriteArrayList<>());
        if (!named.contains(known)) {
            named.add(known);
        }
    }

    /** Refuses a rule whose section, or whose member of an answer, would be another one. */
    static void requireName(Rule rule, String where) {
        String name = rule.name();
        if (!name.matches("[A-Za-z]{1,40}") || Gate.OWN.contains(name) || ApprovalForm.OWN.contains(name)) {
            throw refused(where, name);
        }
    }

    private static RuntimeException refused(String where, String name) {
        Set<String> taken = new TreeSet<>(Gate.OWN);
        taken.addAll(ApprovalForm.OWN);
        return illegalConfiguration(
                "%s: the name of the rule is \"%s\". It must have 1 to 40 letters, be none of the fields that questions and answers"
                        + " have already (%s), and be another one than those of the other rules.",
                where, name, String.join(", ", taken));
    }

    static Rule asBuilt(Rule rule) {
        return rule instanceof AsBuilt ? rule : AsBuilt.of(rule);
    }

    /** A rule with what it said about itself when the agent was built: sections and records name it, also when it would say something else. */
    private record AsBuilt(
            Rule rule,
            String name,
            Set<String> tools,
            Duration within,
            Set<String> unredacted,
            Terms terms,
            boolean speaks)
            implements Rule {

        private static final String NULL = "the rule says null";

        static AsBuilt of(Rule rule) {
            return new AsBuilt(
                    rule,
                    Objects.requireNonNull(rule.name(), NULL),
                    Set.copyOf(rule.tools()),
                    Objects.requireNonNull(rule.within(), NULL),
                    Set.copyOf(rule.unredacted()),
                    Objects.requireNonNull(rule.terms(), NULL),
                    speaks(rule));
        }

        private static boolean speaks(Rule rule) {
            try {
                return rule.getClass().getMethod("onProposal", Proposal.class).getDeclaringClass() != Rule.class;
            } catch (NoSuchMethodException hidden) {
                return true;
            }
        }

        @Override
        public void requireFitting(ToolSpecification tool) {
            rule.requireFitting(tool);
        }

        @Override
        public Rule and(Rule other) {
            return asBuilt(rule.and(other instanceof AsBuilt built ? built.rule : other));
        }

        @Override
        public boolean concerns(ToolSpecification tool, Optional<Reversibility> known) {
            return rule.concerns(tool, known);
        }

        @Override
        public Say onProposal(Proposal proposal) {
            return Objects.requireNonNull(rule.onProposal(proposal), NULL);
        }

        @Override
        public Say unsaid(String why) {
            return Objects.requireNonNull(rule.unsaid(why), NULL);
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return Objects.requireNonNull(rule.onAnswer(answer), NULL);
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Objects.requireNonNull(rule.onQuestion(call, before), NULL);
        }

        @Override
        public Say beforeClaim(Approved approved) {
            return Objects.requireNonNull(rule.beforeClaim(approved), NULL);
        }

        @Override
        public Optional<String> beforeBody(ProposedCall call) {
            return Objects.requireNonNull(rule.beforeBody(call), NULL);
        }

        @Override
        public List<Intended> intended(ProposedCall call, JsonNode shown) {
            return List.copyOf(rule.intended(call, shown));
        }
    }

    /** Refuses rules about tools that there are not. */
    void requireUsed(Set<String> toolNames) {
        for (Rule rule : all) {
            for (String named : rule.tools()) {
                if (!toolNames.contains(named)) {
                    throw illegalConfiguration(
                            "The rule \"%s\" is about a tool \"%s\": there is no such tool. The tools are %s.",
                            rule.name(), named, new TreeSet<>(toolNames));
                }
            }
        }
    }

    /** The rules about a tool. One that fails has not said that it is about another one. */
    List<Rule> about(ToolSpecification tool, Optional<Reversibility> known) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<Rule> about = new ArrayList<>();
        for (Rule rule : all) {
            try {
                boolean isNamed = rule.tools().isEmpty() || rule.tools().contains(tool.name());
                if (isNamed && rule.concerns(tool, known)) {
                    about.add(rule);
                }
            } catch (Throwable e) { // a missing class too has not said no, and not every language checks exceptions
                LOG.warn("The rule \"{}\" failed on the tool {}, and is applied to it", rule.name(), tool.name(), e);
                about.add(rule);
            }
        }
        return about;
    }

    /** The rules that may be about a tool of which this server knows only the name. */
    List<Rule> named(String toolName) {
        return all.stream()
                .filter(rule -> rule.tools().isEmpty() || rule.tools().contains(toolName))
                .toList();
    }

    /** Tells whether a rule has something to say about proposals. */
    static boolean speaks(Rule rule) {
        return !(rule instanceof AsBuilt built) || built.speaks;
    }

    /** The rules that judge answers by terms that were kept with a question: all of them must take one. */
    public record Kept(String name, List<Rule> rules, JsonNode terms) {

        /** The reason not to take an answer; each rule gets a copy. */
        public Optional<String> refusal(String toolName, Function<JsonNode, Answering> answer) {
            return first(rules, each -> each.onAnswer(answer.apply(terms.deepCopy())), TAKEN.formatted(toolName));
        }
    }

    private static final String TAKEN = "an answer about %s, which is not taken";
    private static final String RUNS = "a call of %s, which does not run";
    private static final String NAMED = "an approved call of %s, which allows no later one";
    private static final String SHOWN = "a question about %s, which does not show what it says";

    /**
     * The rules whose terms were kept with a question: those of its tool, or, of a tool that this server has not looked at, all of that name.
     * One that there is not any more takes no answer.
     */
    public List<Kept> keptWith(Question question, Optional<GatedTool> tool) {
        List<Kept> kept = new ArrayList<>();
        if (question.isForApproval()) {
            for (Map.Entry<String, JsonNode> field : ApprovalForm.of(question).fields()) {
                kept.add(new Kept(field.getKey(), judges(field.getKey(), tool), field.getValue()));
            }
        }
        return kept;
    }

    private List<Rule> judges(String name, Optional<GatedTool> tool) {
        for (Rule rule : tool.map(GatedTool::rules).orElse(List.of())) {
            if (rule.name().equals(name)) {
                return List.of(rule);
            }
        }
        return byName.getOrDefault(name, List.of(new Missing(name)));
    }

    /** Stands for a rule that a question was asked with, and that this server does not have. */
    private record Missing(String name) implements Rule {

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return Optional.of("this server has no rule \"" + name + "\", which the question was asked with");
        }
    }

    /** The first reason not to take an answer; each rule gets a copy. */
    public static Optional<String> refusal(List<Rule> rules, String toolName, Function<JsonNode, Answering> answer) {
        return first(rules, rule -> rule.onAnswer(answer.apply(MissingNode.getInstance())), TAKEN.formatted(toolName));
    }

    /** The first reason not to enter a body; each rule gets a copy. */
    public static Optional<String> veto(List<Rule> rules, ProposedCall call) {
        return first(rules, rule -> rule.beforeBody(Policy.copy(call)), RUNS.formatted(call.toolName()));
    }

    /** The question with what rules show of its call, and what one before it said of that. One that fails has shown nothing. */
    public static Question shown(Question question, List<Rule> rules, ProposedCall call, JsonNode before) {
        Map<String, Say> said = said(rules, call, before);
        if (said.isEmpty()) {
            return question;
        }
        Question shown = Gate.annotated(
                question,
                metadata -> said.forEach((rule, say) -> say.said().ifPresent(section -> metadata.set(rule, section))));
        return Gate.because(shown, why(said));
    }

    /** The sentences of rules why a person is asked. */
    public static List<String> why(Map<String, Say> said) {
        return said.values().stream().map(Say::why).filter(Objects::nonNull).toList();
    }

    /** Returns what rules show of a call, by their names. */
    public static Map<String, ObjectNode> sections(List<Rule> rules, ProposedCall call, JsonNode before) {
        Map<String, ObjectNode> sections = new TreeMap<>();
        said(rules, call, before).forEach((rule, say) -> say.said().ifPresent(section -> sections.put(rule, section)));
        return sections;
    }

    private static Map<String, Say> said(List<Rule> rules, ProposedCall call, JsonNode before) {
        Map<String, Say> said = new TreeMap<>();
        for (Rule rule : rules) {
            try {
                Optional<ObjectNode> own = before.path(rule.name()).deepCopy() instanceof ObjectNode found
                        ? Optional.of(found)
                        : Optional.empty();
                Say say = rule.onQuestion(Policy.copy(call), own);
                if (!say.equals(Say.NOTHING)) {
                    said.put(rule.name(), say);
                }
            } catch (Throwable e) { // a missing class too, and not every language checks exceptions
                LOG.warn(
                        "The rule \"{}\" failed on {}",
                        rule.name(),
                        SHOWN.formatted(call.toolName()),
                        LogText.silent(e));
            }
        }
        return said;
    }

    /** The words of rules right before a claim: the first denial, or all that want a person asked again. One that fails denies. */
    public static Map<String, Say> beforeClaim(List<Rule> rules, String toolName, Function<String, Approved> approved) {
        Map<String, Say> asking = new TreeMap<>();
        for (Rule rule : rules) {
            Say say;
            try {
                say = rule.beforeClaim(approved.apply(rule.name()));
            } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
                LOG.warn("The rule \"{}\" failed on {}", rule.name(), RUNS.formatted(toolName), LogText.silent(e));
                say = Say.deny(FAILED);
            }
            if (say.kind() == Say.Kind.DENY) {
                return Map.of(rule.name(), say);
            } else if (say.kind() == Say.Kind.ASK) {
                asking.put(rule.name(), say);
            }
        }
        return asking;
    }

    /** The later calls that an approval of a call is about as well. A rule that fails names none. */
    public static List<Intended> intended(List<Rule> rules, ProposedCall call, Question answered) {
        List<Intended> intended = new ArrayList<>();
        for (Rule rule : rules) {
            try {
                JsonNode shown = Gate.metadata(answered).path(rule.name()).deepCopy();
                intended.addAll(rule.intended(Policy.copy(call), shown));
            } catch (Throwable e) { // a missing class too has named none, and not every language checks exceptions
                LOG.warn(
                        "The rule \"{}\" failed on {}",
                        rule.name(),
                        NAMED.formatted(call.toolName()),
                        LogText.silent(e));
            }
        }
        return intended;
    }

    private static Optional<String> first(List<Rule> rules, Function<Rule, Optional<String>> says, String what) {
        for (Rule rule : rules) {
            Optional<String> why;
            try {
                why = says.apply(rule);
            } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
                LOG.warn("The rule \"{}\" failed on {}", rule.name(), what, LogText.silent(e));
                why = Optional.of(FAILED);
            }
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    /** Sets the sections of rules that a source has, as they may be kept. */
    public void keep(ObjectNode detail, JsonNode source, boolean keepsEverything) {
        for (Map.Entry<String, List<Rule>> named : byName.entrySet()) {
            if (source.get(named.getKey()) instanceof ObjectNode said) {
                ObjectNode section = said.deepCopy();
                for (Rule rule : keepsEverything ? List.<Rule>of() : named.getValue()) {
                    section.retain(rule.unredacted());
                }
                detail.set(named.getKey(), section);
            }
        }
    }

    /** The names of the sections, which say nothing any more of a call that somebody has edited. */
    public Set<String> names() {
        return byName.keySet();
    }
}
