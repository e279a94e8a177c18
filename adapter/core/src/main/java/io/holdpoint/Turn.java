package io.holdpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.Content;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.input.UserContents;
import java.util.List;

/**
 * A message of a Java program on a thread, with values for this one message:
 * {@code agent.send(Turn.of("thread-1", "Write to Ada").with("language", "Irish"))}. Immutable.
 */
public final class Turn {

    private final String threadId;
    private final MessageContent content;
    private final ObjectNode values;

    private Turn(String threadId, MessageContent content, ObjectNode values) {
        this.threadId = threadId;
        this.content = content;
        this.values = values;
    }

    /** Says a text on a thread, which need not exist. It is not a template: braces are safe. */
    public static Turn of(String threadId, String text) {
        return new Turn(threadId, MessageContent.text(text), AguiCodec.mapper().createObjectNode());
    }

    /**
     * Says more than text on a thread, which need not exist.
     *
     * @param contents texts, images, audio, video and PDF files; the model gets those that {@link InputMedia} lets through, images with
     *     the detail level {@code AUTO}
     * @throws IllegalArgumentException if a file has neither a URL nor data with a MIME type
     */
    public static Turn of(String threadId, List<? extends Content> contents) {
        return new Turn(
                threadId, UserContents.toMessage(contents), AguiCodec.mapper().createObjectNode());
    }

    /**
     * The same with one more value. The functions of the agent read it where a web client's {@code forwardedProps} are:
     * {@code variable("language", turn -> turn.forwardedProps().path("language").asText("English"))}. A run that resumes the turn
     * has those that {@link ClientSettings#storedForwardedProps} names.
     *
     * @throws IllegalArgumentException if the value cannot be written as JSON
     */
    public Turn with(String name, Object value) {
        ObjectNode more = values.deepCopy();
        more.set(name, AguiCodec.mapper().valueToTree(value));
        return new Turn(threadId, content, more);
    }

    /** Returns the AG-UI input of a run that says it, with a new id each time: what {@link Holdpoint#send(Turn)} runs. */
    public RunAgentInput input() {
        RunAgentInput input = RunAgentInput.of(threadId, Ids.run(), List.of(new Message.User(Ids.message(), content)));
        return values.isEmpty() ? input : input.withForwardedProps(values);
    }
}
