package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets the shared mapper read the records through the same readers as the codec, so that there is one reading of each. */
final class ReaderModule {

    private ReaderModule() {}

    static SimpleModule create() {
        SimpleModule module = new SimpleModule("holdpoint-agui");
        add(module, Event.class, node -> EventReader.read(fields(node)));
        add(module, Message.class, node -> MessageReader.read(fields(node)));
        add(module, MessageContent.class, node -> MessageReader.content(node, "content"));
        add(module, ToolCall.class, node -> MessageReader.toolCall(fields(node)));
        add(module, RunAgentInput.class, node -> InputReader.read(fields(node)));
        add(module, ClientToolSpec.class, node -> InputReader.tool(fields(node)));
        add(module, ResumeEntry.class, node -> InputReader.resumeEntry(fields(node)));
        add(module, RunFinishedOutcome.class, node -> OutcomeReader.read(fields(node)));
        add(module, Interrupt.class, node -> OutcomeReader.interrupt(fields(node)));
        return module;
    }

    private static JsonFields fields(JsonNode node) {
        return JsonFields.of(node, "");
    }

    private static <T> void add(SimpleModule module, Class<T> type, Function<JsonNode, @Nullable T> reader) {
        module.addDeserializer(type, new TreeDeserializer<>(type, reader));
    }

    private static final class TreeDeserializer<T> extends StdDeserializer<T> {

        private final transient Function<JsonNode, @Nullable T> reader;

        TreeDeserializer(Class<T> type, Function<JsonNode, @Nullable T> reader) {
            super(type);
            this.reader = reader;
        }

        @Override
        public @Nullable T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return reader.apply(context.readTree(parser));
        }
    }
}
