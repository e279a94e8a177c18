package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.stream.Collectors;

/** Tells a schema that somebody wrote from something else. With one that is none, no answer would ever be accepted. */
final class ResponseSchemas {

    private ResponseSchemas() {}

    /**
     * Refuses what is not a JSON schema.
     *
     * @param schema as written
     * @param where for error messages
     * @return the schema
     * @throws dev.langchain4j.service.IllegalConfigurationException saying what is wrong with it
     */
    static ObjectNode requireUsable(ObjectNode schema, String where) {
        List<Error> errors = MetaSchema.INSTANCE.validate(schema);
        if (!errors.isEmpty()) {
            throw illegalConfiguration(
                    "%s: the responseSchema is not a JSON schema (draft 2020-12): %s.",
                    where,
                    errors.stream()
                            .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                            .distinct()
                            .collect(Collectors.joining("; ")));
        }
        return schema;
    }

    /** Read when it is needed: most questions say all with their return type. */
    private static final class MetaSchema {

        static final Schema INSTANCE = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));
    }
}
