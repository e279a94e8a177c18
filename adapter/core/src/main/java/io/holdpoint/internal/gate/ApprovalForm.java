package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form that a person fills in to approve a call. Writes its {@code responseSchema} and the answers to it, checks an answer
 * and reads it. The stored question is the only authority on what its answer may do. Immutable.
 */
public record ApprovalForm(ObjectNode schema, ObjectNode shown, Optional<Bounds> bounds) {

    /** The metadata of a question that a link decides about, without its person signing in. */
    static final String BY_LINK = "decideByLink";

    static final String APPROVED = "approved";
    private static final ArrayNode ONLY_APPROVED =
            JsonNodeFactory.instance.arrayNode().add(APPROVED);
    private static final ObjectNode BOOLEAN =
            JsonNodeFactory.instance.objectNode().put("type", "boolean");

    public static final String REASON = "reason";
    public static final String EDITS = "editedArgs";
    public static final String RESPONSE = "response";
    private static final String REMEMBER = "remember";
    public static final String MINUTES = "rememberMinutes";
    public static final String BOUNDS = "bounds";
    /** The metadata of a question whose approval may be remembered within bounds. */
    static final String WITHIN = "rememberWithin";

    /** The members of a form that are not those of rules. */
    static final Set<String> OWN = Set.of(APPROVED, REASON, EDITS, RESPONSE, REMEMBER, MINUTES, BOUNDS);

    /** Fragments of names under which clients and people send edited arguments. */
    private static final List<String> LIKE_EDITS = List.of("edit", "arg", "modif", "param");

    /** The form of a question. One without a schema allows yes and no only. */
    public static ApprovalForm of(Question question) {
        Interrupt interrupt = question.interrupt();
        ObjectNode schema = interrupt.responseSchema();
        JsonNode metadata = Gate.metadata(question);
        return new ApprovalForm(
                schema == null ? schema(Optional.empty(), false) : schema,
                metadata.get("args") instanceof ObjectNode arguments
                        ? arguments
                        : JsonNodeFactory.instance.objectNode(),
                metadata.get(WITHIN) instanceof ObjectNode within
                        ? Optional.of(RecordJson.read(within.toString(), Bounds.class))
                        : Optional.empty());
    }

    /** Tells whether a link decides about a question, without its person signing in. The stored question says so. */
    public static boolean isDecidedByLink(Question question) {
        return Gate.metadata(question).path(BY_LINK).booleanValue()
                && !Reversibility.of(question.interrupt()).equals(Policy.IRREVERSIBLE);
    }

    // --- the schema

    /**
     * The schema of an approval. Plain on purpose, so that clients with a built-in approve/deny bar take it:
     * {@code {"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]}},
     * with {@code editedArgs} only if arguments may be edited, and {@code response} only if a person may answer in place of
     * the tool.
     */
    static ObjectNode schema(Optional<ObjectNode> editedArgs, boolean respond) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject(APPROVED).put("type", "boolean");
        properties.putObject(REASON).put("type", "string");
        if (editedArgs.isPresent()) {
            properties.set(EDITS, editedArgs.get());
        }
        if (respond) {
            properties
                    .putObject(RESPONSE)
                    .put(
                            "description",
                            "Only with approved: false. The result of the call, a text or JSON, in place of the tool's."
                                    + " The tool does not run.");
        }
        schema.putArray("required").add(APPROVED);
        return schema;
    }

    /** The same schema, whose edits take the arguments that are shown. */
    static ObjectNode taking(ObjectNode approval, ObjectNode shown) {
        if (!(approval.path("properties").get(EDITS) instanceof ObjectNode edits)) {
            return approval;
        }
        ObjectNode fitting = ShownSchema.taking(edits, shown);
        if (fitting == edits) {
            return approval;
        }
        ObjectNode schema = approval.deepCopy();
        schema.withObject("/properties").set(EDITS, fitting);
        return schema;
    }

    /** The same schema, with the members that rules want, or take with edits. */
    static ObjectNode withFields(ObjectNode approval, Iterable<Rule> rules) {
        ObjectNode schema = approval;
        for (Rule rule : rules) {
            ObjectNode field = rule.terms().field();
            boolean isWanted = rule.terms().isWanted();
            if (field != null && (isWanted || approval.path("properties").has(EDITS))) {
                schema = schema == approval ? approval.deepCopy() : schema;
                schema.withObject("/properties").set(rule.name(), field);
                if (isWanted) {
                    schema.withArray("/required").add(rule.name());
                }
            }
        }
        return schema;
    }

    /** The same schema, with what may be remembered. */
    static ObjectNode withRemembering(ObjectNode approval, Remembering offer) {
        if (offer.isNever()) {
            return approval;
        }
        ObjectNode schema = approval.deepCopy();
        ObjectNode properties = schema.withObject("/properties");
        ObjectNode remember = properties.putObject(REMEMBER).put("type", "string");
        ArrayNode names = remember.putArray("enum");
        offer.scopes().stream().sorted().forEach(scope -> names.add(scope.wireName()));
        String where =
                offer.bounds().filter(Bounds::perOwner).isPresent() ? ", in all conversations of the same owner" : "";
        String within =
                offer.bounds().isPresent() ? " within: about this tool, as long as its bounds allow" + where + "." : "";
        remember.put(
                "description",
                "Do not ask again in this conversation for a while. same_call: about this tool with the same arguments."
                        + " tool: about this tool, whatever the arguments." + within
                        + " Read only with approved: true.");
        offer.bounds().flatMap(Bounds::sum).ifPresent(sum -> {
            ObjectNode bounds = properties.putObject(BOUNDS).put("type", "object");
            bounds.put("description", "Read only with remember: within, which needs it.");
            ObjectNode most =
                    bounds.putObject("properties").putObject(sum.argument()).put("type", "number");
            most.put("exclusiveMinimum", 0);
            most.put("description", "Calls with at most this much together in " + sum.per() + " are not asked about.");
            bounds.putArray("required").add(sum.argument());
            bounds.put("additionalProperties", false);
        });
        int most = (int) offer.longest().toMinutes(); // as it is read again from a store
        ObjectNode minutes = properties.putObject(MINUTES).put("type", "integer");
        minutes.put("minimum", 1).put("maximum", most).put("default", most);
        minutes.put("description", "For how many minutes. Read only with remember.");
        return schema;
    }

    // --- what the question allows

    /** The members of rules, with their schemas. */
    public List<Map.Entry<String, JsonNode>> fields() {
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (!OWN.contains(field.getKey())) {
                fields.add(field);
            }
        }
        return fields;
    }

    /** The schema that an answer is held to: only an approval needs what rules want. */
    public ObjectNode schemaOf(ObjectNode answer) {
        if (approves(answer) || fields().isEmpty()) {
            return schema;
        }
        ObjectNode denying = schema.deepCopy();
        denying.putArray("required").add(APPROVED);
        fields().forEach(field -> denying.withObject("/properties").remove(field.getKey()));
        return denying;
    }

    public boolean isEditable() {
        return offers(EDITS);
    }

    public boolean takesResponse() {
        return offers(RESPONSE);
    }

    public Remembering remembering() {
        JsonNode properties = schema.path("properties");
        Set<Grant.Scope> scopes = EnumSet.noneOf(Grant.Scope.class);
        for (JsonNode name : properties.path(REMEMBER).path("enum")) {
            scope(name).ifPresent(scopes::add);
        }
        return scopes.isEmpty()
                ? Remembering.NEVER
                : new Remembering(
                        scopes,
                        Duration.ofMinutes(
                                properties.path(MINUTES).path("maximum").asLong()),
                        bounds);
    }

    private boolean offers(String field) {
        return schema.path("properties").has(field);
    }

    private static Optional<Grant.Scope> scope(JsonNode name) {
        if (name.isTextual()) {
            for (Grant.Scope scope : Grant.Scope.values()) {
                if (scope.wireName().equals(name.textValue())) {
                    return Optional.of(scope);
                }
            }
        }
        return Optional.empty();
    }

    // --- answers that Java programs write

    public static ObjectNode approval() {
        return JsonNodeFactory.instance.objectNode().put(APPROVED, true);
    }

    public static ObjectNode denial() {
        return JsonNodeFactory.instance.objectNode().put(APPROVED, false);
    }

    public static ObjectNode withEdits(ObjectNode answer, ObjectNode arguments) {
        return answer.set(EDITS, arguments.deepCopy());
    }

    public static ObjectNode remembered(Grant.Scope calls) {
        return approval().put(REMEMBER, calls.wireName());
    }

    // --- checking an answer

    /** Tells whether an answer says yes or no and nothing else, to a form that asks for no more: most answers, which need no validator. */
    public boolean isPlainVerdict(ObjectNode answer) {
        return answer.size() == 1
                && isVerdict(answer)
                && schema.size() == 3
                && schema.path("type").asText().equals("object")
                && schema.path("required").equals(ONLY_APPROVED)
                && schema.path("properties").path(APPROVED).equals(BOOLEAN);
    }

    /** The answer as far as it is read: edits and what to remember only with an approval, and nothing that is {@code null}. */
    public ObjectNode relevant(ObjectNode answer) {
        ObjectNode relevant = answer.deepCopy();
        if (!approves(answer)) {
            relevant.remove(EDITS);
            fields().forEach(field -> relevant.remove(field.getKey()));
        }
        if (!approves(answer) || !answer.hasNonNull(REMEMBER)) {
            relevant.remove(List.of(REMEMBER, MINUTES));
        }
        if (!remembersWithin(relevant)) {
            relevant.remove(BOUNDS);
        }
        for (String field : List.of(REASON, MINUTES)) {
            if (answer.path(field).isNull()) {
                relevant.remove(field);
            }
        }
        return withoutOptionalNulls(relevant);
    }

    /** The violations of an answer that the schema does not show, each with its path. */
    public List<String> violations(ObjectNode answer) {
        List<String> violations = new ArrayList<>();
        if (approves(answer)) {
            violations.addAll(editViolations(answer));
            if (answer.hasNonNull(RESPONSE) && takesResponse()) {
                violations.add("/response: the tool either runs or is answered for; send it with approved: false");
            }
        }
        if (approves(answer) && remembersWithin(answer) && offers(BOUNDS) && !answer.hasNonNull(BOUNDS)) {
            violations.add("/bounds: missing; say up to how much, such as {\""
                    + bounds.flatMap(Bounds::sum).map(Bounds.Sum::argument).orElse("amount") + "\": 100}");
        }
        return violations;
    }

    private static boolean remembersWithin(ObjectNode answer) {
        return Grant.Scope.WITHIN.wireName().equals(answer.path(REMEMBER).textValue());
    }

    /**
     * The members of an answer that the form does not declare, each with its path and, if a declared one has a name like it, with
     * that. Whoever sends one has meant something, so nothing is done without it. The schema of an approval does not say so, because
     * assistant-ui shows its buttons for a schema without {@code additionalProperties} only. A {@code null} stands for leaving a
     * member out.
     */
    public static List<String> undeclared(ObjectNode schema, ObjectNode answer) {
        JsonNode declared = schema.path("properties");
        List<String> violations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : answer.properties()) {
            String name = member.getKey();
            boolean isAbsent = member.getValue().isNull() && !(name.equals(EDITS) && approves(answer));
            if (!declared.has(name) && !isAbsent) {
                violations.add(ToolArguments.step("", name) + ": " + remedy(declared, name));
            }
        }
        return violations;
    }

    private static String remedy(JsonNode declared, String undeclared) {
        return switch (undeclared) {
            case EDITS -> "the arguments of this call cannot be edited; leave editedArgs out";
            case REMEMBER, MINUTES, BOUNDS ->
                "the approval of this call cannot be remembered; leave " + undeclared + " out";
            case RESPONSE -> "nobody can answer in place of this tool; leave response out";
            default -> {
                List<String> names = new ArrayList<>();
                declared.fieldNames().forEachRemaining(names::add);
                yield "an answer has no such member, only " + String.join(", ", names) + "; "
                        + JsonSchemas.meant(declared, undeclared)
                                .or(() -> names.stream()
                                        .filter(name -> name.equals(EDITS) && isLikeEdits(undeclared))
                                        .findFirst())
                                .map(name -> "call it " + name)
                                .orElse("leave it out");
            }
        };
    }

    private static boolean isLikeEdits(String undeclared) {
        return LIKE_EDITS.stream().anyMatch(undeclared.toLowerCase(Locale.ROOT)::contains);
    }

    /** Indented JSON without characters that are not seen: JSON has the codes of {@link MessageTemplate#visible} as well. */
    public static String asText(ObjectNode arguments) {
        return arguments.toPrettyString().lines().map(MessageTemplate::visible).collect(Collectors.joining("\n"));
    }

    /** The reason why edits are not checked any further, if they are too large. */
    public static Optional<String> excess(JsonNode answer) {
        if (answer.get(EDITS) instanceof ObjectNode edited) {
            try {
                ToolArguments.requireModest(edited);
            } catch (ToolArguments.MalformedException e) {
                return Optional.of("/" + EDITS + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** The answer to be checked: a {@code null} for an optional argument stands for leaving it out, and stays what it is. */
    public ObjectNode withoutOptionalNulls(ObjectNode answer) {
        if (!(answer.get(EDITS) instanceof ObjectNode edited)) {
            return answer;
        }
        return answer.deepCopy()
                .set(EDITS, withoutOptionalNulls(schema.path("properties").path(EDITS), edited));
    }

    /**
     * Leaves out the fields that are {@code null} and optional, at every depth: a model sends {@code null} for what it does not
     * say, and a person who changes another field sends it back.
     */
    static JsonNode withoutOptionalNulls(JsonNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode kept = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                JsonNode declared = schema.path("properties").path(field.getKey());
                boolean leftOut = field.getValue().isNull()
                        && !declared.isMissingNode()
                        && !ArgumentPath.isRequired(schema, field.getKey());
                if (!leftOut) {
                    kept.set(field.getKey(), withoutOptionalNulls(declared, field.getValue()));
                }
            }
            return kept;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode kept = array.arrayNode();
            array.forEach(element -> kept.add(withoutOptionalNulls(schema.path("items"), element)));
            return kept;
        }
        return value;
    }

    /** The edits of an answer that the question does not allow, although the schema does. */
    public List<String> editViolations(JsonNode answer) {
        return answer.get(EDITS) instanceof ObjectNode edited
                ? Edits.violations(schema.path("properties").path(EDITS), shown, edited)
                : List.of();
    }

    // --- reading an answer

    /** Tells whether the call may run. Only JSON {@code true} says so. */
    public static boolean approves(@Nullable JsonNode answer) {
        return answer != null
                && answer.path(APPROVED).isBoolean()
                && answer.path(APPROVED).booleanValue();
    }

    /** Tells whether the answer says if the call may run. */
    public static boolean isVerdict(JsonNode answer) {
        return answer.path(APPROVED).isBoolean();
    }

    /** Tells whether the call may not run, and has no other result either. Only JSON {@code false} says so. */
    public static boolean declines(JsonNode answer) {
        return answer.path(APPROVED).isBoolean()
                && !answer.path(APPROVED).booleanValue()
                && !answer.hasNonNull(RESPONSE);
    }

    /** The comment of an approval, or the reason of a denial. */
    public static Optional<String> reason(@Nullable JsonNode answer) {
        return answer != null && answer.path(REASON).isTextual()
                ? Optional.of(answer.path(REASON).textValue())
                : Optional.empty();
    }

    /** The result that a person gave in place of the tool, if the question takes one. */
    public Optional<JsonNode> response(@Nullable JsonNode answer) {
        return answer != null && !approves(answer) && answer.hasNonNull(RESPONSE) && takesResponse()
                ? Optional.of(answer.get(RESPONSE))
                : Optional.empty();
    }

    /** The arguments that an answer changes, as they were sent. */
    public static Optional<ObjectNode> sentEdits(JsonNode answer) {
        return answer.get(EDITS) instanceof ObjectNode edited ? Optional.of(edited) : Optional.empty();
    }

    /**
     * The arguments to execute, with what may not be changed as it was shown. Empty if they are not edited: what was shown runs then, in its
     * own digits, whatever a client has made of them.
     */
    public Optional<ObjectNode> edits(JsonNode answer) {
        return isEditable() && answer.get(EDITS) instanceof ObjectNode edited
                ? Optional.of(Edits.keepReadOnly(schema.path("properties").path(EDITS), shown, edited))
                        .filter(kept -> !Edits.isSame(kept, shown))
                : Optional.empty();
    }

    /**
     * The complete arguments that would run: those shown, or the edited ones with the defaults that the question was asked
     * with. A tool that has other defaults by now does not run: its hash differs.
     */
    public ObjectNode wouldRun(JsonNode answer) {
        Optional<ObjectNode> edits = edits(answer);
        if (edits.isEmpty()) {
            return shown.deepCopy();
        }
        ObjectNode complete = edits.get();
        parameters().properties().forEach(parameter -> {
            JsonNode value = parameter.getValue().get("default");
            if (value != null && !complete.hasNonNull(parameter.getKey())) {
                complete.set(parameter.getKey(), value.deepCopy());
            }
        });
        return ToolArguments.canonical(complete);
    }

    /** For which calls an approval is remembered, if the question allows it. */
    public Optional<Grant.Scope> remembers(JsonNode answer) {
        return scope(answer.path(REMEMBER)).filter(remembering().scopes()::contains);
    }

    /** The bounds within which calls like the one that would run are remembered. */
    public Optional<Grant.Within> within(JsonNode answer, ObjectNode wouldRun) {
        return bounds.map(known -> {
            ObjectNode same = JsonNodeFactory.instance.objectNode();
            for (String path : known.same()) {
                JsonNode value = ArgumentPath.get(wouldRun, path);
                if (!value.isMissingNode()) {
                    same.set(path, value);
                }
            }
            return new Grant.Within(
                    known,
                    same,
                    known.sum()
                            .map(sum -> answer.path(BOUNDS).path(sum.argument()).decimalValue())
                            .orElse(null));
        });
    }

    /** For how long an approval is remembered: as the person said, or as long as the question allows. */
    public Duration rememberedFor(JsonNode answer) {
        JsonNode minutes = answer.path(MINUTES);
        return minutes.isNumber()
                ? Duration.ofMinutes(minutes.longValue())
                : remembering().longest();
    }

    /** The reason for which an audit trail may not keep a field of an answer as it is. */
    public enum Privacy {
        /** It is a decision. */
        OPEN,
        /** It holds arguments of the tool. */
        ARGUMENTS,
        /** It is the result of the call. */
        RESULT
    }

    public static Privacy privacy(String field, boolean isApproval) {
        return switch (field) {
            case EDITS -> Privacy.ARGUMENTS;
            case RESPONSE -> Privacy.RESULT;
            default ->
                isApproval && !OWN.contains(field)
                        ? Privacy.ARGUMENTS
                        : Privacy.OPEN; // a rule's, which may repeat them
        };
    }

    private JsonNode parameters() {
        return schema.path("properties").path(EDITS).path("properties");
    }
}
