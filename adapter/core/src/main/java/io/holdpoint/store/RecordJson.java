package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.holdpoint.agui.AguiCodec;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of this package as JSON text, for those who write a {@link Store}. Stateless, so thread-safe.
 *
 * <p>A field is named like the component of the record, a component that is {@code null} or empty is absent, an instant is ISO-8601
 * text, an enum constant its name; messages, interrupts and resume entries are AG-UI's own JSON. Records read back as they were
 * written, whatever the texts hold; numbers keep their exact digits. The text is
 * printable ASCII on one line (everything else is escaped), so that every column and encoding takes it. Fields that are not known are
 * ignored when reading, and a state, a kind of question or answer that is not known is read as {@code UNKNOWN}, so that a later version may
 * add some.
 */
public final class RecordJson {

    /**
     * Outside its strings a JSON text is ASCII, so escaping needs no parser. Jackson's own is not used: its parser refuses an escaped
     * half of a surrogate pair in a field name, and takes one that is not escaped.
     */
    private static final int FIRST_ESCAPED = 0x7f;

    private static final int ESCAPE_LENGTH = "\\uffff".length();

    /** A tree that could be read from a client must be readable again here, a few levels deeper and a few digits longer. */
    private static final StreamReadConstraints READ_CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(3 * StreamReadConstraints.DEFAULT_MAX_DEPTH)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .build();

    private static final StreamWriteConstraints WRITE_CONSTRAINTS = StreamWriteConstraints.builder()
            .maxNestingDepth(3 * StreamReadConstraints.DEFAULT_MAX_DEPTH)
            .build();

    private static final ObjectMapper MAPPER = mapper();
    private static final ObjectWriter WRITER = MAPPER.writer();

    /** A method such as {@code isSettled()} is no component, and changes are not kept. */
    @JsonIgnoreProperties("changes")
    @JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
    private interface ComponentsOnly {}

    private RecordJson() {}

    private static ObjectMapper mapper() {
        SimpleModule module = new SimpleModule("holdpoint-store")
                .addSerializer(Instant.class, ToStringSerializer.instance)
                .addDeserializer(Instant.class, new InstantReader())
                .addSerializer(new OptionalWriter())
                .addDeserializer(Optional.class, new OptionalReader(null));
        ObjectMapper mapper = AguiCodec.mapper()
                .copy()
                .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
                .addMixIn(Batch.class, ComponentsOnly.class)
                .addMixIn(Call.class, ComponentsOnly.class)
                .addMixIn(Call.Question.class, ComponentsOnly.class)
                .addMixIn(Call.Asked.class, ComponentsOnly.class)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS) // the text "0" would be the first constant
                .registerModule(module);
        mapper.configOverride(Optional.class)
                .setInclude(JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, null));
        mapper.getFactory().setStreamReadConstraints(READ_CONSTRAINTS);
        mapper.getFactory().setStreamWriteConstraints(WRITE_CONSTRAINTS);
        return mapper;
    }

    /**
     * Writes a record of this package, a {@link io.holdpoint.agui.Message}, or a JSON tree such as a thread's shared state.
     *
     * @param value the record, message or tree
     * @return one JSON value
     * @throws StoreException if it cannot be written
     */
    public static String write(Object value) {
        try {
            return toAscii(WRITER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new StoreException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /**
     * Reads what was written.
     *
     * @param json from {@link #write}
     * @param type of what was written; an interface such as {@code Message} or {@code JsonNode} for its implementations
     * @param <T> the same
     * @return the value; a {@code NullNode} if a tree is JSON {@code null}
     * @throws DamagedException if it is none
     */
    public static <T> T read(String json, Class<T> type) {
        Optional<T> known = readKnown(json, type);
        if (known.isEmpty()) {
            throw new DamagedException("no " + type.getSimpleName() + " of a kind that is known here", null);
        }
        return known.get();
    }

    /**
     * Reads what was written, perhaps by a later version.
     *
     * @param json from {@link #write}
     * @param <T> the same
     * @return the value; empty if its kind is not known here, such as a message with a role that a later version has added
     * @throws DamagedException if it is none
     */
    public static <T> Optional<T> readKnown(String json, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(fromAscii(json), type));
        } catch (JsonProcessingException | RuntimeException e) {
            throw new DamagedException("not readable as " + type.getSimpleName(), e);
        }
    }

    /**
     * Escapes what is not printable ASCII in a JSON text that others wrote, such as LangChain4j's.
     *
     * @param json one JSON value without line breaks between its tokens
     */
    public static String toAscii(String json) {
        int from = 0;
        while (from < json.length() && json.charAt(from) < FIRST_ESCAPED) {
            from++;
        }
        if (from == json.length()) {
            return json;
        }
        StringBuilder ascii = new StringBuilder(json.length() + 64).append(json, 0, from);
        for (int i = from; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c < FIRST_ESCAPED) {
                ascii.append(c);
            } else {
                ascii.append("\\u").append(HexFormat.of().toHexDigits(c));
            }
        }
        return ascii.toString();
    }

    /** Undoes {@link #toAscii}: only what has to be escaped in JSON still is. */
    public static String fromAscii(String ascii) {
        int escape = ascii.indexOf('\\');
        if (escape < 0) {
            return ascii;
        }
        StringBuilder json = new StringBuilder(ascii.length());
        int from = 0;
        while (escape >= 0 && escape + 1 < ascii.length()) {
            int end = escape + 2;
            if (ascii.charAt(escape + 1) == 'u' && escape + ESCAPE_LENGTH <= ascii.length()) {
                end = escape + ESCAPE_LENGTH;
                int c = hex(ascii, escape + 2);
                if (c >= FIRST_ESCAPED) {
                    json.append(ascii, from, escape).append((char) c);
                    from = end;
                }
            }
            escape = ascii.indexOf('\\', end);
        }
        return json.append(ascii, from, ascii.length()).toString();
    }

    /** The value of four digits; -1 if they are none, which is for the parser to say. */
    private static int hex(String text, int from) {
        try {
            return HexFormat.fromHexDigits(text, from, from + 4);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static final class InstantReader extends StdScalarDeserializer<Instant> {

        private static final long serialVersionUID = 1L;

        InstantReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = parser.getValueAsString("");
            try {
                return Instant.parse(text);
            } catch (DateTimeException e) {
                return (Instant) context.handleWeirdStringValue(Instant.class, text, "not an ISO-8601 time");
            }
        }
    }

    /** An empty optional is left out. */
    private static final class OptionalWriter extends StdSerializer<Optional<?>> {

        private static final long serialVersionUID = 1L;

        OptionalWriter() {
            super(Optional.class, false);
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, Optional<?> value) {
            return value.isEmpty();
        }

        @Override
        public void serialize(Optional<?> value, JsonGenerator generator, SerializerProvider provider)
                throws IOException {
            provider.defaultSerializeValue(value.orElseThrow(), generator);
        }
    }

    private static final class OptionalReader extends JsonDeserializer<Optional<?>> implements ContextualDeserializer {

        private final @Nullable JavaType content;

        OptionalReader(@Nullable JavaType content) {
            this.content = content;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
            return new OptionalReader(context.getContextualType().containedType(0));
        }

        @Override
        public Optional<?> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Optional.of(context.readValue(parser, content));
        }

        @Override
        public Optional<?> getNullValue(DeserializationContext context) {
            return Optional.empty();
        }
    }
}
