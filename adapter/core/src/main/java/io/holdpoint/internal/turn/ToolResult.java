package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.Limits;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The result of one call in two forms: the one that LangChain4j's loop gets, and the one that the store gets. */
public record ToolResult(ToolExecutionResult toModel, Call.Result stored) {

    /**
     * Stands in for a result while a person is asked; the model does not read it. It is an error, so that also a tool that
     * returns at once goes back to the model, before which the turn ends.
     */
    public static final ToolExecutionResult WAITING = error("This call waits for a person.");

    /** A text that is an error for the model, so that also a tool that returns at once goes back to the model. */
    public static ToolExecutionResult error(String text) {
        return ToolExecutionResult.builder().isError(true).resultText(text).build();
    }

    /** A text in place of a result. */
    public static ToolResult of(Call call, ToolExecutionResult own) {
        return of(call, own, own, null);
    }

    /**
     * The result of a body that ran, with the notes of the person who approved it: that they edited the arguments, and their
     * comment. The model reads the notes, the client gets metadata.
     */
    public static ToolResult ofExecuted(Call call, ToolExecutionResult own, String arguments, boolean laterAreAsked) {
        ObjectNode notes = JsonNodeFactory.instance.objectNode();
        ToolExecutionResult noted = own;
        if (laterAreAsked) {
            notes.put("laterCallsAsked", true);
            noted = withNotice(ModelTexts.LATER_ARE_ASKED, noted);
        }
        Optional<Call.Answer> approval = ToolApproval.approval(call);
        Optional<String> comment = approval.isPresent() ? ToolApproval.comment(approval.get()) : Optional.empty();
        if (comment.isPresent()) {
            notes.put("approvalComment", ModelTexts.shown(comment.get()));
            noted = withNotice(ModelTexts.approvalNotice(call.toolName(), comment.get()), noted);
        }
        if (!arguments.equals(call.arguments())) {
            notes.put("edited", true);
            notes.set("executedArgs", ToolArguments.read(arguments));
            noted = withNotice(ModelTexts.editNotice(call.toolName(), arguments), noted);
        }
        if (notes.isEmpty()) {
            return of(call, own);
        }
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.set("langchain4j", notes);
        return of(call, noted, own, metadata);
    }

    /**
     * The result of a call that does not run, or not again. If a person said that it was done, and it was attempted with edited
     * arguments, the model reads the same notice as after an execution. A result that a person gave in place of the tool is cut
     * as a tool's result is.
     */
    public static ToolResult of(Call call, NextStep.Settle decision, Limits limits) {
        if (decision.outcome() != Call.State.EXECUTED) {
            return of(call, error(decision.text()));
        }
        ToolExecutionResult own = storable(
                ToolExecutionResult.builder().resultText(decision.text()).build(), limits.resultLength());
        if (decision.suppliedNotice().isPresent()) {
            ObjectNode metadata = JsonNodeFactory.instance.objectNode();
            metadata.putObject("langchain4j").put("suppliedBy", "person");
            return of(call, withNotice(decision.suppliedNotice().get(), own), own, metadata);
        }
        Optional<Call.Attempt> attempt = call.lastAttempt();
        return attempt.isPresent() ? ofExecuted(call, own, attempt.get().arguments(), false) : of(call, own);
    }

    private static ToolResult of(
            Call call, ToolExecutionResult toModel, ToolExecutionResult toClient, @Nullable ObjectNode metadata) {
        ToolExecutionResultMessage message = ToolExecutionResultMessage.builder()
                .id(call.toolCallId())
                .toolName(call.toolName())
                .contents(toModel.resultContents())
                .isError(toModel.isError())
                .attributes(toModel.attributes())
                .build();
        return new ToolResult(toModel, new Call.Result(ChatMessageJson.write(message), clientText(toClient), metadata));
    }

    /** LangChain4j's form of a stored result. */
    public static ToolExecutionResult replay(Call.Result stored) {
        ToolExecutionResultMessage message = message(stored);
        return ToolExecutionResult.builder()
                .resultContents(message.contents())
                .isError(Boolean.TRUE.equals(message.isError()))
                .attributes(message.attributes())
                .build();
    }

    /** The chat memory's form of a stored result. */
    static ToolExecutionResultMessage message(Call.Result stored) {
        return ChatMessageJson.read(ToolExecutionResultMessage.class, stored.message());
    }

    /** The transcript's form of a settled call's result. */
    static Message.Tool transcript(Call call) {
        Call.Result result = call.result();
        if (result == null) {
            throw new IllegalStateException("call " + call.toolCallId() + " has no result");
        }
        ObjectNode metadata = result.metadata();
        return new Message.Tool(
                call.resultMessageId(),
                call.toolCallId(),
                MessageContent.text(result.clientText()),
                call.state() == Call.State.EXECUTED ? null : result.clientText(),
                metadata == null ? MessageExtras.NONE : MessageExtras.ofMetadata(metadata));
    }

    /** The text that the client reads of a result. */
    public static String clientText(ToolExecutionResult result) {
        StringJoiner lines = new StringJoiner("\n");
        for (Content content : result.resultContents()) {
            lines.add(content instanceof TextContent text ? text.text() : "[" + content.type() + "]");
        }
        return lines.toString();
    }

    /**
     * A result that can be stored: with at most so many characters of text and as many of media, and with at least an empty
     * text, because LangChain4j cannot put a result without contents into the memory.
     */
    public static ToolExecutionResult storable(ToolExecutionResult result, int longest) {
        List<Content> contents = result.resultContents();
        List<Content> kept = new Cut(contents, longest).kept();
        return withText(kept.equals(contents) ? result : withContents(kept, result));
    }

    /** A result with at least an empty text. */
    static ToolExecutionResult withText(ToolExecutionResult result) {
        return result.resultContents().isEmpty() ? withContents(List.of(TextContent.from("")), result) : result;
    }

    /**
     * Puts a notice before a result: within the text if the result is a single text, because LangChain4j's OpenAI model
     * refuses results of several contents; as a content of its own otherwise.
     */
    private static ToolExecutionResult withNotice(String notice, ToolExecutionResult result) {
        List<Content> contents = new ArrayList<>();
        List<Content> own = result.resultContents();
        if (own.size() == 1 && own.get(0) instanceof TextContent text) {
            contents.add(TextContent.from(notice + "\n\n" + text.text()));
        } else {
            contents.add(TextContent.from(notice));
            contents.addAll(own);
        }
        return withContents(contents, result);
    }

    private static ToolExecutionResult withContents(List<Content> contents, ToolExecutionResult result) {
        return ToolExecutionResult.builder()
                .result(result.result())
                .resultContents(contents)
                .isError(result.isError())
                .attributes(result.attributes())
                .build();
    }

    /** Cuts contents that are too long to be stored, and says so in them. */
    private static final class Cut {

        private final List<Content> contents;
        private final int longest;
        private int textLeft;
        private int mediaLeft;

        Cut(List<Content> contents, int longest) {
            this.contents = contents;
            this.longest = longest;
            this.textLeft = longest;
            this.mediaLeft = longest;
        }

        List<Content> kept() {
            List<Content> kept = new ArrayList<>();
            for (Content content : contents) {
                if (!(content instanceof TextContent text)) {
                    kept.add(media(content));
                } else if (text.text().length() <= textLeft) {
                    kept.add(content);
                    textLeft -= text.text().length();
                } else if (textLeft >= 0) {
                    kept.add(TextContent.from(start(text.text(), textLeft) + "\n[The result has " + length()
                            + " characters; what is beyond the first " + longest + " was cut off.]"));
                    textLeft = -1;
                }
            }
            return kept;
        }

        private long length() {
            long length = 0;
            for (Content content : contents) {
                length += content instanceof TextContent text ? text.text().length() : 0;
            }
            return length;
        }

        private Content media(Content media) {
            int size = size(media);
            if (size <= mediaLeft) {
                mediaLeft -= size;
                return media;
            }
            return TextContent.from("[" + media.type().name().toLowerCase(Locale.ROOT) + " content of " + size
                    + " characters was left out: a result may have " + longest + " characters of media.]");
        }

        /** The size as stored, whatever kind of content it is. */
        private static int size(Content media) {
            return ChatMessageJson.write(ToolExecutionResultMessage.builder()
                            .id("")
                            .toolName("")
                            .contents(List.of(media))
                            .build())
                    .length();
        }

        /** The start of a text, without half a surrogate pair at its end. */
        private static String start(String text, int length) {
            boolean splits = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
            return text.substring(0, splits ? length - 1 : length);
        }
    }
}
