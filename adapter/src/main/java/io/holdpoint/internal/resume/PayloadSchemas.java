package io.holdpoint.internal.resume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks answers against the schema of their question. Thread-safe; keeps the last compiled schemas. */
final class PayloadSchemas {

    private static final int KEPT = 256;

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Map<ObjectNode, Schema> compiled = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectNode, Schema> eldest) {
            return size() > KEPT;
        }
    };

    /**
     * Checks a value.
     *
     * @param schema the schema
     * @param value the value
     * @return what is wrong, each with the JSON path of the field; empty if nothing is
     */
    List<String> violations(ObjectNode schema, JsonNode value) {
        return compile(schema).validate(value).stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .collect(Collectors.toList());
    }

    private Schema compile(ObjectNode schema) {
        synchronized (compiled) {
            return compiled.computeIfAbsent(schema, registry::getSchema);
        }
    }
}
