package io.holdpoint.mcp;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ToolArguments;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities.ToolCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of servers as the texts that a store keeps. Plain text stays plain text, for people to read in the trail; anything else is
 * one line of JSON, behind a mark, in front of which people's remarks may stand.
 */
final class Results {

    /** JSON on one line has no line break, so nothing in a result can look like the mark. */
    private static final String MARK = "\nmcp-result: ";

    /** Numbers stay what was sent: a person has seen all their digits. */
    static final ObjectMapper JSON = AguiCodec.mapper()
            .copy()
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addMixIn(McpError.class, Refusal.class)
            .addMixIn(ToolCapabilities.class, Changing.class);

    /** Passes on what servers say: the gate checks arguments, and results are for the client to check. */
    static final JsonSchemaValidator UNCHECKED =
            (schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(String.valueOf(content));

    private Results() {}

    /** The error alone: the SDK's servlet would write it with the trace of its stack. */
    @JsonIncludeProperties("error")
    private interface Refusal {

        @JsonProperty("error")
        JSONRPCError getJsonRpcError();
    }

    /** The SDK would tell clients of each tool that comes or goes: it does not know that they are told, once of a change. */
    @JsonSerialize(converter = ToldOnce.class)
    private interface Changing {}

    private static final class ToldOnce extends StdConverter<ToolCapabilities, Map<String, Object>> {

        @Override
        public Map<String, Object> convert(ToolCapabilities tools) {
            return Map.of("listChanged", true);
        }
    }

    static JacksonMcpJsonMapper mapper() {
        return new JacksonMcpJsonMapper(JSON);
    }

    static { // a text may be as long as a message, beyond Jackson's 20 million characters
        JSON.getFactory()
                .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature(), false)
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Upstream.LONGEST_MESSAGE)
                        .build());
    }

    static String write(CallToolResult result) {
        String text = result.content().stream()
                .map(part -> part instanceof TextContent plain ? plain.text() : "")
                .collect(Collectors.joining("\n"));
        CallToolResult plain = new CallToolResult(said(text, false).content(), result.isError(), null, null);
        try {
            return result.equals(plain) && !text.contains(MARK) ? text : MARK + JSON.writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The result of the server cannot be written as JSON", e);
        }
    }

    static CallToolResult read(String stored, boolean isError) {
        int mark = stored.lastIndexOf(MARK);
        if (mark < 0) {
            return said(stored, isError);
        }
        try {
            CallToolResult result = JSON.readValue(stored.substring(mark + MARK.length()), CallToolResult.class);
            return mark == 0 ? result : remarked(stored.substring(0, mark), result);
        } catch (JsonProcessingException e) { // something else stands where the mark is: people's words
            return said(stored, isError);
        }
    }

    /** The arguments of a call that has passed the gate. */
    static Map<String, Object> arguments(String json) {
        return JSON.convertValue(ToolArguments.read(json), new TypeReference<>() {});
    }

    /** A result with a remark before it. */
    static CallToolResult remarked(String remark, CallToolResult result) {
        List<Content> parts =
                new ArrayList<>(List.of(TextContent.builder(remark).build()));
        parts.addAll(result.content());
        return new CallToolResult(parts, result.isError(), result.structuredContent(), result.meta());
    }

    static CallToolResult said(String text, boolean isError) {
        return CallToolResult.builder().addTextContent(text).isError(isError).build();
    }
}
