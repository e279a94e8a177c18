package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.ValueInstantiators;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TreeTraversingParser;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells Jackson what the records' annotations do not say: which record a {@code type} means, the two forms of a message's
 * content, and the draft's forms of outcomes and answers.
 */
final class AguiModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    AguiModule() {
        super("holdpoint-agui");
        addDeserializer(Event.class, new Events());
        addDeserializer(Message.class, new MessageReader());
        addDeserializer(ContentPart.class, new Parts());
        addDeserializer(PartSource.class, new Tagged<>(PartSource.class, ""));
        addDeserializer(MessageContent.class, new Content());
        addDeserializer(ResumeEntry.Status.class, new Constants<>(ResumeEntry.Status.class, ResumeEntry.Status::wire));
        addDeserializer(
                ReasoningEvent.EncryptedValue.Subtype.class,
                new Constants<>(
                        ReasoningEvent.EncryptedValue.Subtype.class, ReasoningEvent.EncryptedValue.Subtype::wire));
        addTagged(RunFinishedOutcome.class, "\"success\", \"interrupt\" or \"cancelled\"");
        addTagged(SubagentEvent.Outcome.class, "\"success\" or \"suspended\"");
    }

    private <T> void addTagged(Class<T> set, String allowed) {
        addDeserializer(set, new Tagged<>(set, allowed));
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addValueInstantiators(new ValueInstantiators.Base() {
            @Override
            public ValueInstantiator findValueInstantiator(
                    DeserializationConfig config, BeanDescription bean, ValueInstantiator standard) {
                return required(bean.getBeanClass()).isEmpty()
                        ? standard
                        : new Complete((StdValueInstantiator) standard);
            }
        });
        context.addBeanSerializerModifier(new BeanSerializerModifier() {
            @Override
            public List<BeanPropertyWriter> changeProperties(
                    SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> fields) {
                required(bean.getBeanClass()).forEach(component -> fields.stream()
                        .filter(field -> field.getMember().getName().equals(component.getName()))
                        .forEach(field -> field.assignNullSerializer(MISSING)));
                return fields;
            }
        });
    }

    /** The components that a record of this package must have: their types are not {@code @Nullable}, and they have no default. */
    private static List<RecordComponent> required(Class<?> type) {
        List<RecordComponent> required = new ArrayList<>();
        if (type.isRecord() && type.getPackage() == AguiModule.class.getPackage()) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (isRequired(component)) {
                    required.add(component);
                }
            }
        }
        return required;
    }

    private static boolean isRequired(RecordComponent component) {
        JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
        boolean hasDefault = property != null && !property.defaultValue().isEmpty();
        return !hasDefault && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** Refuses JSON without a component that the record must have. */
    private static final class Complete extends StdValueInstantiator {

        private static final long serialVersionUID = 1L;

        private final transient RecordComponent[] all;
        private final transient int[] required;

        Complete(StdValueInstantiator standard) {
            super(standard);
            this.all = getValueClass().getRecordComponents();
            this.required = IntStream.range(0, all.length)
                    .filter(i -> isRequired(all[i]))
                    .toArray();
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] components) throws IOException {
            for (int i : required) {
                if (components[i] == null) {
                    throw JsonProblem.missing(context.getParser(), all[i]);
                }
            }
            return super.createFromObjectWith(context, components);
        }
    }

    /** Refuses to write a record without such a component, which its constructor may not have noticed. */
    private static final JsonSerializer<Object> MISSING = new JsonSerializer<>() {
        @Override
        public void serialize(Object missing, JsonGenerator json, SerializerProvider provider) throws IOException {
            throw JsonMappingException.from(json, "must not be null");
        }
    };

    /** The names of the records on the wire: their types, or the roles of messages. */
    static final ClassValue<String> NAMES = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return type.getAnnotation(JsonTypeName.class).value();
        }
    };

    /** The records of a closed set by their names on the wire, found when one is read: whoever only writes events loads few of them. */
    private static final ClassValue<Map<String, Class<?>>> RECORDS = new ClassValue<>() {
        @Override
        protected Map<String, Class<?>> computeValue(Class<?> set) {
            Map<String, Class<?>> records = new HashMap<>();
            for (Class<?> each : set.getPermittedSubclasses()) {
                if (each.isRecord()) {
                    records.put(NAMES.get(each), each);
                } else {
                    records.putAll(computeValue(each));
                }
            }
            return records;
        }
    };

    private static final Map<String, Class<?>> PARTS = Map.of(
            "text", ContentPart.Text.class,
            "image", ContentPart.Media.class,
            "audio", ContentPart.Media.class,
            "video", ContentPart.Media.class,
            "document", ContentPart.Media.class,
            "binary", ContentPart.Binary.class);

    /** Reads an object as the record that its {@code type} names. */
    private static class Tagged<T> extends StdDeserializer<T> implements ContextualDeserializer {

        private static final long serialVersionUID = 1L;

        private final Class<T> set;
        private final String allowed;
        private final transient Map<Class<?>, JsonDeserializer<?>> readers = new ConcurrentHashMap<>();

        /** {@code allowed} describes the names for an error; if it is empty, an object of an unknown name is read as null. */
        Tagged(Class<T> set, String allowed) {
            super(set);
            this.set = set;
            this.allowed = allowed;
        }

        /** A copy of a mapper has the module's readers too, but its settings may differ, which what they have found depends on. */
        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Tagged<>(set, allowed);
        }

        @Override
        public @Nullable T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.isExpectedStartObjectToken()) {
                throw JsonProblem.wrongType(parser, "an object");
            }
            JsonNode object = NodeParser.take(parser, context);
            Class<? extends T> type = typeOf(object, parser);
            return type == null ? null : read(object, type, context);
        }

        T read(JsonNode object, Class<? extends T> type, DeserializationContext context) throws IOException {
            JsonDeserializer<?> reader = readers.get(type);
            if (reader == null) {
                reader = context.findRootValueDeserializer(context.constructType(type));
                readers.put(type, reader);
            }
            return type.cast(reader.deserialize(NodeParser.at(object, context), context));
        }

        /** The record that the object names; null if it is unknown and may be. */
        @Nullable
        Class<? extends T> typeOf(JsonNode object, JsonParser parser) throws JsonProblem {
            Class<?> type = records().get(nameOf(object, parser));
            if (type == null && !allowed.isEmpty()) {
                throw JsonProblem.wrongValue(parser, allowed).in("type");
            }
            return type == null ? null : type.asSubclass(set);
        }

        Map<String, Class<?>> records() {
            return RECORDS.get(set);
        }

        static String nameOf(JsonNode object, JsonParser parser) throws JsonProblem {
            JsonNode name = object.path("type");
            if (!name.isTextual()) {
                throw JsonProblem.wrongType(parser, "a string").in("type");
            }
            return name.textValue();
        }
    }

    private static final class Events extends Tagged<Event> {

        private static final long serialVersionUID = 1L;

        Events() {
            super(Event.class, "the name of an AG-UI 1.0 event such as \"RUN_STARTED\"");
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Events();
        }

        @Override
        Event read(JsonNode object, Class<? extends Event> type, DeserializationContext context) throws IOException {
            if (type == RunEvent.Finished.class) {
                Dialect.upgrade((ObjectNode) object);
            }
            return super.read(object, type, context);
        }
    }

    /** A part whose bytes are somewhere unknown is unknown itself. */
    private static final class Parts extends Tagged<ContentPart> {

        private static final long serialVersionUID = 1L;

        Parts() {
            super(ContentPart.class, "");
        }

        @Override
        Map<String, Class<?>> records() {
            return PARTS;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Parts();
        }

        @Override
        @Nullable
        Class<? extends ContentPart> typeOf(JsonNode part, JsonParser parser) throws JsonProblem {
            Class<? extends ContentPart> type = super.typeOf(part, parser);
            JsonNode source = part.path("source");
            try {
                return source.isObject() && !RECORDS.get(PartSource.class).containsKey(nameOf(source, parser))
                        ? null
                        : type;
            } catch (JsonProblem e) {
                throw e.in("source");
            }
        }
    }

    private static final class Content extends StdDeserializer<MessageContent> implements ContextualDeserializer {

        private static final long serialVersionUID = 1L;

        private final Parts parts = new Parts();

        Content() {
            super(MessageContent.class);
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Content();
        }

        @Override
        public MessageContent deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.hasToken(JsonToken.VALUE_STRING)) {
                return new MessageContent.Text(parser.getText());
            }
            if (!parser.isExpectedStartArrayToken()) {
                throw JsonProblem.wrongType(parser, MessageContent.EXPECTED);
            }
            JsonNode array = NodeParser.take(parser, context);
            List<ContentPart> read = new ArrayList<>(array.size());
            for (int i = 0; i < array.size(); i++) {
                try {
                    ContentPart part = parts.deserialize(NodeParser.at(array.get(i), context), context);
                    if (part != null) {
                        read.add(part);
                    }
                } catch (JsonMappingException e) {
                    throw JsonMappingException.wrapWithPath(e, read, i);
                }
            }
            return new MessageContent.Parts(read);
        }
    }

    /** Reads the answers of an input: a list, or the object of the draft dialect. */
    static final class Answers extends StdDeserializer<List<ResumeEntry>> {

        private static final long serialVersionUID = 1L;

        Answers() {
            super(List.class);
        }

        @Override
        public List<ResumeEntry> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.isExpectedStartObjectToken()) {
                return List.of(draft(context.readTree(parser), parser));
            }
            List<ResumeEntry> entries = context.readValue(
                    parser, context.getTypeFactory().constructCollectionType(ArrayList.class, ResumeEntry.class));
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i) == null) {
                    throw JsonProblem.wrongType(parser, "an object").in(i);
                } else if (entries.get(i).interruptId().isEmpty()) {
                    throw JsonProblem.wrongValue(parser, "a string that is not empty")
                            .in("interruptId")
                            .in(i);
                }
            }
            entries.replaceAll(entry -> Dialect.isDraft(entry)
                    ? new ResumeEntry(entry.interruptId(), entry.status(), entry.payload(), null)
                    : entry);
            return entries;
        }

        /**
         * The draft has no status, and may leave out the id where only one interrupt can be meant. An answer that names an
         * interrupt and has no payload cancels the interrupt. A status of 1.0 counts here, too.
         */
        private static ResumeEntry draft(JsonNode resume, JsonParser parser) throws JsonProblem {
            JsonNode id = resume.path("interruptId");
            JsonNode payload = resume.get("payload");
            if (!id.isMissingNode() && !id.isNull() && !id.isTextual()) {
                throw JsonProblem.wrongType(parser, "a string").in("interruptId");
            }
            boolean isNamed = id.isTextual() && !id.textValue().isEmpty();
            return payload == null && isNamed || isCancelled(resume.path("status"), parser)
                    ? ResumeEntry.cancelled(isNamed ? id.textValue() : "")
                    : new ResumeEntry(
                            isNamed ? id.textValue() : "",
                            ResumeEntry.Status.RESOLVED,
                            payload,
                            payload instanceof ObjectNode ? Dialect.draftMetadata() : null);
        }

        private static boolean isCancelled(JsonNode status, JsonParser parser) throws JsonProblem {
            boolean isCancelled = ResumeEntry.Status.CANCELLED.wire().equals(status.textValue());
            boolean isResolved = ResumeEntry.Status.RESOLVED.wire().equals(status.textValue());
            if (!isCancelled && !isResolved && !status.isMissingNode() && !status.isNull()) {
                throw JsonProblem.wrongValue(parser, "\"resolved\" or \"cancelled\"")
                        .in("status");
            }
            return isCancelled;
        }

        @Override
        public List<ResumeEntry> getNullValue(DeserializationContext context) {
            return List.of();
        }
    }

    /** Reads a constant by exactly its name on the wire: Jackson would take {@code "resolved "} too. */
    private static final class Constants<E extends Enum<E>> extends StdDeserializer<E> {

        private static final long serialVersionUID = 1L;

        private final Map<String, E> constants = new LinkedHashMap<>();

        Constants(Class<E> type, Function<E, String> name) {
            super(type);
            for (E constant : type.getEnumConstants()) {
                constants.put(name.apply(constant), constant);
            }
        }

        @Override
        public E deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                throw JsonProblem.wrongType(parser, "a string");
            }
            E constant = constants.get(parser.getText());
            if (constant == null) {
                String names = constants.keySet().stream()
                        .map(name -> '"' + name + '"')
                        .collect(Collectors.joining(" or "));
                throw JsonProblem.wrongValue(parser, names);
            }
            return constant;
        }
    }

    static final class Time extends StdDeserializer<Instant> {

        private static final long serialVersionUID = 1L;

        Time() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                throw JsonProblem.wrongType(parser, "a string");
            }
            try {
                return Instant.parse(parser.getText());
            } catch (DateTimeException e) {
                throw JsonProblem.wrongValue(parser, "an ISO-8601 time such as 2026-01-31T12:00:00Z");
            }
        }
    }

    /** Reads a count of tokens. */
    static final class Count extends StdDeserializer<Integer> {

        private static final long serialVersionUID = 1L;

        Count() {
            super(Integer.class);
        }

        @Override
        public Integer deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            JsonNode count = context.readTree(parser);
            if (!count.isIntegralNumber() || !count.canConvertToInt() || count.intValue() < 0) {
                throw JsonProblem.wrongType(parser, "a whole number from 0 to " + Integer.MAX_VALUE);
            }
            return count.intValue();
        }
    }

    /** Walks over a tree that has been read. */
    static final class NodeParser extends TreeTraversingParser {

        NodeParser(JsonNode tree, ObjectCodec codec) {
            super(tree, codec);
        }

        static NodeParser at(JsonNode tree, DeserializationContext context) throws IOException {
            NodeParser parser = new NodeParser(tree, context.getParser().getCodec());
            parser.nextToken();
            return parser;
        }

        /** The object or array that begins here, without copying it if it is part of a tree; the parser goes to its end. */
        static JsonNode take(JsonParser parser, DeserializationContext context) throws IOException {
            if (!(parser instanceof NodeParser tree)) {
                return context.readTree(parser);
            }
            tree.skipChildren();
            return tree.currentNode();
        }
    }
}
