package io.holdpoint.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Puts one interrupt to the person, by its message, its schema and its metadata, and makes their answer an entry of a resume. */
final class Card {

    private static final String RESPOND = "/respond ";
    private static final Pattern DENIAL = Pattern.compile("(?i)(d|deny)(\\s+(?<reason>.+))?");

    private final Terminal terminal;
    private final Interrupt interrupt;
    private final JsonNode schema;
    /** The person may also give the result of the call, in place of the tool. */
    private final boolean takesResponse;

    Card(Terminal terminal, Interrupt interrupt) {
        this.terminal = terminal;
        this.interrupt = interrupt;
        JsonNode asked =
                interrupt.responseSchema() == null ? JsonNodeFactory.instance.objectNode() : interrupt.responseSchema();
        this.takesResponse = metadata().at("/langchain4j/respond").asBoolean();
        this.schema = takesResponse ? asked.at("/anyOf/0") : asked;
    }

    private JsonNode metadata() {
        return interrupt.metadata() == null ? JsonNodeFactory.instance.objectNode() : interrupt.metadata();
    }

    /** Asks until there is an answer; empty at the end of the input. */
    Optional<ResumeEntry> ask() {
        terminal.line("");
        terminal.line("-- " + interrupt.reason() + " " + "-".repeat(40));
        terminal.line(interrupt.message() == null ? "The agent asks." : interrupt.message());
        JsonNode arguments = arguments();
        names(arguments).forEach(name -> terminal.line("   " + onOneLine(name) + ": " + arguments.get(name)));
        effect(metadata().at("/langchain4j/effect"));
        if (interrupt.expiresAt() != null) {
            terminal.line("   until " + interrupt.expiresAt());
        }
        risk(metadata().path("langchain4j"));
        people(metadata().path("langchain4j"));
        return schema.path("properties").has("approved") ? approval(arguments) : answer();
    }

    private boolean mayDecide() {
        return metadata().at("/langchain4j/mayDecide").asBoolean(true);
    }

    /** A model that names an argument writes no line of its own. */
    private static String onOneLine(String name) {
        String quoted = TextNode.valueOf(name).toString();
        return quoted.substring(1, quoted.length() - 1);
    }

    /** Says what the call would do, as far as the server has found out. */
    private void effect(JsonNode effect) {
        if (effect.has("plan")) {
            terminal.line("   would do: " + effect.get("plan"));
        }
        if (effect.has("facts") && !effect.get("facts").isEmpty()) {
            String within = effect.has("within") ? ", or differs by no more than " + effect.get("within") : "";
            terminal.line("   runs only while this holds: " + effect.get("facts") + within);
        }
    }

    /** Says whether what runs can be taken back, of this call and of all of its message, and what somebody else thinks of it. */
    private void risk(JsonNode said) {
        String own = said.path("reversibility").asText();
        String ofAll = said.path("batchReversibility").asText();
        if (!own.isEmpty()) {
            terminal.line("   " + own.replace('_', ' '));
        }
        if (!ofAll.isEmpty() && !ofAll.equals(own)) {
            terminal.line("   another call of the same message: " + ofAll.replace('_', ' '));
        }
        JsonNode opinion = said.path("secondOpinion");
        if (opinion.isObject()) {
            terminal.line(
                    "   second opinion, concern " + opinion.path("concern").asText() + ": "
                            + opinion.path("reason").asText());
        }
    }

    /** Says who has approved, who has to, and what time will do. */
    private void people(JsonNode said) {
        JsonNode approvals = said.path("approvals");
        if (approvals.path("needed").asInt() > 1 || approvals.has("groups")) {
            JsonNode have = approvals.path("have");
            terminal.line("   " + have.size() + " of " + approvals.path("needed") + " approvals");
            approvals
                    .path("groups")
                    .forEach(group -> terminal.line("   needs " + group.path("needed") + " of "
                            + group.path("audience").asText("anybody who may decide")));
            have.forEach(vote -> terminal.line("   approved by "
                    + vote.path("by").asText() + " at " + vote.path("at").asText()));
        }
        if (!mayDecide()) {
            terminal.line("   waits for an approver: yours would be refused");
        }
        for (JsonNode step : said.path("timeline")) {
            terminal.line("   " + step.path("at").asText() + " "
                    + step.path("step").asText().replace('_', ' ')
                    + (step.has("audience") ? " to " + step.path("audience").asText() : ""));
        }
    }

    /**
     * The proposed arguments, where a server says them: Holdpoint does, for an agent behind it too, and others may. Else what an
     * interrupt of the draft says besides.
     */
    private JsonNode arguments() {
        return Stream.of("/remoteAgent/metadata/langchain4j/args", "/langchain4j/args", "/args", "/payload")
                .map(metadata()::at)
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** The names of the arguments as the tool declares them, as far as the interrupt says so, and then the others. */
    private Stream<String> names(JsonNode arguments) {
        JsonNode edits =
                schema.path("properties").path(interrupt.edits().orElse("")).path("properties");
        Stream<String> declared = Stream.concat(
                edits.properties().stream().map(Map.Entry::getKey),
                metadata().at("/langchain4j/argsOrder").valueStream().map(JsonNode::asText));
        return Stream.concat(
                        declared.filter(arguments::has),
                        arguments.properties().stream().map(Map.Entry::getKey))
                .distinct();
    }

    private Optional<ResumeEntry> approval(JsonNode arguments) {
        String editsName = interrupt.edits().orElse("");
        JsonNode edits = schema.path("properties").path(editsName);
        boolean may = mayDecide();
        String letsRun = edits.isObject() ? "[a]pprove, [e]dit, " : "[a]pprove, ";
        String choices = may ? letsRun + "[d]eny or [c]ancel? " : "[d]eny or [w]ithdraw? ";
        while (true) {
            Optional<String> said = terminal.ask(choices);
            if (said.isEmpty()) {
                return Optional.empty();
            }
            ObjectNode payload = JsonNodeFactory.instance.objectNode();
            Matcher denial = DENIAL.matcher(said.get().strip());
            if (denial.matches()) {
                payload.put("approved", false);
                Optional.ofNullable(denial.group("reason"))
                        .or(() -> terminal.askMore("reason (may be empty): "))
                        .filter(reason -> !reason.isBlank())
                        .ifPresent(reason -> payload.put("reason", reason));
                return resolved(payload);
            }
            switch (said.get().strip().toLowerCase(Locale.ROOT)) {
                case "a", "approve" -> {
                    if (may) {
                        return confirmed(payload.put("approved", true)).flatMap(this::resolved);
                    }
                }
                case "e", "edit" -> {
                    if (may && edits.isObject()) {
                        return edited(arguments, edits)
                                .flatMap(all ->
                                        confirmed(payload.put("approved", true).set(editsName, all)))
                                .flatMap(this::resolved);
                    }
                }
                case "c", "cancel", "w", "withdraw" -> {
                    return cancelled();
                }
                default -> {
                    // asked again
                }
            }
        }
    }

    /** The approval with the value that has to be repeated, if one has to be. */
    private Optional<ObjectNode> confirmed(ObjectNode approval) {
        JsonNode confirm = schema.path("properties").path("confirm");
        return confirm.isMissingNode()
                ? Optional.of(approval)
                : terminal.ask("repeat " + confirm.path("title").asText("the value") + ": ")
                        .map(said -> approval.put("confirm", said));
    }

    private Optional<ObjectNode> edited(JsonNode arguments, JsonNode edits) {
        ObjectNode all = arguments.deepCopy();
        for (Map.Entry<String, JsonNode> field : edits.path("properties").properties()) {
            if (field.getValue().path("readOnly").asBoolean()) {
                continue;
            }
            String name = field.getKey();
            Optional<String> said = terminal.ask(name + " [" + all.path(name) + "]: ");
            if (said.isEmpty()) {
                return Optional.empty();
            }
            if (!said.get().isEmpty()) {
                all.set(name, value(said.get(), field.getValue()));
            }
        }
        return Optional.of(all);
    }

    private Optional<ResumeEntry> answer() {
        if ("object".equals(schema.path("type").asText())) {
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
                Optional<String> said = terminal.ask(label(field.getKey(), field.getValue()));
                if (said.isEmpty()) {
                    return Optional.empty();
                }
                Optional<ResumeEntry> command = command(said.get());
                if (command.isPresent()) {
                    return command;
                }
                if (!said.get().isEmpty()) {
                    answer.set(field.getKey(), value(said.get(), field.getValue()));
                }
            }
            return resolved(answer);
        }
        return terminal.ask(label("answer", schema))
                .flatMap(said -> command(said).or(() -> resolved(value(said, schema))));
    }

    private Optional<ResumeEntry> command(String said) {
        if (takesResponse && said.startsWith(RESPOND)) {
            String result = said.substring(RESPOND.length());
            return resolved(JsonNodeFactory.instance.objectNode().put("response", result));
        }
        return said.equals("/cancel") ? cancelled() : Optional.empty();
    }

    private String label(String name, JsonNode schema) {
        List<String> choices = new ArrayList<>();
        schema.path("enum").forEach(choice -> choices.add(choice.asText()));
        if ("boolean".equals(schema.path("type").asText())) {
            choices.addAll(List.of("yes", "no"));
        }
        return name
                + (choices.isEmpty() ? "" : " (" + String.join(", ", choices) + ")")
                + (takesResponse ? ", /respond RESULT or /cancel: " : ", or /cancel: ");
    }

    /** Reads what the person typed: a text where the schema wants one, yes and no for a boolean, else JSON if it is some. */
    private static JsonNode value(String said, JsonNode schema) {
        String type = schema.path("type").asText();
        if (type.equals("string")) {
            return TextNode.valueOf(said);
        }
        if (type.equals("boolean")) {
            return switch (said.strip().toLowerCase(Locale.ROOT)) {
                case "y", "yes", "true" -> BooleanNode.TRUE;
                case "n", "no", "false" -> BooleanNode.FALSE;
                default -> TextNode.valueOf(said); // the server says what is wrong with it
            };
        }
        try {
            return AguiCodec.mapper().readTree(said);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(said); // no JSON, so a text
        }
    }

    private Optional<ResumeEntry> resolved(JsonNode payload) {
        return Optional.of(ResumeEntry.resolved(interrupt, payload));
    }

    private Optional<ResumeEntry> cancelled() {
        return Optional.of(ResumeEntry.cancelled(interrupt));
    }
}
