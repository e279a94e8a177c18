package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Reads and writes the records of this package as AG-UI 1.0 JSON. Stateless, so thread-safe.
 *
 * <p>Reading is strict about what it knows (types are not coerced, required fields must be there, duplicate keys and
 * trailing tokens are refused) and ignores fields it does not know. Numbers inside free JSON keep their exact digits. Written
 * JSON has neither absent fields nor line breaks.
 */
public final class AguiCodec {

    /**
     * Deepest nesting of objects and arrays in the input of a run: what is stored around a part of it must stay readable.
     */
    public static final int MAX_INPUT_DEPTH = 200;

    /** Input that was read at the deepest level must still be writable inside an event, which adds a few levels. */
    private static final int MAX_WRITTEN_DEPTH = 2 * StreamWriteConstraints.DEFAULT_MAX_DEPTH;

    private static final ObjectMapper MAPPER = exact(JsonFactory.builder()
                    .streamWriteConstraints(StreamWriteConstraints.builder()
                            .maxNestingDepth(MAX_WRITTEN_DEPTH)
                            .build())
                    .build())
            .addModule(new AguiModule())
            .build();

    private static final ObjectWriter WRITER = MAPPER.writer();
    private static final ObjectReader TREE_READER = MAPPER.readerFor(JsonNode.class);
    private static final ObjectReader INPUT_READER = exact(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_INPUT_DEPTH)
                            .build())
                    .build())
            .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY) // finds the same, in a sixth less time
            .build()
            .readerFor(JsonNode.class);

    /** Reads JSON of others without coercing any value to another type. */
    private static final ObjectMapper STRICT = strict(exact(new JsonFactory()).addModule(new AguiModule()));

    /** The beginnings of fragments up to their ids. */
    private static final Map<Class<? extends Event.Fragment>, byte[]> FRAGMENTS = Map.of(
            TextMessageEvent.Content.class, ascii("{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\""),
            ToolCallEvent.Args.class, ascii("{\"type\":\"TOOL_CALL_ARGS\",\"toolCallId\":\""),
            ReasoningEvent.MessageContent.class, ascii("{\"type\":\"REASONING_MESSAGE_CONTENT\",\"messageId\":\""));

    private static final byte[] DELTA = ascii("\",\"delta\":\"");
    private static final byte[] FRAGMENT_END = ascii("\"}");
    static final byte[] NOTHING = {};

    private AguiCodec() {}

    private static JsonMapper.Builder exact(JsonFactory factory) {
        return new JsonMapper.Builder(new ExactMapper(factory))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    private static ObjectMapper strict(JsonMapper.Builder builder) {
        for (LogicalType type : LogicalType.values()) {
            builder.withCoercionConfig(type, coercion -> {
                for (CoercionInputShape shape : CoercionInputShape.values()) {
                    coercion.setCoercion(shape, CoercionAction.Fail);
                }
            });
        }
        return builder.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .build();
    }

    /** Writes an event as JSON text in UTF-8. */
    public static byte[] writeEventBytes(Event event) {
        return write(NOTHING, event, NOTHING);
    }

    /** Writes an event, or a tree in its place, as JSON text in UTF-8, with these bytes around it. */
    static byte[] write(byte[] before, Object event, byte[] after) {
        if (event instanceof Event.Fragment fragment) {
            String id = fragment instanceof ToolCallEvent.Args call ? call.toolCallId() : fragment.messageId();
            if (id != null && isPlain(fragment, id)) {
                JsonStringEncoder encoder = JsonStringEncoder.getInstance();
                return joined(
                        before,
                        FRAGMENTS.get(fragment.getClass()),
                        encoder.quoteAsUTF8(id),
                        DELTA,
                        encoder.quoteAsUTF8(fragment.delta()),
                        FRAGMENT_END,
                        after);
            }
        }
        try {
            byte[] json = WRITER.writeValueAsBytes(event);
            return before.length + after.length == 0 ? json : joined(before, json, after);
        } catch (JsonProcessingException e) {
            String type = event instanceof Event record
                    ? record.type()
                    : ((JsonNode) event).path("type").asText();
            throw new UncheckedIOException("cannot write " + type, e);
        }
    }

    /**
     * Tells whether a fragment can be written as Jackson does, without setting it up for each of them: a model's answer has
     * thousands. Jackson writes base fields, and surrogates, which may be halves, in ways of its own.
     */
    private static boolean isPlain(Event.Fragment fragment, String id) {
        return fragment.base().equals(EventBase.NONE) && !hasSurrogates(id) && !hasSurrogates(fragment.delta());
    }

    private static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int end = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, end, part.length);
            end += part.length;
        }
        return all;
    }

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Writes an event, any other record of this package, or a JSON tree, as JSON text. */
    public static String write(Object protocolRecord) {
        try {
            return WRITER.writeValueAsString(protocolRecord);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write " + protocolRecord.getClass(), e);
        }
    }

    /** Converts any record of this package to a JSON tree. */
    public static JsonNode toTree(Object protocolRecord) {
        return MAPPER.valueToTree(protocolRecord);
    }

    /**
     * Reads an event.
     *
     * @throws AguiFormatException if the text is not JSON, the type is unknown, or a field is missing or of a wrong type
     */
    public static Event readEvent(String json) {
        return bind(parse(() -> TREE_READER.readValue(json)), Event.class);
    }

    /**
     * Reads the input of a run.
     *
     * @throws AguiFormatException if the text is not JSON or nested deeper than {@value #MAX_INPUT_DEPTH} levels, a number
     *     {@linkplain JsonValues#isExcessive is excessive}, a text or a name {@linkplain JsonValues#isText cannot be kept}, or a
     *     field is missing, of a wrong type, or an id that cannot be one
     */
    public static RunAgentInput readRunAgentInput(String json) {
        return readInput(parse(() -> INPUT_READER.readValue(json)));
    }

    /**
     * Reads the input of a run from JSON text in UTF-8 (UTF-16 and UTF-32 are recognised).
     *
     * @throws AguiFormatException as {@link #readRunAgentInput(String)} does
     */
    public static RunAgentInput readRunAgentInput(byte[] json) {
        return readInput(parse(() -> INPUT_READER.readValue(json)));
    }

    /**
     * Gives the shared mapper, which keeps exact numbers and must not be reconfigured. It reads and writes the records of this
     * package too; a {@code Message} of an unknown role reads as {@code null}. A text with a number whose exponent is out of range is no JSON to it.
     */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /** Checks the values of all fields, known or not, because any part of an input may be stored. */
    private static RunAgentInput readInput(JsonNode json) {
        giveMissingIds(json.path("messages"));
        RunAgentInput input = bind(json, RunAgentInput.class);
        refuseNullMetadata(json);
        JsonValues.violation(json, "").ifPresent(violation -> {
            throw new AguiFormatException(violation);
        });
        return input;
    }

    /**
     * Gives ids to the messages that have none, made of what they say and of how often it was said before: a client that sends its
     * conversation again sends the same ids. A message that is no object is left to the reader.
     */
    private static void giveMissingIds(JsonNode messages) {
        Map<String, Integer> said = new HashMap<>();
        for (JsonNode message : messages) {
            if (message instanceof ObjectNode fields && !fields.hasNonNull("id")) {
                fields.remove("id");
                String json = fields.toString();
                String unique = said.merge(json, 1, Integer::sum) + json;
                fields.put("id", Agui.MADE_ID + UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    /** Refuses JSON's null for metadata, which AG-UI 1.0 allows nowhere; null for other optional fields comes from older clients. */
    private static void refuseNullMetadata(JsonNode input) {
        for (String list : List.of("messages", "tools", "resume")) {
            JsonNode elements = input.path(list);
            for (int i = 0; elements.isArray() && i < elements.size(); i++) {
                JsonNode element = elements.get(i);
                refuseNullMetadata(element, list, i, "");
                JsonNode calls = element.path("toolCalls");
                for (int j = 0; calls.isArray() && j < calls.size(); j++) {
                    refuseNullMetadata(calls.get(j), list, i, ".toolCalls[" + j + "]");
                }
            }
        }
    }

    private static void refuseNullMetadata(JsonNode object, String list, int element, String below) {
        if (object.path("metadata").isNull()) {
            throw new AguiFormatException(list + "[" + element + "]" + below
                    + ".metadata: must be an object, was null. Leave it out where there is none.");
        }
    }

    private static <T> T bind(JsonNode json, Class<T> type) {
        if (json.isNull()) {
            throw new AguiFormatException("the JSON: must be an object, was null");
        }
        try {
            return STRICT.readValue(new AguiModule.NodeParser(json, STRICT), type);
        } catch (JsonMappingException e) {
            throw JsonProblem.explain(e, json);
        } catch (IOException e) {
            throw new AguiFormatException("not readable as JSON: " + e.getMessage(), e);
        }
    }

    private static JsonNode parse(Parser parser) {
        try {
            return parser.parse();
        } catch (JsonProcessingException e) {
            throw new AguiFormatException("not readable as JSON: " + problem(e) + at(e), e);
        } catch (IOException e) {
            throw new AguiFormatException("not readable as JSON: " + e.getMessage(), e);
        } catch (NumberFormatException e) { // a reader asks no mapper
            throw new AguiFormatException("not readable as JSON: " + ExactMapper.OUT_OF_RANGE, e);
        }
    }

    /** Removes the names of Jackson's methods and settings, which no client knows. */
    private static String problem(JsonProcessingException e) {
        return e.getOriginalMessage()
                .replaceAll(", from `[^`]*`\\)", ")")
                .replaceAll(" for `ObjectNode`: not allowed when .*", "");
    }

    private static String at(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
    }

    @FunctionalInterface
    interface Parser {
        JsonNode parse() throws IOException;
    }
}
