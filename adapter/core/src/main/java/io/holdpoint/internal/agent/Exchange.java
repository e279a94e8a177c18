package io.holdpoint.internal.agent;

import dev.langchain4j.data.message.ContentType;
import io.holdpoint.InputMedia;
import io.holdpoint.agui.AgentCapabilities;

/**
 * What the model gets from the client, and the client from the model, besides text and tool calls. Immutable.
 *
 * @param media of user messages that the model gets
 * @param reasoning whether the client gets what the model says of its thinking
 * @param steps whether the client is told when tools and retrieval work, as steps
 * @param activities the same, as activities
 */
public record Exchange(InputMedia media, boolean reasoning, boolean steps, boolean activities) {

    /**
     * What is taken, for clients that ask.
     *
     * @return AG-UI's description
     */
    public AgentCapabilities.Multimodal multimodal() {
        return new AgentCapabilities.Multimodal(
                new AgentCapabilities.Multimodal.Input(
                        media.takes(ContentType.IMAGE),
                        media.takes(ContentType.AUDIO),
                        media.takes(ContentType.VIDEO),
                        media.takes(ContentType.PDF),
                        false),
                null);
    }
}
