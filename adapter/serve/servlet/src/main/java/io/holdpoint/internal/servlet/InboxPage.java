package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.AskedQuestion;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * A page of the caller's open interrupts across threads, as JSON, with the query's parameters {@code threads}, {@code cursor} and
 * {@code limit}.
 */
final class InboxPage {

    private static final String DEFAULT_LIMIT = "50";

    private InboxPage() {}

    /** Reads the page that the query asks for. */
    static String read(HttpServletRequest query, Holdpoint agent) {
        try {
            Inbox inbox = Follow.of(agent)
                    .inbox(scope(parameter(query, "threads").orElse("own")), parameter(query, "cursor"), limit(query));
            return AguiCodec.write(json(inbox));
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** Gives the most that a page is to have. */
    static int limit(HttpServletRequest query) {
        try {
            return Integer.parseInt(parameter(query, "limit").orElse(DEFAULT_LIMIT));
        } catch (NumberFormatException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "limit: must be a number");
        }
    }

    private static Inbox.Scope scope(String threads) {
        return switch (threads) {
            case "own" -> Inbox.Scope.OWN;
            case "accessible" -> Inbox.Scope.ACCESSIBLE;
            default -> throw new IllegalArgumentException("threads: must be own or accessible");
        };
    }

    private static Optional<String> parameter(HttpServletRequest query, String name) {
        return Optional.ofNullable(query.getParameter(name));
    }

    private static ObjectNode json(Inbox inbox) {
        ObjectNode page = AguiCodec.mapper().createObjectNode();
        var items = page.putArray("interrupts");
        for (AskedQuestion item : inbox.items()) {
            ObjectNode node = items.addObject();
            node.put("threadId", item.threadId());
            node.put("owner", item.owner());
            node.set("interrupt", AguiCodec.toTree(item.interrupt().interrupt()));
            node.put("fingerprint", item.interrupt().fingerprint());
            node.put("askedAt", item.askedAt().toString());
            node.put("expired", item.expired());
        }
        inbox.next().ifPresent(next -> page.put("next", next));
        for (Inbox.Unfinished thread : inbox.unfinished()) {
            page.withArray("unfinished")
                    .addObject()
                    .put("threadId", thread.threadId())
                    .put("owner", thread.owner())
                    .put("since", thread.since().toString());
        }
        return page;
    }
}
