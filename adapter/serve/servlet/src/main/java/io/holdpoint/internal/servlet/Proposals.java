package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Proposal;
import io.holdpoint.agui.AguiCodec;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The routes of proposals: {@code {"threadId", "id", "tool", "arguments", "state", "interrupts", "result"?: {"text", "isError"}}}. */
final class Proposals {

    private Proposals() {}

    /** Proposes a call. One that needs nobody runs before the answer, on the thread of the request. */
    static CompletableFuture<Void> propose(Exchange exchange, Holdpoint agent, JsonBody body) {
        String id = body.optionalText("id").orElseGet(() -> UUID.randomUUID().toString());
        String threadId = body.fields().hasNonNull("threadId") ? body.threadId() : id;
        if (!(body.fields().get("arguments") instanceof ObjectNode arguments)) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "arguments: must be a JSON object. Send {} if there are none.");
        }
        return reply(exchange, agent.propose(threadId, body.text("tool"), arguments, id));
    }

    /** Reads a proposal, whose id is the end of the path. */
    static CompletableFuture<Void> read(Exchange exchange, Holdpoint agent) {
        HttpServletRequest request = exchange.request();
        String path = request.getRequestURI();
        String last = path.substring(path.lastIndexOf('/') + 1);
        String id = URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.UTF_8);
        String threadId = Optional.ofNullable(request.getParameter("threadId")).orElse(id);
        return reply(
                exchange,
                agent.proposal(threadId, id)
                        .orElseThrow(
                                () -> new Refusal(
                                        ErrorCode.THREAD_NOT_FOUND,
                                        "There is no such proposal. One on a thread that is not its own is read with ?threadId=.")));
    }

    private static CompletableFuture<Void> reply(Exchange exchange, Proposal proposal) {
        exchange.reply(proposal.isOver() ? 200 : 202, json(proposal).toString());
        return CompletableFuture.completedFuture(null);
    }

    private static ObjectNode json(Proposal proposal) {
        ObjectNode json = AguiCodec.mapper()
                .createObjectNode()
                .put("threadId", proposal.threadId())
                .put("id", proposal.id())
                .put("tool", proposal.tool());
        json.set("arguments", proposal.arguments());
        json.put("state", word(proposal.state()));
        ArrayNode open = json.putArray("interrupts");
        proposal.open().forEach(each -> open.add(AguiCodec.toTree(each.interrupt())));
        if (proposal.result().isPresent()) {
            ToolExecutionResult result = proposal.result().get();
            json.putObject("result").put("text", result.resultText()).put("isError", result.isError());
        }
        return json;
    }

    private static String word(Proposal.State state) {
        return switch (state) {
            case WAITS -> "waits";
            case GOES_ON -> "goesOn";
            case EXECUTED -> "executed";
            case FAILED -> "failed";
            case NOT_EXECUTED -> "notExecuted";
        };
    }
}
