package io.holdpoint.demo.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The last turn of a conversation: what the user asked for, what was called since, and what may be called.
 *
 * @param text the user's words
 * @param media what kinds of media came with the words, in order
 * @param outcomes the calls since then that have a result, in order
 * @param tools the names of the tools on offer
 */
record Turn(String text, List<String> media, List<Outcome> outcomes, Set<String> tools) {

    static Turn of(ChatRequest request) {
        String text = "";
        List<String> media = List.of();
        List<Outcome> outcomes = new ArrayList<>();
        Map<String, ToolExecutionRequest> open = new HashMap<>();
        for (ChatMessage message : request.messages()) {
            if (message instanceof UserMessage user) {
                text = text(user);
                media = media(user);
                outcomes.clear();
            } else if (message instanceof AiMessage ai) {
                ai.toolExecutionRequests().forEach(call -> open.put(call.id(), call));
            } else if (message instanceof ToolExecutionResultMessage result && open.containsKey(result.id())) {
                outcomes.add(Outcome.of(open.remove(result.id()), result));
            }
        }
        return new Turn(text, media, outcomes, names(request));
    }

    /** How the given call ended, if it was made in this turn. */
    Optional<Outcome> outcome(Call call) {
        return outcomes.stream()
                .filter(outcome -> call.sameAs(outcome.request()))
                .findFirst();
    }

    /** The step of a task that needs no more than this call. */
    Step step(Call call) {
        return outcome(call)
                .<Step>map(outcome -> new Step.Done(call, outcome))
                .orElseGet(() -> tools.contains(call.tool())
                        ? new Step.Propose(call)
                        : new Step.Stuck("I cannot " + call.todo() + ": there is no tool for it here."));
    }

    private static Set<String> names(ChatRequest request) {
        return Optional.ofNullable(request.toolSpecifications()).orElse(List.of()).stream()
                .map(ToolSpecification::name)
                .collect(Collectors.toSet());
    }

    private static List<String> media(UserMessage message) {
        return message.contents().stream()
                .filter(content -> !(content instanceof TextContent))
                .map(content -> content.type().name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String text(UserMessage message) {
        return message.contents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }
}
