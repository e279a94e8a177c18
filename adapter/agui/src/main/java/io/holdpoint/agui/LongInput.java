package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * An input of a run of any length, of whose messages only the last ones were kept: clients send the whole conversation with
 * every input, and the server knows all but its end. Immutable.
 *
 * <p>Of the messages that were not kept, those of users stand in {@link #input} with their ids and an empty content; the
 * others are left out. So the input may be used only if {@link #anyKnown} holds.
 *
 * @param partial whether a message was not kept
 * @param ids the user messages from the last one on that was not kept; empty if everything was kept
 */
public record LongInput(RunAgentInput input, boolean partial, List<String> ids) {

    /** Copies the list. */
    public LongInput {
        ids = List.copyOf(ids);
    }

    /**
     * Checks whether what was not kept is known already.
     *
     * @param known whether the thread has one of these messages
     * @return {@code true} if everything was kept, or the thread has one of {@link #ids}
     */
    public boolean anyKnown(Predicate<List<String>> known) {
        return !partial || known.test(ids);
    }

    /** More of the input is new than may be kept. */
    public static final class TooLongException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private TooLongException(int maxBytes) {
            super("more than " + maxBytes + " bytes are new");
        }
    }

    /**
     * Reads an input from JSON text, and keeps at most {@code maxBytes} of it. The excess is taken from the messages,
     * oldest first, but never the last one. A shorter input is read as {@link AguiCodec#readRunAgentInput(byte[])} reads it.
     *
     * @param json the text; is not closed
     * @param maxBytes most bytes to keep, those between the messages included
     * @param maxMessages most messages
     * @throws TooLongException if one message, or everything besides the messages, is longer, or a tool's result that comes
     *     after the last assistant message does not fit
     * @throws AguiFormatException as {@link AguiCodec#readRunAgentInput(byte[])} does, and if there are more messages
     * @throws UncheckedIOException if the text cannot be read
     */
    public static LongInput read(InputStream json, int maxBytes, int maxMessages) {
        Reader reader = new Reader(json, maxBytes, maxMessages);
        RunAgentInput input = AguiCodec.readInput(AguiCodec.parse(reader::parse));
        return new LongInput(input, reader.leavesOut, reader.unsure());
    }

    private record Kept(JsonNode message, int index, long bytes) {}

    /** The parser asks for more bytes when it has taken all that it got: then is the time to look how much is kept. */
    private static final class Reader extends InputStream {

        private final InputStream json;
        private final int maxBytes;
        private final int maxMessages;
        private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
        private final Deque<Kept> kept = new ArrayDeque<>();
        private final ArrayNode left = JsonNodeFactory.instance.arrayNode();
        private long taken;
        private long leftBytes;
        private boolean leavesOut;
        private boolean inMessage;
        private int lastAssistant = -1;
        private int lastToolLeft = -1;

        Reader(InputStream json, int maxBytes, int maxMessages) {
            this.json = json;
            this.maxBytes = maxBytes;
            this.maxMessages = maxMessages;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("the parser reads blocks");
        }

        @Override
        public int read(byte[] block, int offset, int length) {
            while (taken - leftBytes > maxBytes) {
                if (kept.size() <= (inMessage ? 0 : 1)) {
                    throw new TooLongException(maxBytes);
                }
                leaveOut(kept.remove());
            }
            try {
                int count = json.read(block, offset, length);
                taken += Math.max(0, count);
                return count;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void leaveOut(Kept oldest) {
            leavesOut = true;
            leftBytes += oldest.bytes();
            String role = oldest.message().path("role").asText();
            if (role.equals("tool")) {
                lastToolLeft = oldest.index();
            } else if (role.equals("user")) {
                String id = oldest.message().path("id").textValue();
                if (id == null || !Agui.isId(id)) {
                    throw new AguiFormatException("messages[" + oldest.index() + "].id: must be an id");
                }
                left.addObject().put("id", id).put("role", role).put("content", "");
            }
        }

        JsonNode parse() throws IOException {
            try (JsonParser parser = AguiCodec.INPUT_PARTS.createParser(this)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new AguiFormatException("the input must be a JSON object");
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    if (fields.has(name)) {
                        throw new AguiFormatException("not readable as JSON: Duplicate field '" + name + "'");
                    }
                    boolean isMessages = parser.nextToken() == JsonToken.START_ARRAY && name.equals("messages");
                    fields.set(name, isMessages ? left : AguiCodec.INPUT_PARTS.readTree(parser));
                    if (isMessages) {
                        readMessages(parser);
                    }
                }
                if (parser.nextToken() != null) {
                    throw new AguiFormatException("not readable as JSON: Trailing token after the input");
                }
            }
            if (lastToolLeft > lastAssistant) {
                throw new TooLongException(maxBytes);
            }
            kept.forEach(each -> left.add(each.message()));
            return fields;
        }

        private void readMessages(JsonParser parser) throws IOException {
            MissingIds ids = new MissingIds();
            long start = offset(parser);
            for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
                if (index == maxMessages) {
                    throw new AguiFormatException("messages: has more than " + maxMessages + " elements, and "
                            + maxMessages + " are taken at most. Send the messages that are new only.");
                }
                inMessage = true;
                JsonNode message = AguiCodec.INPUT_PARTS.readTree(parser);
                inMessage = false;
                ids.give(message);
                long end = offset(parser);
                kept.add(new Kept(message, index, end - start));
                start = end;
                if (message.path("role").asText().equals("assistant")) {
                    lastAssistant = index;
                }
            }
        }

        /** Text in UTF-16 has no offsets in bytes; then a message counts with the blocks that were read for it. */
        private long offset(JsonParser parser) {
            long offset = parser.currentLocation().getByteOffset();
            return offset < 0 ? taken : offset;
        }

        /** The user messages of which one must be known. */
        List<String> unsure() {
            List<String> ids = new ArrayList<>();
            if (!leavesOut) {
                return ids;
            }
            int users = left.size() - kept.size();
            for (int i = Math.max(0, users - 1); i < left.size(); i++) {
                JsonNode message = left.get(i);
                if (message.path("role").asText().equals("user")) {
                    ids.add(message.path("id").asText());
                }
            }
            return ids;
        }
    }
}
