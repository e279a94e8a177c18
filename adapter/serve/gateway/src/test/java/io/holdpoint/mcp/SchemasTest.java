package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import io.holdpoint.agui.AguiCodec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemasTest {

    /** An edit is checked against what the server says, so none of it may be lost. */
    @Test
    void whatAValueMustBeIsKept() throws Exception {
        Map<?, ?> said = AguiCodec.mapper().readValue("""
                {"type": "object", "required": ["iban"], "properties": {
                  "iban": {"type": "string", "pattern": "^[A-Z]{2}[0-9]+$", "description": "of the account"},
                  "amount": {"type": "number", "minimum": 0, "maximum": 1000},
                  "on": {"type": "string", "format": "date", "title": "Day"},
                  "to": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 1}},
                  "copies": {"type": "array", "items": {"type": "string", "format": "email"}},
                  "note": {"type": "string"}}}""", Map.class);

        @SuppressWarnings("unchecked")
        Map<String, Object> given = (Map<String, Object>) said;

        assertThat(AguiCodec.mapper().<JsonNode>valueToTree(JsonSchemaElementUtils.toMap(Schemas.parameters(given))))
                .isEqualTo(AguiCodec.mapper().valueToTree(said));
    }
}
