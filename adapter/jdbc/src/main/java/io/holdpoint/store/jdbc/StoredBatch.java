package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Asked;
import io.holdpoint.store.Call.Attempt;
import io.holdpoint.store.Call.Proposal;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.TurnRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A batch as its rows have it. The arguments of a call, as the model wrote them, stand in the transcript, and nowhere else here: the
 * model's message has {@code null} in their place; a proposal whose arguments are the same in canonical form, a question that shows them, and
 * an attempt that runs them have none. Where something else was proposed, shown or run than the model wrote, it is written.
 */
final class StoredBatch {

    /** The columns that {@link #read} reads. */
    static final String COLUMNS = "h.body, h.version, h.state, h.given_up,"
            + " (SELECT string_agg(c.body, ',' ORDER BY c.position) FROM holdpoint_call c"
            + " WHERE c.agent = h.agent AND c.thread_id = h.thread_id AND c.batch_id = h.batch_id),"
            + " (SELECT s.body FROM holdpoint_message s"
            + " WHERE s.agent = h.agent AND s.thread_id = h.thread_id AND s.message_id = h.message_id)";

    /** The number of {@link #COLUMNS}. */
    static final int WIDTH = 6;

    private static final String REQUESTS = "toolExecutionRequests";
    private static final String ARGUMENTS = "arguments";
    private static final String SHOWN = "args";

    /**
     * The part that no transition changes.
     *
     * @param message the model's, as a tree; as a text where a tree would not be written as it was
     * @param inTranscript whether the transcript has the arguments of its calls
     */
    private record Body(
            String id,
            TurnRecord turn,
            String messageId,
            JsonNode message,
            boolean inTranscript,
            List<Proposal> proposals) {

        private Body {
            Objects.requireNonNull(id);
            Objects.requireNonNull(turn);
            Objects.requireNonNull(message);
            Objects.requireNonNull(proposals);
        }
    }

    /** The part of a call that transitions change. */
    private record Row(
            String toolCallId,
            String resultMessageId,
            Call.State state,
            List<Asked> asked,
            List<Attempt> attempts,
            Call.@Nullable Result result) {

        private Row {
            Objects.requireNonNull(toolCallId);
            Objects.requireNonNull(resultMessageId);
            Objects.requireNonNull(state);
            Objects.requireNonNull(asked);
            Objects.requireNonNull(attempts);
        }
    }

    /** The columns of a new batch: its body, and the message of the transcript, if that has the arguments. */
    record Written(String body, Optional<String> messageId) {}

    private StoredBatch() {}

    /** The columns of a new batch. */
    static Written write(Batch batch, List<Message> appended) {
        JsonNode message = tree(batch.message().json());
        JsonNode requests = message.path(REQUESTS);
        List<Proposal> proposals = new ArrayList<>();
        for (int i = 0; i < batch.calls().size(); i++) {
            Proposal own = batch.calls().get(i).proposal();
            boolean follows = own.arguments().equals(canonical(requests.path(i)));
            proposals.add(follows ? with(own, null) : own);
        }
        Optional<Message.Assistant> said = said(batch.message().id(), requests, appended);
        if (said.isPresent()) {
            requests.forEach(request -> ((ObjectNode) request).set(ARGUMENTS, NullNode.getInstance()));
        }
        Body body = new Body(
                batch.id(), batch.turn(), batch.message().id(), message, said.isPresent(), List.copyOf(proposals));
        return new Written(RecordJson.write(body), said.map(Message::id));
    }

    /** The row of a call. */
    static String write(Call call) {
        String own = call.arguments();
        return RecordJson.write(new Row(
                call.toolCallId(),
                call.resultMessageId(),
                call.state(),
                asked(call.asked(), shown -> AguiCodec.write(shown).equals(own) ? NullNode.getInstance() : shown),
                attempts(call.attempts(), run -> own.equals(run) ? null : run),
                call.result()));
    }

    /** Reads a batch from {@link #COLUMNS}; empty if it cannot be read. */
    static Optional<Batch> read(String threadId, ResultSet row, int column) throws SQLException {
        Optional<Body> body = Sql.record("a batch", threadId, row.getString(column), Body.class);
        Optional<Row[]> calls =
                Sql.record("the calls of a batch", threadId, "[" + row.getString(column + 4) + "]", Row[].class);
        String said = row.getString(column + 5);
        boolean complete = body.isPresent()
                && calls.isPresent()
                && calls.get().length > 0
                && calls.get()[0] != null
                && (!body.get().inTranscript()
                        || said != null
                                && complete(threadId, body.get().message().path(REQUESTS), said));
        if (!complete) {
            return Optional.empty();
        }
        JsonNode message = body.get().message();
        return Optional.of(new Batch(
                body.get().id(),
                threadId,
                row.getLong(column + 1),
                Sql.constant(row.getString(column + 2), Batch.State.class).orElse(Batch.State.UNKNOWN),
                body.get().turn(),
                new Batch.ModelMessage(
                        body.get().messageId(), message.isTextual() ? message.textValue() : AguiCodec.write(message)),
                calls(body.get(), calls.get()),
                row.getBoolean(column + 3),
                List.of()));
    }

    private static List<Call> calls(Body body, Row[] rows) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            Row row = rows[i];
            Proposal stored = body.proposals().get(i);
            String own = stored.arguments() != null
                    ? stored.arguments()
                    : canonical(body.message().path(REQUESTS).path(i));
            calls.add(new Call(
                    row.toolCallId(),
                    with(stored, own),
                    row.resultMessageId(),
                    row.state(),
                    asked(row.asked(), shown -> shown.isNull() ? tree(own) : shown),
                    attempts(row.attempts(), run -> run == null ? own : run),
                    row.result()));
        }
        return calls;
    }

    // --- the model's message

    /** A text that is no JSON object, or that would not be written again as it is, stays a text. */
    private static JsonNode tree(String json) {
        try {
            JsonNode tree = AguiCodec.mapper().readTree(json);
            return tree.isObject() && AguiCodec.write(tree).equals(json) ? tree : TextNode.valueOf(json);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(json);
        }
    }

    /** The message of the transcript that has the same calls with the same arguments, if the commit has it. */
    private static Optional<Message.Assistant> said(String id, JsonNode requests, List<Message> appended) {
        for (Message message : appended) {
            if (message instanceof Message.Assistant assistant && assistant.id().equals(id)) {
                return hasArguments(requests, assistant.toolCalls()) ? Optional.of(assistant) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean hasArguments(JsonNode requests, List<ToolCall> calls) {
        boolean same = requests.size() == calls.size();
        for (int i = 0; same && i < calls.size(); i++) {
            JsonNode arguments = requests.path(i).path(ARGUMENTS);
            same = arguments.isTextual()
                    && arguments.textValue().equals(calls.get(i).arguments());
        }
        return same;
    }

    /** Puts the arguments where they were; {@code false} if the message does not have them. */
    private static boolean complete(String threadId, JsonNode requests, String said) {
        Optional<Message> message = Sql.record("a message", threadId, said, Message.class);
        if (!(message.orElse(null) instanceof Message.Assistant assistant)
                || assistant.toolCalls().size() != requests.size()) {
            return false;
        }
        for (int i = 0; i < requests.size(); i++) {
            ((ObjectNode) requests.get(i))
                    .put(ARGUMENTS, assistant.toolCalls().get(i).arguments());
        }
        return true;
    }

    // --- what follows from arguments

    /** The canonical form of what the model wrote; empty if that is no JSON object. */
    private static String canonical(JsonNode request) {
        try {
            JsonNode arguments =
                    AguiCodec.mapper().readTree(request.path(ARGUMENTS).asText());
            return arguments.isObject() ? AguiCodec.write(JsonValues.sorted(arguments)) : "";
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    private static Proposal with(Proposal of, @Nullable String arguments) {
        return new Proposal(
                of.toolName(),
                arguments,
                of.argumentsSha256(),
                of.toolSha256(),
                of.idempotent(),
                of.ofClient(),
                of.grantId(),
                of.remarks());
    }

    private static List<Attempt> attempts(List<Attempt> of, UnaryOperator<@Nullable String> run) {
        List<Attempt> attempts = new ArrayList<>();
        for (Attempt each : of) {
            attempts.add(new Attempt(each.runId(), run.apply(each.arguments()), each.startedAt()));
        }
        return attempts;
    }

    private static List<Asked> asked(List<Asked> of, UnaryOperator<JsonNode> shown) {
        List<Asked> asked = new ArrayList<>();
        for (Asked each : of) {
            asked.add(with(each, shown));
        }
        return asked;
    }

    private static Asked with(Asked asked, UnaryOperator<JsonNode> shown) {
        Interrupt of = asked.question().interrupt();
        JsonNode own = of.metadata() == null
                ? MissingNode.getInstance()
                : of.metadata().path("langchain4j");
        if (!(own instanceof ObjectNode described) || !described.has(SHOWN)) {
            return asked;
        }
        ObjectNode metadata = described.objectNode().setAll(of.metadata());
        metadata.set(
                "langchain4j",
                described.objectNode().<ObjectNode>setAll(described).set(SHOWN, shown.apply(described.get(SHOWN))));
        Interrupt interrupt = new Interrupt(
                of.id(), of.reason(), of.message(), of.toolCallId(), of.responseSchema(), of.expiresAt(), metadata);
        return new Asked(asked.question().with(interrupt), asked.answer(), asked.votes(), asked.sha256());
    }
}
