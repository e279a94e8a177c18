package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Audience;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.follow.Decisions;
import io.holdpoint.follow.Follow;
import io.holdpoint.people.Plans;
import io.holdpoint.people.Questions;
import io.holdpoint.store.AuditEvent;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** The requests of people who do something with a question besides answering it, or before they do, and who look back at what was decided. */
final class Attention {

    private Attention() {}

    /** Says what the call would do that an answer would let run; it is not taken. */
    static String plan(Holdpoint agent, JsonBody body) {
        ObjectNode told = AguiCodec.mapper().createObjectNode();
        Plans.of(agent).shown(body.threadId(), body.answer()).ifPresent(effect -> told.set("effect", effect));
        return told.toString();
    }

    /** Gives more time, hands over, which tells others and has a pace, or says that the caller looks, as the action of the body says. */
    static String about(Holdpoint agent, JsonBody body, Runnable pace) {
        String threadId = body.threadId();
        String interruptId = body.text("interruptId");
        ObjectNode answer = AguiCodec.mapper().createObjectNode();
        switch (body.text("action")) {
            case "moreTime" ->
                answer.put(
                        "expiresAt",
                        Questions.of(agent).moreTime(threadId, interruptId).toString());
            case "hand" -> {
                pace.run();
                hand(Questions.of(agent), threadId, interruptId, body);
            }
            case "look" -> Follow.of(agent).looking(threadId, interruptId);
            default -> throw new Refusal(ErrorCode.INPUT_INVALID, "action: must be moreTime, hand or look");
        }
        return answer.toString();
    }

    private static void hand(Questions questions, String threadId, String interruptId, JsonBody body) {
        String reason = body.optionalText("reason").orElse("");
        String audience = body.optionalText("audience").orElse("");
        if (audience.isBlank()) {
            questions.hand(threadId, interruptId, body.text("to"), reason);
        } else if (body.optionalText("to").isPresent()) {
            throw new Refusal(
                    ErrorCode.INPUT_INVALID, "audience: a question goes to a person or to a group, not to both");
        } else {
            questions.hand(threadId, interruptId, Audience.role(audience), reason);
        }
    }

    /** A page of what was decided on all threads that the caller may access. */
    static String decided(HttpServletRequest request, Holdpoint agent) {
        Decisions page;
        try {
            page = Follow.of(agent)
                    .decided(
                            Optional.ofNullable(request.getParameter("before")).map(Long::valueOf),
                            InboxPage.limit(request));
        } catch (NumberFormatException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "before: must be a place that an earlier page gave");
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        }
        ObjectNode answer = AguiCodec.mapper().createObjectNode();
        ArrayNode items = answer.putArray("decisions");
        for (Decisions.Item item : page.items()) {
            AuditEvent event = item.event();
            ObjectNode each = items.addObject()
                    .put("threadId", item.threadId())
                    .put("owner", item.owner())
                    .put("at", event.at().toString())
                    .put("kind", event.kind().name())
                    .put("by", event.caller());
            event.interruptId().ifPresent(id -> each.put("interruptId", id));
            event.toolCallId().ifPresent(id -> each.put("toolCallId", id));
            event.toolName().ifPresent(name -> each.put("toolName", name));
            each.set("detail", event.detail());
        }
        page.next().ifPresent(next -> answer.put("next", next));
        return answer.toString();
    }
}
