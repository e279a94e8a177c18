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
import io.holdpoint.store.Call;
import java.util.ArrayList;
import java.util.List;
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
    public static Call.Result store(Call call, ToolExecutionResult result) {
        return store(call, result, clientText(result.resultContents()), null);
    }

    /**
     * What a call gets that does not run, or not again. If a person said that it was done, and it was attempted with edited
     * arguments, the model is told so as after an execution. What a person gave in place of the tool is cut as a tool's
     * result is.
     */
    public static Told told(Call call, Decision.Settle decision, Limits limits) {
        if (decision.outcome() != Call.State.EXECUTED) {
            ToolExecutionResult answer = error(decision.text());
            return new Told(answer, store(call, answer));
        }
        ToolExecutionResult answer = ResultLimit.limited(
                ToolExecutionResult.builder().resultText(decision.text()).build(), limits.resultLength());
        if (decision.suppliedNotice().isPresent()) {
            return supplied(call, answer, decision.suppliedNotice().get());
        }
        return call.lastAttempt()
                .map(Call.Attempt::arguments)
                .filter(attempted -> !attempted.equals(call.arguments()))
                .map(attempted -> edited(call, answer, attempted))
                .orElseGet(() -> new Told(answer, store(call, answer)));
    }

    /** The notice is for the model, the client gets metadata. */
    private static Told supplied(Call call, ToolExecutionResult own, String notice) {
        ToolExecutionResult noted = withNotice(notice, own);
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        metadata.putObject("langchain4j").put("suppliedBy", "person");
        return new Told(noted, store(call, noted, clientText(own.resultContents()), metadata));
    }

    /** The result of an edited call: the notice is for the model, the client gets metadata. */
    public static Told edited(Call call, ToolExecutionResult own, String arguments) {
        ToolExecutionResult noted = withNotice(ModelTexts.editNotice(call.toolName(), arguments), own);
        return new Told(noted, storeEdited(call, noted, own, arguments));
    }

    /**
     * A result in two forms.
     *
     * @param toModel what LangChain4j gets
     * @param stored what the store gets
     */
    public record Told(ToolExecutionResult toModel, Call.Result stored) {}

    /** The stored form of the result of an edited call: the notice is for the model, the client gets metadata. */
    private static Call.Result storeEdited(
            Call call, ToolExecutionResult withNotice, ToolExecutionResult own, String arguments) {
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode edit = metadata.putObject("langchain4j");
        edit.put("edited", true);
        edit.set("executedArgs", tree(arguments));
        return store(call, withNotice, clientText(own.resultContents()), metadata);
    }

    private static Call.Result store(
            Call call, ToolExecutionResult result, String clientText, @Nullable ObjectNode metadata) {
        ToolExecutionResultMessage message = message(call.toolCallId(), call.toolName(), result);
        return new Call.Result(ChatMessageJson.write(message), clientText, metadata);
    }

    /** LangChain4j's form of a stored result. */
    public static ToolExecutionResult replay(Call.Result stored) {
        ToolExecutionResultMessage message = readMessage(stored);
        return ToolExecutionResult.builder()
                .resultContents(message.contents())
                .isError(Boolean.TRUE.equals(message.isError()))
                .attributes(message.attributes())
                .build();
    }

    public static ToolExecutionResultMessage readMessage(Call.Result stored) {
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
