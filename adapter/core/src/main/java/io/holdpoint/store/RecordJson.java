package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of this package as JSON text, for those who write a {@link Store}. Stateless, so thread-safe.
 *
 * <p>A field is named like the component of the record, a component that is {@code null} is absent, an instant is ISO-8601
 * text, an enum constant its name; messages, interrupts and resume entries are AG-UI's own JSON. What is written reads
 * back equal, whatever the texts hold; numbers keep their exact digits. The text is printable ASCII on one line
 * (everything else is escaped), so that every column and encoding takes it. Fields that are not known are ignored when
 * reading, so that a later version may add some.
 */
public final class RecordJson {

    /** What could be read from a client must be readable again here, a few levels deeper and a few digits longer. */
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

    /** {@code isSettled()} follows from the state. */
    @JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
    private interface ComponentsOnly {}

    private RecordJson() {}

    private static ObjectMapper mapper() {
        SimpleModule instants = new SimpleModule("holdpoint-store")
                .addSerializer(Instant.class, ToStringSerializer.instance)
                .addDeserializer(Instant.class, new InstantReader());
        ObjectMapper mapper = AguiCodec.mapper()
                .copy()
                .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
                .addMixIn(Batch.class, ComponentsOnly.class)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
                .registerModule(instants);
        mapper.getFactory().setStreamReadConstraints(READ_CONSTRAINTS);
        mapper.getFactory().setStreamWriteConstraints(WRITE_CONSTRAINTS);
        return mapper;
    }

    /**
     * Writes a batch.
     *
     * @param batch the batch
     * @return a JSON object
     */
    public static String write(Batch batch) {
        return json(batch);
    }

    /**
     * Reads a batch.
     *
     * @param json from {@link #write(Batch)}
     * @return the batch
     * @throws StoreException if it is not one
     */
    public static Batch readBatch(String json) {
        return read(json, Batch.class);
    }

    /**
     * Writes a turn.
     *
     * @param turn the turn
     * @return a JSON object
     */
    public static String write(TurnRecord turn) {
        return json(turn);
    }

    /**
     * Reads a turn.
     *
     * @param json from {@link #write(TurnRecord)}
     * @return the turn
     * @throws StoreException if it is not one
     */
    public static TurnRecord readTurn(String json) {
        return read(json, TurnRecord.class);
    }

    /**
     * Writes a message of a transcript.
     *
     * @param message the message
     * @return a JSON object
     */
    public static String write(Message message) {
        return json(message);
    }

    /**
     * Reads a message of a transcript.
     *
     * @param json from {@link #write(Message)}
     * @return the message, or empty if its role is not known here because a later version wrote it
     * @throws StoreException if it is not one
     */
    public static Optional<Message> readMessage(String json) {
        return Optional.ofNullable(readNullable(json, Message.class));
    }

    /**
     * Writes messages.
     *
     * @param messages in order
     * @return a JSON array
     */
    public static String write(List<Message> messages) {
        return json(messages.toArray(Message[]::new));
    }

    /**
     * Reads messages.
     *
     * @param json from {@link #write(List)}
     * @return the messages, without those whose role is not known here
     * @throws StoreException if it is not an array of messages
     */
    public static List<Message> readMessages(String json) {
        return Arrays.stream(read(json, Message[].class))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Writes a remembered decision.
     *
     * @param grant the decision
     * @return a JSON object
     */
    public static String write(Grant grant) {
        return json(grant);
    }

    /**
     * Reads a remembered decision.
     *
     * @param json from {@link #write(Grant)}
     * @return the decision
     * @throws StoreException if it is not one
     */
    public static Grant readGrant(String json) {
        return read(json, Grant.class);
    }

    /**
     * Writes an event of an audit trail.
     *
     * @param event the event
     * @return a JSON object
     */
    public static String write(AuditEvent event) {
        return json(new AuditJson(
                event.at(),
                event.threadId(),
                event.runId(),
                event.caller(),
                event.kind(),
                event.toolCallId().orElse(null),
                event.toolName().orElse(null),
                event.interruptId().orElse(null),
                event.detail()));
    }

    /**
     * Reads an event of an audit trail.
     *
     * @param json from {@link #write(AuditEvent)}
     * @return the event
     * @throws StoreException if it is not one
     */
    public static AuditEvent readAuditEvent(String json) {
        AuditJson event = read(json, AuditJson.class);
        return new AuditEvent(
                event.at(),
                event.threadId(),
                event.runId(),
                event.caller(),
                event.kind(),
                Optional.ofNullable(event.toolCallId()),
                Optional.ofNullable(event.toolName()),
                Optional.ofNullable(event.interruptId()),
                event.detail());
    }

    /**
     * Writes a JSON tree, such as a thread's shared state.
     *
     * @param tree any JSON
     * @return its text
     */
    public static String write(JsonNode tree) {
        return json(tree);
    }

    /**
     * Reads a JSON tree.
     *
     * @param json from {@link #write(JsonNode)}
     * @return the tree; a {@code NullNode} for JSON null
     * @throws StoreException if it is not JSON
     */
    public static JsonNode readTree(String json) {
        return read(json, JsonNode.class);
    }

    /**
     * Escapes what is not printable ASCII in a JSON text that others wrote, such as LangChain4j's.
     *
     * @param json one JSON value without line breaks between its tokens
     * @return the same value
     */
    public static String toAscii(String json) {
        return AsciiJson.escape(json);
    }

    /**
     * Undoes {@link #toAscii}.
     *
     * @param ascii a JSON text
     * @return the same value; only what has to be escaped in JSON still is
     */
    public static String fromAscii(String ascii) {
        return AsciiJson.unescape(ascii);
    }

    private record AuditJson(
            Instant at,
            String threadId,
            String runId,
            String caller,
            AuditEvent.Kind kind,
            @Nullable String toolCallId,
            @Nullable String toolName,
            @Nullable String interruptId,
            ObjectNode detail) {}

    private static String json(Object value) {
        try {
            return toAscii(WRITER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new StoreException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    private static <T> T read(String json, Class<T> type) {
        T value = readNullable(json, type);
        if (value == null) {
            throw new StoreException("no " + type.getSimpleName() + ": JSON null");
        }
        return value;
    }

    private static <T> @Nullable T readNullable(String json, Class<T> type) {
        try {
            return MAPPER.readValue(fromAscii(json), type);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new StoreException("not readable as " + type.getSimpleName(), e);
        }
    }

    private static final class InstantReader extends StdScalarDeserializer<Instant> {

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
}
