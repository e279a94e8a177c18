package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.gate.GatedTool.Shadow;
import io.holdpoint.internal.gate.GatedTool.ToolPolicies;
import io.holdpoint.internal.gate.JavaArguments.Unfillable;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Reversibility;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the policies of tools: their {@link RequiresApproval} annotations and the policies that apply to them.
 * Every method is read once. Thread-safe.
 */
public final class PolicyReader {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyReader.class);

    private static final int MAX_OPAQUE = 1_000;

    private final List<PolicySettings> policies;
    public final Rules rules;
    private final ApprovalAuthorizer authorizer;
    private final Duration abandoned;
    /** The agents among the tools, which know by themselves what they can do. */
    private final Map<String, RepeatableTool> agents = new ConcurrentHashMap<>();

    private final Instances<ApprovalCondition> conditions;
    private final Instances<Rule> ruleClasses;
    private final Map<ToolMethod, Recorded> methods = new ConcurrentHashMap<>();
    private final Map<ToolSpecification, Recorded> opaque = new ConcurrentHashMap<>();
    private final Set<String> remarked = ConcurrentHashMap.newKeySet();
    /** The tools that were looked at since the last record, and the fingerprints of those that are in one. */
    private final Queue<Recorded> unrecorded = new ConcurrentLinkedQueue<>();

    private final Set<String> recorded = ConcurrentHashMap.newKeySet();

    /** A tool with its fingerprint, as a record of the tools tells it, and as the model is told of it. */
    public record Recorded(ToolSpecification described, GatedTool tool, String fingerprint) {}

    /** Reads a tool later, when it is first looked at. */
    public PolicyReader(
            List<PolicySettings> policies,
            Rules rules,
            List<Object> instances,
            ApprovalAuthorizer authorizer,
            Duration abandoned) {
        this.authorizer = authorizer;
        this.abandoned = abandoned;
        this.policies = List.copyOf(policies);
        this.rules = rules;
        this.conditions = new Instances<>("condition", ApprovalCondition.class, instances);
        this.ruleClasses = new Instances<>("rule", Rule.class, instances);
    }

    /** The reader of another process of the same agent, which knows the same tools, and has recorded none. */
    public PolicyReader restarted() {
        PolicyReader reader = new PolicyReader(policies, rules, List.of(), authorizer, abandoned);
        reader.agents.putAll(agents);
        reader.conditions.instances.putAll(conditions.instances);
        reader.ruleClasses.instances.putAll(ruleClasses.instances);
        reader.methods.putAll(methods);
        reader.opaque.putAll(opaque);
        reader.unrecorded.addAll(methods.values());
        reader.unrecorded.addAll(opaque.values());
        return reader;
    }

    /** Refuses instances of classes that no annotation can name. */
    public static List<Object> requireInstances(Object... instances) {
        for (Object instance : instances) {
            if (!(instance instanceof ApprovalCondition || instance instanceof Rule)) {
                throw new IllegalArgumentException(
                        instance.getClass().getName() + " is neither an ApprovalCondition nor a Rule");
            }
        }
        return List.of(instances);
    }

    /** Refuses policies that name an unknown tool: a misspelt name would leave the tool without its policy. */
    public void requireUsed(Set<String> toolNames) {
        rules.requireUsed(toolNames);
        for (PolicySettings policy : policies) {
            if (policy.toolName.isPresent() && !toolNames.contains(policy.toolName.get())) {
                throw illegalConfiguration(
                        "The policy for %s: there is no such tool. The tools are %s.",
                        policy.description, new TreeSet<>(toolNames));
            }
        }
    }

    /** The strictest class of the tools that were looked at. */
    public Optional<Reversibility> strictest() {
        List<Reversibility> said = new ArrayList<>();
        all().forEach(tool -> tool.reversibility().ifPresent(said::add));
        agents.values().forEach(agent -> agent.reversibility().ifPresent(said::add));
        return Reversibility.strictest(said);
    }

    public GatedTool of(ToolSpecification specification, ToolExecutor executor) {
        if (executor instanceof DefaultToolExecutor method) {
            return ofMethod(specification, ToolMethod.of(method), null);
        }
        if (executor instanceof UserQuestion question) {
            return ofMethod(specification, question.method(), question);
        }
        if (executor instanceof RepeatableTool agent) {
            agents.put(specification.name(), agent);
            return opaque(specification, agent.reversibility()).repeatable();
        }
        return executor == ClientTool.INSTANCE
                // not kept: clients could fill the memory with tools they make up
                ? read(specification, Optional.empty(), true).leftToClient()
                : opaque(specification, Optional.empty());
    }

    /** The tool with this hash, if it was looked at already. */
    public Optional<GatedTool> known(String toolSha256) {
        for (GatedTool tool : all()) {
            if (tool.is(toolSha256)) {
                return Optional.of(tool);
            }
        }
        return Optional.empty();
    }

    /** The arguments of the tool with this hash, as they are sent if it was not looked at yet. */
    public MethodArguments arguments(String toolSha256) {
        return known(toolSha256).map(GatedTool::arguments).orElse(MethodArguments.NONE);
    }

    public List<GatedTool> all() {
        List<GatedTool> all = new ArrayList<>();
        for (Recorded method : methods.values()) {
            all.add(method.tool);
        }
        for (Recorded other : opaque.values()) {
            all.add(other.tool);
        }
        return all;
    }

    /** Takes the tools that no record names yet; a fingerprint is recorded once, and no more than {@value #MAX_OPAQUE} are. */
    public List<Recorded> unrecorded() {
        List<Recorded> fresh = new ArrayList<>();
        for (Recorded each = unrecorded.poll(); each != null; each = unrecorded.poll()) {
            if (recorded.size() < MAX_OPAQUE && recorded.add(each.tool.name() + each.fingerprint)) {
                fresh.add(each);
            }
        }
        return fresh;
    }

    private GatedTool ofMethod(ToolSpecification specification, ToolMethod method, @Nullable UserQuestion question) {
        Recorded known = methods.get(method);
        if (known == null || !known.described.equals(specification)) {
            if (question == null) {
                UserQuestion.refuseIn(method.objectClass());
            }
            GatedTool read = read(specification, method);
            known = recorded(specification, question == null ? read : read.asking(question.template()));
            methods.put(method, known);
        }
        return known.tool;
    }

    /**
     * Tools that are not methods may differ from turn to turn, so only a bounded number of them is kept. One that can do more than when it
     * was looked at, as an agent whose own tools have become more, is looked at again.
     */
    private GatedTool opaque(ToolSpecification specification, Optional<Reversibility> least) {
        Recorded known = opaque.get(specification);
        if (known == null || !known.tool.isAtLeast(least)) {
            if (opaque.size() >= MAX_OPAQUE) {
                opaque.clear();
            }
            known = recorded(specification, read(specification, least, false));
            opaque.put(specification, known);
        }
        return known.tool;
    }

    private Recorded recorded(ToolSpecification described, GatedTool tool) {
        Recorded looked = new Recorded(described, tool, tool.fingerprint());
        unrecorded.add(looked);
        return looked;
    }

    private GatedTool read(ToolSpecification specification, Optional<Reversibility> least, boolean ofClient) {
        return tool(
                specification, applied(specification, least, ofClient), MethodArguments.NONE, Optional.empty(), least);
    }

    private GatedTool read(ToolSpecification described, ToolMethod method) {
        ToolSpecification specification = MethodArguments.asRead(described, method.method());
        Optional<?> later = AsyncTypes.of(method.method());
        if (later.isPresent()) {
            throw illegalConfiguration(
                    "The tool %s returns %s, but nothing waits for the result of an asynchronous tool, and no failure of"
                            + " it would be noticed. Let it return its result.",
                    method, later.get());
        }
        List<Policy> read = new ArrayList<>();
        Optional<RequiresApproval> annotation = method.annotation();
        if (annotation.isPresent()) {
            RequiresApproval found = annotation.get();
            String where = "@RequiresApproval on " + method;
            List<Rule> named = new ArrayList<>();
            for (Class<? extends Rule> each : found.rules()) {
                named.add(ruleClasses.get(each, where));
                rules.know(named.get(named.size() - 1));
            }
            read.add(Policy.of(found, conditions.get(found.when(), where), named, where, specification)
                    .requireDeciders(authorizer, abandoned, where));
        }
        read.addAll(applied(
                specification, read.isEmpty() ? Optional.empty() : read.get(0).reversibility(), false));
        MethodArguments arguments = MethodArguments.of(method, specification);
        for (String remark : arguments.constraints().remarks()) {
            remark("A constraint of " + method + ": " + remark + ".");
        }
        if (method.hasBody()) {
            requireFillable(method, arguments, !read.isEmpty());
        }
        if (!method.hasBody() || !read.isEmpty()) {
            requireNames(method, ToolSchemas.parameterNames(specification));
        }
        return tool(specification, read, arguments, Optional.of(method), Optional.empty());
    }

    /** A person would be asked about arguments that nobody can name. */
    private static void requireNames(ToolMethod method, Set<String> names) {
        for (Parameter parameter : method.method().getParameters()) {
            if (!parameter.isNamePresent()
                    && names.contains(parameter.getName())
                    && MethodArguments.name(parameter).equals(parameter.getName())) {
                throw illegalConfiguration(
                        "The names of the parameters of %s are not known: its compiler has left them out, and a person would be"
                                + " asked about \"%s\". Compile with -parameters (Kotlin: -java-parameters) and run mvn clean once, or name"
                                + " parameters with @P(name = ...).",
                        method, parameter.getName());
            }
        }
    }

    /** A tool that can never be called is refused if calls of it would be refused one by one, which nobody would see. */
    private void requireFillable(ToolMethod method, MethodArguments arguments, boolean isGuarded) {
        for (Map.Entry<String, Type> each :
                isGuarded ? arguments.forgotten().entrySet() : Set.<Map.Entry<String, Type>>of()) {
            throw illegalConfiguration(
                    "LangChain4j reads the parameter \"%s\" of the tool %s without its type arguments (%s), so that its body would"
                            + " fail after it was approved. Take a record or class that says its types itself.",
                    each.getKey(), method, each.getValue().getTypeName());
        }
        for (Unfillable each : arguments.unfillable()) {
            String text = each.isNeeded()
                    ? "The tool " + method + " can never be called: no JSON becomes its parameter " + each
                    : "No call of the tool " + method + " can fill " + each;
            if (each.isNeeded() && isGuarded) {
                throw illegalConfiguration("%s", text);
            }
            remark(text);
        }
    }

    /** A tool may be read more than once. */
    private void remark(String text) {
        if (remarked.add(text)) {
            LOG.warn(text);
        }
    }

    private GatedTool tool(
            ToolSpecification specification,
            List<Policy> read,
            MethodArguments arguments,
            Optional<ToolMethod> method,
            Optional<Reversibility> least) {
        List<Reversibility> said = new ArrayList<>(least.stream().toList());
        for (Policy policy : read) {
            said.addAll(policy.reversibility().stream().toList());
        }
        Optional<Reversibility> found = strictest(specification, said);
        List<Shadow> shadows = new ArrayList<>();
        boolean isIdempotent = false;
        boolean asksOnFailure = false;
        for (PolicySettings policy : policies) {
            if (!policy.isFor(found)) {
                continue;
            }
            if (policy.shadow && appliesTo(specification, policy, true)) {
                shadows.add(new Shadow(policy.description, Policy.of(policy, specification)));
            }
            isIdempotent =
                    isIdempotent || !policy.shadow && policy.idempotent && appliesTo(specification, policy, false);
            asksOnFailure =
                    asksOnFailure || !policy.shadow && policy.asksOnFailure && appliesTo(specification, policy, true);
        }
        ToolPolicies all = new ToolPolicies(specification, arguments, read, List.copyOf(shadows), found);
        return GatedTool.of(all, method, isIdempotent, asksOnFailure);
    }

    private static Optional<Reversibility> strictest(ToolSpecification specification, List<Reversibility> said) {
        return Remembering.isDestructive(specification) ? Policy.IRREVERSIBLE : Reversibility.strictest(said);
    }

    private List<Policy> applied(ToolSpecification specification, Optional<Reversibility> least, boolean ofClient) {
        List<PolicySettings> applying = new ArrayList<>();
        List<Reversibility> said = new ArrayList<>(least.stream().toList());
        for (PolicySettings policy : policies) {
            if (!policy.shadow && appliesTo(specification, policy, true)) {
                applying.add(policy);
                said.addAll(
                        policy.classes.isEmpty() ? policy.reversibility.stream().toList() : List.of());
            }
        }
        Optional<Reversibility> found = strictest(specification, said);
        for (Rule rule : rules.about(specification, found)) {
            applying.add(PolicySettings.of(rule));
        }
        List<Policy> applied = new ArrayList<>();
        for (PolicySettings policy : applying) {
            if (policy.isFor(found)) {
                applied.add(Policy.of(ofClient ? policy.ofClient() : policy, specification)
                        .requireDeciders(authorizer, abandoned, "The policy for " + policy.description));
            }
        }
        return applied;
    }

    /** A predicate that fails has not said that the tool may run without its policy, nor that it may run twice. */
    private static boolean appliesTo(ToolSpecification specification, PolicySettings policy, boolean ifItFails) {
        try {
            return policy.tools.test(specification);
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn(
                    "The policy for {} failed on the tool {}; its strict side is applied",
                    policy.description,
                    specification.name(),
                    e);
            return ifItFails;
        }
    }

    /** Refuses a misused annotation before the application's policies and conditions are known. */
    public static void check(ToolSpecification specification, ToolExecutor executor) {
        if (executor instanceof DefaultToolExecutor found) {
            ToolMethod method = ToolMethod.of(found);
            if (method.annotation().isPresent()) {
                Policy.of(
                        method.annotation().get(),
                        new ApprovalCondition.Always(),
                        List.of(),
                        "@RequiresApproval on " + method,
                        MethodArguments.asRead(specification, method.method()));
            }
        }
    }

    /**
     * The tools of an object, by their names: the JVM's order of methods differs from start to start, and providers cache a request by its
     * beginning. Refuses an object on which an annotation would not do what its author meant.
     */
    public static List<AiServiceTool> toolsOf(Object toolObject) {
        Class<?> type = toolObject.getClass();
        if (Proxy.isProxyClass(type)) {
            throw ToolMethod.invisible(type);
        }
        if (toolObject instanceof AiServiceTool || toolObject instanceof Map) {
            throw illegalConfiguration(
                    "tools(...) takes objects with @Tool methods, not %s. Give tools that are built by hand to"
                            + " aiService(service -> service.tools(...)).",
                    type.getSimpleName());
        }
        Optional<Class<?>> target = ProxiedTool.target(type);
        List<AiServiceTool> tools;
        if (target.isPresent()) {
            tools = ProxiedTool.of(toolObject, target.get());
        } else {
            check(toolObject instanceof Class<?> given ? given : type);
            tools = ToolService.findTools(toolObject);
        }
        List<AiServiceTool> shaped = new ArrayList<>();
        for (AiServiceTool tool : tools) {
            shaped.add(KotlinTools.shaped(tool, toolObject));
        }
        shaped.sort(Comparator.comparing(AiServiceTool::name));
        return shaped;
    }

    /** Refuses a class of tools on which an annotation would not do what its author meant. */
    static void check(Class<?> type) {
        UserQuestion.refuseIn(type);
        for (Method method : ToolMethod.allOf(type)) {
            if (Modifier.isAbstract(method.getModifiers())) {
                continue; // its implementation is looked at, and need not have the same parameter types
            }
            if (!method.isAnnotationPresent(Tool.class)
                    && new ToolMethod(type, method).annotation().isPresent()) {
                throw illegalConfiguration(
                        "@RequiresApproval on %s has no effect: the method is not a tool. Add @Tool to it, or remove"
                                + " @RequiresApproval.",
                        ToolMethod.describe(method));
            }
        }
    }

    /**
     * The instances of what annotations name by its class: the application's own, also the only one of a subclass, or one that is made
     * for each class. Thread-safe.
     */
    private static final class Instances<T> {

        private final Map<Class<?>, T> instances = new ConcurrentHashMap<>();
        private final List<T> given = new ArrayList<>();
        private final String kind;

        Instances(String kind, Class<T> type, List<Object> given) {
            this.kind = kind;
            for (Object instance : given) {
                if (type.isInstance(instance)) {
                    Class<?> made = instance.getClass();
                    instances.put(ProxiedTool.target(made).orElse(made), type.cast(instance));
                    this.given.add(type.cast(instance));
                }
            }
        }

        T get(Class<? extends T> type, String where) {
            return instances.computeIfAbsent(type, missing -> ofSubclass(type, where));
        }

        private T ofSubclass(Class<? extends T> type, String where) {
            List<T> fitting = given.stream().filter(type::isInstance).toList();
            if (fitting.size() > 1) {
                throw illegalConfiguration(
                        "%s: several objects of subclasses of the %s %s are given. Give one of exactly this class.",
                        where, kind, type.getName());
            }
            return fitting.isEmpty() ? create(type, where) : fitting.get(0);
        }

        private T create(Class<? extends T> type, String where) {
            try {
                Constructor<? extends T> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (InvocationTargetException e) {
                throw illegalConfiguration(
                        "%s: the constructor of the %s %s failed: %s", where, kind, type.getName(), e.getCause());
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw illegalConfiguration(
                        "%s: the %s %s has no constructor without parameters. Add one, or give an instance to"
                                + " Holdpoint.builder(...).beans(...). A class inside another must be static.",
                        where, kind, type.getName());
            }
        }
    }
}
