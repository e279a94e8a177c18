package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to run an agent: the body a client posts.
 *
 * <p>JSON: {@code {"threadId":…,"runId":…,"protocolVersion"?:…,"parentRunId"?:…,"state"?:…,"messages":[…],"tools":[…],
 * "context":[…],"forwardedProps"?:…,"resume"?:[…]}}. Mirrors AG-UI's {@code RunAgentInput}. When read, {@code messages},
 * {@code tools}, {@code context} and {@code resume} may be absent; a message without an {@code id} gets one, which it has again when the client sends the whole
 * conversation again; messages of an unknown role are skipped, as unknown fields are; the
 * draft dialect's {@code "resume":{"interruptId"?:…,"payload"?:…}} becomes one resolved entry, whose id is the empty string
 * if the draft names none, or a cancelled one if there is an id and no payload. Immutable, so thread-safe, as long as the JSON
 * trees are not changed afterwards.
 *
 * @param protocolVersion the version the client speaks; {@code null} if absent, as from clients before 1.0
 * @param state the run's starting state, any JSON; {@code null} if absent
 * @param forwardedProps data that the application passes through, any JSON; {@code null} if absent
 * @param resume answers to open interrupts; empty is omitted on the wire
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunAgentInput(
        String threadId,
        String runId,
        @Nullable String protocolVersion,
        @Nullable String parentRunId,
        @Nullable JsonNode state,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<Message> messages,

        @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
        List<ClientToolSpec> tools,

        @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
        List<ContextEntry> context,

        @Nullable JsonNode forwardedProps,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonDeserialize(using = AguiModule.Answers.class)
        List<ResumeEntry> resume) {

    /**
     * Checks that the required fields are there and copies the lists.
     *
     * @throws IllegalArgumentException if the id of the thread, the run, or a user's or assistant's message cannot be one,
     *     see {@link Agui#isId}; the message names the field
     */
    public RunAgentInput {
        Agui.requireId("threadId", Objects.requireNonNull(threadId, "threadId"));
        Agui.requireId("runId", Objects.requireNonNull(runId, "runId"));
        requireMessageIds(Objects.requireNonNull(messages, "messages"));
        messages = Message.known(messages);
        tools = List.copyOf(tools);
        context = List.copyOf(context);
        resume = List.copyOf(resume);
    }

    /** Checks the ids of messages that may be stored. */
    private static void requireMessageIds(List<Message> messages) {
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            boolean isKept = message instanceof Message.User || message instanceof Message.Assistant;
            if (isKept && !Agui.isId(message.id())) {
                Agui.requireId("messages[" + i + "].id", message.id());
            }
        }
    }

    /** Creates an input of this implementation's version that has messages only. */
    public static RunAgentInput of(String threadId, String runId, List<Message> messages) {
        return new RunAgentInput(
                threadId, runId, Agui.PROTOCOL_VERSION, null, null, messages, List.of(), List.of(), null, List.of());
    }

    /** The same input of a client that speaks this version; {@code null} for one from before 1.0. */
    public RunAgentInput withProtocolVersion(@Nullable String protocolVersion) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with these answers. */
    public RunAgentInput withResume(List<ResumeEntry> resume) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with this state. */
    public RunAgentInput withState(JsonNode state) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with these forwarded properties. */
    public RunAgentInput withForwardedProps(JsonNode forwardedProps) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with these messages. */
    public RunAgentInput withMessages(List<Message> messages) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with these client-side tools. */
    public RunAgentInput withTools(List<ClientToolSpec> tools) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }

    /** The same input with this context. */
    public RunAgentInput withContext(List<ContextEntry> context) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, messages, tools, context, forwardedProps, resume);
    }
}
