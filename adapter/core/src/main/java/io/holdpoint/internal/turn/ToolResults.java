package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.Limits;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessageExtras;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Attempt;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallResult;
import io.holdpoint.store.CallState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results of tool calls in their three forms: LangChain4j's, the store's, and the client's. */
public final class ToolResults {

    /**
     * Takes the place of a result while a person is asked: nobody gets to read it. An error, so that also a tool that
     * returns at once goes back to the model, before which the turn ends.
     */
    public static final ToolExecutionResult WAITING = error("This call waits for a person.");

    private ToolResults() {}

    /** A result that is told to the model as an error, so that also a tool that returns at once goes back to the model. */
    public static ToolExecutionResult error(String text) {
        return ToolExecutionResult.builder().isError(true).resultText(text).build();
    }

    /** The stored form of what a tool returned, or of what is told instead. */
    public static CallResult store(Call call, ToolExecutionResult result) {
        return store(call, result, clientText(result.resultContents()), null);
    }

    /**
     * What a call gets that does not run, or not again. If a person said that it was done, and it was attempted with edited
     * arguments, the model is told so as after an execution. What a person gave in place of the tool is cut as a tool's
     * result is.
     */
    public static Told told(Call call, Decision.Settle decision, Limits limits) {
        if (decision.outcome() != CallState.EXECUTED) {
            ToolExecutionResult answer = error(decision.text());
            return new Told(answer, store(call, answer));
        }
        ToolExecutionResult answer = ResultLimit.limited(
                ToolExecutionResult.builder().resultText(decision.text()).build(), limits.resultLength());
        if (decision.suppliedNotice().isPresent()) {
            return supplied(call, answer, decision.suppliedNotice().get());
        }
        Optional<Attempt> attempt = call.lastAttempt();
        return attempt.isPresent()
                ? executed(call, answer, attempt.get().arguments())
                : new Told(answer, store(call, answer));
    }

    /** The notice is for the model, the client gets metadata. */
    private static Told supplied(Call call, ToolExecutionResult own, String notice) {
        ToolExecutionResult noted = withNotice(notice, own);
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        metadata.putObject("langchain4j").put("suppliedBy", "person");
        return new Told(noted, store(call, noted, clientText(own.resultContents()), metadata));
    }

    /**
     * The result of a call that ran, with the notes of the person who approved it: that they edited the arguments, and their
     * comment. The notes are for the model, the client gets metadata.
     */
    public static Told executed(Call call, ToolExecutionResult own, String arguments) {
        ObjectNode notes = AguiCodec.mapper().createObjectNode();
        ToolExecutionResult noted = own;
        Optional<String> comment = ToolApproval.approval(call).flatMap(ToolApproval::comment);
        if (comment.isPresent()) {
            notes.put("approvalComment", comment.get());
            noted = withNotice(ModelTexts.approvalNotice(call.toolName(), comment.get()), noted);
        }
        if (!arguments.equals(call.arguments())) {
            notes.put("edited", true);
            notes.set("executedArgs", tree(arguments));
            noted = withNotice(ModelTexts.editNotice(call.toolName(), arguments), noted);
        }
        if (notes.isEmpty()) {
            return new Told(own, store(call, own));
        }
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        metadata.set("langchain4j", notes);
        return new Told(noted, store(call, noted, clientText(own.resultContents()), metadata));
    }

    /**
     * A result in two forms.
     *
     * @param toModel what LangChain4j gets
     * @param stored what the store gets
     */
    public record Told(ToolExecutionResult toModel, CallResult stored) {}

    private static CallResult store(
            Call call, ToolExecutionResult result, String clientText, @Nullable ObjectNode metadata) {
        ToolExecutionResultMessage message = message(call.toolCallId(), call.toolName(), result);
        return new CallResult(ChatMessageJson.write(message), clientText, metadata);
    }

    /** LangChain4j's form of a stored result. */
    public static ToolExecutionResult replay(CallResult stored) {
        ToolExecutionResultMessage message = readMessage(stored);
        return ToolExecutionResult.builder()
                .resultContents(message.contents())
                .isError(Boolean.TRUE.equals(message.isError()))
                .attributes(message.attributes())
                .build();
    }

    public static ToolExecutionResultMessage readMessage(CallResult stored) {
        return ChatMessageJson.read(ToolExecutionResultMessage.class, stored.message());
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
        return ToolExecutionResult.builder()
                .result(result.result())
                .resultContents(contents)
                .isError(result.isError())
                .attributes(result.attributes())
                .build();
    }

    /** LangChain4j cannot put a result without contents into the memory: no contents become an empty text. */
    public static ToolExecutionResult withContents(ToolExecutionResult result) {
        if (!result.resultContents().isEmpty()) {
            return result;
        }
        return ToolExecutionResult.builder()
                .result(result.result())
                .resultText("")
                .isError(result.isError())
                .attributes(result.attributes())
                .build();
    }

    /** The transcript's message for a settled call. */
    public static Message.Tool transcript(Call call) {
        CallResult result = call.result();
        if (result == null) {
            throw new IllegalStateException("call " + call.toolCallId() + " has no result");
        }
        ObjectNode metadata = result.metadata();
        return new Message.Tool(
                call.resultMessageId(),
                call.toolCallId(),
                MessageContent.text(result.clientText()),
                call.state() == CallState.EXECUTED ? null : result.clientText(),
                metadata == null ? MessageExtras.NONE : MessageExtras.ofMetadata(metadata));
    }

    private static ToolExecutionResultMessage message(String id, String toolName, ToolExecutionResult result) {
        return ToolExecutionResultMessage.builder()
                .id(id)
                .toolName(toolName)
                .contents(result.resultContents())
                .isError(result.isError())
                .attributes(result.attributes())
                .build();
    }

    public static ToolExecutionRequest withArguments(ToolExecutionRequest request, String arguments) {
        return request.toBuilder().arguments(arguments).build();
    }

    /** What the client reads of a result. */
    public static String clientText(ToolExecutionResult result) {
        return clientText(result.resultContents());
    }

    private static String clientText(List<Content> contents) {
        return contents.stream()
                .map(content -> content instanceof TextContent text ? text.text() : "[" + content.type() + "]")
                .collect(Collectors.joining("\n"));
    }

    private static ObjectNode tree(String arguments) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(arguments);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException("canonical arguments are not JSON", e);
        }
    }
}
