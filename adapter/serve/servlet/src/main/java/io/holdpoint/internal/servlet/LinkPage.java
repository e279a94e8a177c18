package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.reach.LinkView;
import io.holdpoint.reach.LinkView.State;
import io.holdpoint.reach.PlainText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The page behind a link: everything that would run, two buttons, and afterwards what came of it. It needs no script and allows none, and
 * fits a phone. Every text is escaped, and characters that hide or reorder text, or look like others, are written out.
 */
final class LinkPage {

    private static final Map<String, String> CLASSES = Map.of(
            "read_only", "It changes nothing.",
            "reversible", "It can be taken back.",
            "externally_reversible", "Only somebody else can take it back.",
            "irreversible", "It cannot be taken back.");

    private static final Map<String, String> CONCERNS = Map.of(
            "none", "A second opinion has no concern.",
            "some", "A second opinion has a concern.",
            "serious", "A second opinion has a serious concern.",
            "unknown", "There is no second opinion.");

    /** That of the card, by the same colours. */
    private static final String STYLE = """
            :root{color-scheme:light dark;--line:light-dark(#dedad2,#343840);--soft:light-dark(#5d584f,#a9acb3);--wait:light-dark(#8a5200,#ffc14d);
            --accent:light-dark(#2f4bc7,#a3b4ff);--danger:light-dark(#b0261c,#ff9d93);font:15px/1.5 Inter,system-ui,sans-serif}
            *{box-sizing:border-box}body{margin:0 auto;max-width:42rem;padding:1rem;background:light-dark(#f6f5f2,#131417);color:light-dark(#1d1b18,#e9e8e5)}
            h1,dd,div,p,pre{overflow-wrap:anywhere;white-space:pre-wrap}h1,q{unicode-bidi:plaintext}pre{direction:ltr;text-align:left}h1{margin:0;font-size:18px;line-height:1.3}p{margin:.75rem 0}
            section{border:1px solid light-dark(#e59a1a,#ffc14d);border-radius:12px;overflow:hidden;background:light-dark(#fff,#1b1d21)}
            section>*{margin:.75rem 1rem}section>.wait{margin:0;padding:.5rem 1rem;background:light-dark(#fff5e0,#2c2414);color:var(--wait)}
            code,pre{font:.875em/1.5 ui-monospace,monospace}pre{border:1px solid var(--line);border-radius:8px;padding:.5rem .75rem}
            dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.25rem 1rem}dt{color:var(--soft);font-size:13px;font-weight:400;overflow-wrap:anywhere}dd{margin:0;font-weight:600}dd small{font-weight:400}bdi+small{display:inline-block}
            dd :is(dl,ol){margin:0;padding:0;list-style:none}li,dd>dl{padding-inline-start:.75rem;border-inline-start:2px solid var(--line)}li+li{margin-top:.5rem}
            @media(max-width:40rem){dd dl{display:block}dd:has(dl,ol){grid-column:1/-1}}@media(max-width:24rem){dl{display:block}}
            label{display:block}textarea{width:100%;margin-top:.25rem;padding:.5rem;border:1px solid light-dark(#8b867c,#737984);border-radius:8px;background:none;color:inherit;font:inherit}
            button{min-height:2.75rem;min-width:8rem;margin:.75rem 0 0;margin-inline-end:.5rem;padding:.5rem 1rem;border:1px solid var(--danger);border-radius:8px;background:none;color:var(--danger);font:inherit;font-weight:600}
            button[value=approve]{border-color:var(--accent);background:var(--accent);color:light-dark(#fff,#0f1738)}
            a{color:var(--accent)}small,.hint{color:var(--soft);font-size:13px}.over{color:var(--danger)}mark{font-size:.85em}""";

    /** Begins the ids of clients that speak MCP, of which no more is known than the name that each gives itself. */
    private static final String ASSISTANT = "mcp:";

    private static final String POLICY =
            "default-src 'none'; style-src 'sha256-" + Base64.getEncoder().encodeToString(JsonValues.sha256(STYLE))
                    + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String PAGE = """
            <!doctype html><html %s><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><title>%s</title>\
            <style>%s</style><main data-state="%s">%s%s%s</main></html>
            """;

    private static final String FORM = """
            <form method="post"><label>%s\
            <textarea name="reason" rows="2" maxlength="1000"></textarea></label>\
            <button name="decision" value="approve">%s</button><button name="decision" value="deny">%s</button></form>""";

    private final PageTexts texts;
    private final ArgumentList list;

    private LinkPage(Exchange exchange) {
        texts = PageTexts.of(exchange.request());
        list = new ArgumentList(texts);
    }

    /** Answers with the page. */
    static void write(Exchange exchange, LinkView view) {
        Optional<URI> signIn = view.page().filter(page -> view.state() == State.SIGN_IN);
        signIn.ifPresent(page -> exchange.response().setHeader("Location", page.toASCIIString()));
        write(
                exchange,
                signIn.isPresent()
                        ? HttpServletResponse.SC_SEE_OTHER
                        : view.state().status(),
                new LinkPage(exchange).html(view));
    }

    /** Answers with a page that says why nothing was taken. */
    static void refuse(Exchange exchange, Refusal refusal) {
        PageTexts texts = PageTexts.of(exchange.request());
        String sentence = texts.say("Nothing was decided.") + " <span lang=\"en\" dir=\"ltr\">"
                + escaped(refusal.getMessage()) + "</span>";
        String page = PAGE.formatted(
                texts.attributes(),
                texts.say("Nothing was decided."),
                STYLE,
                refusal.code(),
                status(sentence),
                "",
                "<p><small>" + refusal.code() + "</small></p>");
        write(exchange, refusal.status(), page);
    }

    /** The form of the page comes with its origin, which tells it from one of another site; to no other site is the address said. */
    private static void write(Exchange exchange, int status, String page) {
        HttpServletResponse response = exchange.response();
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("X-Robots-Tag", "noindex");
        exchange.reply(status, "text/html;charset=utf-8", page);
    }

    /** Only the form of the page decides, by its body: an address that somebody was given or an image's does not. */
    static void requireForm(HttpServletRequest request) {
        String type = Objects.requireNonNullElse(request.getContentType(), "");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase("application/x-www-form-urlencoded")) {
            throw new Refusal(ErrorCode.MEDIA_TYPE_UNSUPPORTED, "Press a button of the page, which sends its form.");
        }
        parameters(request)
                .map(pair -> decoded(pair[0]))
                .filter(name -> name.equals("decision") || name.equals("reason"))
                .findFirst()
                .ifPresent(name -> {
                    throw new Refusal(
                            ErrorCode.INPUT_INVALID,
                            name + ": is taken from the body of the form, not from the address.");
                });
    }

    /** Those of the address alone, as names and values that are still encoded: to ask the request for them would read the form. */
    static Stream<String[]> parameters(HttpServletRequest request) {
        return Arrays.stream(
                        Objects.requireNonNullElse(request.getQueryString(), "").split("&"))
                .map(pair -> pair.split("=", 2));
    }

    /** Reads what was pressed. A filter in front may have read the body already, whose fields are the request's parameters then. */
    static ResumeEntry answer(Approval question, byte[] body, HttpServletRequest request) {
        Map<String, String> form = form(body);
        String decision = value(form, request, "decision");
        String reason = value(form, request, "reason").strip();
        return switch (decision) {
            case "approve" -> reason.isEmpty() ? question.approve() : question.approve(reason);
            case "deny" -> reason.isEmpty() ? question.deny() : question.deny(reason);
            default ->
                throw new Refusal(
                        ErrorCode.INPUT_INVALID, "decision: must be approve or deny, was \"" + decision + "\"");
        };
    }

    private static String value(Map<String, String> form, HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(form.isEmpty() ? request.getParameter(name) : form.get(name), "");
    }

    private static Map<String, String> form(byte[] body) {
        Map<String, String> form = new HashMap<>();
        for (String pair : new String(body, StandardCharsets.UTF_8).split("&")) {
            String[] sides = pair.split("=", 2);
            if (sides.length == 2 && form.put(decoded(sides[0]), decoded(sides[1])) != null) {
                throw new Refusal(ErrorCode.INPUT_INVALID, decoded(sides[0]) + ": is in the form twice. Send it once.");
            }
        }
        return form;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "The form is not URL-encoded: " + e.getMessage());
        }
    }

    private String html(LinkView view) {
        String sentence = view.sentences().stream()
                .map(each -> texts.html(each.text(), escaped(each.values())))
                .collect(Collectors.joining(" "));
        boolean isDecided = view.state() == State.DECIDED || view.state() == State.WAITS;
        Optional<PendingInterrupt> open = view.question().filter(question -> !isDecided);
        Optional<PendingInterrupt> decided = view.question().filter(question -> isDecided);
        return PAGE.formatted(
                texts.attributes(),
                open.map(question -> texts.say("Waiting for you") + ": " + escaped(question.toolName()))
                        .orElseGet(() -> sentence.replaceAll("</?bdi>", "")),
                STYLE,
                view.state(),
                decided.map(question -> "<h1>" + escaped(question.message()) + "</h1>")
                                .orElse("")
                        + status(sentence),
                open.map(question -> "<section>" + asked(question) + (view.state() == State.POINTER ? "" : form())
                                + "</section>")
                        .orElse(""),
                view.page()
                        .map(page -> "<p><a href=\"" + escaped(page.toASCIIString()) + "\">"
                                + texts.say("Open the page") + "</a></p>")
                        .orElse(""));
    }

    private String form() {
        return FORM.formatted(texts.say("Reason, for the agent (optional)"), texts.say("Approve"), texts.say("Deny"));
    }

    private static Map<String, String> escaped(Map<String, String> values) {
        return values.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, value -> escaped(value.getValue())));
    }

    private static String status(String sentence) {
        return sentence.isEmpty() ? "" : "<p role=\"status\">" + sentence + "</p>";
    }

    /** All of a question, as on a card: the sentence, the arguments and where they come from, the effect, the class of the call and the second opinion. */
    private String asked(PendingInterrupt question) {
        JsonNode more = Optional.<JsonNode>ofNullable(question.interrupt().metadata())
                .map(metadata -> metadata.path("langchain4j"))
                .orElseGet(AguiCodec.mapper()::missingNode);
        JsonNode schema = AguiCodec.toTree(question.interrupt()).at("/responseSchema/properties/editedArgs");
        return "<p class=\"wait\"><b>" + texts.say("Waiting for you") + "</b> <code>" + escaped(question.toolName())
                + "</code></p><h1>"
                + escaped(question.message()) + "</h1>"
                + (question.arguments().isEmpty()
                        ? "<p class=\"hint\">" + texts.say("Without arguments.") + "</p>"
                        : list.html(
                                question.arguments(), schema, name -> origins(more.at("/provenance/arguments"), name)))
                + edited(more, schema)
                + proposer(more.path("proposedBy").asText())
                + effect(more.path("effect")) + reversibility(more) + opinion(more.path("secondOpinion"))
                + votes(more.path("approvals"))
                + deadline(question.interrupt().expiresAt());
    }

    private String proposer(String caller) {
        boolean isAssistant = caller.startsWith(ASSISTANT);
        String who = isAssistant ? caller.substring(ASSISTANT.length()) : caller;
        String text = isAssistant
                ? "Proposed by an assistant ({caller}, as it calls itself), or by its user."
                : "Proposed by {caller}, not by a model.";
        return caller.isEmpty() ? "" : "<p>" + texts.html(text, Map.of("caller", escaped(who))) + "</p>";
    }

    /** The change that somebody has made to the call, and the approvals that do not count any more. */
    private String edited(JsonNode more, JsonNode schema) {
        JsonNode before = more.path("editedFrom");
        String lost = names(before.path("approvals"));
        String by = escaped(more.path("editedBy").asText());
        String title = texts.html("{by} changed this call.", Map.of("by", by)) + " " + texts.say("It was:");
        return listed(title, before.path("args"), schema)
                + (lost.isEmpty()
                        ? ""
                        : "<p class=\"over\">"
                                + texts.html(
                                        "Approvals of what it was before do not count any more: {people}.",
                                        Map.of("people", lost))
                                + "</p>");
    }

    /** The approvals so far, and those that it needs, where one person is not enough or not anybody will do. */
    private String votes(JsonNode approvals) {
        int needed = approvals.path("needed").asInt();
        String groups = StreamSupport.stream(approvals.path("groups").spliterator(), false)
                .map(group -> texts.html(
                        "{n} from {who}",
                        Map.of("n", group.path("needed").asText(), "who", audience(group.path("audience")))))
                .collect(Collectors.joining(", "));
        if (needed < 2 && groups.isEmpty()) {
            return "";
        }
        String have = names(approvals.path("have"));
        String count = texts.html(
                "{have} of {n} approval|{have} of {n} approvals",
                Map.of("have", "" + approvals.path("have").size(), "n", "" + needed));
        return "<p>" + count + (have.isEmpty() ? "." : ": " + have + ".")
                + (groups.isEmpty() ? "" : " " + texts.html("Needs {who}.", Map.of("who", groups))) + "</p>";
    }

    private String audience(JsonNode audience) {
        return audience.isTextual() ? escaped(audience.textValue()) : texts.say("anybody who may decide");
    }

    private static String names(JsonNode votes) {
        return StreamSupport.stream(votes.spliterator(), false)
                .map(vote -> escaped(vote.path("by").asText()))
                .collect(Collectors.joining(", "));
    }

    private String deadline(@Nullable Instant expiresAt) {
        return expiresAt == null
                ? ""
                : "<p class=\"hint\">" + texts.html("Answer until {time}", Map.of("time", texts.time(expiresAt)))
                        + "</p>";
    }

    private String effect(JsonNode effect) {
        return listed(texts.say("What it would do"), effect.path("plan"), MissingNode.getInstance())
                + listed(
                        texts.say("Only while this holds:"),
                        effect.path("facts"),
                        MissingNode.getInstance(),
                        name -> tolerance(effect.path("within").path(name)));
    }

    /** By how much a fact may differ. */
    private String tolerance(JsonNode within) {
        boolean isPercent = within.has("percent");
        String most = within.path(isPercent ? "percent" : "most").asText().replaceFirst("\\.0$", "");
        return most.isEmpty()
                ? ""
                : " <small><bdi>\u00b1 " + escaped(texts.number(most)) + (isPercent ? " %" : "") + "</bdi></small>";
    }

    private String listed(String title, JsonNode values, JsonNode schema) {
        return listed(title, values, schema, name -> "");
    }

    private String listed(String title, JsonNode values, JsonNode schema, UnaryOperator<String> more) {
        return values.isMissingNode() ? "" : "<p>" + title + "</p>" + list.html(values, schema, more);
    }

    /** Where the values of an argument stand first in the conversation. */
    private String origins(JsonNode places, String name) {
        String path = "/" + name.replace("~", "~0").replace("/", "~1") + "/";
        return places.properties().stream()
                .filter(place -> (place.getKey() + "/").startsWith(path))
                .map(place -> origin(place.getValue()))
                .distinct()
                .map(words -> "<br><small>" + words + "</small>")
                .collect(Collectors.joining());
    }

    private String origin(JsonNode place) {
        String source =
                switch (place.path("from").asText()) {
                    case "user" -> texts.say("from a person");
                    case "tool" ->
                        texts.html(
                                "from {tool}",
                                Map.of("tool", escaped(place.path("toolName").asText())));
                    case "retrieved" -> texts.say("retrieved");
                    case "task" -> texts.say("from another agent");
                    default -> texts.say("from the model");
                };
        return place.path("untrusted").booleanValue()
                ? texts.html("{source}; nobody vouches for it", Map.of("source", source))
                : source;
    }

    private String reversibility(JsonNode more) {
        String own = more.path("reversibility").asText();
        String strictest = more.path("batchReversibility").asText();
        String others = strictest.equals("irreversible") && !own.equals(strictest)
                ? texts.say("Something that would run with it cannot be taken back.")
                : "";
        String words = (texts.say(CLASSES.getOrDefault(own, "")) + " " + others).strip();
        String style = strictest.equals("irreversible") ? "over" : "hint";
        return words.isEmpty() ? "" : "<p class=\"" + style + "\">" + words + "</p>";
    }

    private String opinion(JsonNode opinion) {
        String concern = CONCERNS.getOrDefault(opinion.path("concern").asText(), "");
        String reason = opinion.path("reason").asText();
        return concern.isEmpty()
                ? ""
                : "<p>" + texts.say(concern) + (reason.isEmpty() ? "" : " <q>" + escaped(reason) + "</q>") + "</p>";
    }

    static String escaped(String text) {
        return PlainText.of(
                text, LinkPage::markup, character -> "<mark>U+" + Integer.toHexString(character) + "</mark>");
    }

    static String markup(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The question that was opened, if it can be decided by a button. */
    static Optional<Approval> approval(LinkView view) {
        return view.question().filter(open -> view.state() == State.OPEN).map(PendingInterrupt::asApproval);
    }
}
