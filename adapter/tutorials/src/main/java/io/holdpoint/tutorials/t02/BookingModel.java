package io.holdpoint.tutorials.t02;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands for a real model: proposes to cancel the booking that the user names, and repeats what it was told. */
final class BookingModel implements ChatModel {

    private static final Pattern NUMBER = Pattern.compile("[A-Z]{2}-\\d+");

    @Override
    public ChatResponse doChat(ChatRequest request) {
        ChatMessage last = request.messages().get(request.messages().size() - 1);
        return ChatResponse.builder().aiMessage(answer(last)).build();
    }

    private static AiMessage answer(ChatMessage last) {
        if (last instanceof ToolExecutionResultMessage result) {
            return AiMessage.from("I was told: " + result.text());
        }
        Matcher number = NUMBER.matcher(((UserMessage) last).singleText());
        if (!number.find()) {
            return AiMessage.from("Which booking? Its number looks like MS-777.");
        }
        return AiMessage.from(ToolExecutionRequest.builder()
                .id("call_" + UUID.randomUUID())
                .name("cancelBooking")
                .arguments("{\"number\":\"" + number.group() + "\"}")
                .build());
    }
}
