package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.holdpoint.internal.LogText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks values against JSON schemas within a bounded number of steps: answers against the schema of their question, proposed
 * arguments against the constraints of their parameters. A value that cannot be checked does not pass. No schema is ever
 * fetched, and {@code format} is a remark, as in JSON Schema 2020-12. Keeps the schemas compiled last. Thread-safe.
 */
public final class JsonSchemas {

    private static final Logger LOG = LoggerFactory.getLogger(JsonSchemas.class);

    private static final Map<String, String> MEANINGS =
            ArgumentCheck.Reader.FOUND.map(ArgumentCheck.Reader::meanings).orElse(Map.of());

    private static final int KEPT = 256;
    private static final String META_SCHEMAS = "https://json-schema.org/";

    /** Made when it is needed first: the library behind it has hundreds of classes. */
    private @Nullable SchemaRegistry registry;

    private final Map<ObjectNode, Schema> compiled = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectNode, Schema> eldest) {
            return size() > KEPT;
        }
    };

    private final long maxSteps;

    /** Bounds a check by {@link CheckBudget#MAX_STEPS}. */
    public JsonSchemas() {
        this(CheckBudget.MAX_STEPS);
    }

    /** Sets another bound, for tests. */
    JsonSchemas(long maxSteps) {
        this.maxSteps = maxSteps;
    }

    /** Refuses a regular expression that no check can use. */
    public static void requireUsable(String pattern) {
        CountedPattern.requireUsable(pattern);
    }

    /** The violations, each with the JSON path of its field; empty if the value matches. */
    public List<String> violations(ObjectNode schema, JsonNode value) {
        try {
            return CheckBudget.within(maxSteps, budget -> check(schema, value, budget));
        } catch (CheckBudget.ExceededException e) {
            return List.of(": cannot be checked against the schema: it takes too many steps. Send a smaller value, or"
                    + " cancel");
        } catch (RuntimeException | StackOverflowError e) {
            LOG.warn("A responseSchema cannot be used: {}", LogText.of(e));
            return List.of(": cannot be checked, because the schema is not a usable one. Cancel");
        }
    }

    private List<String> check(ObjectNode schema, JsonNode value, CheckBudget budget) {
        budget.countUniqueItems(schema, value);
        ExecutionContext context = budget.context();
        compile(schema).validate(context, value);
        return context.getErrors().stream()
                .map(error -> error.getInstanceLocation() + ": " + message(error) + remedy(schema, error))
                .collect(Collectors.toList());
    }

    /** A sentence that a person and a model understand. */
    private static String message(Error error) {
        return Optional.ofNullable(error.getSchemaNode())
                .map(JsonNode::textValue)
                .map(MEANINGS::get)
                .orElseGet(error::getMessage);
    }

    /** The declared member that was meant by one that is not. */
    private static String remedy(ObjectNode schema, Error error) {
        if (!"additionalProperties".equals(error.getKeyword()) || error.getProperty() == null) {
            return "";
        }
        JsonNode declared = schema.at(error.getEvaluationPath().getParent() + "/properties");
        return meant(declared, error.getProperty())
                .map(name -> "; call it " + name)
                .orElse("");
    }

    /** The name among the declared ones that is like another one. */
    public static Optional<String> meant(JsonNode declared, String sent) {
        String letters = letters(sent);
        return declared.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> letters(name).equals(letters)
                        || letters.length() > 3 && (letters(name).contains(letters) || letters.contains(letters(name))))
                .findFirst();
    }

    private static String letters(String name) {
        return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
    }

    private Schema compile(ObjectNode schema) {
        synchronized (compiled) {
            SchemaRegistry present = registry == null ? registry() : registry;
            registry = present;
            return compiled.computeIfAbsent(schema, present::getSchema);
        }
    }

    /** Has no cache of its own: in it, a schema could take the place of another with the same {@code $id}. */
    private static SchemaRegistry registry() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaCacheEnabled(false)
                        .schemaLoader(
                                loader -> loader.block(iri -> !iri.toString().startsWith(META_SCHEMAS)))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .regularExpressionFactory(CountedPattern.FACTORY)
                                .formatAssertionsEnabled(false)
                                .preloadSchema(false)
                                .locale(Locale.ENGLISH)
                                .build()));
    }
}
