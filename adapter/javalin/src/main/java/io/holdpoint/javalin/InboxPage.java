package io.holdpoint.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Inbox;
import io.holdpoint.agui.AguiCodec;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Optional;

/**
 * A page of the caller's open interrupts across threads, as JSON, with the query's parameters {@code threads}, {@code cursor} and
 * {@code limit}.
 */
final class InboxPage {

    private static final String DEFAULT_LIMIT = "50";

    private InboxPage() {}

    static ObjectNode read(Context ctx, Holdpoint agent) throws Refusal {
        return json(page(ctx, agent));
    }

    private static Inbox page(Context ctx, Holdpoint agent) throws Refusal {
        try {
            return agent.inbox(
                    scope(parameter(ctx, "threads").orElse("own")),
                    parameter(ctx, "cursor"),
                    Integer.parseInt(parameter(ctx, "limit").orElse(DEFAULT_LIMIT)));
        } catch (NumberFormatException e) {
            throw refused("limit: must be a number");
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private static Inbox.Scope scope(String threads) {
        return switch (threads) {
            case "own" -> Inbox.Scope.OWN;
            case "accessible" -> Inbox.Scope.ACCESSIBLE;
            default -> throw new IllegalArgumentException("threads: must be own or accessible");
        };
    }

    private static Optional<String> parameter(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name));
    }

    private static Refusal refused(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST, ErrorCode.INPUT_INVALID, message);
    }

    private static ObjectNode json(Inbox inbox) {
        ObjectNode page = AguiCodec.mapper().createObjectNode();
        var items = page.putArray("interrupts");
        for (Inbox.Item item : inbox.items()) {
            ObjectNode node = items.addObject();
            node.put("threadId", item.threadId());
            node.put("owner", item.owner());
            node.set("interrupt", AguiCodec.toTree(item.interrupt().interrupt()));
            node.put("askedAt", item.askedAt().toString());
            node.put("expired", item.expired());
        }
        inbox.next().ifPresent(next -> page.put("next", next));
        return page;
    }
}
