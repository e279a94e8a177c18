package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call.Question;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits of an input, whatever its thread. Thread-safe. */
public final class InputLimits {

    /** Most tools that a client may offer: no model takes more, and each costs tokens. */
    static final int MAX_TOOLS = 256;

    private final Limits limits;

    public InputLimits(Limits limits) {
        this.limits = limits;
    }

    /** Refuses an input that brings too much, naming the limit. */
    public void check(RunAgentInput input) {
        List<ResumeEntry> resume = input.resume();
        List<Message> messages = input.messages();
        List<ClientToolSpec> tools = input.tools();
        atMost("resume", resume.size(), Limits.RESUME_ENTRIES, "Answer the open interrupts only.");
        atMost("messages", messages.size(), limits.messages(), "Send the messages that are new only.");
        atMost("tools", tools.size(), MAX_TOOLS, "Offer those that the conversation needs.");
        for (int i = 0; i < tools.size(); i++) {
            storable("tools[" + i + "].parameters", tools.get(i).parameters());
        }
        storable("state", input.state());
        storable("forwardedProps", input.forwardedProps());
        context(input.context());
        for (int i = 0; i < messages.size(); i++) {
            if (!isShortText(messages.get(i))) {
                storable("messages[" + i + "]", messages.get(i));
                content("messages[" + i + "].content", messages.get(i));
            }
        }
        for (int i = 0; i < resume.size(); i++) {
            ResumeEntry entry = resume.get(i);
            shallow("resume[" + i + "].payload", entry.payload());
            shallow("resume[" + i + "].metadata", entry.metadata());
        }
    }

    /** Most messages are, and a client may send thousands that it has sent before. */
    private boolean isShortText(Message message) {
        String text = null;
        if (message instanceof Message.Assistant assistant) {
            text = assistant.content();
        } else if (message instanceof Message.User user && user.content() instanceof MessageContent.Text content) {
            text = content.text();
        }
        return text != null
                && text.length() <= Limits.CONTENT_LENGTH
                && message.extras().equals(MessageExtras.NONE);
    }

    private static void atMost(String field, int size, int limit, String remedy) {
        if (size > limit) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    field + ": has " + size + " elements, and " + limit + " are taken at most. " + remedy);
        }
    }

    /** Refuses JSON that is too long to be stored with the thread or a turn, in characters. */
    public static void requireStorable(String field, int length, int longest) {
        if (length > longest) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    field + ": has " + length + " characters, and " + longest
                            + " are taken at most. Send a smaller one.");
        }
    }

    private void context(List<ContextEntry> context) {
        long length = 0;
        for (ContextEntry entry : context) {
            length += (long) entry.description().length() + entry.value().length();
        }
        content("context", length);
    }

    /** The trees of what is kept of a message. */
    private static void storable(String path, Message message) {
        storable(path + ".metadata", message.extras().metadata());
        if (message instanceof Message.User user && user.content() instanceof MessageContent.Parts parts) {
            for (int i = 0; i < parts.parts().size(); i++) {
                storable(
                        path + ".content[" + i + "].metadata",
                        parts.parts().get(i).metadata());
            }
        }
    }

    /** Checks the limits that a transport's reader has checked already: an input made in Java has not been read. */
    private static void storable(String field, @Nullable JsonNode tree) {
        boolean isEmpty = tree == null || (tree.isContainerNode() && tree.isEmpty());
        if (!isEmpty) {
            shallow(field, tree);
            Optional<String> violation = JsonValues.violation(tree, field);
            if (violation.isPresent()) {
                throw new RunRejectedException(ErrorCode.INPUT_INVALID, violation.get());
            }
        }
    }

    private static void shallow(String field, @Nullable JsonNode tree) {
        if (tree != null && isDeeper(tree, AguiCodec.MAX_INPUT_DEPTH)) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    field + ": nested deeper than " + AguiCodec.MAX_INPUT_DEPTH + " levels. Send a flatter value.");
        }
    }

    /** Checks whether a tree has more levels than allowed. It does without recursion, because the tree may be deeper than the stack. */
    public static boolean isDeeper(JsonNode tree, int levels) {
        record Level(JsonNode node, int depth) {}
        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(tree, 1));
        while (!open.isEmpty()) {
            Level level = open.pop();
            if (level.node().isContainerNode()) {
                if (level.depth() > levels) {
                    return true;
                }
                for (JsonNode child : level.node()) {
                    open.push(new Level(child, level.depth() + 1));
                }
            }
        }
        return false;
    }

    /** Refuses a message whose text or media are too long: it could not be read again. */
    private static void content(String path, Message message) {
        if (message instanceof Message.Assistant assistant) {
            String content = assistant.content();
            content(path, content == null ? 0 : content.length());
        } else if (message instanceof Message.User user && user.content() instanceof MessageContent.Text text) {
            content(path, text.text().length());
        } else if (message instanceof Message.User user && user.content() instanceof MessageContent.Parts parts) {
            for (int i = 0; i < parts.parts().size(); i++) {
                content(path + "[" + i + "]", length(parts.parts().get(i)));
            }
        }
    }

    private static void content(String path, long length) {
        if (length > Limits.CONTENT_LENGTH) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    path + ": has " + length + " characters, and " + Limits.CONTENT_LENGTH
                            + " are taken at most. Send something shorter.");
        }
    }

    private static long length(ContentPart part) {
        if (part instanceof ContentPart.Text text) {
            return text.text().length();
        } else if (part instanceof ContentPart.Binary binary) {
            return Stream.of(Optional.ofNullable(binary.data()), Optional.ofNullable(binary.url()))
                    .flatMap(Optional::stream)
                    .mapToLong(String::length)
                    .max()
                    .orElse(0);
        }
        return ((ContentPart.Media) part).source().value().length();
    }

    /** The first limit that an answer exceeds, with the path within the payload; checked before anything else of it. */
    static Optional<String> violation(Question question, @Nullable JsonNode payload) {
        if (!(payload instanceof ObjectNode answer)) {
            String why = payload == null ? null : immodest(payload);
            return why == null ? Optional.empty() : Optional.of(": " + why);
        }
        if (!isOfItsOwnShape(question)) {
            for (String field : List.of(ApprovalForm.REASON, "note")) {
                if (answer.path(field).asText().length() > Limits.REASON_LENGTH) {
                    return Optional.of("/" + field + ": longer than " + Limits.REASON_LENGTH + " characters");
                }
            }
            Optional<ObjectNode> edits = ApprovalForm.sentEdits(answer);
            String why = edits.isPresent() ? tooMuch(edits.get(), Limits.ARGUMENTS_LENGTH) : null;
            if (why != null) {
                return Optional.of("/" + ApprovalForm.EDITS + ": " + why);
            }
        }
        String why = tooMuch(answer, (long) Limits.ARGUMENTS_LENGTH + Limits.REASON_LENGTH);
        return why == null ? Optional.empty() : Optional.of(": " + why);
    }

    /** Its fields are the application's, whatever they are called. */
    private static boolean isOfItsOwnShape(Question question) {
        return switch (question.kind()) {
            case RESULT, RESPONSE, RESTART -> true;
            case APPROVAL, APPROVALS, OUTCOME_UNKNOWN, TOOL_ERROR, UNKNOWN -> false;
        };
    }

    private static @Nullable String tooMuch(ObjectNode node, long longest) {
        String why = immodest(node);
        return why == null && AguiCodec.write(node).length() > longest ? "longer than " + longest + " characters" : why;
    }

    private static @Nullable String immodest(JsonNode node) {
        try {
            ToolArguments.requireModest(node);
            return null;
        } catch (ToolArguments.MalformedException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
