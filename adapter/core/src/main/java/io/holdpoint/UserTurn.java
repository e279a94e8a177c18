package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationParameters;
import java.util.List;
import java.util.StringJoiner;

/**
 * A user message, with the data that came along, for the one call of the AI Service that takes it up. A run that resumes the
 * turn gets the same turn again, except for the {@link #state} and the {@link #forwardedProps}. Immutable, as long as the JSON trees are not changed.
 *
 * <p>LangChain4j's {@code InvocationParameters} of the call carry the same under the keys {@value #THREAD_ID},
 * {@value #CALLER}, {@value #FORWARDED_PROPS} and {@value #STATE}, so that tools, tool providers and retrievers can have it.
 *
 * @param caller the owner of the thread, with the roles that they had when they said it: also if somebody else resumes the
 *     turn with an approval. If the owner resumes it, with the roles that they have then
 * @param forwardedProps the data that the client passes through with the input of the run, if the owner of the thread sent it,
 *     and those that {@link ClientSettings#storedForwardedProps} keeps of the input that began the turn. Any JSON; Jackson's
 *     missing node if there are none. The client's word, so never evidence of anything
 * @param state the shared state of the thread as the call begins; an empty object if there is none. A copy
 */
public record UserTurn(
        String threadId, List<Content> contents, Caller caller, JsonNode forwardedProps, JsonNode state) {

    /** The key of {@link #threadId} in LangChain4j's {@code InvocationParameters}. */
    public static final String THREAD_ID = "threadId";

    /** The key of {@link #caller} in LangChain4j's {@code InvocationParameters}. */
    public static final String CALLER = "caller";

    /** The key of {@link #forwardedProps} in LangChain4j's {@code InvocationParameters}. */
    public static final String FORWARDED_PROPS = "forwardedProps";

    /** The key of {@link #state} in LangChain4j's {@code InvocationParameters}. */
    public static final String STATE = "state";

    /** Copies the list. */
    public UserTurn {
        contents = List.copyOf(contents);
    }

    /**
     * Returns the texts of the user message, joined by line breaks; empty if there are only media. LangChain4j does not read it as a
     * template, whichever argument it is passed as: braces stay as they were typed.
     */
    public String text() {
        StringJoiner text = new StringJoiner("\n");
        for (Content content : contents) {
            if (content instanceof TextContent part) {
                text.add(part.text());
            }
        }
        return text.toString();
    }

    /** Returns {@code InvocationParameters} for the AI Service method. A method that takes none has them anyway. */
    public InvocationParameters invocationParameters() {
        InvocationParameters parameters = new InvocationParameters();
        putInto(parameters);
        return parameters;
    }

    /** Adds the data of the turn to the parameters of a call, by the keys above, except for keys that they have already. */
    public void putInto(InvocationParameters parameters) {
        put(parameters, THREAD_ID, threadId);
        put(parameters, CALLER, caller);
        put(parameters, FORWARDED_PROPS, forwardedProps);
        put(parameters, STATE, state);
    }

    private static void put(InvocationParameters parameters, String key, Object value) {
        if (!parameters.containsKey(key)) {
            parameters.put(key, value);
        }
    }
}
