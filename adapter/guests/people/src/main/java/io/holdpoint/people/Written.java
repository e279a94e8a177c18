package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.ToolArguments.MalformedException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;

/** A value of the application as it can be stored and shown. */
final class Written {

    private Written() {}

    /** The tree of a value as the store gives it back. */
    static JsonNode asStored(Object shown) throws IOException, MalformedException {
        BoundedWriter json = new BoundedWriter();
        AguiCodec.mapper().writeValue(json, shown);
        JsonNode tree = ToolArguments.readValue(json.text.toString());
        ToolArguments.requireModest(tree);
        return tree;
    }

    /** A value that is too long to be shown. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;
    }

    /** Stops a value that would never end. */
    private static final class BoundedWriter extends Writer {

        private final StringWriter text = new StringWriter();

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            text.write(characters, offset, length);
            if (text.getBuffer().length() > Effect.MAX_LENGTH) {
                throw new TooLongException();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
