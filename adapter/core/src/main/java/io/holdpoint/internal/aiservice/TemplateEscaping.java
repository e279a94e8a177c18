package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.GuardrailRequestParams;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserName;
import dev.langchain4j.service.V;
import io.holdpoint.UserTurn;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a user typed, and the values of variables, from being read as a template: a text with braces, or none at all, passes
 * LangChain4j's templates as a mark, and comes back as soon as the message has been rendered. A mark has a random part, so that
 * no template and no text can contain it. {@link #hidden} is called once, before everything else.
 */
final class TemplateEscaping {

    private final String text;
    private final boolean addsMedia;
    private final List<Content> media;
    private final Map<String, String> hidden = new LinkedHashMap<>();
    private @Nullable UserMessage rendered;

    /**
     * Begins without hidden text; {@code addsMedia} says that media come back with the text, because the method has no parameter
     * for them.
     */
    TemplateEscaping(UserTurn turn, boolean addsMedia) {
        this.text = turn.text().strip();
        this.addsMedia = addsMedia;
        this.media = addsMedia
                ? turn.contents().stream()
                        .filter(content -> !(content instanceof TextContent))
                        .toList()
                : List.of();
    }

    /** The arguments of an AI Service method, with marks in place of texts that a template could be affected by. */
    @Nullable
    Object @Nullable [] hidden(Method method, @Nullable Object @Nullable [] arguments) {
        if (arguments == null) {
            return null;
        }
        boolean typed = text.contains("{{");
        String mark = typed || text.isEmpty() ? mark() : "";
        @Nullable Object[] marked = arguments.clone();
        for (int i = 0; i < marked.length; i++) {
            if (!(marked[i] instanceof String argument)
                    || !(argument.contains("{{") || text.isEmpty())
                    || isNoText(method.getParameters()[i])) {
                continue;
            }
            if (typed && argument.contains(text)) {
                argument = argument.replace(text, mark);
                hidden.put(mark, text);
            } else if (text.isEmpty() && addsMedia && argument.isBlank()) {
                argument = mark;
                hidden.put(mark, "");
            }
            if (argument.contains("{{") && method.getParameters()[i].isAnnotationPresent(V.class)) {
                String value = mark();
                hidden.put(value, restored(argument));
                argument = value;
            }
            marked[i] = argument;
        }
        return marked;
    }

    private static boolean isNoText(Parameter parameter) {
        return parameter.isAnnotationPresent(MemoryId.class) || parameter.isAnnotationPresent(UserName.class);
    }

    private static String mark() {
        return "[text " + UUID.randomUUID() + "]";
    }

    /** The message as it is to be remembered: a service that keeps what it retrieves out of its memory adds the rendered one. */
    UserMessage remembered(UserMessage message) {
        return message == rendered ? restored(message) : message;
    }

    /** The rendered message with what the user said; the same object if no text was kept from it. */
    UserMessage restored(UserMessage message) {
        rendered = message;
        if (hidden.isEmpty() && media.isEmpty()) {
            return message;
        }
        List<Content> contents = new ArrayList<>();
        for (Content content : message.contents()) {
            if (!(content instanceof TextContent part)) {
                contents.add(content);
            } else {
                String restored = restored(part.text());
                if (!restored.isBlank()) {
                    contents.add(TextContent.from(restored));
                }
            }
        }
        contents.addAll(media);
        if (contents.isEmpty()) {
            contents.add(TextContent.from("")); // a message needs one
        }
        return message.toBuilder().contents(contents).build();
    }

    /** A system message may quote the user as well. */
    SystemMessage restored(SystemMessage rendered) {
        String restored = restored(rendered.text());
        return restored.equals(rendered.text()) ? rendered : SystemMessage.from(restored);
    }

    /** Listeners are told about the call as it was typed. */
    AiServiceStartedEvent restored(AiServiceStartedEvent start) {
        if (hidden.isEmpty()) {
            return start;
        }
        return AiServiceStartedEvent.builder()
                .invocationContext(restored(start.invocationContext()))
                .systemMessage(start.systemMessage().map(this::restored))
                .userMessage(restored(start.userMessage()))
                .build();
    }

    /** The arguments of the call as they were typed. */
    InvocationContext restored(InvocationContext context) {
        return hidden.isEmpty()
                ? context
                : context.toBuilder()
                        .methodArguments(context.methodArguments().stream()
                                .map(this::restored)
                                .collect(Collectors.toList())) // may hold null
                        .build();
    }

    /** Guardrails see the template and the variables as they were typed. */
    GuardrailRequestParams restored(GuardrailRequestParams given) {
        if (hidden.isEmpty() || given.variables() == null) {
            return given;
        }
        Map<String, Object> variables = new HashMap<>(given.variables());
        variables.replaceAll((name, value) -> restored(value));
        return given.toBuilder()
                .userMessageTemplate(restored(given.userMessageTemplate()))
                .variables(variables)
                .build();
    }

    private @Nullable Object restored(@Nullable Object value) {
        return value instanceof String rendered ? restored(rendered) : value;
    }

    private String restored(String rendered) {
        String restored = rendered;
        for (Map.Entry<String, String> each : hidden.entrySet()) {
            restored = restored.replace(each.getKey(), each.getValue());
        }
        return restored;
    }
}
