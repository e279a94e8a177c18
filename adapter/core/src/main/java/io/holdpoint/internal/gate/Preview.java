package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.ToolArguments.MalformedException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application's preview of a call, made fit to be stored. The call is held also if the preview fails. Immutable. */
public record Preview(ApprovalPreview source) {

    private static final Logger LOG = LoggerFactory.getLogger(Preview.class);

    /** Computes the preview and puts it, or the fact that it is missing, into the metadata of a question. */
    void addTo(ObjectNode langchain4j, ProposedCall call) {
        try {
            Object shown = Objects.requireNonNull(source.preview(Policy.copy(call)), "the preview is null");
            langchain4j.set("preview", asStored(shown));
        } catch (TooLongException e) {
            failed(langchain4j, call, "it is longer than " + ApprovalPreview.MAX_LENGTH + " characters", e);
        } catch (Throwable e) { // not every language checks exceptions
            failed(langchain4j, call, "it could not be computed", e);
        }
    }

    /** Keeps the cause to the log: its message may contain a query, a path or a password. */
    private static void failed(ObjectNode langchain4j, ProposedCall call, String why, Throwable cause) {
        LOG.warn(
                "The preview of {} for the call {} failed; the call is held: {}",
                call.toolName(),
                call.toolCallId(),
                LogText.of(cause));
        langchain4j.put("previewError", "There is no preview: " + why + ". The reason is in the server's log.");
    }

    /** The tree of a value as the store gives it back. */
    public static JsonNode asStored(Object shown) throws IOException, MalformedException {
        BoundedWriter json = new BoundedWriter();
        AguiCodec.mapper().writeValue(json, shown);
        JsonNode tree = ToolArguments.readValue(json.text.toString());
        if (tree.isNull() || tree.isMissingNode()) {
            throw new IllegalArgumentException("the preview is null in JSON");
        }
        ToolArguments.requireModest(tree);
        return tree;
    }

    /** A value that is too long to be shown. */
    public static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;
    }

    /** Stops a preview that would never end. */
    private static final class BoundedWriter extends Writer {

        private final StringWriter text = new StringWriter();

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            text.write(characters, offset, length);
            if (text.getBuffer().length() > ApprovalPreview.MAX_LENGTH) {
                throw new TooLongException();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
