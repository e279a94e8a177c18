package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;
import static io.holdpoint.internal.gate.Policy.describe;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.Utils;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what {@link RequiresApproval} says about a tool. Thread-safe; annotations are read once per method. */
public final class PolicyReader {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyReader.class);

    private static final int MAX_OPAQUE = 1_000;

    private final Settings settings;
    private final Instances<ApprovalCondition> conditions;
    private final Instances<ApprovalPreview> previews;
    private final Map<Key, Known> known = new ConcurrentHashMap<>();
    private final Map<ToolSpecification, GatedTool> opaque = new ConcurrentHashMap<>();
    private final Set<String> remarked = ConcurrentHashMap.newKeySet();

    /**
     * What the application says of its tools besides annotations. Immutable.
     *
     * @param policies the application's own, for tools annotated or not
     * @param conditions the instances of conditions that annotations name by their class
     * @param previews the instances of previews that annotations name by their class
     * @param idempotent the names of tools that may be executed again after an attempt of unknown outcome
     * @param asksOnFailure accepts the names of tools whose failure a person is asked about
     */
    public record Settings(
            List<ToolPolicy> policies,
            List<ApprovalCondition> conditions,
            List<ApprovalPreview> previews,
            Set<String> idempotent,
            Predicate<String> asksOnFailure) {

        /** Copies the lists. */
        public Settings {
            policies = List.copyOf(policies);
            conditions = List.copyOf(conditions);
            previews = List.copyOf(previews);
            idempotent = Set.copyOf(idempotent);
        }
    }

    private record Key(Class<?> objectClass, Method method) {}

    private record Known(ToolSpecification specification, GatedTool tool) {}

    /** Reads nothing yet: annotations are read when their tool is first looked at. */
    public PolicyReader(Settings settings) {
        this.settings = settings;
        this.conditions = new Instances<>("condition", "approvalConditions", settings.conditions());
        this.previews = new Instances<>("preview", "approvalPreviews", settings.previews());
    }

    /**
     * Refuses policies that name a tool that does not exist: a misspelt name would leave the tool without its policy.
     *
     * @param toolNames all that there will ever be
     * @throws dev.langchain4j.service.IllegalConfigurationException naming the policy
     */
    public void requireUsed(Set<String> toolNames) {
        for (ToolPolicy policy : settings.policies()) {
            if (policy.toolName().filter(name -> !toolNames.contains(name)).isPresent()) {
                throw illegalConfiguration(
                        "requireApproval(%s): there is no such tool. The tools are %s.",
                        policy.description(), new TreeSet<>(toolNames));
            }
        }
    }

    /**
     * What the gate has to know of a tool.
     *
     * @param specification the tool as the model sees it
     * @param executor what LangChain4j would run
     * @return the tool
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    public GatedTool of(ToolSpecification specification, ToolExecutor executor) {
        if (executor instanceof UserQuestion question) {
            return known(new Key(question.type(), question.method()), specification, key -> read(key, specification)
                    .asking(question.asking()));
        }
        if (!(executor instanceof DefaultToolExecutor method)) {
            return executor == ClientTool.INSTANCE ? unknown(specification).leftToClient() : opaque(specification);
        }
        Class<?> objectClass = ToolObjects.classOf(method);
        return known(new Key(objectClass, method.originalMethod()), specification, key -> {
            UserQuestions.refuseIn(objectClass);
            return read(key, specification);
        });
    }

    private GatedTool known(Key key, ToolSpecification specification, Function<Key, GatedTool> reader) {
        Known found = known.get(key);
        if (found == null || !found.specification().equals(specification)) {
            found = new Known(specification, reader.apply(key));
            known.put(key, found);
        }
        return found.tool();
    }

    /** Tools that are not methods may be different in every turn: what is known of them is kept, within reason. */
    private GatedTool opaque(ToolSpecification specification) {
        GatedTool found = opaque.get(specification);
        if (found != null) {
            return found;
        }
        if (opaque.size() >= MAX_OPAQUE) {
            opaque.clear();
        }
        GatedTool tool = unknown(specification);
        opaque.put(specification, tool);
        return tool;
    }

    /** Not kept: what clients make up would fill the memory. */
    private GatedTool unknown(ToolSpecification specification) {
        return GatedTool.of(specification, applied(specification), MethodArguments.NONE, traits(specification));
    }

    /** What the application says of a tool besides who must be asked about it. */
    private GatedTool.Traits traits(ToolSpecification specification) {
        return new GatedTool.Traits(
                settings.idempotent().contains(specification.name()),
                settings.asksOnFailure().test(specification.name()));
    }

    /**
     * Refuses a misused annotation, before it is known which policies and conditions there are.
     *
     * @param specification the tool as the model sees it
     * @param executor what LangChain4j would run
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    public static void check(ToolSpecification specification, ToolExecutor executor) {
        if (executor instanceof DefaultToolExecutor method) {
            annotation(ToolObjects.classOf(method), method.originalMethod()).ifPresent(found -> {
                requireNotDestructive(found, method.originalMethod(), specification);
                Policy.of(
                        found,
                        new ApprovalCondition.Always(),
                        Optional.empty(),
                        method.originalMethod(),
                        specification.name(),
                        parameters(specification));
            });
        }
    }

    /** What the tool's metadata says counts like the annotation's own mark. */
    private static void requireNotDestructive(
            RequiresApproval annotation, Method method, ToolSpecification specification) {
        if (annotation.remember().length > 0 && Remembering.isDestructive(specification)) {
            throw Remembering.contradiction("@RequiresApproval on " + describe(method));
        }
    }

    private GatedTool read(Key key, ToolSpecification specification) {
        List<Policy> all = new ArrayList<>();
        Optional<RequiresApproval> annotation = annotation(key.objectClass(), key.method());
        annotation.ifPresent(found -> requireNotDestructive(found, key.method(), specification));
        String where = "@RequiresApproval on " + describe(key.method());
        annotation
                .map(found -> Policy.of(
                        found,
                        conditions.get(found.when(), where),
                        found.preview() == ApprovalPreview.None.class
                                ? Optional.empty()
                                : Optional.of(previews.get(found.preview(), where)),
                        key.method(),
                        specification.name(),
                        parameters(specification)))
                .ifPresent(all::add);
        all.addAll(applied(specification));
        MethodArguments arguments = MethodArguments.of(key.objectClass(), key.method(), parameters(specification));
        remark(key.method(), arguments.constraints().remarks());
        return GatedTool.of(specification, all, arguments, traits(specification));
    }

    /** Once, however often the tool is read. */
    private void remark(Method method, List<String> remarks) {
        remarks.stream()
                .map(remark -> "A constraint of " + describe(method) + ": " + remark + ".")
                .filter(remarked::add)
                .forEach(LOG::warn);
    }

    private List<Policy> applied(ToolSpecification specification) {
        return settings.policies().stream()
                .filter(policy -> appliesTo(specification, policy))
                .map(policy -> Policy.of(policy, specification.name(), parameters(specification)))
                .toList();
    }

    /** A predicate that fails has not said that the tool may run. */
    private static boolean appliesTo(ToolSpecification specification, ToolPolicy policy) {
        try {
            return policy.tools().test(specification);
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn(
                    "The policy for {} failed on the tool {}; it is applied",
                    policy.description(),
                    specification.name(),
                    e);
            return true;
        }
    }

    private static Set<String> parameters(ToolSpecification specification) {
        return specification.parameters() == null
                ? Set.of()
                : specification.parameters().properties().keySet();
    }

    /**
     * The annotation that counts for a tool, as far as it can be seen.
     *
     * @param executor what LangChain4j would run
     * @return the annotation, if there is one
     */
    public static Optional<RequiresApproval> annotation(DefaultToolExecutor executor) {
        return annotation(ToolObjects.visibleClassOf(executor), executor.originalMethod());
    }

    /**
     * Refuses a tool object on which the annotation would not do what its author meant.
     *
     * @param toolObject an object with {@code @Tool} methods
     * @throws dev.langchain4j.service.IllegalConfigurationException naming class and method
     */
    public static void check(Object toolObject) {
        Class<?> type = toolObject.getClass();
        if (Proxy.isProxyClass(type)) {
            throw ToolObjects.invisible(type);
        }
        UserQuestions.refuseIn(toolObject instanceof Class<?> given ? given : type);
        for (Method method : Utils.allMethods(type)) {
            if (Modifier.isAbstract(method.getModifiers())) {
                continue; // its implementation is looked at, and need not have the same parameter types
            }
            Optional<RequiresApproval> found = annotation(type, method);
            if (found.isPresent() && !method.isAnnotationPresent(Tool.class)) {
                throw illegalConfiguration(
                        "@RequiresApproval on %s has no effect: the method is not a tool. Add @Tool to it, or remove"
                                + " @RequiresApproval.",
                        describe(method));
            }
        }
    }

    /**
     * The annotation that counts for a method of a tool object.
     *
     * @param type the object's class
     * @param method one of its methods, possibly inherited
     * @return the annotation, if there is one
     */
    public static Optional<RequiresApproval> annotation(Class<?> type, Method method) {
        return annotation(method).or(() -> inherited(type, method));
    }

    /**
     * The annotation on a method, or on the nearest method that it overrides or implements.
     *
     * @param method a method
     * @return the annotation, if there is one
     */
    private static Optional<RequiresApproval> annotation(Method method) {
        RequiresApproval own = method.getAnnotation(RequiresApproval.class);
        return own != null ? Optional.of(own) : inherited(method.getDeclaringClass(), method);
    }

    private static Optional<RequiresApproval> inherited(Class<?> type, Method method) {
        Class<?> superclass = type.getSuperclass();
        if (superclass != null) {
            Optional<RequiresApproval> found = declared(superclass, method);
            if (found.isPresent()) {
                return found;
            }
        }
        for (Class<?> each : type.getInterfaces()) {
            Optional<RequiresApproval> found = declared(each, method);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<RequiresApproval> declared(Class<?> type, Method method) {
        for (Method candidate : type.getDeclaredMethods()) {
            RequiresApproval annotation = candidate.getAnnotation(RequiresApproval.class);
            if (annotation != null && overrides(method, candidate)) {
                return Optional.of(annotation);
            }
        }
        return inherited(type, method);
    }

    /** Compares erased parameter types by assignability, so that an implemented generic method is found as well. */
    static boolean overrides(Method method, Method candidate) {
        if (!candidate.getName().equals(method.getName())
                || candidate.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        Class<?>[] own = method.getParameterTypes();
        Class<?>[] inherited = candidate.getParameterTypes();
        for (int i = 0; i < own.length; i++) {
            if (!inherited[i].isAssignableFrom(own[i])) {
                return false;
            }
        }
        return true;
    }
}
