package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks values against schemas: answers against that of their question, proposed arguments against what their parameters
 * say. What cannot be checked does not pass: neither with a schema that is none, nor when it would take too many steps.
 * Nothing is ever fetched, and {@code format} is a remark, as in JSON Schema 2020-12. Thread-safe; keeps the last compiled schemas.
 */
public final class JsonSchemas {

    private static final Logger LOG = LoggerFactory.getLogger(JsonSchemas.class);

    private static final int KEPT = 256;
    private static final String META_SCHEMAS = "https://json-schema.org/";

    /** Without its cache, in which a schema could take the place of another of the same {@code $id}. */
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaCacheEnabled(false)
                    .schemaLoader(loader -> loader.block(iri -> !iri.toString().startsWith(META_SCHEMAS)))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .regularExpressionFactory(CountedPattern.FACTORY)
                            .formatAssertionsEnabled(false)
                            .preloadSchema(false)
                            .locale(Locale.ENGLISH)
                            .build()));

    private final Map<ObjectNode, Schema> compiled = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectNode, Schema> eldest) {
            return size() > KEPT;
        }
    };

    private final long maxSteps;

    /** With the usual bound. */
    public JsonSchemas() {
        this(Effort.MAX_STEPS);
    }

    /**
     * With another bound, for tests.
     *
     * @param maxSteps how much work a check may be
     */
    JsonSchemas(long maxSteps) {
        this.maxSteps = maxSteps;
    }

    /**
     * Checks a value.
     *
     * @param schema the schema
     * @param value the value
     * @return what is wrong, each with the JSON path of the field; empty if nothing is
     */
    public List<String> violations(ObjectNode schema, JsonNode value) {
        try {
            return Effort.within(maxSteps, effort -> check(schema, value, effort));
        } catch (Effort.ExceededException e) {
            return List.of(": cannot be checked against the schema: it takes too many steps. Send a smaller value, or"
                    + " cancel");
        } catch (RuntimeException | StackOverflowError e) {
            LOG.warn("A responseSchema cannot be used: {}", e.toString());
            return List.of(": cannot be checked, because the schema is not a usable one. Cancel");
        }
    }

    private List<String> check(ObjectNode schema, JsonNode value, Effort effort) {
        UniqueItems.count(schema, value, effort);
        CountedContext context = new CountedContext(effort);
        compile(schema).validate(context, value);
        effort.requireNotGivenUp();
        return context.getErrors().stream()
                .map(error -> error.getInstanceLocation() + ": " + message(error))
                .collect(Collectors.toList());
    }

    /** A person has to understand it, and a model. */
    private static String message(Error error) {
        return Optional.ofNullable(error.getSchemaNode())
                .map(JsonNode::textValue)
                .map(Keywords.MEANINGS::get)
                .orElseGet(error::getMessage);
    }

    private Schema compile(ObjectNode schema) {
        synchronized (compiled) {
            return compiled.computeIfAbsent(schema, registry::getSchema);
        }
    }
}
