package io.holdpoint.providers;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import java.util.List;

/** Tools that end in every way, and give every kind of result. */
public final class Desk {

    boolean broken;

    @Tool
    @RequiresApproval
    public String pay(int amount) {
        return "paid " + amount;
    }

    @Tool
    public String look() {
        return "nothing new";
    }

    @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
    @RequiresApproval
    public String payAndStop() {
        return "paid";
    }

    @Tool
    public String explode() {
        throw new IllegalStateException("boom");
    }

    /** Fails while it is broken. */
    @Tool
    public String print() {
        if (broken) {
            throw new IllegalStateException("out of paper");
        }
        return "printed";
    }

    /** Nobody knows what came of it. */
    @Tool
    @RequiresApproval
    public String transfer() {
        if (broken) {
            throw new IllegalStateException(new InterruptedException());
        }
        return "transferred";
    }

    @Tool
    public String book(ToolCallContext call) {
        if (call.resumed().isEmpty()) {
            throw call.interrupt(ToolInterrupt.confirmation("Book it?"));
        }
        return "booked";
    }

    @Tool
    public String empty() {
        return "";
    }

    @Tool
    public String blank() {
        return " ";
    }

    @Tool
    public List<Content> none() {
        return List.of();
    }

    @Tool
    public void quiet() {}

    @Tool
    @RequiresApproval
    public Image scan() {
        return Image.builder().base64Data("AAAA").mimeType("image/png").build();
    }

    @Tool
    @RequiresApproval
    public List<Content> pages() {
        return List.of(TextContent.from("Page 1"), TextContent.from("Page 2"));
    }

    @Tool
    @RequiresApproval
    public List<Content> report() {
        return List.of(
                TextContent.from("A chart"), ImageContent.from("AAAA", "image/png"), TextContent.from("and more"));
    }

    @Tool
    @RequiresApproval
    public List<Content> listen() {
        return List.of(TextContent.from("A voice"), AudioContent.from("AAAA", "audio/mp3"));
    }
}
