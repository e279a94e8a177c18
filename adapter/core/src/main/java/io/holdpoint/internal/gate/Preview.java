package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a preview gives, made fit to be kept; whatever goes wrong with it, the call is held. */
final class Preview {

    private static final Logger LOG = LoggerFactory.getLogger(Preview.class);

    private Preview() {}

    /** Asks the preview, and puts what it gives, or that it gave nothing, into the metadata of a question. */
    static void addTo(ObjectNode langchain4j, ApprovalPreview preview, ProposedCall call) {
        try {
            Object shown = Objects.requireNonNull(preview.preview(call), "the preview is null");
            langchain4j.set("preview", asStored(shown));
        } catch (TooLongException e) {
            failed(langchain4j, call, "it is longer than " + ApprovalPreview.MAX_LENGTH + " characters", e);
        } catch (Throwable e) { // not every language checks exceptions
            failed(langchain4j, call, "it could not be computed", e);
        }
    }

    /** Says nothing of the cause: it may be a query, a path, a password. */
    private static void failed(ObjectNode langchain4j, ProposedCall call, String why, Throwable cause) {
        LOG.warn(
                "The preview of {} for the call {} failed; the call is held",
                call.toolName(),
                call.toolCallId(),
                cause);
        langchain4j.put("previewError", "There is no preview: " + why + ". The reason is in the server's log.");
    }

    /** The tree as it is read again, whatever it was made of. */
    private static JsonNode asStored(Object shown) throws IOException, MalformedArgumentsException {
        BoundedWriter json = new BoundedWriter();
        AguiCodec.mapper().writeValue(json, shown);
        JsonNode tree = ToolArguments.readValue(json.text.toString());
        if (tree.isNull() || tree.isMissingNode()) {
            throw new IllegalArgumentException("the preview is null in JSON");
        }
        ToolArguments.requireModest(tree);
        return tree;
    }

    private static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;
    }

    /** Stops what would never end. */
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
