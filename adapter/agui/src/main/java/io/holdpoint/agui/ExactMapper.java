package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Says of a number with an exponent that no number can have that it is no JSON; Jackson's own lets Java's exception through. Thread-safe. */
final class ExactMapper extends JsonMapper {

    static final String OUT_OF_RANGE = "the exponent of a number is out of range";

    private static final long serialVersionUID = 1L;

    ExactMapper(JsonFactory factory) {
        super(factory);
    }

    private ExactMapper(ExactMapper other) {
        super(other);
    }

    @Override
    public JsonMapper copy() {
        return new ExactMapper(this);
    }

    @Override
    protected JsonNode _readTreeAndClose(JsonParser json) throws IOException {
        try {
            return super._readTreeAndClose(json);
        } catch (NumberFormatException e) {
            throw new JsonParseException(json, OUT_OF_RANGE, e);
        }
    }

    @Override
    protected Object _readMapAndClose(JsonParser json, JavaType type) throws IOException {
        try {
            return super._readMapAndClose(json, type);
        } catch (NumberFormatException e) {
            throw new JsonParseException(json, OUT_OF_RANGE, e);
        }
    }
}
