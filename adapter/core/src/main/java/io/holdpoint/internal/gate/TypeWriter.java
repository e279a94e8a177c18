package io.holdpoint.internal.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.CollectionType;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the value of an argument as its Java type does, with all that it was read from: what a type hides or leaves out reaches the body
 * all the same. Thread-safe.
 */
final class TypeWriter {

    private static final String UNORDERED = "holdpoint:unordered";

    private final ObjectMapper mapper;

    /** Dates and durations are texts. */
    private final ObjectWriter asTexts;

    /** The same in the parts in which LangChain4j describes dates and times to a model, and bytes. */
    private final ObjectWriter inParts;

    /** A value as JSON, with the places of its sets that have no order of their own, such as {@code /colours}. */
    record Written(JsonNode json, Set<String> unordered) {}

    /** The mapper is that of LangChain4j, a copy. */
    TypeWriter(ObjectMapper mapper) {
        this.mapper = mapper;
        mapper.setAnnotationIntrospector(AnnotationIntrospectorPair.pair(
                new WhatIsReadIsWritten(), mapper.getSerializationConfig().getAnnotationIntrospector()));
        mapper.setSerializerFactory(mapper.getSerializerFactory().withSerializerModifier(new OnlyWhatIsRead(mapper)));
        mapper.getFactory().configure(JsonWriteFeature.WRITE_NAN_AS_STRINGS.mappedFeature(), false);
        SimpleModule files = new SimpleModule("holdpoint-files"); // Jackson would make them absolute
        files.addSerializer(File.class, ToStringSerializer.instance);
        files.addSerializer(Path.class, ToStringSerializer.instance);
        mapper.registerModule(files);
        this.asTexts = mapper.writer()
                .without(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
        this.inParts = inParts(mapper.copy()).writer().with(SerializationFeature.WRITE_CHAR_ARRAYS_AS_JSON_ARRAYS);
    }

    /** Writes a value that was read as such a type, of which {@code raw} is the class. */
    Written write(Object value, Class<?> raw, Type type, boolean parts) throws JsonProcessingException {
        if (value instanceof Enum<?> constant) {
            return new Written(TextNode.valueOf(constant.name()), Set.of());
        }
        Set<String> unordered = new HashSet<>();
        ObjectWriter writer = (parts ? inParts : asTexts).withAttribute(UNORDERED, unordered);
        JavaType declared = writer.getTypeFactory().constructType(type);
        // the class that was chosen for another one says what it has, unless it is the other one that says which was
        // chosen
        ObjectWriter ofType = type == raw && !isPolymorphic(declared) ? writer : writer.forType(declared);
        return new Written(ToolArguments.readOfJava(ofType.writeValueAsString(value)), unordered);
    }

    /** Returns the text of a constant as a part of something else. */
    String text(Object constant) {
        return mapper.convertValue(constant, JsonNode.class).asText();
    }

    private boolean isPolymorphic(JavaType type) throws JsonMappingException {
        return mapper.getSerializerProviderInstance().findTypeSerializer(type) != null;
    }

    private static ObjectMapper inParts(ObjectMapper mapper) {
        SimpleModule module = new SimpleModule("holdpoint-in-parts");
        add(
                module,
                LocalDate.class,
                at -> Map.of("year", at.getYear(), "month", at.getMonthValue(), "day", at.getDayOfMonth()));
        add(
                module,
                LocalTime.class,
                at -> Map.of(
                        "hour",
                        at.getHour(),
                        "minute",
                        at.getMinute(),
                        "second",
                        at.getSecond(),
                        "nano",
                        at.getNano()));
        add(module, LocalDateTime.class, at -> Map.of("date", at.toLocalDate(), "time", at.toLocalTime()));
        add(module, byte[].class, bytes -> IntStream.range(0, bytes.length)
                .map(i -> bytes[i])
                .toArray());
        return mapper.registerModule(module);
    }

    private static <T> void add(SimpleModule module, Class<T> type, Function<T, Object> parts) {
        module.addSerializer(type, new StdSerializer<>(type) {
            @Override
            public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
                provider.defaultSerializeValue(parts.apply(value), json);
            }
        });
    }

    /** A field that is only read, such as a password, is shown as well, and so is what is left out, or masked, where it is written. */
    private static final class WhatIsReadIsWritten extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
            JsonProperty property = annotated.getAnnotation(JsonProperty.class);
            return property != null && property.access() == JsonProperty.Access.WRITE_ONLY
                    ? JsonProperty.Access.READ_WRITE
                    : null;
        }

        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
            return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
        }

        @Override
        public @Nullable Object findSerializer(Annotated annotated) {
            return annotated.getRawType() == String.class
                            && annotated.hasAnnotation(JsonSerialize.class)
                            && !annotated.hasAnnotation(JsonDeserialize.class)
                    ? ToStringSerializer.instance
                    : null;
        }
    }

    /** A property of a getter alone is nothing that the type has filled in. */
    private static final class OnlyWhatIsRead extends BeanSerializerModifier {

        private static final long serialVersionUID = 1L;

        private final transient DeserializationContext jackson;

        OnlyWhatIsRead(ObjectMapper mapper) {
            this.jackson = UnreadableTypes.context(mapper);
        }

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
            if (reader(type.getType()) instanceof BeanDeserializerBase bean
                    && !bean.getValueInstantiator().canCreateUsingDelegate()) {
                properties.removeIf(each -> !each.isUnwrapping() && bean.findProperty(each.getName()) == null);
            }
            return properties;
        }

        private @Nullable JsonDeserializer<?> reader(JavaType type) {
            try {
                return jackson.findNonContextualValueDeserializer(type);
            } catch (JsonMappingException e) {
                return null; // it is written, but not read by itself
            }
        }

        @Override
        public JsonSerializer<?> modifyCollectionSerializer(
                SerializationConfig config, CollectionType type, BeanDescription bean, JsonSerializer<?> serializer) {
            return new OfSets(serializer);
        }
    }

    /** Notes the places of sets. The order of one that has none differs between JVMs, and says nothing. */
    @SuppressWarnings("unchecked")
    private static final class OfSets extends JsonSerializer<Object> implements ContextualSerializer {

        private final JsonSerializer<Object> own;

        OfSets(JsonSerializer<?> own) {
            this.own = (JsonSerializer<Object>) own;
        }

        @Override
        public JsonSerializer<?> createContextual(SerializerProvider provider, BeanProperty property)
                throws JsonMappingException {
            return new OfSets(provider.handleSecondaryContextualization(own, property));
        }

        @Override
        public void serialize(Object value, JsonGenerator json, SerializerProvider provider) throws IOException {
            note(value, json, provider);
            own.serialize(value, json, provider);
        }

        @Override
        public void serializeWithType(
                Object value, JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
            own.serializeWithType(value, json, provider, type);
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, Object value) {
            return own.isEmpty(provider, value);
        }

        private static void note(Object value, JsonGenerator json, SerializerProvider provider) {
            if (value instanceof Set<?> && !(value instanceof SortedSet<?>)) {
                ((Set<String>) provider.getAttribute(UNORDERED)).add(place(json.getOutputContext()));
            }
        }

        private static String place(JsonStreamContext context) {
            StringBuilder place = new StringBuilder();
            int next = context.getEntryCount(); // of an array whose next value is written
            for (JsonStreamContext at = context; !at.inRoot(); at = at.getParent()) {
                String step = at.inObject()
                        ? at.getCurrentName()
                        : String.valueOf(at == context ? next : at.getCurrentIndex());
                place.insert(0, ToolArguments.step("", step));
            }
            return place.toString();
        }
    }
}
