package io.holdpoint.tutorials.t17;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.store.Store;
import java.io.PrintStream;
import java.util.List;

/** The tools between whose calls the model writes a document. */
record Documents(Store store, PrintStream out) {

    // readme
    @Tool("Opens a document beside the chat")
    String openDocument(String title, int version) {
        return "open";
    }

    @Tool("Closes the document and publishes it")
    @RequiresApproval(
            message = "Publish {{title}}, version {{version}}?",
            editable = {})
    String closeDocument(String title, int version, ToolCallContext call) {
        out.println("  (on the board: " + text(store.transcript(call.threadId()), call.toolCallId()) + ")");
        return "published";
    }
    // end

    /** Reads the document that a call has closed. */
    static String text(List<Message> thread, String closing) {
        StringBuilder text = new StringBuilder();
        boolean isOpen = false;
        for (Message message : thread) {
            if (message instanceof Message.Assistant said) {
                if (isOpen && said.content() != null) {
                    text.append(said.content());
                }
                for (ToolCall call : said.toolCalls()) {
                    if (isOpen && call.id().equals(closing)) {
                        return text.toString();
                    }
                    if (call.name().equals("openDocument")) {
                        text.setLength(0);
                        isOpen = true;
                    } else if (call.name().equals("closeDocument")) {
                        isOpen = false;
                    }
                }
            }
        }
        throw new IllegalStateException("No document is open.");
    }
}
