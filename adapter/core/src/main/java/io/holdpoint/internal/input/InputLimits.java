package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an input may bring at most, whatever its thread. Thread-safe. */
public final class InputLimits {

    /** Most tools that a client may offer: no model takes more, and each costs tokens. */
    static final int MAX_TOOLS = 256;

    private final Limits limits;
    private final ContentLimits contents;

    /**
     * Creates it.
     *
     * @param limits of the agent
     */
    public InputLimits(Limits limits) {
        this.limits = limits;
        this.contents = new ContentLimits(limits.contentLength());
    }

    /**
     * Refuses an input that brings too much. Looks at nothing but the input.
     *
     * @param input what came
     * @throws RunRejectedException naming the limit
     */
    public void check(RunAgentInput input) {
        List<ResumeEntry> resume = input.resume();
        List<Message> messages = input.messages();
        List<ClientToolSpec> tools = input.tools();
        atMost("resume", resume.size(), limits.resumeEntries(), "Answer the open interrupts only.");
        atMost("messages", messages.size(), limits.messages(), "Send the messages that are new only.");
        atMost("tools", tools.size(), MAX_TOOLS, "Offer those that the conversation needs.");
        for (int i = 0; i < tools.size(); i++) {
            storable("tools[" + i + "].parameters", tools.get(i).parameters());
        }
        storable("state", input.state());
        context(input.context());
        for (int i = 0; i < messages.size(); i++) {
            storable("messages[" + i + "]", messages.get(i));
            contents.check("messages[" + i + "].content", messages.get(i));
        }
        for (int i = 0; i < resume.size(); i++) {
            ResumeEntry entry = resume.get(i);
            shallow("resume[" + i + "].payload", entry.payload());
            shallow("resume[" + i + "].metadata", entry.metadata());
        }
    }

    private static void atMost(String field, int size, int limit, String remedy) {
        if (size > limit) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    field + ": has " + size + " elements, and " + limit + " are taken at most. " + remedy);
        }
    }

    /**
     * Refuses a state that is too long.
     *
     * @param length of its JSON
     * @throws RunRejectedException naming the limit
     */
    public void checkState(int length) {
        if (length > limits.stateLength()) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    "state: has " + length + " characters, and " + limits.stateLength()
                            + " are taken at most. Send a smaller one.");
        }
    }

    private void context(List<ContextEntry> context) {
        long length = context.stream()
                .mapToLong(entry ->
                        (long) entry.description().length() + entry.value().length())
                .sum();
        contents.atMost("context", length);
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

    /** What comes over a transport was read with these limits; what is made in Java was not. */
    private static void storable(String field, @Nullable JsonNode tree) {
        shallow(field, tree);
        if (tree != null) {
            JsonValues.violation(tree, field).ifPresent(violation -> {
                throw new RunRejectedException(ErrorCode.INPUT_INVALID, violation);
            });
        }
    }

    private static void shallow(String field, @Nullable JsonNode tree) {
        if (tree != null && isDeeper(tree, AguiCodec.MAX_INPUT_DEPTH)) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    field + ": nested deeper than " + AguiCodec.MAX_INPUT_DEPTH + " levels. Send a flatter value.");
        }
    }

    /**
     * Whether a tree has more levels than allowed. Without recursion: it may be deeper than the stack.
     *
     * @param tree any JSON
     * @param levels most levels of arrays and objects
     * @return whether it is deeper
     */
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
                level.node().forEach(child -> open.push(new Level(child, level.depth() + 1)));
            }
        }
        return false;
    }
}
