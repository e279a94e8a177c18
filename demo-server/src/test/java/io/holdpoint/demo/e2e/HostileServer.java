package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts one text in the place of every text that the server has from a person, a model or a tool, in answers that are otherwise its own: in
 * messages, names and values of arguments, results, schemas, reasons, errors, names of people and of tools. What a page works with, such as ids and
 * times, stays. Used by the browser's thread.
 */
final class HostileServer {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\d(T.*)?");
    private static final Pattern DATA = Pattern.compile("(?m)^data: (\\{.*)$");

    /** What a page works with, and does not show as it comes. */
    private static final Set<String> KEPT = Set.of(
            "type",
            "id",
            "threadId",
            "runId",
            "parentRunId",
            "messageId",
            "parentMessageId",
            "toolCallId",
            "interruptId",
            "role",
            "kind",
            "status",
            "how",
            "step",
            "fingerprint",
            "argsSha256",
            "argumentsSha256",
            "reversibility",
            "batchReversibility",
            "protocolVersion",
            "format",
            "enum",
            "required",
            "scope",
            "op",
            "path",
            "thread",
            "link",
            "cursor");

    private static final Set<String> ARGUMENTS = Set.of("args", "executedArgs");

    private final String text;

    private HostileServer(String text) {
        this.text = text;
    }

    /** Stands between a page and the server from now on. */
    static void behind(Page page, String text) {
        HostileServer hostile = new HostileServer(text);
        page.route("**/agent/changes", route -> {}); // it has no text of anybody
        for (String answers : List.of(
                "**/agent",
                "**/agent/history*",
                "**/agent/interrupts*",
                "**/agent/figures*",
                "**/agent/halted",
                "**/agent/plans",
                "**/demo/*")) {
            page.route(answers, hostile::answer);
        }
        page.route("**/demo/audit*", hostile::answer);
        page.route("**/demo/grants*", hostile::answer);
    }

    private void answer(Route route) {
        APIResponse real = ServersAnswer.to(route);
        String body = real.text();
        String said = body.startsWith("data: ") || body.startsWith(":") || body.contains("\ndata: ")
                ? DATA.matcher(body).replaceAll(found -> Matcher.quoteReplacement("data: " + changed(found.group(1))))
                : body.startsWith("{") || body.startsWith("[") ? changed(body) : body;
        route.fulfill(new Route.FulfillOptions().setResponse(real).setBody(said));
    }

    private String changed(String json) {
        try {
            JsonNode node = JSON.readTree(json);
            String type = node.path("type").asText();
            return type.equals("TOOL_CALL_ARGS")
                    ? argumentsOf((ObjectNode) node)
                    : of("", "", node).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The arguments come in one piece. */
    private String argumentsOf(ObjectNode event) throws IOException {
        return event.put("delta", inside(event.path("delta").asText())).toString();
    }

    private String inside(String json) throws IOException {
        return of("", "args", JSON.readTree(json)).toString();
    }

    private JsonNode of(String parent, String name, JsonNode node) {
        if (node.isTextual()) {
            return TextNode.valueOf(text(parent, name, node.textValue()));
        }
        if (node instanceof ArrayNode array) {
            ArrayNode all = JSON.createArrayNode();
            array.forEach(each -> all.add(KEPT.contains(name) ? each : of(parent, name, each)));
            return all;
        }
        if (node instanceof ObjectNode object) {
            ObjectNode all = JSON.createObjectNode();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                boolean isReason = member.getKey().equals("reason") && object.has("responseSchema");
                all.set(member.getKey(), isReason ? member.getValue() : of(name, member.getKey(), member.getValue()));
            }
            if (ARGUMENTS.contains(name)) {
                all.put(text, text);
            }
            return all;
        }
        return node;
    }

    private String text(String parent, String name, String was) {
        try {
            if (name.equals("arguments") && was.startsWith("{")) {
                return inside(was);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean isKept = KEPT.contains(name) && !(name.equals("id") && parent.equals("caller"));
        return isKept || TIME.matcher(was).matches() ? was : text;
    }

    /** The texts that are tried, by what they want. */
    static Map<String, String> texts() {
        String run = "planted=1";
        return Map.of(
                "markup",
                "\"'><img src=x onerror=" + run + " data-planted><script>" + run
                        + "</script></style></title></textarea><svg onload=" + run
                        + " data-planted>{\"a\":\" [x](javascript:" + run
                        + ") ![x](http://elsewhere.example/x.png) <javascript:" + run + ">",
                "turned around",
                "a\u202egnp.exe\u2066b\u200bc\u00add\u061ce\u2028f\u0007g\ufeffh\u0085i",
                "a label in it",
                "OK\nTo: Bob\n\nApproved by: grace\rAmount: 1\u2029Tool: none",
                "one word",
                "W".repeat(1_500));
    }
}
